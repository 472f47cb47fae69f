"""The memory tool's operations that return several memories: search, list, by file, by concept, timeline, recall."""

from typing import Any

from recollect.errors import BadInput
from recollect.interop.memory_tool.lookup import count_uses, kind_name, project_path
from recollect.interop.memory_tool.output import Output, memories_output, memory_output
from recollect.model.query import Query
from recollect.model.recall_values import RecallScope
from recollect.policy.injection.experience_lines import category_of
from recollect.policy.memories import requests
from recollect.policy.memories.merging import CATEGORY_TAG
from recollect.policy.memories.requests import Gated
from recollect.project_context import ProjectContext
from recollect.recall import project_recall, scored
from recollect.recall.project_recall import RecalledMemory


def search(context: ProjectContext, request: requests.SearchMemories) -> Output:
    """Rank memories by LetsGo's score and count those that are returned as used (D4, D11)."""
    query = _query(context, request, request.type, request.category)
    now = context.clock().timestamp()
    scope = RecallScope(
        request.project or context.project,
        now,
        filters=query,
        sensitivities=(),
        branch=context.checkout.branch_or_commit,
    )
    rules = {} if request.min_score is None else {scored.MIN_SCORE: request.min_score}  # a zero is a zero (D16)
    found = project_recall.find(context, request.query, scope, profile="scored", limit=request.limit, **rules)
    hits = [hit for hit in found if not hit.verdict]
    counted = count_uses(context, [hit.memory for hit in hits], request)
    ranks = {hit.memory.uid: _rank(hit) for hit in hits}
    ranked = [{**memory_output(context, memory), **ranks[memory.uid]} for memory in counted]
    return {"memories": ranked, "count": len(ranked)}


def _rank(hit: RecalledMemory) -> Output:
    return {"_score": round(hit.score, 3), "_match": round(hit.parts["match"], 3)}


def list_page(context: ProjectContext, request: requests.ListMemories) -> Output:
    """Return a page of memories, newest first, and the total number."""
    query = _query(context, request, request.type, request.category, limit=request.limit, offset=request.offset)
    page = [stored.memory for stored in context.store.find(query)]
    place = {"total": context.store.number(query), "limit": request.limit, "offset": request.offset}
    return {**memories_output(context, page), **place}


def by_file(context: ProjectContext, request: requests.SearchByFile) -> Output:
    """Return the memories that are about a file, and count them as used."""
    query = _query(context, request, file=project_path(context, request.file_path), limit=request.limit)
    return _found(context, request, query)


def by_concept(context: ProjectContext, request: requests.SearchByConcept) -> Output:
    """Return the memories with a concept, and count them as used."""
    return _found(context, request, _query(context, request, concept=request.concept, limit=request.limit))


def _found(context: ProjectContext, request: Gated, query: Query) -> Output:
    found = [stored.memory for stored in context.store.find(query)]
    return memories_output(context, count_uses(context, found, request))


def timeline(context: ProjectContext, request: requests.GetTimeline) -> Output:
    """Return the last memories, oldest first."""
    query = _query(context, request, session=request.session_id, limit=request.limit)
    return memories_output(context, [stored.memory for stored in reversed(context.store.find(query))])


def recall(context: ProjectContext, request: requests.RecallMemory) -> Output:
    """Rank memories by hashed vectors (C12); raises BadInput outside of the main session."""
    _check_session(request, "recall_memory")
    scope = project_recall.project_scope(context, Query(statuses=()))
    found = project_recall.find(context, request.query, scope, profile="hashed", limit=request.top_k)
    entries = [
        {
            "id": hit.memory.uid, "text": hit.memory.text, "category": hit.memory.kind.replace("_", "-"),
            "sessionId": hit.memory.session, "updatedAt": hit.memory.updated_at, "score": round(hit.score, 4),
        }
        for hit in found
    ]  # fmt: skip
    return {"results": entries, "count": len(entries)}


def experiences(context: ProjectContext, request: requests.QueryExperiences) -> Output:
    """Return the past experiences that a question is about (C21); raises BadInput outside of the main session."""
    _check_session(request, "query_experiences")
    found = [
        {
            "id": hit.memory.uid, "text": hit.memory.text, "category": category_of(hit.memory.tags),
            "sessionId": hit.memory.session, "timestamp": hit.memory.created_at, "score": round(hit.score, 4),
        }
        for hit in project_recall.experiences(context, request.query, request.top_k)
    ]  # fmt: skip
    return {"results": found, "count": len(found)}


def _check_session(request: requests.MainSessionQuestion, operation: str) -> None:
    if not request.is_of_the_main_session:
        raise BadInput(f"{operation} is only available in the main or heartbeat session.")


def _query(
    context: ProjectContext,
    request: Gated,
    type_name: str | None = None,
    category_name: str | None = None,
    **more: Any,  # noqa: ANN401
) -> Query:
    """Build the query for what an agent may see: active, unexpired, of the project, of an allowed sensitivity."""
    is_general = category_name == "general"
    return Query(
        request.project or context.project,
        kinds=(kind_name(type_name),) if type_name else (),
        tags=(f"{CATEGORY_TAG}{category_name}",) if category_name and not is_general else (),
        no_tag_like=CATEGORY_TAG if is_general else "",
        sensitivities=request.levels,
        unexpired_at=context.clock().timestamp(),
        **more,
    )
