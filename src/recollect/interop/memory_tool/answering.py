"""Answer a request of the memory tool: parse it, perform the operation, screen the output."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.interop.memory_tool import agent_rules, facts, memories, searching, upkeep
from recollect.interop.memory_tool.output import Output
from recollect.model import text
from recollect.model.content import Value
from recollect.policy.memories import requests
from recollect.policy.secrets import detector, screening
from recollect.project_context import ProjectContext
from recollect.setup import on_off

OPERATIONS: Mapping[type[Value], Callable[[ProjectContext, Any], Output]] = {
    requests.StoreMemory: memories.store,
    requests.SearchMemories: searching.search,
    requests.RecallMemory: searching.recall,
    requests.QueryExperiences: searching.experiences,
    requests.RememberThis: memories.remember_this,
    requests.ListMemories: searching.list_page,
    requests.GetMemory: memories.get,
    requests.UpdateMemory: memories.update,
    requests.DeleteMemory: memories.delete,
    requests.SearchByFile: searching.by_file,
    requests.SearchByConcept: searching.by_concept,
    requests.GetTimeline: searching.timeline,
    requests.StoreFact: facts.store,
    requests.QueryFacts: facts.query,
    requests.DeleteFact: facts.delete,
    requests.PurgeExpired: upkeep.purge_expired,
    requests.SummarizeOld: upkeep.summarize_old,
}


def answer(context: ProjectContext, request: object, folder: Path) -> Output:
    """Return `{"success": true, "output": …}`, or `{"success": false, "error": {"message": …}}` for our own errors."""
    try:
        session = request.get("session_id") if isinstance(request, Mapping) else None
        on_off.check(context, folder, text.storable(session) if isinstance(session, str) else None)
        parsed = requests.parse(request)
        return {"success": True, "output": screening.deep(OPERATIONS[type(parsed)](context, parsed))}
    except RecollectError as error:
        return {"success": False, "error": _error_output(error)}


def answer_agent(context: ProjectContext, request: Mapping[str, Any], session: str) -> Output:
    """Answer a request that came through the MCP server, as `answer` does; see `agent_rules` for what differs.

    The caller has checked that memory is on.
    """
    try:
        parsed = agent_rules.checked(context, requests.parse(agent_rules.with_session(request, session)))
        perform = agent_rules.INSTEAD.get(type(parsed), OPERATIONS[type(parsed)])
        return {"success": True, "output": screening.deep(agent_rules.governed(context, perform(context, parsed)))}
    except RecollectError as error:
        return {"success": False, "error": _error_output(error)}


def _error_output(error: RecollectError) -> Output:
    named = f"{error.message}: {error.target}" if error.target else error.message
    details = [str(value) for key, value in error.details if key in ("field", "expected", "choice")]
    message = detector.redact("; ".join([named, *details]))
    return {"message": message, "code": error.code, "fix": error.fix}
