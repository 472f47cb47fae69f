"""The memory tool's operations on facts."""

from recollect.interop.memory_tool.lookup import find_by_id
from recollect.interop.memory_tool.output import Output, fact_output
from recollect.model.change import Assert, Retract
from recollect.model.fact import Fact
from recollect.model.query import FactQuery
from recollect.policy.memories import compose, requests
from recollect.policy.memories.requests import Gated
from recollect.project_context import ProjectContext
from recollect.write import commit


def store(context: ProjectContext, request: requests.StoreFact) -> Output:
    """State a fact; the same one again updates its confidence."""
    source = find_by_id(context, request.source_memory_id).memory.uid if request.source_memory_id else None
    fact = compose.fact(
        request.subject, request.predicate, request.object, moment=context.clock(),
        project=request.project or context.project, confidence=request.confidence, source=source,
    )  # fmt: skip
    outcome = commit.commit(context, [Assert(fact)])[0]
    return {"action": outcome.action, **fact_output(outcome.fact)}


def query(context: ProjectContext, request: requests.QueryFacts) -> Output:
    """Return the facts whose named parts are equal, newest first."""
    wanted = FactQuery(
        request.project or context.project, request.subject, request.predicate, request.object,
        request.min_confidence, request.limit,
    )  # fmt: skip
    found = [fact_output(fact) for fact in context.store.facts.find(wanted) if _is_visible(context, fact)]
    return {"facts": found, "count": len(found)}


def _is_visible(context: ProjectContext, fact: Fact) -> bool:
    """Return whether an agent may see a fact: it is as sensitive as the memory that it is from (D15)."""
    source = context.store.get(fact.source) if fact.source else None
    return source is None or source.memory.sensitivity in Gated().levels


def delete(context: ProjectContext, request: requests.DeleteFact) -> Output:
    """Remove a fact."""
    commit.commit(context, [Retract(request.id, "Deleted by the memory tool")])
    return {"id": request.id, "deleted": True}
