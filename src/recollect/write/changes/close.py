"""Close memories (retire, archive, purge), and restore them."""

from dataclasses import replace

from recollect.errors import Refused
from recollect.model.change import Archive, Purge, Restore, Retire
from recollect.model.memory import Edit, Memory, Status, from_json
from recollect.policy.memories import revision
from recollect.vault import files
from recollect.write.group import Group
from recollect.write.outcome import Outcome
from recollect.write.vault_files import CurrentVersion


def retire(group: Group, change: Retire) -> Outcome:
    """Retire a memory: a soft delete (B45). Raises Refused for an archived memory."""
    current = group.take_in_edits(change.uid)
    if current.memory.status == "retired":
        return group.unchanged("already_retired", current)
    if current.memory.status == "archived":
        fix = "Restore it first (`recollect restore`, or --action unarchive), then retire it."
        raise Refused("an archived memory is not retired", target=current.memory.slug, code="DELETE_ERROR", fix=fix)
    return _close(group, "retired", current, change.reason)


def retire_vanished(group: Group, change: Retire) -> Outcome:
    """Retire a memory because its file is gone; nothing happens where the file is back by now."""
    stored, path = group.stored(change.uid), change.vanished or ""
    sighting = group.context.store.sighting_of(group.context.root, change.uid)
    is_gone = sighting is not None and sighting.path == path and files.look(group.files.real_path(path)) is None
    if sighting and is_gone:
        group.context.store.see(replace(sighting, presence="retired"))
    if not is_gone or stored.memory.status != "active":
        return Outcome("unchanged", stored.memory, stored.memory, revision=stored.revision)
    after = _closed(group, stored.memory, "retired", change.reason)
    group.files.remove_from_index(path)
    return group.write_row("retired", stored.memory, after, after.revision(), path, reason=change.reason)


def archive(group: Group, change: Archive) -> Outcome:
    """Archive an active memory (B46); raises Refused for a memory that is not active."""
    current = group.take_in_edits(change.uid)
    status = current.memory.status
    if status == "archived" and not change.must_be_active:
        return group.unchanged("already_archived", current)
    if status != "active":
        problem = f"only an active memory is archived; this one is {status}"
        raise Refused(problem, target=current.memory.slug, code="ARCHIVE_ERROR", fix="Restore it first.")
    return _close(group, "archived", current, change.reason)


def archive_and_remove_file(group: Group, change: Archive) -> Outcome:
    """Remove the file of a retired memory and archive the memory in the store (B30)."""
    current = group.take_in_edits(change.uid)
    if current.memory.status != "retired":
        return group.unchanged("unchanged", current)
    after = _closed(group, current.memory, "archived", change.reason)
    group.files.remove(current)
    return group.write_row("archived", current.memory, after, after.revision(), None, reason=change.reason)


def restore(group: Group, change: Restore) -> Outcome:
    """Make a retired or archived memory active again (B36, B46); raises Refused where `only` names another status."""
    current = group.take_in_edits(change.uid)
    status = current.memory.status
    if status == "active" and change.only != "archived":
        return group.unchanged("already_active", current)
    if change.only and status != change.only:
        code = "UNARCHIVE_ERROR" if change.only == "archived" else "RESTORE_ERROR"
        fix = "Nothing needs doing." if status == "active" else "Use `recollect restore`: it brings back both."
        problem = f"only {change.only} memories come back this way; this one is {status}"
        raise Refused(problem, target=current.memory.slug, code=code, fix=fix)
    action, verb = ("unarchived", "Unarchived") if status == "archived" else ("restored", "Restored")
    edit = Edit(date=group.now, summary=verb, field="record_status", old_value=status, new_value="active")
    history = revision.with_edits(current.memory.edits, edit)
    opened: dict[str, object] = {"status": "active", "closed_at": None, "closed_reason": None}
    return group.write_memory(action, current.memory.having(**opened, updated_at=group.now, edits=history), current)


def purge(group: Group, change: Purge) -> Outcome:
    """Erase a memory; with `bury`, a tombstone is left for every text that it ever had."""
    current = group.take_in_edits(change.uid)
    if change.only_retired and current.memory.status != "retired":
        return group.unchanged("unchanged", current)
    notes: list[str] = []
    reason = revision.clean_reason(change.reason, notes)
    group.files.remove(current)
    group.files.remove_from_log(current.memory, can_return=not change.bury)
    images = group.context.store.images(change.uid) | {current.memory.image} if change.bury else ()
    for image in images:  # an older branch holds older texts
        group.context.store.bury(
            current.memory.project, from_json(image, group.context.kinds).digest, group.now, reason
        )
    group.context.store.remove(change.uid)
    action = "purged" if change.bury else "expired"
    group.add_entry(action, current.memory, None, None, reason=reason)
    return Outcome(action, current.memory, current.memory, notes=tuple(notes))


def _close(group: Group, status: Status, current: CurrentVersion, reason: str) -> Outcome:
    notes: list[str] = []
    reason = revision.clean_reason(reason, notes)
    return group.write_memory(
        status, _closed(group, current.memory, status, reason), current, reason=reason, notes=notes
    )


def _closed(group: Group, memory: Memory, status: Status, reason: str) -> Memory:
    summary = f"{status.title()}: {reason}"
    edit = Edit(date=group.now, summary=summary, field="record_status", old_value=memory.status, new_value=status)
    history = revision.with_edits(memory.edits, edit)
    return memory.having(status=status, closed_at=group.now, closed_reason=reason, updated_at=group.now, edits=history)
