"""Replace a part of a project file that holds no single memory, such as `MEMORY.md`, or put one back."""

from collections.abc import Sequence

from recollect import foreign_files
from recollect.errors import Conflict, RecollectError, Refused
from recollect.formats import memory_log
from recollect.model.change import Splice
from recollect.model.file_part import FilePart
from recollect.model.memory import SHAREABLE
from recollect.policy.log import splicing
from recollect.vault import files
from recollect.vault.layouts import LOG
from recollect.write.group import Group
from recollect.write.outcome import Outcome


def splice(group: Group, change: Splice) -> Outcome:
    """Write the file with the part replaced; raises Conflict, or Refused for an undo, where the part is not there."""
    place = group.files.real_path(change.path)
    _rewrite(group, change, files.read(place, foreign_files.LOG_BYTES) if files.look(place) else None)
    return _outcome(group, change)


def record(group: Group, changes: Sequence[Splice]) -> None:
    """Add journal entries for changes to files that were written already."""
    for change in changes:
        _outcome(group, change)


def _outcome(group: Group, change: Splice) -> Outcome:
    before, after = (FilePart(path=change.path, at=change.at, text=part) for part in (change.removed, change.inserted))
    action = "undone" if change.undoes else "rewritten"
    group.add_entry(action, before, after, undoes=change.undoes)
    return Outcome(action, after, path=change.path)


def _rewrite(group: Group, change: Splice, current: bytes | None) -> None:
    try:
        data = splicing.applied(change, current)
    except ValueError as error:
        raise _refusal(change, str(error)) from None
    if data is None:
        group.files.writing.remove(change.path)
    else:
        group.files.writing.write(change.path, _allowed(group, data) if _puts_log_back(change) else data)


def _refusal(change: Splice, why: str) -> RecollectError:
    if change.undoes:
        fix = "Nothing was changed. Edit the file by hand; the journal has its earlier text."
        return Refused(f"cannot be put back: {why}", target=change.path, code="UNDO_ERROR", fix=fix)
    return Conflict(why, target=change.path)


def _puts_log_back(change: Splice) -> bool:
    return bool(change.undoes) and change.path == LOG


def _allowed(group: Group, data: bytes) -> bytes:
    """Return the log without lines of memories that were erased or became private since."""
    kept = [line.text for line in memory_log.lines(data.decode()) if line.memory is None or _may_stay(group, line)]
    return "\n".join(kept).encode()


def _may_stay(group: Group, line: memory_log.Line) -> bool:
    if line.memory is None:
        return True
    stored = group.context.store.get(line.memory.uid)
    if stored is None:  # a record of another program's never was in the store
        return not group.context.store.images(line.memory.uid)
    return stored.memory.sensitivity in SHAREABLE
