"""Open the store for one quick read, without loading the model's classes: for a cold `show`, `list` and `recall`.

A reader answers only as far as no vault file changed since the last scan; if one did, the caller opens the project.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import paths
from recollect.errors import StoreError
from recollect.hooks.project_lookup import identify
from recollect.lazy import load
from recollect.project import repository
from recollect.project.lookup import locate
from recollect.store.hook_reader.connection import ReadFailed, Unready, open_connection
from recollect.store.hook_reader.store_reader import CheckoutRow
from recollect.store.sqlite.memory_reader import MemoryReader, SightingRow

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace

Warn = Callable[[str], None]
BUSY_MS = 1_000
MOST_UNINDEXED = 200
JSON_ROOT = ".claude/memory"
MARKDOWN_FOLDERS = (("memory", ".md"), ("memory-cold", ".md"))


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
    """Return the known checkout around a folder; None for another worktree, or if its project has to be found anew."""
    known, place = reader.checkouts(), os.path.realpath(folder)
    found = repository.around(place)
    located = locate(known, place, found)
    row = next((row for row in known if row is located.row and row.root == located.root), None)
    if row is None:
        return None
    identity = identify(reader, known, located, found)
    return row if identity.project == row.project and not identity.is_renamed else None


def holds_untrusted_files(reader: MemoryReader | None, folder: Path) -> bool:
    """Return whether the repository around a folder has memory files, and is not trusted."""
    known, place = reader.checkouts() if reader else [], os.path.realpath(folder)
    root = locate(known, place, repository.around(place)).root
    is_trusted = reader is not None and reader.hook_settings(root).get("trusted")
    return not is_trusted and any(path.startswith(JSON_ROOT) for path, _ in _vault_files(root))


def are_files_unchanged(root: Path, sightings: list[SightingRow]) -> bool:
    """Return whether the vault files below a root are exactly those of the sightings, none changed since."""
    known = {row.path: row for row in sightings if row.presence != "absent"}
    found = list(_vault_files(str(root)))
    if len(found) != len(known):
        return False
    racy_ns = load("recollect.vault.files").RACY_NS if found else 0  # not loaded where there are no files
    return all(path in known and _is_same(entry, known[path], racy_ns) for path, entry in found)


def _vault_files(root: str) -> "Iterator[tuple[str, os.DirEntry[str]]]":
    """Yield every file that the vault's layouts may hold, with its path from the root."""
    folders = list(MARKDOWN_FOLDERS)
    folders += [(f"{JSON_ROOT}/{entry.name}", ".json") for entry in _entries(f"{root}/{JSON_ROOT}") if entry.is_dir()]
    for folder, ending in folders:
        for entry in _entries(f"{root}/{folder}"):
            if entry.name.endswith(ending) and not entry.name.startswith(".") and not _is_daily_log(entry.name):
                yield f"{folder}/{entry.name}", entry


def _is_daily_log(name: str) -> bool:
    """Whether a file is the log of a day, which no layout reads as a memory; as `formats.memory_log.is_daily_name`."""
    return len(name) == len("2026-01-31.md") and name[:10].replace("-", "").isdigit() and name[4] == name[7] == "-"


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _is_same(entry: "os.DirEntry[str]", row: SightingRow, racy_ns: int) -> bool:
    """Return whether a file is certainly as it was when it was last seen, as `vault.files.Look.is_same` decides."""
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    is_settled = row.presence == "seen" and row.mtime_ns < row.seen_ns - racy_ns
    is_equal = (found.st_size, found.st_mtime_ns) == (row.size, row.mtime_ns)
    return is_settled and is_equal and stat.S_ISREG(found.st_mode)
