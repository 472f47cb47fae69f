"""Read one memory from its row, without loading the model's classes. The caller opens the project if that fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.library.fast.fast_reader import are_files_unchanged, checkout_around, open_reader
from recollect.store.hook_reader.connection import ReadFailed
from recollect.store.sqlite.memory_reader import MemoryReader


@dataclass(frozen=True, slots=True)
class FastShow:
    """A memory as its row has it."""

    image: dict[str, Any]
    revision: str
    path: str | None
    """Its file in the vault."""


def find(folder: Path, name: str, env: Mapping[str, str]) -> FastShow | None:
    """Return the memory of a name from its row; None if the name is ambiguous or a vault file changed since the scan.

    None too for an unknown name or checkout, and if the store cannot be read.
    """
    reader = open_reader(env)
    try:
        return _find(reader, folder, name) if reader else None
    except ReadFailed:
        return None


def _find(reader: MemoryReader, folder: Path, name: str) -> FastShow | None:
    checkout = checkout_around(reader, folder)
    if checkout is None:
        return None
    found = reader.resolve(checkout.project, name)
    live = [(image, revision) for image, revision in found if image.get("status", "active") == "active"] or found
    sightings = reader.sightings(checkout.root)
    if len(live) != 1 or not are_files_unchanged(Path(checkout.root), sightings):
        return None
    image, revision = live[0]
    seen = next((row for row in sightings if row.uid == image["uid"] and row.presence == "seen"), None)
    if seen and seen.digest != revision:
        return None  # another checkout says something else
    return FastShow(image, revision, seen.path if seen else None)
