"""Apply the changes of a commit in order: one function per kind of change."""

from collections.abc import Callable, Sequence
from typing import assert_never

from recollect.model.change import (
    Archive,
    Assert,
    Change,
    Create,
    Move,
    OneByOne,
    Purge,
    Restore,
    Retire,
    Retract,
    Revert,
    Revise,
    Reweigh,
    Splice,
    TakeIn,
    Touch,
    Weigh,
)
from recollect.write import admission
from recollect.write.changes import close, create, facts, revert, revise, splice, take_in, usage
from recollect.write.group import Group
from recollect.write.outcome import Outcome


def apply(group: Group, changes: Sequence[Change], tick: Callable[[int], None] = lambda _: None) -> list[Outcome]:
    """Apply every change, close the memories that a new one pushes out, and update log and `index.md`.

    Return an outcome for each change but Reweigh, then one for each memory that was pushed out. `tick` is told of each
    change.
    """
    outcomes, pushed_out = list[Outcome](), list[Outcome]()
    usage.reweigh(group, [change for change in changes if isinstance(change, Reweigh)])
    for change in changes:
        if isinstance(change, Reweigh):
            continue
        outcome = _apply_change(group, change)
        outcomes.append(outcome)
        tick(1)
        if outcome.action == "created":  # at once: the next new memory must not push out the same one again
            pushed_out += [_apply_change(group, more) for more in admission.plan_limits(group.context, outcome.memory)]
    group.files.finish()
    splice.record(group, group.files.rewritten)
    return [*outcomes, *pushed_out]


def _apply_change(group: Group, change: OneByOne) -> Outcome:  # noqa: C901, PLR0911, PLR0912 - one case per change
    match change:
        case Create():
            return create.create(group, change)
        case Revise():
            return revise.revise(group, change)
        case Move():
            return revise.move(group, change)
        case Touch():
            return usage.touch(group, change)
        case Weigh():
            return usage.weigh(group, change)
        case Retire():
            return close.retire_vanished(group, change) if change.vanished else close.retire(group, change)
        case Archive():
            return close.archive_and_remove_file(group, change) if change.drop_file else close.archive(group, change)
        case Restore():
            return close.restore(group, change)
        case Purge():
            return close.purge(group, change)
        case TakeIn():
            return take_in.take_in(group, change)
        case Revert():
            return revert.revert(group, change)
        case Assert():
            return facts.state(group, change)
        case Retract():
            return facts.retract(group, change)
        case Splice():
            return splice.splice(group, change)
        case _:
            assert_never(change)
