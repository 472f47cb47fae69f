"""The settings, a table per section: default, bounds and one sentence each."""

import posixpath
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from recollect.model.content import Value, model_from
from recollect.model.kinds import BUILT_IN, Kind, Kinds, table

Layout = Literal["json", "markdown", "log"]
Schedule = Annotated[str, Field(pattern=r"^[0-9]{1,6}/[1-9][0-9]{0,5}$")]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
LONGEST_NAME = 200
Days = Annotated[int, Field(ge=0, le=36_500)]
Model = Literal["haiku", "sonnet", "opus"]


def _inside(path: str) -> str:
    plain = posixpath.normpath(path.replace("\\", "/")) if path else ""
    parts = plain.split("/")
    if path.startswith(("/", "~")) or ".." in parts or ":" in parts[0] or "\0" in path:
        raise ValueError("has to be a path inside the project")
    if ".git" in parts or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in parts):
        raise ValueError("is no name for a file of ours")
    return "" if plain == "." else plain


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value  # one name needs no list around it


InProject = Annotated[str, AfterValidator(_inside)]
Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


def setting(says: str, *, later: str = "", **bounds: Any) -> Any:  # noqa: ANN401 - as pydantic's own Field
    """A field with its sentence; `later` names the part of the program that will read it."""
    return Field(description=says, json_schema_extra={"later": later} if later else None, **bounds)


UPKEEP = "upkeep"


class VaultSection(Value):
    """The plain-text twin in the repository."""

    layouts: Annotated[
        tuple[Layout, ...], BeforeValidator(_listed), setting("Which layouts the vault keeps, in any combination.")
    ] = ("json",)
    root: Annotated[InProject, setting("The folder of the json layout, inside the project.", min_length=1)] = (
        ".claude/memory"
    )
    auto_commit: Annotated[bool, setting("Commit vault changes to git as they are made.")] = False


class SaveSection(Value):
    """What holds when a memory is saved."""

    max_per_kind: Annotated[
        int, setting("Active memories per kind of a project; 0 means no limit.", ge=0, le=100_000)
    ] = 100
    sessions_retained: Annotated[
        int, setting("Session summaries that stay active; older ones are retired.", ge=1, le=1_000)
    ] = 5
    retention_days: Annotated[
        dict[str, Days], setting("Days after which memories of a kind expire, by kind; 0 keeps them for good.")
    ] = {"session_summary": 90}
    disabled_kinds: Annotated[Names, setting("Kinds of which nothing new is saved here.")] = ()


class CaptureSection(Value):
    """What agents leave behind."""

    enabled: Annotated[bool, setting("File what a session's story says should be kept, without being asked.")] = True
    ttl_days: Annotated[Days, setting("Days that an observation is kept unless told otherwise; 0 means for good.")] = 90
    max_memories: Annotated[
        int, setting("Expiring observations per project; the weakest beyond it are retired. 0: no limit.", ge=0)
    ] = 1_000
    tool_output: Annotated[
        int,
        setting("At most that many characters of what a tool printed, for `ttl_days`; 0 keeps none.", ge=0, le=100_000),
    ] = 4_000
    turns: Annotated[bool, setting("Keep each turn: the prompt and its answer, without secrets.")] = True
    turn_chars: Annotated[int, setting("At most that many characters of a turn.", ge=200, le=100_000)] = 6_000
    skip_kinds: Annotated[Names, setting("Kinds that drafters leave alone: nothing is captured by itself.")] = ()
    threshold: Annotated[Share, setting("How memorable an observation has to be to be kept.")] = 0.30
    type_weights: Annotated[
        dict[str, Share], setting("How memorable a kind is by itself.")
    ] = {"decision": 0.8, "discovery": 0.7, "bugfix": 0.5, "feature": 0.5, "refactor": 0.3, "change": 0.3}  # fmt: skip


