"""Undo the last group of changes: put the images of the journal back."""

from collections.abc import Callable

from recollect.errors import Refused
from recollect.model import memory
from recollect.model.change import Revert
from recollect.model.fact import Fact, is_fact
from recollect.model.memory import Memory
from recollect.project_context import ProjectContext
from recollect.store.protocols import Entry
from recollect.write import commit, project_joining
from recollect.write.journal_rebuild import JOINED
from recollect.write.outcome import Outcome

CAPTURE = "capture"
SUPERSEDED = "superseded by"
"""How the reason begins with which capture retires a memory that a newer one replaces."""


def last(context: ProjectContext) -> list[Entry]:
    """Return the journal entries that `undo` would reverse; raises Refused where there are none in this checkout."""
    group = [entry for entry in context.store.last_group(context.project, context.root) if not _is_not_undone(entry)]
    if any(entry.actor == CAPTURE for entry in group):  # only the memories that were replaced come back
        group = [entry for entry in group if (entry.reason or "").startswith(SUPERSEDED)]
    if not group:
        fix = "To reject a memory that was captured: `recollect drop NAME`."
        raise Refused("there is nothing to undo in this project", code="UNDO_ERROR", fix=fix)
    return group


def _is_not_undone(entry: Entry) -> bool:
    """Whether an entry is a counted use, was erased, or took in a new file: undoing that would delete the file."""
    return entry.action in ("touched", "erased") or (entry.action == "taken in" and entry.before is None)


def undo(context: ProjectContext, tick: Callable[[int], None] = lambda _: None) -> list[Outcome]:
    """Reverse the last group that is not undone yet; undoing again goes further back. Raises Refused."""
    group = last(context)
    joining = next((entry for entry in group if entry.action == JOINED), None)
    first: dict[str, Entry] = {}
    newest: dict[str, Entry] = {}
    for entry in (entry for entry in group if entry is not joining):
        first.setdefault(entry.uid, entry)
        newest[entry.uid] = entry
    changes = [
        Revert(
            uid, _image(context, uid, first[uid].before), _image(context, uid, newest[uid].after), undoes=group[0].group
        )
        for uid in reversed(first)
    ]
    if joining:
        return project_joining.part(context, joining, changes, tick)
    return commit.commit(context, changes, tick=tick)


def _image(context: ProjectContext, uid: str, image: str | None) -> Memory | Fact | None:
    if image is None:
        return None
    return Fact.model_validate_json(image) if is_fact(uid) else memory.from_json(image, context.kinds)
