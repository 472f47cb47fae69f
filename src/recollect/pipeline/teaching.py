"""Learn from `recollect keep` and `drop` which capture rules to trust, and which to switch off."""

import json

from recollect.errors import BadInput
from recollect.model.change import Retire, Revise
from recollect.model.memory import CONFIRMED, Memory
from recollect.model.query import Query
from recollect.policy.capture import filing
from recollect.policy.capture.draft import QUOTED, Draft
from recollect.project_context import ProjectContext
from recollect.write import commit, journal_rebuild
from recollect.write.outcome import Outcome

TAUGHT = "capture:taught:"
KEPT, DROPPED = "kept", "dropped"
SURE = CONFIRMED
ENOUGH, MOSTLY = 3, 3
REASON = "dropped"


def keep(context: ProjectContext, memory: Memory, revision: str) -> Outcome:
    """Confirm a captured memory: remove its pending tag, raise its confidence, and count it for its rule.

    Raises BadInput for a memory that was not captured.
    """
    _check_captured(memory)
    tags = filing.reviewed(memory.tags)
    importance = min(1.0, round(memory.importance + 0.1, 3))
    after = memory.having(tags=tags, confidence=SURE, importance=importance, updated_at=context.stamp())
    return commit.commit(context, [Revise(after, expect=revision)], also=lambda: _count(context, memory, KEPT))[0]


def drop(context: ProjectContext, memory: Memory) -> Outcome:
    """Retire a captured memory, let nothing like it be captured again, and count it against its rule.

    Raises BadInput for a memory that was not captured.
    """
    _check_captured(memory)

    def learn() -> None:
        _count(context, memory, DROPPED)
        context.store.bury(memory.project, memory.digest, context.stamp(), REASON)

    return commit.commit(context, [Retire(memory.uid, REASON)], also=learn)[0]


def rule(memory: Memory) -> str:
    """Return the name of the rule that captured a memory; empty for one that a person or an agent saved."""
    return (memory.channel or "").partition(":")[2]


def _check_captured(memory: Memory) -> None:
    if not rule(memory):
        fix = "`recollect edit`, `retire` and `purge` are for memories that somebody saved."
        raise BadInput("this memory was not captured", target=f"{memory.kind}/{memory.slug}", fix=fix)


def _tally(context: ProjectContext, name: str) -> dict[str, int]:
    """Return how many memories of a rule were kept, and how many dropped."""
    recorded = context.store.setting(TAUGHT + name)
    return json.loads(recorded) if recorded else {KEPT: 0, DROPPED: 0}


def _count(context: ProjectContext, memory: Memory, what: str) -> None:
    name = rule(memory)
    if memory.origin == QUOTED:  # quoted text says nothing about the user's own words
        return
    tally = _tally(context, name)
    tally[what] += 1
    journal_rebuild.put(context, TAUGHT + name, json.dumps(tally))


def is_unwanted(context: ProjectContext, name: str) -> bool:
    """Whether people dropped most of what a rule captured."""
    tally = _tally(context, name)
    return tally[DROPPED] >= ENOUGH and tally[DROPPED] > MOSTLY * tally[KEPT]


def is_trusted(context: ProjectContext, name: str) -> bool:
    """Whether people kept most of what a rule captured."""
    tally = _tally(context, name)
    return tally[KEPT] >= ENOUGH and tally[KEPT] > MOSTLY * tally[DROPPED]


def was_dropped(context: ProjectContext, draft: Draft) -> bool:
    """Whether a person dropped a memory with the same signature, or with much the same text."""
    gone = context.store.find(Query(context.project, (draft.kind,), statuses=("retired",), global_too=False, limit=200))
    dropped = [stored.memory for stored in gone if (stored.memory.closed_reason or "") == REASON]
    return any(
        (draft.signature and draft.signature in memory.keywords)
        or filing.likeness(draft.text, f"{memory.title} {memory.text}") >= filing.SAME_FROM
        for memory in dropped
    )
