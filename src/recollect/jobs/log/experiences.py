"""The job `experiences`: keep what recent turns and notes say that no experience says yet (C20)."""

from recollect.jobs.job import JobInput
from recollect.jobs.plan import Plan, Step
from recollect.model.change import Create, Retire
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.model.recall_values import EXPERIENCE
from recollect.policy.memories import experiences
from recollect.project_context import ProjectContext

MOST_SOURCES = 200
"""How many of the newest turns and notes a run looks at."""
FULL = f"the oldest of more than {experiences.MOST:,} experiences"


def plan(work: JobInput) -> Plan:
    """Return the experiences to add, and the oldest ones to retire beyond 5,000."""
    context = work.project
    if context is None:
        raise ValueError("the job needs an open project")
    known = _known(context)
    sources = _sources(context, known)
    texts = [memory.text for memory in known]
    new = experiences.unique(sources, texts, context.config.consolidate.unique_below) if sources else []
    added = [experiences.experience(source, now=context.clock()) for source in new]
    steps = [_adding(memory) for memory in added]
    oldest = sorted(known, key=lambda memory: memory.created_at)[: max(0, len(known) + len(added) - experiences.MOST)]
    steps += [
        Step(Retire(memory.uid, FULL), f"{memory.kind}/{memory.slug}", memory.title, FULL)
        for memory in oldest
        if not memory.usage.pinned
    ]
    result = f"adds {len(added)} experiences from {len(sources)} new turns and notes; {len(known)} were known"
    return Plan(tuple(steps), result if steps else "nothing to do", len(known))


def _adding(memory: Memory) -> Step:
    change = Create(memory, merge_duplicate=False)
    reason = f"unlike every other experience, from a {memory.tags[0]}"
    return Step(change, f"{memory.kind}/{memory.slug}", memory.title, reason, preview=memory.text)


def _known(context: ProjectContext) -> list[Memory]:
    query = Query(context.project, kinds=(EXPERIENCE,), global_too=False)
    return [stored.memory for stored in context.store.find(query)]


def _sources(context: ProjectContext, known: list[Memory]) -> list[Memory]:
    """Return the newest turns and notes that are not the source of an experience yet, oldest first."""
    used = {uid for memory in known for uid in memory.derived_from}
    now = context.clock().timestamp()
    query = Query(
        context.project, kinds=experiences.SOURCES, global_too=False, unexpired_at=now, limit=MOST_SOURCES
    )  # fmt: skip
    found = (stored.memory for stored in context.store.find(query))
    return [memory for memory in found if memory.uid not in used and experiences.is_source(memory)][::-1]
