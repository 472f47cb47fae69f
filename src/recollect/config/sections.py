"""The settings, a model per section: each with its default, its bounds and a sentence of help."""

import posixpath
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Field, field_validator
from pydantic.fields import FieldInfo

from recollect.config import recurrence
from recollect.model.content import Value, model_from
from recollect.model.kinds import BUILT_IN, Kind, Kinds, table

Layout = Literal["json", "markdown", "log"]
Profile = Literal["hybrid", "keyword", "scored", "judged", "hashed"]
Schedule = Annotated[str, Field(pattern=r"^[0-9]{1,6}/[1-9][0-9]{0,5}$")]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
LONGEST_NAME = 200
Days = Annotated[int, Field(ge=0, le=36_500)]
Model = Literal["haiku", "sonnet", "opus"]


def _inside(path: str) -> str:
    plain = posixpath.normpath(path.replace("\\", "/")) if path else ""
    parts = plain.split("/")
    if path.startswith(("/", "~")) or ".." in parts or ":" in parts[0] or "\0" in path:
        raise ValueError("must be a path inside the project")
    if ".git" in parts or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in parts):
        raise ValueError("must not lead into `.git`, and no part may be longer than 200 bytes")
    return "" if plain == "." else plain


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value  # a single name needs no list around it


def _recurring(said: object) -> object:
    if isinstance(said, int) and not isinstance(said, bool):
        said = str(said)  # CursorClaw's interval in milliseconds
    if isinstance(said, str):
        recurrence.parse(said)
    return said


Recurring = Annotated[str, BeforeValidator(_recurring)]
InProject = Annotated[str, AfterValidator(_inside)]
Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


def is_used(field: FieldInfo) -> bool:
    """Return whether a part of the program reads a setting: some of the seeds' are accepted and have no effect yet."""
    extra = field.json_schema_extra
    return not (isinstance(extra, dict) and extra.get("later"))


def setting(says: str, *, later: str = "", **bounds: Any) -> Any:  # noqa: ANN401 - as pydantic's own Field
    """Return a field with its help sentence; `later` names the part of the program that will read it."""
    return Field(description=says, json_schema_extra={"later": later} if later else None, **bounds)


UPKEEP = "upkeep"


class VaultSection(Value):
    """Memory files in the repository."""

    layouts: Annotated[
        tuple[Layout, ...],
        BeforeValidator(_listed),
        setting("File layouts of the vault, in any combination: json, markdown, log."),
    ] = ("json",)
    root: Annotated[InProject, setting("Folder of the json layout, inside the project.", min_length=1)] = (
        ".claude/memory"
    )
    auto_commit: Annotated[bool, setting("Commit vault changes to git as they are made.")] = False


class SaveSection(Value):
    """Limits that apply when a memory is saved."""

    max_per_kind: Annotated[
        int, setting("Most active memories per kind and project; 0 means no limit.", ge=0, le=100_000)
    ] = 100
    sessions_retained: Annotated[
        int, setting("Number of session summaries that stay active; older ones are retired.", ge=1, le=1_000)
    ] = 5
    retention_days: Annotated[dict[str, Days], setting("Days after which memories expire, by kind; 0 means never.")] = {
        "session_summary": 90
    }
    disabled_kinds: Annotated[Names, setting("Kinds of memory that are not saved in this project.")] = ()


class CaptureSection(Value):
    """What is captured from sessions automatically."""

    enabled: Annotated[bool, setting("Capture memories from sessions automatically.")] = True
    ttl_days: Annotated[
        Days, setting("Days that an observation is kept unless it names another time; 0 means forever.")
    ] = 90
    max_memories: Annotated[
        int,
        setting("Most expiring observations per project; beyond it the least valuable are retired. 0: no limit.", ge=0),
    ] = 1_000
    tool_output: Annotated[
        int,
        setting("Most characters kept of a tool's output, for `ttl_days`; 0 keeps none.", ge=0, le=100_000),
    ] = 4_000
    turns: Annotated[bool, setting("Keep each turn (prompt and answer) without secrets.")] = True
    turn_chars: Annotated[int, setting("Most characters kept of a turn.", ge=200, le=100_000)] = 6_000
    skip_kinds: Annotated[Names, setting("Kinds that are not captured automatically.")] = ()
    threshold: Annotated[Share, setting("Lowest memorability score at which an observation is kept.")] = 0.30
    type_weights: Annotated[
        dict[str, Share], setting("Base memorability score of each kind.")
    ] = {"decision": 0.8, "discovery": 0.7, "bugfix": 0.5, "feature": 0.5, "refactor": 0.3, "change": 0.3}  # fmt: skip


class Weights(Value):
    """Weights of match, recency, importance and trust in a scored search (D4)."""

    match: Share = 0.55
    recency: Share = 0.20
    importance: Share = 0.15
    trust: Share = 0.10


