"""Move everything that is kept under one project's name to another project."""

from dataclasses import replace

from recollect.model.change import Assert, Change, Move, Retract
from recollect.model.fact import Fact
from recollect.model.query import FactQuery, Query
from recollect.policy.memories import compose
from recollect.project_context import ProjectContext
from recollect.write import commit

REASON = "Joined with {project}"
ACTOR = "join"  # `undo` skips its groups: the memories would get a project name that no checkout has any more


def join(context: ProjectContext, source: str) -> int:
    """Move the memories, facts and sessions of a project to the open one, as one group; return how many moved."""
    if source == context.project:
        return 0
    store, reason = context.store, REASON.format(project=context.project)
    memories = store.find(Query(project=source, statuses=(), global_too=False))
    changes: list[Change] = [Move(found.memory.uid, context.project) for found in memories]
    for fact in store.facts.find(FactQuery(source)):
        changes += [Retract(fact.uid, reason), Assert(_restated(context, fact))]

    def move_the_rest() -> None:
        store.projects.rename(source, context.project)
        store.projects.alias(source, context.project)

    if changes:
        commit.commit(replace(context, actor=ACTOR), changes, also=move_the_rest)
    else:
        with store.writing():
            move_the_rest()
    return len(memories)


def _restated(context: ProjectContext, fact: Fact) -> Fact:
    return compose.fact(
        fact.subject, fact.predicate, fact.object, moment=context.clock(), project=context.project,
        confidence=fact.confidence, source=fact.source,
    )  # fmt: skip
