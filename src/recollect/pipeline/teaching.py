"""What people's keep and drop teach capture: rules that are mostly right are trusted, those that annoy fall silent."""

import json

from recollect.errors import BadInput
from recollect.model.change import Retire, Revise
from recollect.model.memory import UNTAGGED, Memory
from recollect.model.query import Query
from recollect.policy.capture import filing
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.project_context import ProjectContext
from recollect.write import commit, journal_rebuild
from recollect.write.outcome import Outcome

TAUGHT = "capture:taught:"
KEPT, DROPPED = "kept", "dropped"
SURE = 0.95
ENOUGH, MOSTLY = 3, 3
REASON = "dropped"


def keep(context: ProjectContext, memory: Memory, revision: str) -> Outcome:
    """A captured memory is right: it no longer waits for a look, and its rule is trusted a little more."""
    _check_captured(memory)
    tags = tuple(tag for tag in memory.tags if tag != filing.PENDING) or (UNTAGGED,)
    importance = min(1.0, round(memory.importance + 0.1, 3))
    after = memory.having(tags=tags, confidence=SURE, importance=importance, updated_at=context.stamp())
    return commit.commit(context, [Revise(after, expect=revision)], also=lambda: _count(context, memory, KEPT))[0]


def drop(context: ProjectContext, memory: Memory) -> Outcome:
    """A captured memory is not worth it: it goes, nothing like it is captured again, and its rule is trusted less."""
    _check_captured(memory)

    def learn() -> None:
        _count(context, memory, DROPPED)
        context.store.bury(memory.project, memory.digest, context.stamp(), REASON)

    return commit.commit(context, [Retire(memory.uid, REASON)], also=learn)[0]


def rule(memory: Memory) -> str:
    """The rule that captured a memory; empty for one that a person or an agent saved."""
    return (memory.channel or "").partition(":")[2]


def _check_captured(memory: Memory) -> None:
    if not rule(memory):
        fix = "`recollect edit`, `retire` and `purge` are for memories that somebody saved."
        raise BadInput("this memory was not captured", target=f"{memory.kind}/{memory.slug}", fix=fix)


def _tally(context: ProjectContext, name: str) -> dict[str, int]:
    said = context.store.setting(TAUGHT + name)
    return json.loads(said) if said else {KEPT: 0, DROPPED: 0}


def _count(context: ProjectContext, memory: Memory, what: str) -> None:
    name = rule(memory)
    if memory.origin == QUOTED:  # it says nothing about what the user's own words are worth
        return
    tally = _tally(context, name)
    tally[what] += 1
    journal_rebuild.put(context, TAUGHT + name, json.dumps(tally))


def is_unwanted(context: ProjectContext, name: str) -> bool:
    """Whether people dropped most of what a rule filed."""
    tally = _tally(context, name)
    return tally[DROPPED] >= ENOUGH and tally[DROPPED] > MOSTLY * tally[KEPT]


def is_trusted(context: ProjectContext, name: str) -> bool:
    """Whether people kept most of what a rule filed."""
    tally = _tally(context, name)
    return tally[KEPT] >= ENOUGH and tally[KEPT] > MOSTLY * tally[DROPPED]


def was_dropped(context: ProjectContext, draft: Draft) -> bool:
    """Whether somebody dropped much the same."""
    gone = context.store.find(Query(context.project, (draft.kind,), statuses=("retired",), global_too=False, limit=200))
    dropped = [one.memory for one in gone if (one.memory.closed_reason or "") == REASON]
    return any(
        (draft.signature and draft.signature in one.keywords)
        or filing.likeness(draft.text, f"{one.title} {one.text}") >= filing.SAME_FROM
        for one in dropped
    )
