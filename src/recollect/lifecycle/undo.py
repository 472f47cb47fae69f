"""Undo: the last group of the journal is put back, image by image."""

from recollect.errors import Refused
from recollect.lifecycle import save
from recollect.lifecycle.save import Outcome
from recollect.lifecycle.space import Space
from recollect.model import memory
from recollect.model.change import Revert
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


def _check_unchanged(space: Space, uid: str, image: str | None) -> None:
    """What was changed elsewhere since is not swept away; counted uses do not matter."""
    stored, left = space.store.get(uid), memory.from_json(image, space.kinds) if image else None
    now = stored.memory if stored else None
    if now and left:
        left = left.having(usage=now.usage)
    if now != left:
        fix = "Undo it there first, or edit the memory here."
        raise Refused("it was changed since, in another checkout", target=uid, code="UNDO_ERROR", fix=fix)


def undo(space: Space) -> list[Outcome]:
    """Reverse the last group that is not undone yet; undoing again goes further back."""
    group = last(space)
    first_images: dict[str, str | None] = {}
    last_images: dict[str, str | None] = {}
    for entry in group:
        first_images.setdefault(entry.uid, entry.before)
        last_images[entry.uid] = entry.after
    for uid, image in last_images.items():
        _check_unchanged(space, uid, image)
    changes = [
        Revert(uid, memory.from_json(image, space.kinds) if image else None, undoes=group[0].group)
        for uid, image in reversed(first_images.items())
    ]
    return save.commit(space, changes)