class Weights(Value):
    """What a match, its age, its importance and its trust count (D4)."""

    match: Share = 0.55
    recency: Share = 0.20
    importance: Share = 0.15
    trust: Share = 0.10


class RecallSection(Value):
    """How memories are found."""

    weights: Annotated[Weights, setting("What match, recency, importance and trust count in a scored search.")] = (
        Weights()
    )
    min_score: Annotated[Share, setting("The score below which a scored search leaves a memory out.")] = 0.35
    candidates: Annotated[int, setting("How many matches a scored search weighs.", ge=1, le=1_000)] = 25
    descriptions: Annotated[
        dict[str, str], setting("What a kind is about, by kind: its words count in the profile `keyword`.")
    ] = {}
    profile: Annotated[
        Literal["hybrid", "keyword", "scored", "judged", "hashed"],
        setting("How prompts are matched; judged ranks as hybrid until a judge is set."),
    ] = "hybrid"
    vectors: Annotated[bool, setting("Let the worker make vectors, so that meanings count beside words.")] = True
    presearch: Annotated[bool, setting("Narrow judged recall by keywords first.", later=UPKEEP)] = False
    presearch_content: Annotated[bool, setting("Let presearch read whole memories.", later=UPKEEP)] = False
    judged_scheme: Annotated[Literal["single", "double"], setting("Passes of judged recall.", later=UPKEEP)] = "double"
    judged_models: Annotated[str, setting("Models of judged recall, one per pass.", later=UPKEEP)] = "opus/opus"
    judged_prompts: Annotated[str, setting("Templates of judged recall, one per pass.", later=UPKEEP)] = (
        "recall-v5-pass1/recall-v5-pass2"
    )


class InjectSection(Value):
    """What an agent is told by itself."""

    session: Annotated[bool, setting("Tell what is known when a session starts.")] = True
    session_chars: Annotated[
        int, setting("At most that many characters when a session starts.", ge=0, le=1_000_000)
    ] = 32_000
    long_memory: Annotated[bool, setting("Tell LONGMEMORY.md first when a session starts.")] = False
    prompt: Annotated[bool, setting("Tell what is relevant to each prompt.")] = True
    max_memories: Annotated[int, setting("At most that many memories per prompt.", ge=0, le=20)] = 5
    token_budget: Annotated[int, setting("At most that many tokens per prompt.", ge=0, le=100_000)] = 2_000
    render: Annotated[Literal["cards", "lines", "pointers"], setting("How memories are shown to an agent.")] = "cards"
    experiences: Annotated[bool, setting("Tell relevant past experiences with each prompt.")] = False


class TriageSection(Value):
    """What is saved before a session stops (B13)."""

    enabled: Annotated[bool, setting("Look at the end of each turn for what should be kept.")] = True
    max_messages: Annotated[int, setting("Lines of a transcript that are looked at.", ge=10, le=200)] = 50
    thresholds: Annotated[dict[str, Share], setting("The score from which a kind is asked for, by kind.")] = {
        kind.name: kind.triage.threshold for kind in BUILT_IN if kind.triage
    }
    parallel: Annotated[bool, setting("Let subagents draft kinds side by side.")] = True
    models: Annotated[dict[str, Model], setting("The model that drafts a kind.")] = {
        kind.name: cast(Model, kind.triage.model) for kind in BUILT_IN if kind.triage
    }
    verification_model: Annotated[Model, setting("The model that checks drafts.")] = "sonnet"
    default_model: Annotated[Model, setting("The model for every other kind.")] = "haiku"


