"""What differs for an agent that calls the memory tool through the MCP server.

It sees and changes this project alone, and no private or secret memory; nothing is erased, nothing that the user said
is changed, what it saves is the assistant's, and what it reads passes the governor.
"""

from collections.abc import Callable, Mapping
from typing import Any

from recollect.errors import BadInput, NotFound, Refused
from recollect.formats import memory_log
from recollect.interop import logbook
from recollect.interop.memory_tool import facts, memories, upkeep
from recollect.interop.memory_tool.lookup import find_by_id, find_changeable, kind_name
from recollect.interop.memory_tool.output import Output, fact_output
from recollect.model.change import Retire
from recollect.model.content import Value
from recollect.model.fact import Fact
from recollect.model.memory import PENDING, Memory
from recollect.model.query import FactQuery
from recollect.model.recall_values import SHOWN_SENSITIVITIES
from recollect.policy.injection import json_texts, untrusted_text
from recollect.policy.memories import requests
from recollect.project_context import ProjectContext
from recollect.write import commit

RETIRED = (
    "Over MCP a memory is retired, not erased: it is no longer recalled, and a person can restore it with"
    " `recollect restore` or erase it with `recollect purge`."
)
HIDDEN = "Private and secret memories are not shown to agents: ask the user, who can read them with `recollect show`."
KEPT = "Save what holds now with store_memory, or ask the user."
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
    if isinstance(request, requests.Gated) and (request.include_private or request.include_secret):
        raise Refused("an agent sees no private and no secret memories", fix=HIDDEN)
    if isinstance(request, requests.DeleteFact):
        _check_fact(context, request.id)
    elif getattr(request, "id", None):
        _check_memory(context, str(request.id))  # type: ignore[attr-defined]
    if getattr(request, "source_memory_id", None):
        _check_memory(context, str(request.source_memory_id))  # type: ignore[attr-defined]
    return request


def _check_memory(context: ProjectContext, id: str) -> None:
    memory = find_by_id(context, id).memory
    if memory.project not in (context.project, "global"):
        raise NotFound("no memory has this id", target=id[:80])
    if memory.sensitivity not in SHOWN_SENSITIVITIES:
        raise Refused(f"this memory is {memory.sensitivity} and not shown to agents", target=id[:80], fix=HIDDEN)


def _check_fact(context: ProjectContext, id: str) -> None:
    found = context.store.facts.get(id)
    if found is not None and found.project not in (context.project, "global"):
        raise NotFound("no fact has this id", target=id[:80])
    if found is not None and _is_of_a_person(context, found):
        raise Refused("an agent does not remove a fact that the user stated", target=id, fix="Ask the user.")


def _is_of_a_person(context: ProjectContext, fact: Fact) -> bool:
    """Whether a person stated a fact, or the memory that it is from; agents state facts as this actor."""
    source = context.store.get(fact.source) if fact.source else None
    if source is not None and source.memory.origin == "user":
        return True
    return source is None and any(entry.actor != context.actor for entry in context.store.entries(uid=fact.uid))


def retire(context: ProjectContext, request: requests.DeleteMemory) -> Output:
    """Retire a memory where the tool would erase it, and say so; raises Refused for kinds that a person retires."""
    found = find_changeable(context, request.id).memory
    if not _is_retirable(context, found):
        raise Refused(f"an agent does not retire a {found.kind}", target=found.uid, fix="Ask the user.")  # B33
    if found.status != "active":
        raise BadInput(f"this memory is {found.status}", target=found.uid)
    commit.commit(context, [Retire(found.uid, "Deleted by the memory tool")])
    note = f"{RETIRED} The user said it: tell them." if found.origin == "user" else RETIRED
    return {"id": found.uid, "deleted": False, "retired": True, "note": note}


def _is_retirable(context: ProjectContext, memory: Memory) -> bool:
    return memory.kind not in context.kinds or context.kinds[memory.kind].deletable


def update(context: ProjectContext, request: requests.UpdateMemory) -> Output:
    """Change a memory; raises Refused for one that the user said, or that waits for the user's decision.

    Raises it too for what would erase a memory later, or make it one that an agent can retire (B33).
    """
    found = find_changeable(context, request.id).memory
    if found.origin == "user":
        raise Refused("an agent does not reword or hide what the user said", target=found.uid, fix=KEPT)
    if PENDING in found.tags:
        fix = "Ask the user, who decides with `recollect review`."
        raise Refused("this memory waits for the user's decision", target=found.uid, fix=fix)
    is_retirable = _is_retirable(context, found)
    if request.ttl_days and request.ttl_days > 0 and not is_retirable:
        raise Refused(f"an agent lets no {found.kind} expire", target=found.uid, fix=KEPT)
    if request.type and kind_name(request.type) != found.kind and not is_retirable:
        raise Refused(f"an agent makes no other kind of a {found.kind}", target=found.uid, fix=KEPT)
    return memories.update(context, request)


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


def store_fact(context: ProjectContext, request: requests.StoreFact) -> Output:
    """State a fact; one that a person stated keeps its confidence."""
    wanted = FactQuery(context.project, request.subject, request.predicate, request.object, limit=1)
    known = context.store.facts.find(wanted)
    if known and _is_of_a_person(context, known[0]):
        return {"action": "known", **fact_output(known[0])}
    return facts.store(context, request)


def summarize_old(context: ProjectContext, request: requests.SummarizeOld) -> Output:
    """Merge old memories into summaries, without those of the user; return the three counters."""
    return upkeep.summarize_old(context, request, users_too=False)


INSTEAD: Mapping[type[Value], Callable[[ProjectContext, Any], Output]] = {
    requests.DeleteMemory: retire,
    requests.RememberThis: remember_this,
    requests.StoreFact: store_fact,
    requests.StoreMemory: store,
    requests.SummarizeOld: summarize_old,
    requests.UpdateMemory: update,
}


def governed(context: ProjectContext, output: Output) -> Output:
    """Return an output that gives no orders: its memories and facts pass the governor, the user's more easily."""
    lists = {
        name: [_governed(context, item) for item in value]
        for name, value in output.items()
        if name in json_texts.LISTS and isinstance(value, list)
    }
    return {**(_governed(context, output) if "id" in output else output), **lists}


def _governed(context: ProjectContext, item: Output) -> Output:
    """Return a memory or a fact with every text of it governed: its tags and files may hold orders too."""
    stored = context.store.get(str(item.get("id")))
    trusted = stored is not None and stored.memory.origin == "user"
    return {name: _governed_text(value, trusted=trusted) for name, value in item.items()}


def _governed_text(value: Any, *, trusted: bool) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, list | tuple):
        return [_governed_text(part, trusted=trusted) for part in value]
    return untrusted_text.govern(value, trusted=trusted) if isinstance(value, str) else value
