"""Move everything that is kept under one project's name to another project."""

from dataclasses import replace

from recollect.lifecycle import save
from recollect.lifecycle.space import Space
from recollect.model.change import Assert, Change, Move, Retract
from recollect.model.fact import Fact
from recollect.model.query import FactQuery, Query
from recollect.policy import compose

REASON = "Joined with {project}"
ACTOR = "join"  # `undo` passes over it: the memories would be under a name that nobody has any more


def join(space: Space, source: str) -> int:
    """Move the memories, facts and sessions of a project to the open one, as one group; return how many moved."""
    if source == space.project:
        return 0
    store, reason = space.store, REASON.format(project=space.project)
    memories = store.find(Query(project=source, statuses=(), global_too=False))
    changes: list[Change] = [Move(found.memory.uid, space.project) for found in memories]
    for fact in store.facts.find(FactQuery(source)):
        changes += [Retract(fact.uid, reason), Assert(_restated(space, fact))]

    def move_the_rest() -> None:
        store.projects.rename(source, space.project)
        store.projects.alias(source, space.project)

    if changes:
        save.commit(replace(space, actor=ACTOR), changes, also=move_the_rest)
    else:
        with store.writing():
            move_the_rest()
    return len(memories)


def _restated(space: Space, fact: Fact) -> Fact:
    return compose.fact(
        fact.subject, fact.predicate, fact.object, moment=space.clock(), project=space.project,
        confidence=fact.confidence, source=fact.source,
    )  # fmt: skip
