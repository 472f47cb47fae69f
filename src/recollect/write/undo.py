"""Undo the last group of changes: put the images of the journal back."""

import json
from collections.abc import Callable, Sequence

from recollect.errors import Refused
from recollect.formats import memory_log
from recollect.model import memory
from recollect.model.change import Change, Revert, Reweigh, Splice
from recollect.model.fact import Fact, is_fact
from recollect.model.file_part import FilePart
from recollect.model.memory import Memory
from recollect.model.query import TURNS
from recollect.model.rows.file_id import is_file
from recollect.project_context import ProjectContext
from recollect.store.protocols import Entry
from recollect.vault.layouts import LOG
from recollect.write import commit, project_joining
from recollect.write.journal_rebuild import JOINED, REWEIGHED, WEIGHTS
from recollect.write.outcome import Outcome

CAPTURE = "capture"
SUPERSEDED = "superseded by"
"""How the reason begins with which capture retires a memory that a newer one replaces."""
NOTHING = {
    False: "there is nothing to undo in this project: you changed nothing that is not undone",
    True: "there is nothing to undo in this project: nothing was captured that is not undone",
}
OTHER_WAY = {
    False: "`recollect undo --captured` takes back what was captured last, `recollect drop NAME` one captured memory.",
    True: "`recollect undo` takes back your own last change.",
}


def last(context: ProjectContext, *, captured: bool = False) -> list[Entry]:
    """Return the journal entries that `undo` would reverse; raises Refused where there are none in this checkout.

    What people did and what was captured are undone apart: an agent may have captured something since a person's last
    change.
    """
    found = context.store.last_group(context.project, context.root, captured=captured)
    group = [entry for entry in found if not _is_not_undone(entry)]
    if captured:
        group = [entry for entry in group if not _is_turn(entry)]
    elif any(entry.actor == CAPTURE for entry in group):  # only the memories that were replaced come back
        group = [entry for entry in group if (entry.reason or "").startswith(SUPERSEDED)]
    if not group:
        raise Refused(NOTHING[captured], code="UNDO_ERROR", fix=OTHER_WAY[captured])
    return group


def captured_since(context: ProjectContext, group: Sequence[Entry]) -> int:
    """Return how many memories the last capture made or changed, if it is newer than a group; else 0."""
    found = context.store.last_group(context.project, context.root, captured=True)
    newer = [entry for entry in found if entry.seq > group[-1].seq and not _is_turn(entry)]
    return len({entry.uid for entry in newer})


def _is_turn(entry: Entry) -> bool:
    image = json.loads(entry.after or entry.before or "{}")
    return image.get("kind") in TURNS


def _is_not_undone(entry: Entry) -> bool:
    """Whether an entry is a counted use, was erased, or took in a new file: undoing that would delete the file."""
    return entry.action in ("touched", "erased") or (entry.action == "taken in" and entry.before is None)


def undo(
    context: ProjectContext, tick: Callable[[int], None] = lambda _: None, *, captured: bool = False
) -> list[Outcome]:
    """Reverse the last group that is not undone yet; undoing again goes further back. Raises Refused."""
    group = last(context, captured=captured)
    joining = next((entry for entry in group if entry.action == JOINED), None)
    weights = [change for entry in reversed(group) if entry.action == REWEIGHED for change in _weights_before(entry)]
    first: dict[str, Entry] = {}
    newest: dict[str, Entry] = {}
    others = (entry for entry in group if entry.action not in (JOINED, REWEIGHED) and not is_file(entry.uid))
    for entry in others:
        first.setdefault(entry.uid, entry)
        newest[entry.uid] = entry
    files = [_spliced_back(entry) for entry in reversed(group) if is_file(entry.uid)]
    logged = {uid for change in files for uid in _records(change)}
    memories = [
        Revert(
            uid, _image(context, uid, first[uid].before), _image(context, uid, newest[uid].after),
            undoes=group[0].group, is_logged=uid in logged,
        )
        for uid in reversed(first)
    ]  # fmt: skip
    changes: list[Change] = [*memories, *files]  # a line of the log comes back only where its memory is known
    if joining:
        return project_joining.part(context, joining, changes, tick)
    return commit.commit(context, [*changes, *weights], tick=tick)


def _weights_before(entry: Entry) -> list[Reweigh]:
    """Return the changes that put the importance back that memories had before an entry of the journal."""
    before, after = (json.loads(image or "{}").get(WEIGHTS, {}) for image in (entry.before, entry.after))
    return [Reweigh(uid, after[uid], value, undoes=entry.group) for uid, value in before.items() if uid in after]


def _spliced_back(entry: Entry) -> Splice:
    """Return the change that puts the part of a file back that an entry replaced."""
    before, after = (FilePart.model_validate_json(image or "") for image in (entry.before, entry.after))
    return Splice(after.path, after.at, removed=after.text, inserted=before.text, undoes=entry.group)


def _records(change: Splice) -> list[str]:
    """Return the ids of the records that a change puts back into the log."""
    lines = memory_log.lines(change.inserted or "") if change.path == LOG else []
    return [line.memory.uid for line in lines if line.memory]


def _image(context: ProjectContext, uid: str, image: str | None) -> Memory | Fact | None:
    if image is None:
        return None
    return Fact.model_validate_json(image) if is_fact(uid) else memory.from_json(image, context.kinds)