class RecallSection(Value):
    """How memories are searched."""

    weights: Annotated[Weights, setting("Weights of match, recency, importance and trust in a scored search.")] = (
        Weights()
    )
    min_score: Annotated[Share, setting("Lowest score of a memory in the result of a scored search.")] = 0.35
    candidates: Annotated[int, setting("Number of matches that a scored search ranks.", ge=1, le=1_000)] = 25
    descriptions: Annotated[
        dict[str, str], setting("Description of each kind; its words count in the profile `keyword`.")
    ] = {}
    profile: Annotated[
        Profile,
        setting("Ranking used for prompts; `judged` ranks as `hybrid` until a judge is configured."),
    ] = "hybrid"
    vectors: Annotated[bool, setting("Build vectors in the background, so that recall also compares meanings.")] = True
    presearch: Annotated[bool, setting("Filter by keywords before judged recall.", later=UPKEEP)] = False
    presearch_content: Annotated[
        bool, setting("Search whole memories in presearch, not only titles and keywords.", later=UPKEEP)
    ] = False
    judged_scheme: Annotated[
        Literal["single", "double"], setting("Number of passes of judged recall.", later=UPKEEP)
    ] = "double"
    judged_models: Annotated[str, setting("Models of judged recall, one for each pass.", later=UPKEEP)] = "opus/opus"
    judged_prompts: Annotated[str, setting("Prompt templates of judged recall, one for each pass.", later=UPKEEP)] = (
        "recall-v5-pass1/recall-v5-pass2"
    )


class InjectSection(Value):
    """What agents are told."""

    session: Annotated[bool, setting("Tell memories when a session starts.")] = True
    start_tokens: Annotated[
        int, setting("Most tokens told when a session starts, apart from the log.", ge=0, le=100_000)
    ] = 800
    session_chars: Annotated[
        int, setting("Most characters told when a session starts, with the log.", ge=0, le=1_000_000)
    ] = 32_000
    long_memory: Annotated[bool, setting("Tell LONGMEMORY.md first when a session starts.")] = False
    prompt: Annotated[bool, setting("Tell the memories that are relevant to a prompt.")] = True
    max_memories: Annotated[int, setting("Most memories told per prompt.", ge=0, le=20)] = 5
    token_budget: Annotated[int, setting("Most tokens told per prompt.", ge=0, le=100_000)] = 2_000
    render: Annotated[
        Literal["cards", "lines", "pointers"],
        setting("Form of the memories that are told: full cards, index lines, or pointers to files."),
    ] = "cards"
    experiences: Annotated[bool, setting("Tell relevant past experiences with each prompt.")] = False


class HooksSection(Value):
    """How long hooks may take. Only your own settings count here, not those of a project."""

    deadline_ms: Annotated[
        int,
        setting(
            "Milliseconds after which a prompt, a failure, a session start, a turn's end or the guard gives no answer.",
            ge=50, le=8_000,
        ),
    ] = 1_000  # fmt: skip
    note_deadline_ms: Annotated[
        int, setting("Milliseconds after which a hook ends that only notes an event.", ge=50, le=2_000)
    ] = 150


class McpSection(Value):
    """The MCP server."""

    cache_answers: Annotated[
        bool, setting("Keep the last answers of a server, until any process changes the store.")
    ] = True


class TriageSection(Value):
    """What an agent is asked to save at the end of a turn (B13)."""

    enabled: Annotated[bool, setting("Check at the end of each turn whether something should be saved.")] = True
    max_messages: Annotated[int, setting("Number of transcript lines that are checked.", ge=10, le=200)] = 50
    thresholds: Annotated[
        dict[str, Share], setting("Score from which the agent is asked to save a memory, by kind.")
    ] = {kind.name: kind.triage.threshold for kind in BUILT_IN if kind.triage}
    parallel: Annotated[bool, setting("Let subagents draft memories of several kinds in parallel.")] = True
    models: Annotated[dict[str, Model], setting("Model that drafts memories, by kind.")] = {
        kind.name: cast(Model, kind.triage.model) for kind in BUILT_IN if kind.triage
    }
    verification_model: Annotated[Model, setting("Model that checks drafts.")] = "sonnet"
    default_model: Annotated[Model, setting("Model that drafts all other kinds.")] = "haiku"


class ForgetSection(Value):
    """When memories that are no longer used are removed."""

    grace_days: Annotated[
        Days, setting("Days that a retired memory keeps its file before `index --gc` removes it.")
    ] = 30
    archive_retired: Annotated[bool, setting("Archive memories that `index --gc` removes; off purges them.")] = True
    enabled: Annotated[bool, setting("Review the least used memories on a schedule.")] = True
    schedule: Annotated[
        Schedule, setting("When to run, as offset/cycle: session number modulo cycle equals offset.")
    ] = "0/200"
    min_age: Annotated[int, setting("Sessions before a memory may be reviewed.", ge=0)] = 50
    candidates: Annotated[int, setting("Number of memories per review.", ge=0, le=1_000)] = 3
    share: Annotated[
        Share, setting("Share of a project that a review archives in one session, of what was captured and unused.")
    ] = 0.1
    decay_rate: Annotated[Share, setting("Importance that an unused memory loses per day.")] = 0.05


