"""Limits on new memories: expiry, disabled kinds, caps per kind, the window of sessions."""

from recollect.errors import Refused
from recollect.model import clock
from recollect.model.change import Retire
from recollect.model.memory import Memory, Usage
from recollect.model.query import Query
from recollect.policy.memories import retention
from recollect.project_context import ProjectContext
from recollect.write import session_counter

SLACK = 50


def prepare(context: ProjectContext, memory: Memory, *, has_expiry: bool = False) -> Memory:
    """Return a new memory with its kind's expiry and its first session; raises Refused for a disabled kind.

    `has_expiry` says that somebody chose the expiry, also that there is none.
    """
    rules = context.config.save
    if memory.kind in rules.disabled_kinds:
        fix = "Choose another kind, or take it out of save.disabled_kinds."
        raise Refused(f"{memory.kind} is switched off here", target=memory.slug, code="CREATE_ERROR", fix=fix)
    days, created = rules.retention_days.get(memory.kind, 0), clock.parse(memory.created_at)
    lacks_expiry = not has_expiry and memory.expires_at is None
    end = clock.later(created, days) if days and created and lacks_expiry else None
    return with_first_session(context, memory.model_copy(update={"expires_at": clock.stamp(end)}) if end else memory)


def with_first_session(context: ProjectContext, memory: Memory) -> Memory:
    """Return a memory that begins in the current session (A5); one that was used before is returned as it is."""
    number = session_counter.number(context)
    if not number or memory.usage != Usage():
        return memory
    begins = memory.usage.model_copy(update={"created_session": number, "last_session": number})
    return memory.model_copy(update={"usage": begins})


def plan_limits(context: ProjectContext, memory: Memory) -> list[Retire]:
    """Return the changes that close older memories beyond a limit, after a new one was added.

    The limits: the window of session summaries (B55), the cap per kind, and the cap on observations (D12).
    """
    kind = context.kinds.get(memory.kind)
    if kind is None:
        return []
    if kind.fleeting and memory.expires_at:
        return _plan_observation_cap(context, memory)
    limit = context.config.save.sessions_retained if kind.windowed else context.config.save.max_per_kind
    query = Query(project=memory.project, kinds=(memory.kind,), global_too=False)
    if not kind.capped or not limit or context.store.number(query) <= limit:
        return []
    if not kind.windowed:
        return retention.plan_cap(context.store.weights(query), limit, memory.uid, context.clock().timestamp())
    plan = retention.plan_window([found.memory for found in context.store.find(query)], limit, memory.uid)
    _warn_of_unique_content(context, {change.uid for change in plan})
    return plan


def _plan_observation_cap(context: ProjectContext, memory: Memory) -> list[Retire]:
    limit = context.config.capture.max_memories
    kinds = tuple(kind.name for kind in context.kinds.values() if kind.fleeting)
    query = Query(project=memory.project, kinds=kinds, global_too=False, expiring=True)
    if not limit or context.store.number(query) <= limit:
        return []
    protected = {kind.name for kind in context.kinds.values() if kind.protected}
    reduced = limit - limit // SLACK  # below the limit: weighing all of them for every new memory would be slow
    return retention.plan_cap(context.store.weights(query), reduced, memory.uid, context.clock().timestamp(), protected)


def _warn_of_unique_content(context: ProjectContext, leaving: set[str]) -> None:
    """Warn of content that only the memories about to be closed hold; `leaving` are their uids."""
    everything = [found.memory for found in context.store.find(Query(project=context.project))]
    staying = [memory for memory in everything if memory.uid not in leaving]
    for memory in everything:
        items = retention.unique_content(memory, staying) if memory.uid in leaving else []
        if items:
            context.warn(retention.window_warning(memory, items))
