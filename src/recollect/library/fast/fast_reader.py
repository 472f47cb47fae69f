"""Open the store for one quick read, without loading the model's classes: for a cold `show` and `recall`.

A reader answers only as far as no vault file changed since the last scan; if one did, the caller opens the project.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from recollect import paths
from recollect.hooks.project_lookup import identify
from recollect.project import repository
from recollect.project.lookup import locate
from recollect.store.hook_reader.connection import ReadFailed, Unready, open_connection
from recollect.store.hook_reader.store_reader import CheckoutRow
from recollect.store.sqlite.memory_reader import MemoryReader, SightingRow
from recollect.vault import files

BUSY_MS = 1_000
MOST_UNINDEXED = 200
VAULT_FILES = (".claude/memory/*/[!.]*.json", "memory/[!.]*.md", "memory-cold/[!.]*.md")


def open_reader(env: Mapping[str, str]) -> MemoryReader | None:
    """Open the store for reading; None if there is none, or if this version cannot read it."""
    try:
        return MemoryReader(open_connection(paths.database(env), busy_ms=BUSY_MS))
    except (ReadFailed, Unready):
        return None


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
    """Return the known checkout around a folder; None for another worktree, or if its project has to be found anew."""
    known, place = reader.checkouts(), os.path.realpath(folder)
    found = repository.around(place)
    located = locate(known, place, found)
    row = next((row for row in known if row is located.row and row.root == located.root), None)
    return row if row and identify(reader, known, located, found).project == row.project else None


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