class ForgetSection(Value):
    """What happens to memories that are no longer used."""

    grace_days: Annotated[Days, setting("Days that a retired memory keeps its file before `index --gc`.")] = 30
    archive_retired: Annotated[bool, setting("Keep collected memories in the store as archived; off purges them.")] = (
        True
    )
    enabled: Annotated[bool, setting("Review the least used memories on a schedule.", later=UPKEEP)] = True
    schedule: Annotated[Schedule, setting("When: session number modulo cycle, offset/cycle.", later=UPKEEP)] = "0/200"
    min_age: Annotated[int, setting("Sessions that a memory is safe from review.", later=UPKEEP, ge=0)] = 50
    candidates: Annotated[int, setting("Memories per review.", later=UPKEEP, ge=0, le=1_000)] = 3
    decay_rate: Annotated[Share, setting("Importance that an unused memory loses per day.", later=UPKEEP)] = 0.05


class ConsolidateSection(Value):
    """How old memories are merged."""

    min_age_days: Annotated[Days, setting("Days before memories may be merged.", later=UPKEEP)] = 7
    update: Annotated[bool, setting("Let a judge keep memories current after each turn.", later=UPKEEP)] = True
    unique_below: Annotated[Share, setting("Similarity below which an experience is new.", later=UPKEEP)] = 0.85
    experiences: Annotated[bool, setting("Collect experiences from old records.", later=UPKEEP)] = False


class ValidationSection(Value):
    """How memories are checked against the repository."""

    enabled: Annotated[bool, setting("Check memories on a schedule.", later=UPKEEP)] = True
    schedule: Annotated[Schedule, setting("When: session number modulo cycle, offset/cycle.", later=UPKEEP)] = "75/100"
    amount: Annotated[int, setting("Memories per check; 0 means all.", later=UPKEEP, ge=0)] = 20


class LogSection(Value):
    """`MEMORY.md` and its companions."""

    max_records: Annotated[int, setting("Records that MEMORY.md keeps; 0 means no limit.", ge=0)] = 0
    max_chars: Annotated[int, setting("Characters that MEMORY.md keeps; 0 means no limit.", ge=0)] = 0
    archive: Annotated[InProject, setting("Where trimmed lines go; empty leaves them to the daily files.")] = ""
    compact: Annotated[bool, setting("Merge old records on a schedule.", later=UPKEEP)] = False
    compact_min_age_days: Annotated[Days, setting("Days before a record may be merged.", later=UPKEEP)] = 7
    compact_max_records: Annotated[int, setting("Records from which merging starts.", later=UPKEEP, ge=0)] = 0
    compact_max_chars: Annotated[int, setting("Characters from which merging starts.", later=UPKEEP, ge=0)] = 0
    long_memory: Annotated[InProject, setting("Where long-term summaries go.", later=UPKEEP)] = "LONGMEMORY.md"
    long_memory_chars: Annotated[int, setting("Characters that it keeps.", later=UPKEEP, ge=0)] = 16_000
    vectors: Annotated[bool, setting("Keep hashed vectors with the memories: quicker for the profile `hashed`.")] = (
        False
    )
    max_vectors: Annotated[int, setting("How many of the newest memories the profile `hashed` compares.", ge=0)] = 3_000


class OwnKind(Value):
    """A kind of the user's own: a row of the KINDS table."""

    says: Annotated[str, Field(description="What it captures, in one line.")] = "A kind of your own"
    folder: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", description="Its folder in the vault.")]
    fields: Annotated[
        dict[str, Literal["text", "text?", "list", "list?"]],
        Field(
            default_factory=dict,
            description="Content fields by name; the first is what `remember TEXT` fills; none means free text.",
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
    """Every setting, by section."""

    vault: VaultSection = VaultSection()
    save: SaveSection = SaveSection()
    capture: CaptureSection = CaptureSection()
    recall: RecallSection = RecallSection()
    inject: InjectSection = InjectSection()
    triage: TriageSection = TriageSection()
    forget: ForgetSection = ForgetSection()
    consolidate: ConsolidateSection = ConsolidateSection()
    validation: ValidationSection = ValidationSection()
    log: LogSection = LogSection()
    kinds: Annotated[dict[str, OwnKind], Field(default_factory=dict, description="Kinds of your own, `[kinds.NAME]`.")]

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
        """The KINDS table with the user's own rows."""
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
