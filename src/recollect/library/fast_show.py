"""Read one memory from its row, without loading the model: only while every vault file is as it was last seen.

Everything doubtful (a changed file, an ambiguous name, a store of another version) is answered with None; the caller
then opens the whole project.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.project import repository
from recollect.project.lookup import is_inside, known_checkout
from recollect.store.hook_reader.connection import ReadFailed, Unready, open_connection
from recollect.store.hook_reader.memory_reader import MemoryReader, SightingRow
from recollect.store.hook_reader.store_reader import CheckoutRow
from recollect.vault import files

BUSY_MS = 1_000
MOST_UNINDEXED = 200
VAULT_FILES = (".claude/memory/*/[!.]*.json", "memory/[!.]*.md", "memory-cold/[!.]*.md")


@dataclass(frozen=True, slots=True)
class FastShow:
    """A memory as its row has it."""

    image: dict[str, Any]
    revision: str
    path: str | None
    """Its file in the vault."""


def open_reader(env: Mapping[str, str]) -> MemoryReader | None:
    """Open the store; None where it cannot be read by this version."""
    try:
        return MemoryReader(open_connection(paths.database(env), busy_ms=BUSY_MS))
    except (ReadFailed, Unready):
        return None


def find(folder: Path, name: str, env: Mapping[str, str]) -> FastShow | None:
    """Return the memory that a name surely means, as it surely is; None where the whole project has to be opened."""
    reader = open_reader(env)
    try:
        return _find(reader, folder, name) if reader else None
    except ReadFailed:
        return None


def is_as_seen(reader: MemoryReader, folder: Path) -> bool:
    """Return whether the store surely knows what is in the vault files around a folder."""
    try:
        checkout = _checkout(reader, folder)
        return checkout is not None and _are_files_as_seen(Path(checkout.root), reader.sightings(checkout.root))
    except ReadFailed:
        return False


def should_index_first(reader: MemoryReader) -> bool:
    """Return whether a few memories want search vectors, so few that they can be made before an answer.

    Many would keep somebody waiting, and so would another process that writes: then words alone have to do.
    """
    return 0 < reader.unindexed_number(MOST_UNINDEXED) < MOST_UNINDEXED and reader.can_write()


def _checkout(reader: MemoryReader, folder: Path) -> CheckoutRow | None:
    """Return the known checkout around a folder; None for another worktree of the same clone."""
    place = os.path.realpath(folder)
    found = known_checkout(reader.checkouts(), place, repository.around(place))
    return found if found and is_inside(place, found.root) else None


def _find(reader: MemoryReader, folder: Path, name: str) -> FastShow | None:
    checkout = _checkout(reader, folder)
    if checkout is None:
        return None
    found = reader.resolve(checkout.project, name)
    live = [(image, revision) for image, revision in found if image.get("status", "active") == "active"] or found
    sightings = reader.sightings(checkout.root)
    if len(live) != 1 or not _are_files_as_seen(Path(checkout.root), sightings):
        return None
    image, revision = live[0]
    seen = next((row for row in sightings if row.uid == image["uid"] and row.presence == "seen"), None)
    if seen and seen.digest != revision:
        return None  # another checkout says something else
    return FastShow(image, revision, seen.path if seen else None)


def _are_files_as_seen(root: Path, sightings: list[SightingRow]) -> bool:
    here = {path.relative_to(root).as_posix() for pattern in VAULT_FILES for path in root.glob(pattern)}
    present = [row for row in sightings if row.presence != "absent"]
    if here != {row.path for row in present}:
        return False
    looks = [(row, files.look(root / row.path)) for row in present]
    return all(
        row.presence == "seen" and look and look.is_same(row.size, row.mtime_ns, row.seen_ns) for row, look in looks
    )
