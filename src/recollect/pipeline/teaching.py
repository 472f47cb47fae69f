"""Learn from `recollect keep` and `drop` which capture rules to trust, and which to switch off."""

from recollect.errors import BadInput
from recollect.model.change import Retire, Revise
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.policy.capture import filing
from recollect.policy.capture.draft import Draft
from recollect.policy.memories import conflicts, taught
from recollect.policy.memories.taught import Tally, Taught
from recollect.policy.reversals.grammar import differ
from recollect.project_context import ProjectContext
from recollect.write import commit, journal_rebuild, project_joining
from recollect.write.outcome import Outcome

"""Prefix of the settings that say when a rule's tally was reset, by project and rule."""
SURE, REASON = taught.SURE, taught.DROPPED


def keep(context: ProjectContext, memory: Memory, revision: str, *, both: bool = False) -> Outcome:
    """Confirm a captured memory: remove its pending tag, and raise its confidence.

    With `both` it is also settled that it does not replace the older memory that it contradicts. Raises BadInput for a
    memory that was not captured.
    """
    _check_captured(memory)
    memory = conflicts.keeping_both(memory) if both else memory
    tags = filing.reviewed(memory.tags)
    importance = min(1.0, round(memory.importance + 0.1, 3))
    after = memory.having(tags=tags, confidence=SURE, importance=importance, updated_at=context.stamp())
    return commit.commit(context, [Revise(after, expect=revision)])[0]


def drop(context: ProjectContext, memory: Memory) -> Outcome:
    """Retire a captured memory, and let nothing like it be captured again.

    Raises BadInput for a memory that was not captured.
    """
    _check_captured(memory)

    def bury() -> None:
        context.store.bury(memory.project, memory.digest, context.stamp(), REASON)

    return commit.commit(context, [Retire(memory.uid, REASON)], also=bury)[0]


def rule(memory: Memory) -> str:
    """Return the name of the rule that captured a memory; empty for one that a person or an agent saved."""
    return (memory.channel or "").partition(":")[2]


def _check_captured(memory: Memory) -> None:
    if not rule(memory):
        fix = "`recollect edit`, `retire` and `purge` are for memories that somebody saved."
        raise BadInput("this memory was not captured", target=f"{memory.kind}/{memory.slug}", fix=fix)


def tallies(context: ProjectContext) -> dict[str, Tally]:
    """Return what people taught about the rules in this project, since each was last reset."""
    rows = (
        Taught(channel.partition(":")[2], is_kept, at) for channel, is_kept, at in context.store.taught(context.project)
    )
    counted = [row for row in rows if row.at > float(context.store.setting(_reset_name(context, row.rule)) or 0)]
    return taught.tallies(counted, context.clock().timestamp())


def reset(context: ProjectContext, name: str) -> None:
    """Forget what people taught about a rule in this project so far; raises BadInput for a rule without a tally."""
    if name not in tallies(context):
        raise BadInput(
            f"nothing was taught about the rule {name!r}", target=name, fix="`recollect capture` lists them."
        )
    journal_rebuild.remember(context, _reset_name(context, name), f"{context.clock().timestamp():.3f}")


def _reset_name(context: ProjectContext, name: str) -> str:
    return f"{project_joining.RESET}{context.project}:{name}"


def is_unwanted(context: ProjectContext, draft: Draft) -> bool:
    """Whether people dropped most of what a draft's rule captured; what the user says is never unwanted."""
    return draft.origin != "user" and _tally(context, draft.rule).state == "silent"


def is_trusted(context: ProjectContext, name: str) -> bool:
    """Whether people kept most of what a rule captured."""
    return _tally(context, name).state == "trusted"


def _tally(context: ProjectContext, name: str) -> Tally:
    return tallies(context).get(name, Tally())


def was_dropped(context: ProjectContext, draft: Draft) -> bool:
    """Whether a person dropped a memory with the same signature, or with much the same text, numbers and names."""
    gone = context.store.find(Query(context.project, (draft.kind,), statuses=("retired",), global_too=False, limit=200))
    dropped = [stored.memory for stored in gone if (stored.memory.closed_reason or "") == REASON]
    return any(
        (draft.signature and draft.signature in memory.keywords)
        or (
            filing.likeness(draft.text, f"{memory.title} {memory.text}") >= filing.SAME_FROM
            and not differ(draft.text, filing.statement(memory))
        )
        for memory in dropped
    )
