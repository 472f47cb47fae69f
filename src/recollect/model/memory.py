"""The one value: a memory, as all four seeds know it."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator

from recollect.model import text
from recollect.model.content import Content, Text, Value
from recollect.model.kinds import KINDS, Kinds, content_model

Status = Literal["active", "retired", "archived"]
Origin = Literal["user", "assistant", "tool", "web", "import", "quoted"]
"""Who said it; `quoted`: words of somebody else that the user passed on ("legal says …")."""
OTHERS_WORDS: tuple[Origin, ...] = ("tool", "web", "quoted")
"""Origins of text that nobody who works here wrote; it is never mixed with what a person said."""
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
SHAREABLE: tuple[Sensitivity, ...] = ("public", "operational")

Share = Annotated[float, Field(ge=0.0, le=1.0)]
# Channels that are nobody's name.
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
)
MOST = 2**53
Count = Annotated[int, Field(ge=-MOST, le=MOST)]
"""What every reader of a file can hold as a number."""


class Edit(Value):
    """One line of a memory's own history."""

    date: str
    summary: Annotated[str, Field(max_length=SUMMARY_CHARS)]
    field: str | None = None
    old_value: Any = None
    new_value: Any = None


class Usage(Value):
    """How often a memory was used, and how it is valued (A2)."""

    hits: Count = 0
    last_hit_at: str | None = None
    last_session: Count = 0
    created_session: Count = 0
    appreciation: Count = 0
    pinned: bool = False


class Anchor(Value):
    """A file that the memory is about, and the hash of what was seen there."""

    path: str
    digest: str | None = None


class Memory(Value):
    """What one session learnt and the next one should know."""

    # says
    uid: Annotated[str, Field(pattern=r"^[!-~]{1,200}$")]
    slug: Annotated[str, Field(pattern=text.SLUG.pattern)]
    kind: str
    title: Annotated[str, Field(max_length=text.TITLE_CHARS)]
    content: SerializeAsAny[Content]
    # found by
    tags: Annotated[tuple[str, ...], Field(max_length=TAG_CAP)] = ()
    concepts: tuple[Concept, ...] = ()
    cue: str = ""
    keywords: tuple[str, ...] = ()
    # comes from
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
    # counts
    confidence: Share | None = None
    importance: Share = 0.5
    sensitivity: Sensitivity = "public"
    usage: Usage = Usage()
    scale: Scale | None = None
    # lives
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
        """What it says, without the title."""
        return self.content.as_text()

    @property
    def actor(self) -> str:
        """Who said it, by name; empty where it came from a machine's channel."""
        return "" if self.channel is None or self.channel in MACHINES or ":" in self.channel else self.channel

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what it says: equal digests are the same memory (D9)."""
        return text.sha256(self.text)

    @cached_property
    def image(self) -> str:
        """The full image that the store and the journal keep: JSON on one line."""
        return self.model_dump_json(exclude_defaults=True)

    def revision(self) -> str:
        """The hash of optimistic concurrency where there is no file: MD5 of the canonical JSON."""
        return text.md5(self.image.encode())

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy that is not validated; what was derived from the original is derived anew."""
        copy = super().model_copy(update=update, deep=deep)
        for name in ("text", "digest", "image"):
            copy.__dict__.pop(name, None)
        return copy

    def having(self, **fields: object) -> "Memory":
        """The same memory with some fields changed; validated, so a wrong value never gets further."""
        known = {name: getattr(self, name) for name in type(self).model_fields}
        return Memory.model_validate({**known, **fields})


def parse_content(kind: str, value: object, kinds: Kinds) -> Content:
    """Fit fields to the kind's model; a structured kind may also hold free text (D's observations do)."""
    if not isinstance(value, Mapping):
        return Text.model_validate(value)
    if set(value) == {"text"}:
        return Text.model_validate(value)
    model = content_model(kind, kinds)
    return model.model_validate(value)


def from_json(image: str | bytes, kinds: Kinds = KINDS) -> Memory:
    """Read a full image back."""
    return Memory.model_validate_json(image, context={"kinds": kinds})
