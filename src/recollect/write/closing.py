"""Closing memories and bringing them back, inside a commit."""

from __future__ import annotations  # Group is only named here

from dataclasses import replace
from typing import TYPE_CHECKING

from recollect.errors import Refused
from recollect.model.memory import Edit, Memory, Status, from_json
from recollect.policy.memories import revision
from recollect.vault import files
from recollect.write.outcome import Outcome

if TYPE_CHECKING:
    from recollect.model import change as ask
    from recollect.write.commit import Group
    from recollect.write.vault_files import Base


def retire(group: Group, change: ask.Retire) -> Outcome:
    """Soft delete (B45)."""
    base = group.base(change.uid)
    if base.memory.status == "retired":
        return group.unchanged("already_retired", base)
    if base.memory.status == "archived":
        fix = "Restore it first (`recollect restore`, or --action unarchive), then retire it."
        raise Refused("an archived memory is not retired", target=base.memory.slug, code="DELETE_ERROR", fix=fix)
    return _close(group, "retired", base, change.reason)


def vanish(group: Group, change: ask.Retire) -> Outcome:
    """Its file is gone: decided by sync, looked at once more under the lock."""
    stored, path = group.stored(change.uid), change.vanished or ""
    sighting = group.context.store.sighting_of(group.context.root, change.uid)
    is_gone = sighting is not None and sighting.path == path and files.look(group.twins.place(path)) is None
    if sighting and is_gone:
        group.context.store.see(replace(sighting, presence="retired"))
    if not is_gone or stored.memory.status != "active":
        return Outcome("unchanged", stored.memory, stored.memory, revision=stored.revision)
    after = _closed(group, stored.memory, "retired", change.reason)
    group.twins.unlist(path)
    return group.put("retired", stored.memory, after, after.revision(), path, reason=change.reason)


def archive(group: Group, change: ask.Archive) -> Outcome:
    """Shelve an active memory (B46)."""
    base = group.base(change.uid)
    status = base.memory.status
    if status == "archived" and not change.must_be_active:
        return group.unchanged("already_archived", base)
    if status != "active":
        problem = f"only an active memory is archived; this one is {status}"
        raise Refused(problem, target=base.memory.slug, code="ARCHIVE_ERROR", fix="Restore it first.")
    return _close(group, "archived", base, change.reason)


def collect(group: Group, change: ask.Archive) -> Outcome:
    """Garbage collection: the file of a retired memory goes, the store keeps it (B30)."""
    base = group.base(change.uid)
    if base.memory.status != "retired":
        return group.unchanged("unchanged", base)
    after = _closed(group, base.memory, "archived", change.reason)
    group.twins.drop(base)
    return group.put("archived", base.memory, after, after.revision(), None, reason=change.reason)


def restore(group: Group, change: ask.Restore) -> Outcome:
    """Bring back what was retired or archived (B36, B46)."""
    base = group.base(change.uid)
    status = base.memory.status
    if status == "active" and change.only != "archived":
        return group.unchanged("already_active", base)
    if change.only and status != change.only:
        code = "UNARCHIVE_ERROR" if change.only == "archived" else "RESTORE_ERROR"
        fix = "Nothing needs doing." if status == "active" else "Use `recollect restore`: it brings back both."
        problem = f"only {change.only} memories come back this way; this one is {status}"
        raise Refused(problem, target=base.memory.slug, code=code, fix=fix)
    action, verb = ("unarchived", "Unarchived") if status == "archived" else ("restored", "Restored")
    edit = Edit(date=group.now, summary=verb, field="record_status", old_value=status, new_value="active")
    history = revision.with_edits(base.memory.edits, edit)
    opened: dict[str, object] = {"status": "active", "closed_at": None, "closed_reason": None}
    return group.keep(action, base.memory.having(**opened, updated_at=group.now, edits=history), base)


def purge(group: Group, change: ask.Purge) -> Outcome:
    """Erase, leaving tombstones for every text that it ever had."""
    base = group.base(change.uid)
    if change.only_retired and base.memory.status != "retired":
        return group.unchanged("unchanged", base)
    notes: list[str] = []
    reason = revision.clean_reason(change.reason, notes)
    group.twins.drop(base)
    group.twins.unlog(base.memory)
    said = group.context.store.images(change.uid) | {base.memory.image} if change.bury else ()
    for image in said:  # an older branch holds older texts
        group.context.store.bury(base.memory.project, from_json(image, group.context.kinds).digest, group.now, reason)
    group.context.store.remove(change.uid)
    action = "purged" if change.bury else "expired"
    group.record(action, base.memory, None, None, reason=reason)
    return Outcome(action, base.memory, base.memory, notes=tuple(notes))


def _close(group: Group, status: Status, base: Base, reason: str) -> Outcome:
    notes: list[str] = []
    reason = revision.clean_reason(reason, notes)
    return group.keep(status, _closed(group, base.memory, status, reason), base, reason=reason, notes=notes)


def _closed(group: Group, memory: Memory, status: Status, reason: str) -> Memory:
    summary = f"{status.title()}: {reason}"
    edit = Edit(date=group.now, summary=summary, field="record_status", old_value=memory.status, new_value=status)
    history = revision.with_edits(memory.edits, edit)
    return memory.having(status=status, closed_at=group.now, closed_reason=reason, updated_at=group.now, edits=history)
