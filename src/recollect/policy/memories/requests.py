"""The requests of the memory tool: one model per operation (D16)."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, ValidationError

from recollect.errors import BadInput
from recollect.model import text
from recollect.model.content import Value
from recollect.model.memory import STRICTNESS, Concept, Sensitivity, Share

PRIVATE_USER = {"private-user": "personal"}
MAIN_CHANNELS = ("web", "dm", "mobile")


def _lines(value: object) -> object:
    """Return a list for a text with commas; agents write either."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return () if value is None else value


def _level(value: object) -> object:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    low = value.strip().lower() if isinstance(value, str) else value
    return PRIVATE_USER.get(str(low), low)


def _private_unless_named(value: object) -> object:
    low = _level(value)
    return low if low in STRICTNESS else "personal"


def _said(value: str) -> str:
    if not text.clean_line(value):
        raise ValueError("nothing that can be seen")
    return value


def _category(value: str) -> str:
    return text.clean_tag(value) or "general"


Lines = Annotated[tuple[str, ...], BeforeValidator(_lines)]
Level = Annotated[Sensitivity | None, BeforeValidator(_level)]
Said = Annotated[str, AfterValidator(_said)]
Category = Annotated[str, AfterValidator(_category)]
Line = Annotated[str, AfterValidator(text.clean_line)]
Limit = Annotated[int, Field(ge=1, le=1_000)]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Id = Annotated[Name, Field(validation_alias=AliasChoices("id", "memory_id"))]


class Gated(Value):
    """A request whose answer shows private and secret memories only on demand (D15)."""

    include_private: bool = False
    include_secret: bool = False
    session_id: str | None = None
    project: Name | None = None

    @property
    def levels(self) -> tuple[Sensitivity, ...]:
        """The sensitivities that may be shown; never `unknown`."""
        asked = {"private": self.include_private, "secret": self.include_secret, "unknown": False}
        return tuple(level for level in STRICTNESS if asked.get(level, True))


class StoreMemory(Value):
    """Store a memory."""

    content: Said
    title: str | None = None
    subtitle: str | None = None
    type: str = "change"
    category: Category = "general"
    importance: Share = 0.5
    confidence: Share | None = None
    sensitivity: Level = None
    tags: Lines = ()
    concepts: Annotated[tuple[Concept, ...], BeforeValidator(_lines)] = ()
    files_read: Lines = ()
    files_modified: Lines = ()
    session_id: str | None = None
    project: Name | None = None
    ttl_days: Annotated[float, Field(allow_inf_nan=False)] | None = None


class UpdateMemory(Value):
    """Change the given fields of a memory."""

    id: Id
    content: Said | None = None
    title: Said | None = None
    subtitle: str | None = None
    type: str | None = None
    category: Category | None = None
    importance: Share | None = None
    confidence: Share | None = None
    sensitivity: Level = None
    tags: Lines | None = None
    concepts: Annotated[tuple[Concept, ...], BeforeValidator(_lines)] | None = None
    files_read: Lines | None = None
    files_modified: Lines | None = None
    ttl_days: Annotated[float, Field(allow_inf_nan=False)] | None = None


class SearchMemories(Gated):
    """Search memories, ranked by relevance to a query."""

    query: Said
    limit: Limit = 10
    min_score: Share | None = None
    type: str | None = None
    category: Category | None = None


class MainSessionQuestion(Value):
    """A question that CursorClaw answers in its main session, and in the heartbeat's."""

    query: Said
    channel: str | None = None
    session_id: str | None = None

    @property
    def is_of_the_main_session(self) -> bool:
        """Whether the request comes from the user's own session, or from the heartbeat's."""
        return self.channel in (None, *MAIN_CHANNELS) or (self.session_id or "").startswith("heartbeat:")


class RecallMemory(MainSessionQuestion):
    """CursorClaw's question for the entries most like it (C12)."""

    top_k: Annotated[int, Field(ge=1, le=20)] = 5


class QueryExperiences(MainSessionQuestion):
    """CursorClaw's question for past experiences (C21)."""

    top_k: Annotated[int, Field(ge=1, le=20)] = 8


