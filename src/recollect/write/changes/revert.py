"""Undo: put the image back that the journal has of a memory or fact before a change."""

from typing import cast

from recollect.errors import Refused
from recollect.model.change import Revert
from recollect.model.fact import Fact, is_fact
from recollect.model.memory import Memory, from_json
from recollect.policy.memories import revision
from recollect.write.changes import facts
from recollect.write.group import Group
from recollect.write.outcome import Outcome
from recollect.write.vault_files import CurrentVersion


def revert(group: Group, change: Revert) -> Outcome:
    """Put an image back, or remove what did not exist before; raises Refused where it was changed elsewhere since."""
    if is_fact(change.uid):
        return facts.revert(group, change, change.image if isinstance(change.image, Fact) else None)
    return _revert_memory(group, change, cast("Memory | None", change.image), cast("Memory | None", change.leaves))


def _revert_memory(group: Group, change: Revert, image: Memory | None, left: Memory | None) -> Outcome:
    """Put `image` back, or remove the memory where it is None; `left` is the memory as the undone change left it."""
    stored = group.context.store.get(change.uid)
    now = stored.memory if stored else None
    if (left.having(usage=now.usage, importance=now.importance) if left and now else left) != now:
        # counted uses do not matter, nor what weighing made of it since
        fix = "Undo it there first, or edit the memory here."
        raise Refused(
            "the memory was changed since, in another checkout or process",
            target=change.uid,
            code="UNDO_ERROR",
            fix=fix,
        )
    current = group.take_in_edits(change.uid) if stored else None
    if image is not None:
        return _put_back(group, change, image, left, current)
    if current is None:
        raise Refused("nothing is left to undo", target=change.uid, code="UNDO_ERROR")
    return _remove(group, change, current)


def _put_back(
    group: Group, change: Revert, image: Memory, left: Memory | None, current: CurrentVersion | None
) -> Outcome:
    """Write a memory's earlier image, with the uses counted since; tombstones of its texts are removed."""
    now = current.memory if current else None
    for text in {image.image, *(group.context.store.images(change.uid) if now is None else ())}:
        group.context.store.unbury(image.project, from_json(text, group.context.kinds).digest)
    counted = revision.counted(image, now) if now else image
    if now and left and image.importance == left.importance:  # the change was not about it; it was weighed since
        counted = counted.model_copy(update={"importance": now.importance})
    return group.write_memory("undone", counted, current, undoes=change.undoes, is_logged=change.is_logged)


def _remove(group: Group, change: Revert, current: CurrentVersion) -> Outcome:
    """Remove a memory that did not exist before the change: its file, its log line and its row."""
    group.files.remove(current)
    group.files.remove_from_log(current.memory)
    group.context.store.remove(change.uid)
    group.add_entry("undone", current.memory, None, None, undoes=change.undoes)
    return Outcome("undone", current.memory, current.memory)
