"""Take in a vault file: what the file says becomes the memory; the file itself is not written."""

from recollect.model import text
from recollect.model.change import TakeIn
from recollect.policy.memories import revision
from recollect.vault import files
from recollect.write import admission
from recollect.write.group import Group
from recollect.write.outcome import Outcome


def take_in(group: Group, change: TakeIn) -> Outcome:
    """Make a file's memory the store's; a file that changed again since it was read is left to the next scan."""
    path, layout = group.files.real_path(change.path), group.context.vault.layout_of(change.path)
    said, store = change.memory, group.context.store
    # A file belongs to its name: another process, or another checkout, may have kept it under another uid.
    stored = store.named(said.project, said.kind, said.slug) or store.get(said.uid)
    before = stored.memory if stored else None
    # A file that is gone, or that changed again since it was read, is left to the next scan.
    found = files.look(path)
    if layout is None or found is None or text.md5(files.read(path)) != change.revision:
        return Outcome("unchanged", said, before)
    # Merge the file into the memory, or make a new memory of it. `last` is the version that this checkout had.
    sighting = store.sighting_at(group.context.root, change.path)
    last = group.files.last_seen_version(before.uid, sighting) if before else None
    is_counted = layout.name == "markdown" and b"<memory-metadata>" in files.read(path)[:64]
    fresh = said if is_counted else admission.with_first_session(group.context, said)
    after = revision.adopt(before, said, layout.name, last) if before else fresh
    # Record how the file looks now, and list it in `index.md`.
    _forget_former_path(group, after.uid, change.path)
    group.files.record_sighting(change.path, after.uid, found, change.revision)
    group.files.list_in_index(change.path, after)
    # Write the row, where something differs from the store's.
    if before == after and stored and stored.revision == change.revision:
        return Outcome("unchanged", after, before, change.path, change.revision)
    return group.write_row("taken in", before, after, change.revision, change.path)


def _forget_former_path(group: Group, uid: str, path: str) -> None:
    """Forget the sighting of a memory's file at another path, where that file was moved away."""
    old = group.context.store.sighting_of(group.context.root, uid)
    if old and old.path != path and files.look(group.files.real_path(old.path)) is None:
        group.context.store.unsee(group.context.root, old.path)
        group.files.remove_from_index(old.path)