class RememberThis(Value):
    """CursorClaw's "remember this": a record of the operator's own (C13)."""

    text: Said
    category: str = "note"
    sensitivity: Annotated[Sensitivity, BeforeValidator(_private_unless_named)] = "personal"
    session_id: str = "main"


class ListMemories(Gated):
    """List memories page by page, newest first."""

    limit: Limit = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    type: str | None = None
    category: Category | None = None


class GetMemory(Gated):
    """Get one memory."""

    id: Id


class DeleteMemory(Value):
    """Delete a memory for good."""

    id: Id


class SearchByFile(Gated):
    """Search memories that name a file."""

    file_path: Annotated[Said, Field(validation_alias=AliasChoices("file_path", "path", "file"))]
    limit: Limit = 50


class SearchByConcept(Gated):
    """Search memories of a concept."""

    concept: Concept
    limit: Limit = 50


class GetTimeline(Gated):
    """List memories in order of time."""

    limit: Limit = 50


class StoreFact(Value):
    """Store a fact."""

    subject: Said
    predicate: Said
    object: Said
    confidence: Share = 1.0
    source_memory_id: str | None = None
    project: Name | None = None


class QueryFacts(Value):
    """Find facts whose given parts are equal."""

    subject: Line | None = None
    predicate: Line | None = None
    object: Line | None = None
    min_confidence: Share = 0.0
    limit: Limit = 50
    project: Name | None = None


class DeleteFact(Value):
    """Delete a fact."""

    id: Annotated[Name, Field(validation_alias=AliasChoices("id", "fact_id"))]


class PurgeExpired(Value):
    """Delete expired memories."""

    project: Name | None = None


class SummarizeOld(Value):
    """Merge old memories into summaries."""

    days: Annotated[float, Field(ge=0, le=36_500, validation_alias=AliasChoices("days", "older_than_days"))] = 30
    project: Name | None = None


OPERATIONS: Mapping[str, type[Value]] = {
    "store_memory": StoreMemory,
    "search_memories": SearchMemories,
    "recall_memory": RecallMemory,
    "query_experiences": QueryExperiences,
    "remember_this": RememberThis,
    "list_memories": ListMemories,
    "get_memory": GetMemory,
    "update_memory": UpdateMemory,
    "delete_memory": DeleteMemory,
    "search_by_file": SearchByFile,
    "search_by_concept": SearchByConcept,
    "get_timeline": GetTimeline,
    "store_fact": StoreFact,
    "query_facts": QueryFacts,
    "delete_fact": DeleteFact,
    "purge_expired": PurgeExpired,
    "summarize_old": SummarizeOld,
}


def parse(request: object) -> Value:
    """Return the request that a JSON object describes. Raise BadInput that names every mistake at once."""
    if not isinstance(request, Mapping):
        raise BadInput('a request is one JSON object with an "operation"')
    operation = request.get("operation")
    if operation is None:
        raise BadInput(f"operation is required: one of {', '.join(OPERATIONS)}")
    model = OPERATIONS.get(operation) if isinstance(operation, str) else None
    if model is None:
        raise BadInput(
            f"unknown operation: {text.storable(str(operation))[:80]}", fix=f"There are {', '.join(OPERATIONS)}."
        )
    try:
        return model.model_validate({name: _storable(value) for name, value in request.items() if name != "operation"})
    except ValidationError as error:
        raise BadInput("; ".join(dict.fromkeys(_complaint(problem, model) for problem in error.errors()))) from None


def _storable(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, str):
        return text.storable(value)
    return [_storable(part) for part in value] if isinstance(value, list) else value


def _complaint(problem: Any, model: type[Value]) -> str:  # noqa: ANN401 - pydantic's own shape
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return f"{name} is required"
    if problem["type"] == "extra_forbidden":
        return f"{name[:80]}: no such field; there are {', '.join(model.model_fields)}"
    if problem["type"] == "literal_error" and problem["loc"][0] == "sensitivity":
        return f"sensitivity: one of {', '.join(STRICTNESS)}"
    return f"{name}: {problem['msg']}"
