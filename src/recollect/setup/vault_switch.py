"""Switch a vault on or off: make its folders, write and remove its files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from recollect import machine
from recollect.model import text
from recollect.model.change import Revise
from recollect.model.query import Query
from recollect.project_context import ProjectContext
from recollect.store.protocols import Sighting
from recollect.vault import files, views
from recollect.vault.files import Writing
from recollect.write import commit, vault_files


def make_folders(context: ProjectContext) -> None:
    """Make the folders of the layouts, and the index."""
    if not context.vault.layouts:
        return
    with vault_files.held(context), Writing(context.vault.root) as writing:
        for layout in context.vault.layouts:
            for folder in layout.folders():
                files.inside(context.vault.root, f"{folder}/x")
                if layout.name == "markdown":
                    machine.make_folder(context.vault.root / folder)
        if context.vault.has_index:
            views.rebuild_index(writing, context.vault, context.kinds, lambda _: None)


def publish(context: ProjectContext) -> list[str]:
    """Write the files of active memories that were saved before the vault was on; return their paths."""
    if not context.vault.layouts:
        return []
    active = [stored.memory for stored in context.store.find(Query(project=context.project, global_too=False))]
    fileless = [memory for memory in active if context.vault.place(memory) and not context.store.was_seen(memory.uid)]
    outcomes = commit.commit(context, [Revise(memory) for memory in fileless]) if fileless else []
    return [outcome.path for outcome in outcomes if outcome.path]


def forget_files(context: ProjectContext) -> list[Sighting]:
    """Forget the files of this checkout, so that removing them retires no memory; return those that were seen."""
    seen = [sighting for sighting in context.store.sightings(context.root) if sighting.presence == "seen"]
    with context.store.writing():
        for sighting in context.store.sightings(context.root):
            context.store.unsee(context.root, sighting.path)
    return seen


def remove_files(context: ProjectContext, known: Sequence[Sighting], index: str) -> list[str]:
    """Remove the files whose content the store has, and the index; return the files that stay.

    A file that was changed since it was taken in stays.
    """
    kept = []
    with Writing(context.vault.root) as writing:
        for sighting in known:
            place = context.vault.root / sighting.path
            if files.look(place) is None:
                continue
            if text.md5(files.read(place)) == sighting.digest:
                writing.remove(sighting.path)
            else:
                kept.append(sighting.path)
        if not kept and files.look(context.vault.root / index):
            writing.remove(index)
    _remove_empty_folders(context.vault.root, {str(Path(path).parent) for path in writing.changed})
    return kept


def _remove_empty_folders(root: Path, folders: Iterable[str]) -> None:
    for folder in sorted(folders, key=len, reverse=True):
        place = root / folder
        while place != root and not place.is_symlink() and place.is_dir() and not any(place.iterdir()):
            place.rmdir()
            place = place.parent
