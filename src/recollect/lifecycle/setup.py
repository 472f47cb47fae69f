"""Switching a vault on: its folders, the choice of layouts, and files for what was remembered before."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from recollect import foreign_files, machine
from recollect.errors import BadInput, UnreadableFile
from recollect.lifecycle import save, twin
from recollect.lifecycle.space import Space
from recollect.model import text
from recollect.model.change import Revise
from recollect.model.query import Query
from recollect.store.base import Sighting
from recollect.vault import files, views
from recollect.vault.files import Writing

_KEY = r"(?m)(^\[vault\]\n(?:(?!\[).*\n)*?){name}\s*=\s*"
_VALUE = r"(?:\[[^\n\]]*\]|\"[^\n\"]*\")"


def make_folders(space: Space) -> None:
    """The folders of the layouts; nothing else is touched."""
    if not space.vault.layouts:
        return
    with twin.held(space), Writing(space.vault.root) as writing:
        for layout in space.vault.layouts:
            for folder in layout.folders():
                files.inside(space.vault.root, f"{folder}/x")
                if layout.name == "markdown":
                    machine.make_folder(space.vault.root / folder)
        if space.vault.has_index:
            views.rebuild_index(writing, space.vault, space.kinds, lambda _: None)


def write_setting(path: Path, name: str, value: object) -> None:
    """Record a choice about the vault in the project's own settings file."""
    line = f"{name} = {json.dumps(value)}"
    try:
        data = foreign_files.read(str(path), root=str(path.parent), most_bytes=foreign_files.SETTINGS_BYTES)
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise UnreadableFile(foreign_files.why(error), target=path) from None
    old = data.decode("utf-8", "replace")
    key = _KEY.format(name=name)
    new, changed = re.subn(key + _VALUE, lambda found: found[1] + line, old)
    if not changed and re.search(key, old):
        raise BadInput(f"the file sets {name} in a way that is not understood", target=path, fix=f"Set there: {line}")
    if not changed:
        new, changed = re.subn(r"(?m)^\[vault\]\n", lambda found: f"{found[0]}{line}\n", old)
    if not changed:
        new = f"{old}{chr(10) if old else ''}[vault]\n{line}\n"
    with Writing(path.parent) as writing:
        writing.write(path.name, new.encode())


def publish(space: Space) -> list[str]:
    """Write the file of every active memory that never had one: it was remembered before the vault was on."""
    if not space.vault.layouts:
        return []
    active = [found.memory for found in space.store.find(Query(project=space.project, global_too=False))]
    fileless = [memory for memory in active if space.vault.place(memory) and not space.store.was_seen(memory.uid)]
    outcomes = save.commit(space, [Revise(memory) for memory in fileless]) if fileless else []
    return [outcome.path for outcome in outcomes if outcome.path]


def forget_files(space: Space) -> list[Sighting]:
    """Forget where the memories of this checkout lie as files, so that their absence means nothing; return it."""
    seen = [sighting for sighting in space.store.sightings(space.root) if sighting.presence == "seen"]
    with space.store.writing():
        for sighting in space.store.sightings(space.root):
            space.store.unsee(space.root, sighting.path)
    return seen


def remove_files(space: Space, known: Sequence[Sighting], index: str) -> list[str]:
    """Remove the files that say what the store holds, and the index; return the ones that stay.

    A file that was changed since, or was never taken in, is left where it is.
    """
    kept = []
    with Writing(space.vault.root) as writing:
        for sighting in known:
            place = space.vault.root / sighting.path
            if files.look(place) is None:
                continue
            if text.md5(files.read(place)) == sighting.digest:
                writing.remove(sighting.path)
            else:
                kept.append(sighting.path)
        if not kept and files.look(space.vault.root / index):
            writing.remove(index)
    _remove_empty_folders(space.vault.root, {str(Path(path).parent) for path in writing.changed})
    return kept


def _remove_empty_folders(root: Path, folders: Iterable[str]) -> None:
    for folder in sorted(folders, key=len, reverse=True):
        place = root / folder
        while place != root and not place.is_symlink() and place.is_dir() and not any(place.iterdir()):
            place.rmdir()
            place = place.parent
