"""Screen changes for secrets before a commit, so that no secret reaches the disk."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.model.change import Archive, Assert, Change, Create, Purge, Retire, Retract, Revise, TakeIn
from recollect.policy.secrets import detector, screening


def changes(asked: Sequence[Change]) -> tuple[list[Change], dict[int, tuple[str, ...]]]:
    """Return the changes without secrets, and for each position that was redacted the notes that say so."""
    kept, notes = list[Change](), dict[int, tuple[str, ...]]()
    for position, change in enumerate(asked):
        screened, redactions = _screened(change)
        kept.append(screened)
        if redactions:
            notes[position] = redactions
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
