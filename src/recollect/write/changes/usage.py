"""Count the use of a memory, or change how it is valued."""

from collections.abc import Sequence

from recollect.errors import BadInput
from recollect.model.change import Reweigh, Touch, Weigh
from recollect.model.memory import MOST
from recollect.store.protocols import Stored
from recollect.write.group import Group
from recollect.write.outcome import Outcome


def touch(group: Group, change: Touch) -> Outcome:
    """Count a use: once per memory and session, every time where no session is known."""
    stored = group.stored(change.uid)
    if change.session and not group.context.store.access(change.uid, change.session, group.now):
        return Outcome("unchanged", stored.memory, stored.memory, revision=stored.revision)
    usage = stored.memory.usage
    number = usage.last_session if change.number is None else change.number
    counted = usage.model_copy(update={"hits": usage.hits + 1, "last_hit_at": group.now, "last_session": number})
    after = stored.memory.model_copy(update={"usage": counted})
    group.context.store.put(after, stored.revision)
    group.record_use(change.uid)
    return Outcome("touched", after, stored.memory, revision=stored.revision)


def weigh(group: Group, change: Weigh) -> Outcome:
    """Change a memory's importance, appreciation or pin, in the store and in a file that holds the counters.

    Raises BadInput where the appreciation would be beyond its limit.
    """
    stored = _with_edits(group, change.uid)
    usage = stored.memory.usage
    pinned = usage.pinned if change.pinned is None else change.pinned
    appreciation = usage.appreciation + change.appreciate
    if abs(appreciation) > MOST:
        fix = f"Keep the sum of a memory's appreciation between {-MOST} and {MOST}."
        raise BadInput("the appreciation is too large", target=stored.memory.slug, fix=fix)
    valued = usage.model_copy(update={"appreciation": appreciation, "pinned": pinned})
    importance = stored.memory.importance if change.importance is None else change.importance
    after = stored.memory.having(usage=valued, importance=importance)
    here = group.files.read(stored)  # this checkout may have another version than the store
    if here.data:
        path, written = group.files.write(here.memory.having(usage=valued), here)
    else:
        path, written = None, after.revision()
    revision = written if here.revision == stored.revision else stored.revision
    action = "weighed" if change.pinned is None else "pinned" if change.pinned else "unpinned"
    return group.write_row(action, stored.memory, after, revision, path)


def reweigh(group: Group, changes: Sequence[Reweigh]) -> None:
    """Set the importance of many memories, with one journal entry; no file holds it, so none is written."""
    if changes:
        group.context.store.set_importances((change.uid, change.before, change.importance) for change in changes)
        group.record_weights(
            {change.uid: change.before for change in changes},
            {change.uid: change.importance for change in changes},
            undoes=changes[0].undoes,
        )


def _with_edits(group: Group, uid: str) -> Stored:
    """Return the store's memory; edits in its file since it was last seen are taken in first."""
    stored = group.stored(uid)
    if not group.files.is_edited(stored):
        return stored
    edited = group.take_in_edits(uid)
    group.context.store.put(edited.memory, edited.revision)
    return Stored(edited.memory, edited.revision)
