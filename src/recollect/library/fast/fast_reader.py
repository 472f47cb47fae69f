"""Open the store for one quick read, without loading the model's classes: for a cold `show`, `list` and `recall`.

A reader answers only as far as no vault file changed since the last scan; if one did, the caller opens the project.
"""

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from recollect import foreign_files, paths
from recollect.errors import ConfigError, StoreError
from recollect.hooks.project_lookup import are_settings_stale, identify
from recollect.lazy import load
from recollect.project import repository
from recollect.project.lookup import locate
from recollect.store.hook_reader.connection import ReadFailed, Unready, open_connection
from recollect.store.hook_reader.store_reader import CheckoutRow
from recollect.store.sqlite.memory_reader import MemoryReader

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

    Beside settings that cannot be read, the files are not taken in, and a warning says so. Raises StoreError if the
    store cannot be opened, and ConfigError where it knows nothing of this checkout yet.
    """
    reader = open_reader(env)
    if reader and is_vault_unchanged(reader, folder):
        warn_of_settings(reader, folder, env, warn)
        return reader
    try:
        with open_project(folder, env, warn) as workspace:
            workspace.meet()
            workspace.look()
    except ConfigError as error:
        if reader is None or checkout_around(reader, folder) is None:
            raise
        warn(f"WARNING: {error.sentence()}. {error.fix} Until then, memory files that changed are not read.")
        return reader
    return _open_again(env)


def open_or_make_store(folder: Path, env: Mapping[str, str], warn: Warn) -> MemoryReader:
    """Open the store for reading; one that is missing is made, one of an older version is brought up to date.

    Raises StoreError if the store cannot be opened.
    """
    reader = open_reader(env)
    if reader and reader.is_current:
        warn_of_settings(reader, folder, env, warn)
        return reader
    if reader:
        reader.close()
    open_project(folder, env, warn).close()
    return _open_again(env)


def _open_again(env: Mapping[str, str]) -> MemoryReader:
    reader = open_reader(env)
    if reader is None:
        raise StoreError("the store cannot be opened", fix="Run `recollect doctor`.")
    return reader


def warn_of_settings(reader: MemoryReader, folder: Path, env: Mapping[str, str], warn: Warn) -> None:
    """Warn of settings that cannot be used; the files are read only if one changed since they were last read.

    A file that cannot be read at all is no reason not to read memories: the settings of before are used.
    """
    row = checkout_around(reader, folder)
    settings = reader.hook_settings(row.root if row else "")
    if settings and are_settings_stale(settings):
        try:
            open_project(folder, env, warn).close()
        except ConfigError as error:
            warn(f"WARNING: {error.sentence()}. {error.fix}")
    elif settings.get("warnings"):
        warn(str(settings["warnings"]).rstrip("\n"))


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
        return checkout is not None and are_files_unchanged(reader, checkout.root)
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
    return not is_trusted and any(_vault_names(root, *place) for place in _json_folders(root))


def are_files_unchanged(reader: MemoryReader, root: str) -> bool:
    """Return whether the vault files below a root are exactly those that the last scan saw, none changed since.

    An edit in place leaves no trace but the file's own time, so each is looked at: 20,000 of them in some 50 ms.
    """
    known, number = reader.seen_files(root), 0
    if known and reader.shortest_age_ns(root) <= load("recollect.vault.files").RACY_NS:
        return False  # it may have changed in the moment in which it was read, as `vault.files.Look.is_same` has it
    for folder, ending in (*MARKDOWN_FOLDERS, *_json_folders(root)):
        names = _vault_names(root, folder, ending)
        number += len(names)
        if number > len(known) or not _are_known(root, folder, names, known):
            return False
    return number == len(known)


def _are_known(root: str, folder: str, names: list[str], known: set[tuple[str, int, int]]) -> bool:
    """Return whether all names in a folder are regular files with the path, size and time of a known one."""
    if not names:
        return True
    try:
        place = foreign_files.open_folder(f"{root}/{folder}")  # walking the path for each name takes a third longer
        try:
            return all(_seen(folder, name, place) in known for name in names)
        finally:
            os.close(place)
    except OSError:
        return False


def _seen(folder: str, name: str, place: int) -> tuple[str, int, int]:
    """Return path, size and time of a file; a size of -1 for what is no regular file."""
    found = os.stat(name, dir_fd=place, follow_symlinks=False)
    return f"{folder}/{name}", found.st_size if stat.S_ISREG(found.st_mode) else -1, found.st_mtime_ns


def _json_folders(root: str) -> list[tuple[str, str]]:
    """Return the folders of the layout `json`, and how its files end."""
    return [(f"{JSON_ROOT}/{entry.name}", ".json") for entry in _entries(f"{root}/{JSON_ROOT}") if entry.is_dir()]


def _vault_names(root: str, folder: str, ending: str) -> list[str]:
    """Return the names in a folder that the vault's layouts may read; none if there is no such folder."""
    try:
        found = os.listdir(f"{root}/{folder}")  # noqa: PTH208 - a Path for each name takes ten times as long
    except OSError:
        return []
    return [name for name in found if name.endswith(ending) and name[0] != "." and not _is_daily_log(name)]


def _is_daily_log(name: str) -> bool:
    """Whether a file is the log of a day, which no layout reads as a memory; as `formats.memory_log.is_daily_name`."""
    return len(name) == len("2026-01-31.md") and name[:10].replace("-", "").isdigit() and name[4] == name[7] == "-"


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
