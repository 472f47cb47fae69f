"""Before a commit: whatever the changes say is screened, so that no secret reaches the disk."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.model.change import Archive, Assert, Change, Create, Purge, Retire, Retract, Revise, TakeIn
from recollect.policy.secrets import detector, screening


def changes(asked: Sequence[Change]) -> tuple[list[Change], dict[int, tuple[str, ...]]]:
    """The changes without secrets, and by position what was done to them."""
    kept, notes = list[Change](), dict[int, tuple[str, ...]]()
    for position, change in enumerate(asked):
        screened, said = _screened(change)
        kept.append(screened)
        if said:
            notes[position] = said
    return kept, notes


def _screened(change: Change) -> tuple[Change, tuple[str, ...]]:
    match change:
        case Create() | Revise() | TakeIn():
            found = screening.memory(change.memory, classify=not isinstance(change, TakeIn) and change.classify)
            kept = change if found.memory is change.memory else replace(change, memory=found.memory)
            return kept, found.notes()
        case Assert():
            return Assert(screening.fact(change.fact)), ()
        case Retire() | Archive() | Purge() | Retract():
            return replace(change, reason=detector.redact(change.reason)), ()
        case _:
            return change, ()
