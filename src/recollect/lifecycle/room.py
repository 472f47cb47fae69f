"""Making room: what a new memory pushes out, and how long it may stay itself."""

from recollect.errors import Refused
from recollect.lifecycle import session
from recollect.lifecycle.space import Space
from recollect.model import clock
from recollect.model.change import Change, Retire
from recollect.model.memory import Memory, Usage
from recollect.model.query import Query
from recollect.policy import retention

SLACK = 50


def admitted(space: Space, memory: Memory, *, has_expiry: bool = False) -> Memory:
    """A new memory with its kind's expiry and its first session; refused where the kind is switched off."""
    rules = space.config.save
    if memory.kind in rules.disabled_kinds:
        fix = "Choose another kind, or take it out of save.disabled_kinds."
        raise Refused(f"{memory.kind} is switched off here", target=memory.slug, code="CREATE_ERROR", fix=fix)
    days, created = rules.retention_days.get(memory.kind, 0), clock.parse(memory.created_at)
    is_open = not has_expiry and memory.expires_at is None
    end = clock.later(created, days) if days and created and is_open else None
    return born(space, memory.model_copy(update={"expires_at": clock.stamp(end)}) if end else memory)


def born(space: Space, memory: Memory) -> Memory:
    """A memory that was never used begins in the current session (A5)."""
    number = session.number(space)
    if not number or memory.usage != Usage():
        return memory
    begins = memory.usage.model_copy(update={"created_session": number, "last_session": number})
    return memory.model_copy(update={"usage": begins})


def entailed(space: Space, memory: Memory) -> list[Change]:
    """The session window (B55), the cap per kind, and the cap on observations (D12)."""
    kind = space.kinds.get(memory.kind)
    if kind is None:
        return []
    if kind.fleeting and memory.expires_at:
        return _observations(space, memory)
    limit = space.config.save.sessions_retained if kind.windowed else space.config.save.max_per_kind
    query = Query(project=memory.project, kinds=(memory.kind,), global_too=False)
    if not kind.capped or not limit or space.store.number(query) <= limit:
        return []
    if not kind.windowed:
        return retention.plan_cap(space.store.weights(query), limit, memory.uid, space.clock().timestamp())
    plan = retention.plan_window([found.memory for found in space.store.find(query)], limit, memory.uid)
    _warn_of_unique_content(space, {change.uid for change in plan if isinstance(change, Retire)})
    return plan


def _observations(space: Space, memory: Memory) -> list[Change]:
    limit = space.config.capture.max_memories
    kinds = tuple(kind.name for kind in space.kinds.values() if kind.fleeting)
    query = Query(project=memory.project, kinds=kinds, global_too=False, expiring=True)
    if not limit or space.store.number(query) <= limit:
        return []
    protected = {kind.name for kind in space.kinds.values() if kind.protected}
    room = limit - limit // SLACK  # a little more than needed: weighing them all for every new one would be slow
    return retention.plan_cap(space.store.weights(query), room, memory.uid, space.clock().timestamp(), protected)


def _warn_of_unique_content(space: Space, leaving: set[str]) -> None:
    everything = [found.memory for found in space.store.find(Query(project=space.project))]
    staying = [memory for memory in everything if memory.uid not in leaving]
    for memory in everything:
        items = retention.unique_content(memory, staying) if memory.uid in leaving else []
        if items:
            space.warn(retention.window_warning(memory, items))
