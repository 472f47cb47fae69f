"""The jobs `expiry`, `limits` and `collection`: what has expired, what exceeds a limit, files of long retired memories.

Limits are kept whenever a memory is created; the job keeps those that a person lowered, or that an import passed by.
"""

from collections.abc import Iterable, Sequence

from recollect.jobs.job import JobInput
from recollect.jobs.plan import Plan, Step
from recollect.model.change import Change, Purge, Retire
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.policy.memories import retention
from recollect.project_context import ProjectContext

EXPIRED = "Expired"


def plan_expiry(work: JobInput) -> Plan:
    """Return what erases the expired memories of the open project and the global ones, without tombstones (D10)."""
    store, context = work.store, _context(work)
    projects = dict.fromkeys((context.project, "global"))
    due = [
        found.memory
        for project in projects
        for found in store.find(Query(project, statuses=(), global_too=False, expired_at=work.now))
        if retention.has_expired(found.memory, context.clock())
    ]
    steps = [_step(Purge(memory.uid, EXPIRED, bury=False), memory, f"expired {memory.expires_at}") for memory in due]
    return Plan(tuple(steps), _said("erased", steps, "expired"), len(due))


def plan_collection(work: JobInput) -> Plan:
    """Return what removes the files of memories retired longer than `forget.grace_days` (B30)."""
    context, rules = _context(work), work.config.forget
    retired = work.store.find(Query(context.project, statuses=("retired",), global_too=False))
    now = context.clock()
    due = [
        found.memory
        for found in retired
        if retention.is_due(found.memory, rules.grace_days, now) and _has_file(context, found.memory)
    ]
    changes = retention.plan_collection(due, rules.grace_days, archive=rules.archive_retired)
    steps = [_step(change, memory, f"retired {memory.closed_at}") for change, memory in zip(changes, due, strict=True)]
    return Plan(tuple(steps), _said("removed the files of", steps, "retired"), len(retired))


def plan_limits(work: JobInput) -> Plan:
    """Return what retires memories beyond the cap of a kind, the cap on observations and the window of sessions."""
    context = _context(work)
    changes = {change.uid: change for change in (*_plan_kinds(context, work.now), *_plan_observations(work, context))}
    stored = ((work.store.get(uid), change) for uid, change in changes.items())
    steps = [_step(change, found.memory, change.reason) for found, change in stored if found]
    return Plan(tuple(steps), _said("retired", steps, "", " beyond a limit"), len(steps))


def _plan_kinds(context: ProjectContext, now: float) -> Iterable[Retire]:
    rules, store = context.config.save, context.store
    for kind in context.kinds.values():
        query = Query(project=context.project, kinds=(kind.name,), global_too=False)
        limit = rules.sessions_retained if kind.windowed else rules.max_per_kind
        if not kind.capped or not limit or store.number(query) <= limit:
            continue
        if kind.windowed:
            yield from retention.plan_window([found.memory for found in store.find(query)], limit, "")
        else:
            yield from retention.plan_cap(store.weights(query), limit, "", now)


def _plan_observations(work: JobInput, context: ProjectContext) -> list[Retire]:
    limit, kinds = work.config.capture.max_memories, context.kinds.values()
    observed = tuple(kind.name for kind in kinds if kind.fleeting)
    query = Query(project=context.project, kinds=observed, global_too=False, expiring=True)
    if not limit or work.store.number(query) <= limit:
        return []
    protected = {kind.name for kind in kinds if kind.protected}
    return retention.plan_cap(work.store.weights(query), limit, "", work.now, protected)


def _context(work: JobInput) -> ProjectContext:
    if work.project is None:
        raise ValueError("the job needs an open project")
    return work.project


def _has_file(context: ProjectContext, memory: Memory) -> bool:
    seen = context.store.sighting_of(context.root, memory.uid)
    return seen is not None and seen.presence == "seen"


def _said(verb: str, steps: Sequence[Step], which: str, why: str = "") -> str:
    """Return what a plan does in a few words."""
    what = f"{which} {'memory' if len(steps) == 1 else 'memories'}".strip()
    return f"{verb} {len(steps):,} {what}{why}" if steps else "nothing to do"


def _step(change: Change, memory: Memory, reason: str) -> Step:
    return Step(change, f"{memory.kind}/{memory.slug}", memory.title, reason)
