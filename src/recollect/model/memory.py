"""The memory: the central value, with the fields of all four seed systems."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator

from recollect.model import text
from recollect.model.content import Content, Text, Value
from recollect.model.kinds import KINDS, Kinds, content_model
from recollect.model.recall_values import EXPERIENCE

Status = Literal["active", "retired", "archived"]
Origin = Literal["user", "assistant", "tool", "web", "import", "quoted"]
"""Who wrote it; `quoted`: text of somebody else that the user passed on ("legal says …")."""
OTHERS_WORDS: tuple[Origin, ...] = ("tool", "web", "quoted")
"""Origins of text that neither the user nor an agent wrote; it is never merged with the user's own text."""
Sensitivity = Literal["public", "operational", "personal", "private", "secret", "unknown"]
Scale = Literal["immediate", "task", "session", "project"]
Concept = Literal[
    "how-it-works", "why-it-exists", "what-changed", "problem-solution", "gotcha", "pattern", "trade-off"
]  # D2

TAG_CAP = 12
UNTAGGED = "untagged"
EDIT_CAP = 50
SUMMARY_CHARS = 300
STRICTNESS: tuple[Sensitivity, ...] = get_args(Sensitivity)
SUMMARY, PENDING, CONFIRMED = "session_summary", "pending", 0.95
"""The kind of session summaries; the tag of what a person should look at; the confidence of what a person kept."""
COMPRESSED, COMPRESSION = "compressed_summary", "recollect:compression"
"""The kind of several memories merged into one; the channel of those whose members were in the store alone."""
SHAREABLE: tuple[Sensitivity, ...] = ("public", "operational")

Share = Annotated[float, Field(ge=0.0, le=1.0)]
# Channels that are no person's name.
MACHINES = (
    "operator",
    "system",
    "heartbeat",
    "web",
    "dm",
    "mobile",
    "claude-code",
    "codex",
    "gemini",
    "cursor",
    "generic",
    "mcp",
)
MOST = 2**53
Count = Annotated[int, Field(ge=-MOST, le=MOST)]
"""An integer that every reader of JSON can represent."""


class Edit(Value):
    """An entry of a memory's own history."""

    date: str
    summary: Annotated[str, Field(max_length=SUMMARY_CHARS)]
    field: str | None = None
    old_value: Any = None
    new_value: Any = None


class Usage(Value):
    """How often a memory was used, and how it is rated."""  # A2

    hits: Count = 0
    last_hit_at: str | None = None
    last_session: Count = 0
    created_session: Count = 0
    appreciation: Count = 0
    pinned: bool = False


class Anchor(Value):
    """A file that the memory is about, and the hash of its content at that time."""

    path: str
    digest: str | None = None


Relation = Literal["replaces", "may_replace", "exception_to"]


class Link(Value):
    """What a memory does to an older one: `replaces` it, perhaps (`may_replace`), or names an exception to it."""

    relation: Relation
    uid: str
    """The older memory."""


class Memory(Value):
    """What a session learnt and later sessions should know."""

    # content
    uid: Annotated[str, Field(pattern=r"^[!-~]{1,200}$")]
    slug: Annotated[str, Field(pattern=text.SLUG.pattern)]
    kind: str
    title: Annotated[str, Field(max_length=text.TITLE_CHARS)]
    content: SerializeAsAny[Content]
    # search
    tags: Annotated[tuple[str, ...], Field(max_length=TAG_CAP)] = ()
    concepts: tuple[Concept, ...] = ()
    cue: str = ""
    keywords: tuple[str, ...] = ()
    # origin
    project: str = "global"
    session: str | None = None
    origin: Origin = "user"
    channel: str | None = None
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    commit: str | None = None
    branch: str | None = None
    anchors: tuple[Anchor, ...] = ()
    derived_from: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    # weights
    confidence: Share | None = None
    importance: Share = 0.5
    sensitivity: Sensitivity = "public"
    usage: Usage = Usage()
    scale: Scale | None = None
    # life cycle
    status: Status = "active"
    created_at: str
    updated_at: str
    expires_at: str | None = None
    closed_at: str | None = None
    closed_reason: str | None = None
    edits: tuple[Edit, ...] = ()
    times_revised: Count = 0

    @field_validator("content", mode="before")
    @classmethod
    def _content_of_its_kind(cls, value: object, info: ValidationInfo) -> object:
        if isinstance(value, Content):
            return value
        return parse_content(info.data.get("kind", ""), value, (info.context or {}).get("kinds", KINDS))

    @cached_property
    def text(self) -> str:
        """The text of the content, without the title."""
        return self.content.as_text()

    @property
    def actor(self) -> str:
        """The name of the person who wrote it; empty if the channel is a program's."""
        return "" if self.channel is None or self.channel in MACHINES or ":" in self.channel else self.channel

    @property
    def is_in_store_alone(self) -> bool:
        """Whether it was captured and waits for a person: it is pending, a summary, or an experience.

        Such a memory gets no file and no line in a log before somebody keeps it.
        """
        is_captured = bool((self.channel or "").partition(":")[2])
        is_summary = self.kind in (SUMMARY, COMPRESSED, EXPERIENCE) and (self.confidence or 0.0) < CONFIRMED
        return is_captured and (PENDING in self.tags or is_summary)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text: equal digests are the same memory."""  # D9
        return text.sha256(self.content.hashed_text())

    @cached_property
    def image(self) -> str:
        """The memory as the store and the journal keep it: JSON on one line."""
        return self.model_dump_json(exclude_defaults=True)

    def revision(self) -> str:
        """Return the revision hash of a memory without a file: MD5 of its image."""
        return text.md5(self.image.encode())

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy that is not validated; cached properties are computed again."""
        copy = super().model_copy(update=update, deep=deep)
        for name in ("text", "digest", "image"):
            copy.__dict__.pop(name, None)
        return copy

    def having(self, **fields: object) -> "Memory":
        """Return the memory with some fields changed; raises ValidationError if a value does not fit."""
        known = {name: getattr(self, name) for name in type(self).model_fields}
        return Memory.model_validate({**known, **fields})


def parse_content(kind: str, value: object, kinds: Kinds) -> Content:
    """Return the content of a kind from its fields; a kind with fields may also have free text (as in seed D)."""
    if not isinstance(value, Mapping):
        return Text.model_validate(value)
    if set(value) == {"text"}:
        return Text.model_validate(value)
    model = content_model(kind, kinds)
    return model.model_validate(value)


def from_json(image: str | bytes, kinds: Kinds = KINDS) -> Memory:
    """Return the memory of an image."""
    return Memory.model_validate_json(image, context={"kinds": kinds})
