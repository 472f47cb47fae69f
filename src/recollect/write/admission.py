"""Making room: what a new memory pushes out, and how long it may stay itself."""

from recollect.errors import Refused
from recollect.model import clock
from recollect.model.change import Change, Retire
from recollect.model.memory import Memory, Usage
from recollect.model.query import Query
from recollect.policy.memories import retention
from recollect.project_context import ProjectContext
from recollect.write import session_counter

SLACK = 50


def admitted(context: ProjectContext, memory: Memory, *, has_expiry: bool = False) -> Memory:
    """A new memory with its kind's expiry and its first session; refused where the kind is switched off."""
    rules = context.config.save
    if memory.kind in rules.disabled_kinds:
        fix = "Choose another kind, or take it out of save.disabled_kinds."
        raise Refused(f"{memory.kind} is switched off here", target=memory.slug, code="CREATE_ERROR", fix=fix)
    days, created = rules.retention_days.get(memory.kind, 0), clock.parse(memory.created_at)
    is_open = not has_expiry and memory.expires_at is None
    end = clock.later(created, days) if days and created and is_open else None
    return born(context, memory.model_copy(update={"expires_at": clock.stamp(end)}) if end else memory)


def born(context: ProjectContext, memory: Memory) -> Memory:
    """A memory that was never used begins in the current session (A5)."""
    number = session_counter.number(context)
    if not number or memory.usage != Usage():
        return memory
    begins = memory.usage.model_copy(update={"created_session": number, "last_session": number})
    return memory.model_copy(update={"usage": begins})


def entailed(context: ProjectContext, memory: Memory) -> list[Change]:
    """The session window (B55), the cap per kind, and the cap on observations (D12)."""
    kind = context.kinds.get(memory.kind)
    if kind is None:
        return []
    if kind.fleeting and memory.expires_at:
        return _observations(context, memory)
    limit = context.config.save.sessions_retained if kind.windowed else context.config.save.max_per_kind
    query = Query(project=memory.project, kinds=(memory.kind,), global_too=False)
    if not kind.capped or not limit or context.store.number(query) <= limit:
        return []
    if not kind.windowed:
        return retention.plan_cap(context.store.weights(query), limit, memory.uid, context.clock().timestamp())
    plan = retention.plan_window([found.memory for found in context.store.find(query)], limit, memory.uid)
    _warn_of_unique_content(context, {change.uid for change in plan if isinstance(change, Retire)})
    return plan


def _observations(context: ProjectContext, memory: Memory) -> list[Change]:
    limit = context.config.capture.max_memories
    kinds = tuple(kind.name for kind in context.kinds.values() if kind.fleeting)
    query = Query(project=memory.project, kinds=kinds, global_too=False, expiring=True)
    if not limit or context.store.number(query) <= limit:
        return []
    protected = {kind.name for kind in context.kinds.values() if kind.protected}
    room = limit - limit // SLACK  # a little more than needed: weighing them all for every new one would be slow
    return retention.plan_cap(context.store.weights(query), room, memory.uid, context.clock().timestamp(), protected)


def _warn_of_unique_content(context: ProjectContext, leaving: set[str]) -> None:
    everything = [found.memory for found in context.store.find(Query(project=context.project))]
    staying = [memory for memory in everything if memory.uid not in leaving]
    for memory in everything:
        items = retention.unique_content(memory, staying) if memory.uid in leaving else []
        if items:
            context.warn(retention.window_warning(memory, items))