class ConsolidateSection(Value):
    """When old memories are merged."""

    min_age_days: Annotated[Days, setting("Days before a memory may be merged.")] = 7
    update: Annotated[bool, setting("Let a judge update memories after each turn.", later=UPKEEP)] = True
    unique_below: Annotated[Share, setting("Similarity below which an experience counts as new.")] = 0.85
    experiences: Annotated[bool, setting("Keep unlike turns and notes as experiences, at most 5,000.")] = False


class ValidationSection(Value):
    """When memories are checked against the repository."""

    enabled: Annotated[bool, setting("Check memories that name code against the checkout.")] = True
    schedule: Annotated[
        Schedule, setting("When to run, as offset/cycle: session number modulo cycle equals offset.")
    ] = "75/100"
    amount: Annotated[int, setting("Number of memories per scheduled check; 0 means all.", ge=0)] = 20


class LogSection(Value):
    """`MEMORY.md` and its companions."""

    max_records: Annotated[int, setting("Most records in MEMORY.md; 0 means no limit.", ge=0)] = 0
    max_chars: Annotated[int, setting("Most characters in MEMORY.md; 0 means no limit.", ge=0)] = 0
    archive: Annotated[
        InProject, setting("File for lines trimmed from MEMORY.md; empty: they stay in the daily files alone.")
    ] = ""
    compact: Annotated[
        bool, setting("Merge old records into LONGMEMORY.md: on a schedule, over a threshold, and when a session ends.")
    ] = False
    compact_schedule: Annotated[
        Recurring, setting("When to merge: an interval such as 12h or daily, or a cron expression in UTC.")
    ] = "daily"
    compact_min_age_days: Annotated[Days, setting("Days before a record may be merged.")] = 7
    compact_max_records: Annotated[
        int, setting("Merge only where MEMORY.md has more records than this; 0: any number.", ge=0)
    ] = 0
    compact_max_chars: Annotated[
        int, setting("Merge only where MEMORY.md has more characters than this; 0: any number.", ge=0)
    ] = 0
    long_memory: Annotated[InProject, setting("File for long-term summaries.", min_length=1)] = "LONGMEMORY.md"
    long_memory_chars: Annotated[
        int, setting("Most characters in the file for long-term summaries; 0 means no limit.", ge=0)
    ] = 16_000
    vectors: Annotated[
        bool, setting("Store hashed vectors with the memories, which makes the profile `hashed` faster.")
    ] = False
    max_vectors: Annotated[int, setting("Number of newest memories that the profile `hashed` compares.", ge=0)] = 3_000


class OwnKind(Value):
    """A kind that the user defines: a row of the KINDS table."""

    says: Annotated[str, Field(description="What it is for, in one line.")] = "A kind of your own"
    folder: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", description="Its folder in the vault.")]
    fields: Annotated[
        dict[str, Literal["text", "text?", "list", "list?"]],
        Field(
            default_factory=dict,
            description="Content fields by name; `remember TEXT` fills the first; none means free text.",
        ),
    ]

    @field_validator("fields")
    @classmethod
    def _names(cls, fields: dict[str, str]) -> dict[str, str]:
        for name in fields:
            if not name.isidentifier() or name.startswith(("_", "model_")) or name == "text":
                raise ValueError(f"{name!r} cannot be the name of a content field")
        return fields


class Config(Value):
    """All settings, by section."""

    vault: VaultSection = VaultSection()
    save: SaveSection = SaveSection()
    capture: CaptureSection = CaptureSection()
    recall: RecallSection = RecallSection()
    inject: InjectSection = InjectSection()
    hooks: HooksSection = HooksSection()
    mcp: McpSection = McpSection()
    triage: TriageSection = TriageSection()
    forget: ForgetSection = ForgetSection()
    consolidate: ConsolidateSection = ConsolidateSection()
    validation: ValidationSection = ValidationSection()
    log: LogSection = LogSection()
    kinds: Annotated[
        dict[str, OwnKind], Field(default_factory=dict, description="Kinds that you define, `[kinds.NAME]`.")
    ]

    @field_validator("kinds")
    @classmethod
    def _new_names(cls, kinds: dict[str, OwnKind]) -> dict[str, OwnKind]:
        folders = {kind.folder for kind in BUILT_IN}
        for name, kind in kinds.items():
            if (
                not (name.isidentifier() and name.isascii())
                or name.lower() != name
                or name in {row.name for row in BUILT_IN}
            ):
                raise ValueError(f"{name!r} cannot be the name of a kind of your own")
            if kind.folder in folders:
                raise ValueError(f"the folder {kind.folder!r} belongs to another kind")
            folders.add(kind.folder)
        return kinds

    def kind_table(self) -> Kinds:
        """Return the KINDS table with the kinds that the user defines."""
        return table(_own_row(name, own) for name, own in self.kinds.items())


def _own_row(name: str, own: OwnKind) -> Kind:
    names = tuple(own.fields)
    return Kind(
        name,
        own.says,
        model_from(name, dict(own.fields)),
        own.folder,
        lead=names[0] if names else "text",
        key_fields=names[:3],
        capped=True,
        priority=11,
    )
