"""Making room: what a new memory pushes out."""

from recollect.lifecycle.space import Space
from recollect.model.change import Change, Retire
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.policy import retention


def entailed(space: Space, memory: Memory) -> list[Change]:
    """The session window (B55) and the cap per kind."""
    kind, limits = space.kinds.get(memory.kind), space.config.save
    if kind is None or not kind.capped:
        return []
    limit = limits.sessions_retained if kind.windowed else limits.max_per_kind
    if not limit or space.store.tally(memory.project, memory.kind) <= limit:
        return []
    query = Query(project=memory.project, kinds=(memory.kind,), global_too=False)
    active = [found.memory for found in space.store.find(query)]
    if not kind.windowed:
        return retention.plan_cap(active, limit, memory.uid, space.clock())
    plan = retention.plan_window(active, limit, memory.uid)
    _warn_of_unique_content(space, {change.uid for change in plan if isinstance(change, Retire)})
    return plan


def _warn_of_unique_content(space: Space, leaving: set[str]) -> None:
    everything = [found.memory for found in space.store.find(Query(project=space.project))]
    staying = [memory for memory in everything if memory.uid not in leaving]
    for memory in everything:
        items = retention.unique_content(memory, staying) if memory.uid in leaving else []
        if items:
            space.warn(retention.window_warning(memory, items))
