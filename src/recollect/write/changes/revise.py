"""Revise a memory, or move it to another project."""

from recollect.errors import Conflict
from recollect.model import text
from recollect.model.change import Move, Revise
from recollect.model.memory import Edit, Memory
from recollect.policy.memories import revision
from recollect.write.group import Group
from recollect.write.outcome import Outcome


def revise(group: Group, change: Revise) -> Outcome:
    """Replace what a memory says; raises Conflict where `expect` names another revision than the current one."""
    current = group.take_in_edits(change.memory.uid)
    if change.expect and change.expect != current.revision:
        details: list[tuple[str, object]] = [("expected_hash", change.expect), ("current_hash", current.revision)]
        raise Conflict("the memory changed since it was read", target=change.memory.slug, details=details)
    notes: list[str] = []
    if change.guarded:
        merged = revision.merge(current.memory, change.memory, lambda path: _exists(group, path), group.now)
        notes += [f"WARNING: {line}" for line in revision.shrunken_lists(current.memory, merged)]
        after = _renamed(group, current.memory, merged, notes)
    else:
        after = _edited(group, current.memory, change.memory)
    if after == current.memory:
        is_missing = current.data is None and group.files.location(after) is not None and after.status == "active"
        return group.write_memory("published", after, current) if is_missing else group.unchanged("unchanged", current)
    return group.write_memory("updated", after, current, notes=notes)


def _edited(group: Group, old: Memory, new: Memory) -> Memory:
    """Return a person's edit, which may remove anything, with the differences added to its history."""
    if new == old:
        return old
    edits = [
        Edit(date=group.now, summary=f"Edited {name}", field=name, old_value=before, new_value=after)
        for name, before, after in revision.differences(old, new)
    ]
    history = revision.with_edits(old.edits, *edits)
    is_taken = new.kind != old.kind and group.is_taken(new, new.slug)
    slug = group.free_slug(new) if is_taken else new.slug
    at = max(group.now, old.updated_at)  # an import of a past session does not make a memory older
    return new.having(updated_at=at, times_revised=old.times_revised + 1, edits=history, slug=slug)


def _renamed(group: Group, old: Memory, new: Memory, notes: list[str]) -> Memory:
    """Return a memory with the slug of its new title, where the title changed much and the slug is free."""
    slug = text.slugify(new.title)
    if not revision.deserves_rename(old.title, new.title) or slug in ("", old.slug):
        return new
    if group.is_taken(new, slug):
        notes.append(f"WARNING: the slug {slug} is taken; {old.slug} stays")
        return new
    return new.having(slug=slug)


def _exists(group: Group, path: str) -> bool:
    return (group.context.vault.root / path).exists()  # B44: from the project's root, not the caller's folder


def move(group: Group, change: Move) -> Outcome:
    """Keep a memory under another project; its slug changes where it is taken there."""
    current = group.take_in_edits(change.uid)
    after = current.memory.having(project=change.project)
    return group.write_memory("moved", after.having(slug=group.free_slug(after)), current)
