"""Undo: the last group of the journal is put back, image by image."""

from recollect.errors import Refused
from recollect.lifecycle import save
from recollect.lifecycle.save import Outcome
from recollect.lifecycle.space import Space
from recollect.model import memory
from recollect.model.change import Revert
from recollect.model.memory import Memory
from recollect.store.base import Entry


def last(space: Space) -> list[Entry]:
    """What `undo` would reverse: the last group made in this checkout; refused when there is none."""
    group = [entry for entry in space.store.last_group(space.project, space.root) if not _is_meeting(entry)]
    if not group:
        fix = "`recollect list --all` shows what is there."
        raise Refused("there is nothing to undo in this project", code="UNDO_ERROR", fix=fix)
    return group


def _is_meeting(entry: Entry) -> bool:
    """A file that somebody put there was taken in: undoing that would delete the file."""
    return entry.action == "taken in" and entry.before is None


def undo(space: Space) -> list[Outcome]:
    """Reverse the last group that is not undone yet; undoing again goes further back."""
    group = last(space)
    first: dict[str, Entry] = {}
    newest: dict[str, Entry] = {}
    for entry in group:
        first.setdefault(entry.uid, entry)
        newest[entry.uid] = entry
    changes = [
        Revert(uid, _image(space, first[uid].before), _image(space, newest[uid].after), undoes=group[0].group)
        for uid in reversed(first)
    ]
    return save.commit(space, changes)


def _image(space: Space, image: str | None) -> Memory | None:
    return memory.from_json(image, space.kinds) if image else None
