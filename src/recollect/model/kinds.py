"""KINDS: everything that differs by kind of memory, in one table.

The six categories of claude-memory (B1), the observation types of LetsGo (D2) and the categories of CursorClaw (C1)
are rows. A user's own kinds, from the `[kinds]` section of the configuration, are rows of the same table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field

from recollect.errors import BadInput
from recollect.lazy import load
from recollect.model import content
from recollect.model.content import Content, Text
from recollect.model.words import triage_words

Fields = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Triage:
    """When the end of a turn asks for a memory: words, with more points near boosters (B10), or activity (B12)."""

    primary: Fields = ()
    boosters: Fields = ()
    primary_weight: float = 0.0
    boosted_weight: float = 0.0
    max_primary: int = 0
    max_boosted: int = 0
    denominator: float = 1.0
    _: KW_ONLY
    threshold: float
    model: str
    """The model that drafts the memory."""
    activity: tuple[float, float, float] | None = None
    """Points of a tool use, of a tool that was not used before, and of a message."""


def _triage(kind: str) -> Triage:
    threshold, model = triage_words.THRESHOLDS[kind], triage_words.MODELS[kind]
    if kind in triage_words.ACTIVITY:
        return Triage(threshold=threshold, model=model, activity=triage_words.ACTIVITY[kind])
    return Triage(*triage_words.WORDS[kind], threshold=threshold, model=model)


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table."""

    name: str
    says: str
    """What the kind is for, in one line (shown in help and docs)."""
    content: type[Content] = Text
    folder: str | None = None
    """Its folder in the vault; None means that it is kept in the store alone."""
    lead: str = "text"
    """The content field that `remember TEXT` fills."""
    because: str | None = None
    """The content field that `remember --why` fills."""
    preset: Mapping[str, object] = field(default_factory=dict)
    """Content fields that `remember` sets by default."""
    key_fields: Fields = ()
    """The content fields that an excerpt shows (B32)."""
    tells: Fields = ()
    """The content fields that are injected; empty: the key fields."""
    deletable: bool = True
    """Whether an agent may retire it without a person (B33)."""
    capped: bool = False
    """Whether `save.max_per_kind` limits it (claude-memory's max_memories_per_category)."""
    windowed: bool = False
    """Whether only the newest `save.sessions_retained` stay active (B55)."""
    fleeting: bool = False
    """Whether it is an observation: it expires after `capture.ttl_days`, and `capture.max_memories` limits it (D12)."""
    protected: bool = False
    """Whether others are removed before it at a cap (D40)."""
    mergeable: bool = False
    """Whether old ones may be merged into a summary (C15, D17)."""
    singular: bool = False
    """Whether a session has only one of it: a second text contradicts the first (C5)."""
    priority: int = 0
    """Its order at session start and among equal scores (B23); 0: injected only if a prompt matches it."""
    triage: Triage | None = None
    """When the end of a turn asks for one (B10-B13); None: never."""

    @property
    def label(self) -> str:
        """The kind in index lines: `TECH_DEBT`."""
        return self.name.upper()


BUILT_IN: tuple[Kind, ...] = (
    Kind(
        "session_summary",
        "Where work stands, to resume from",
        content.SessionSummary,
        "sessions",
        lead="goal",
        preset={"outcome": "partial", "completed": (), "next_actions": ()},
        key_fields=("goal", "outcome"),
        deletable=False,
        capped=True,
        windowed=True,
        singular=True,
        priority=6,
        triage=_triage("session_summary"),
    ),
    Kind(
        "decision",
        "A choice and its rationale",
        content.Decision,
        "decisions",
        lead="decision",
        because="rationale",
        preset={"status": "accepted", "context": ""},
        key_fields=("context", "decision", "rationale"),
        deletable=False,
        capped=True,
        protected=True,
        priority=1,
        triage=_triage("decision"),
    ),
    Kind(
        "runbook",
        "How an error is diagnosed, fixed and verified",
        content.Runbook,
        "runbooks",
        lead="trigger",
        because="root_cause",
        key_fields=("trigger", "root_cause"),
        tells=("trigger", "root_cause", "steps"),
        capped=True,
        priority=4,
        triage=_triage("runbook"),
    ),
    Kind(
        "constraint",
        "A known limitation",
        content.Constraint,
        "constraints",
        lead="rule",
        because="impact",
        preset={"kind": "technical", "severity": "medium", "active": True},
        key_fields=("rule", "impact"),
        capped=True,
        priority=2,
        triage=_triage("constraint"),
    ),
    Kind(
        "tech_debt",
        "Deferred work and why it was deferred",
        content.TechDebt,
        "tech-debt",
        lead="description",
        because="reason_deferred",
        preset={"status": "open", "priority": "medium"},
        key_fields=("description", "reason_deferred"),
        capped=True,
        priority=5,
        triage=_triage("tech_debt"),
    ),
    Kind(
        "preference",
        "How things should be done",
        content.Preference,
        "preferences",
        lead="value",
        because="reason",
        preset={"strength": "default"},
        key_fields=("topic", "value", "reason"),
        deletable=False,
        capped=True,
        priority=3,
        triage=_triage("preference"),
    ),
    Kind("note", "Anything worth keeping, in free text", folder="notes", mergeable=True, priority=9),
    Kind("learned", "Something an agent found out and keeps", folder="learned", priority=8),
    Kind("experience", "A past situation and how it went", folder="experiences", priority=10),
    Kind("compaction", "Old records merged into one"),
    Kind("user_preference", "What the user likes, in free text", singular=True, priority=7),
    Kind("turn_summary", "One prompt and its answer", fleeting=True, mergeable=True),
    Kind("heartbeat", "A sign of life of a long-running agent"),
    Kind("bugfix", "An error resolved or a fix applied", fleeting=True, mergeable=True),
    Kind("feature", "New functionality", fleeting=True, mergeable=True),
    Kind("refactor", "Code restructured or cleaned up", fleeting=True, mergeable=True),
    Kind("change", "Configuration, dependencies or environment changed", fleeting=True, mergeable=True),
    Kind("discovery", "New understanding, a pattern recognised", fleeting=True, mergeable=True, protected=True),
    Kind("compressed_summary", "Related memories merged into one", folder="summaries"),
)

Kinds = Mapping[str, Kind]


def table(own: Iterable[Kind] = ()) -> Kinds:
    """Return the built-in kinds and those that the user defines, by name."""
    return {kind.name: kind for kind in (*BUILT_IN, *own)}


KINDS: Kinds = table()


def unknown(name: str, kinds: Kinds) -> BadInput:
    """Return the error for a kind that is not in a table: it names those that are, and what may have been meant."""
    close: list[tuple[str, object]] = [
        ("did you mean", kind) for kind in load("difflib").get_close_matches(name, kinds)
    ]
    fix = f"Use one of: {', '.join(sorted(kinds))}."
    return BadInput("there is no such kind", target=name[:80], details=close[:1], fix=fix)


def by_folder(kinds: Kinds) -> dict[str, Kind]:
    """Return the kinds that have a folder in the vault, by folder."""
    return {kind.folder: kind for kind in kinds.values() if kind.folder}


def content_model(kind: str, kinds: Kinds) -> type[Content]:
    """Return the content model of a kind; `Loose` if the kind is not defined here."""
    row = kinds.get(kind)
    return row.content if row else content.Loose
