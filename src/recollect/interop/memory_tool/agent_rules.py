"""What differs for an agent that calls the memory tool through the MCP server.

It sees and changes this project alone, nothing is erased, what it saves is the assistant's, and what it reads passes
the governor.
"""

from collections.abc import Callable, Mapping
from typing import Any

from recollect.errors import BadInput, NotFound, Refused
from recollect.formats import memory_log
from recollect.interop import logbook
from recollect.interop.memory_tool import memories
from recollect.interop.memory_tool.lookup import find_by_id, find_changeable
from recollect.interop.memory_tool.output import Output
from recollect.model.change import Retire
from recollect.model.content import Value
from recollect.policy.injection import untrusted_text
from recollect.policy.memories import requests
from recollect.project_context import ProjectContext
from recollect.write import commit

RETIRED = (
    "Over MCP a memory is retired, not erased: it is no longer recalled, and a person can restore it with"
    " `recollect restore` or erase it with `recollect purge`."
)
SAID = ("title", "subtitle", "content", "text")
"""Fields of an output that hold a memory's own words."""
CHANNEL = "mcp"
"""The channel of what an agent saves. A record of the log is the `system`'s: other channels are not logged."""


def with_session(request: Mapping[str, Any], session: str) -> Mapping[str, Any]:
    """Return a request with the session of the client, where the operation takes one and the agent names none."""
    model = requests.OPERATIONS.get(str(request.get("operation")))
    takes_one = model is not None and "session_id" in model.model_fields and model is not requests.GetTimeline
    return {"session_id": session, **request} if takes_one else request


def checked(context: ProjectContext, request: Value) -> Value:
    """Return a request that stays in this project; raises Refused for another project, NotFound for its memories."""
    project = getattr(request, "project", None)
    if project and project != context.project:
        raise Refused("a session sees its own project alone", target=project, fix="Leave `project` out.")
    if isinstance(request, requests.DeleteFact):
        _check_fact(context, request.id)
    elif getattr(request, "id", None):
        _check_memory(context, str(request.id))  # type: ignore[attr-defined]
    if getattr(request, "source_memory_id", None):
        _check_memory(context, str(request.source_memory_id))  # type: ignore[attr-defined]
    return request


def _check_memory(context: ProjectContext, id: str) -> None:
    if find_by_id(context, id).memory.project not in (context.project, "global"):
        raise NotFound("no memory has this id", target=id[:80])


def _check_fact(context: ProjectContext, id: str) -> None:
    found = context.store.facts.get(id)
    if found is not None and found.project not in (context.project, "global"):
        raise NotFound("no fact has this id", target=id[:80])


def retire(context: ProjectContext, request: requests.DeleteMemory) -> Output:
    """Retire a memory where the tool would erase it, and say so; raises Refused for kinds that a person retires."""
    found = find_changeable(context, request.id).memory
    if found.kind in context.kinds and not context.kinds[found.kind].deletable:
        raise Refused(f"an agent does not retire a {found.kind}", target=found.uid, fix="Ask the user.")  # B33
    if found.status != "active":
        raise BadInput(f"this memory is {found.status}", target=found.uid)
    commit.commit(context, [Retire(found.uid, "Deleted by the memory tool")])
    return {"id": found.uid, "deleted": False, "retired": True, "note": RETIRED}


def remember_this(context: ProjectContext, request: requests.RememberThis) -> Output:
    """Append a record to the log; over MCP it is the agent's, not the operator's."""
    kept = logbook.append(
        context, request.text, session=request.session_id, category=request.category, sensitivity=request.sensitivity,
        channel=memory_log.SYSTEM,
    )  # fmt: skip
    return {"ok": True, "id": kept.memory.uid}


def store(context: ProjectContext, request: requests.StoreMemory) -> Output:
    """Save a memory of the agent."""
    return memories.store(context, request, channel=CHANNEL)


INSTEAD: Mapping[type[Value], Callable[[ProjectContext, Any], Output]] = {
    requests.DeleteMemory: retire,
    requests.RememberThis: remember_this,
    requests.StoreMemory: store,
}


def governed(context: ProjectContext, output: Output) -> Output:
    """Return an output whose memories give no orders: their words pass the governor, the user's own more easily."""
    lists = {
        name: [_governed(context, item) for item in value]
        for name, value in output.items()
        if name in ("memories", "results") and isinstance(value, list)
    }
    return {**(_governed(context, output) if "id" in output else output), **lists}


def _governed(context: ProjectContext, item: Output) -> Output:
    stored = context.store.get(str(item.get("id")))
    trusted = stored is not None and stored.memory.origin == "user"
    return {
        name: untrusted_text.govern(value, trusted=trusted) if name in SAID and isinstance(value, str) else value
        for name, value in item.items()
    }
