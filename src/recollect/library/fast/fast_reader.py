"""Open the store for one quick read, without loading the model's classes: for a cold `show`, `list` and `recall`.

A reader answers only as far as no vault file changed since the last scan; if one did, the caller opens the project.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.errors import StoreError
from recollect.lazy import load
from recollect.project import repository
from recollect.project.lookup import is_inside, known_checkout
from recollect.store.hook_reader.connection import ReadFailed, Unready, open_connection
from recollect.store.hook_reader.store_reader import CheckoutRow
from recollect.store.sqlite.memory_reader import MemoryReader, SightingRow
from recollect.vault import files

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace

Warn = Callable[[str], None]
BUSY_MS = 1_000
MOST_UNINDEXED = 200
VAULT_FILES = (".claude/memory/*/[!.]*.json", "memory/[!.]*.md", "memory-cold/[!.]*.md")


def open_reader(env: Mapping[str, str]) -> MemoryReader | None:
    """Open the store for reading; None if there is none, or if this version cannot read it."""
    try:
        return MemoryReader(open_connection(paths.database(env), busy_ms=BUSY_MS))
    except (ReadFailed, Unready):
        return None


def open_current_reader(folder: Path, env: Mapping[str, str], warn: Warn) -> MemoryReader:
    """Open the store for reading, after taking in vault files that changed since the last scan.

    Raises StoreError if the store cannot be opened.
    """
    reader = open_reader(env)
    if reader is None or not is_vault_unchanged(reader, folder):
        with open_project(folder, env, warn) as workspace:
            workspace.meet()
            workspace.look()
        reader = open_reader(env)
    if reader is None:
        raise StoreError("the store cannot be opened", fix="Run `recollect doctor`.")
    return reader


def open_project(folder: Path, env: Mapping[str, str], warn: Warn) -> "Workspace":
    """Open the whole project around a folder, which loads the model's classes."""
    checkout = load("recollect.project.checkout").find_checkout(folder)
    workspace_class = load("recollect.library.workspace").Workspace
    opening = load("recollect.opening.open_checkout")
    opened: Workspace = opening.open_checkout(checkout, workspace_class, folder=folder, env=env, actor="cli", warn=warn)
    return opened


def is_vault_unchanged(reader: MemoryReader, folder: Path) -> bool:
    """Return whether the folder is in a known checkout whose vault files are as the last scan saw them."""
    try:
        checkout = checkout_around(reader, folder)
        return checkout is not None and are_files_unchanged(Path(checkout.root), reader.sightings(checkout.root))
    except ReadFailed:
        return False


def should_index_first(reader: MemoryReader) -> bool:
    """Return whether so few memories lack search vectors that building them now delays a search only a little.

    False if none is missing, if 200 or more are, or if another process is writing: the search then goes by words.
    """
    return 0 < reader.unindexed_number(MOST_UNINDEXED) < MOST_UNINDEXED and reader.can_write()


def checkout_around(reader: MemoryReader, folder: Path) -> CheckoutRow | None:
    """Return the known checkout around a folder; None for another worktree of the same clone."""
    place = os.path.realpath(folder)
    found = known_checkout(reader.checkouts(), place, repository.around(place))
    return found if found and is_inside(place, found.root) else None


def are_files_unchanged(root: Path, sightings: list[SightingRow]) -> bool:
    """Return whether the vault files below a root are exactly those of the sightings, none changed since."""
    here = {path.relative_to(root).as_posix() for pattern in VAULT_FILES for path in root.glob(pattern)}
    present = [row for row in sightings if row.presence != "absent"]
    if here != {row.path for row in present}:
        return False
    looks = [(row, files.look(root / row.path)) for row in present]
    return all(
        row.presence == "seen" and look and look.is_same(row.size, row.mtime_ns, row.seen_ns) for row, look in looks
    )
