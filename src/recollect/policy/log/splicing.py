"""Change a part of a file and leave the rest as it is: the part between what two texts have in common."""

from collections.abc import Sequence

from recollect.model.change import Splice


def plan(path: str, before: str | None, after: str) -> Splice | None:
    """Return the change that turns one text of a file into another; None where they are the same."""
    if before is None:
        return Splice(path, 0, None, after)
    if before == after:
        return None
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    start = _number_in_common(old, new)
    end = _number_in_common(old[start:][::-1], new[start:][::-1])
    if start + end == len(new):  # nothing is inserted: a line beside it tells `undo` where the removed part was
        start, end = (start - 1, end) if start else (start, max(0, end - 1))
    removed, inserted = old[start : len(old) - end], new[start : len(new) - end]
    return Splice(path, len("".join(old[:start]).encode()), "".join(removed), "".join(inserted))


def _number_in_common(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many lines two texts begin with; whole lines, so that the journal has the ids of records whole."""
    pairs = zip(left, right, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))


def appended(path: str, before: bytes | None, lines: str) -> Splice:
    """Return the change that appends lines to a file; `before` is None where the file does not exist."""
    if before is None:
        return Splice(path, 0, None, lines)
    gap = "" if not before or before.endswith(b"\n") else "\n"
    return Splice(path, len(before), "", gap + lines)


def applied(change: Splice, current: bytes | None) -> bytes | None:
    """Return the bytes of a file after a change; None where the file is then to be removed.

    Raises ValueError where the part that the change replaces is not there.
    """
    inserted = (change.inserted or "").encode()
    if change.removed is None or current is None:
        if change.removed is None and current is None:
            return inserted
        raise ValueError("the file was created" if current is not None else "the file is gone")
    removed = change.removed.encode()
    at = _place(change, current, removed)
    result = current[:at] + inserted + current[at + len(removed) :]
    return None if change.inserted is None and not result else result


def _place(change: Splice, current: bytes, removed: bytes) -> int:
    """Return where the part lies; undone, it may have moved, if it is there only once. Raises ValueError."""
    if change.at <= len(current) and current.startswith(removed, change.at):
        return change.at
    if change.undoes and removed and current.count(removed) == 1:
        return current.index(removed)
    raise ValueError("the part that would be replaced was changed")


def reversed_change(change: Splice) -> Splice:
    """Return the change that puts back what a change replaced."""
    return Splice(change.path, change.at, change.inserted, change.removed, undoes=change.undoes or "undone")
