"""Which files are ours: the store with its backups, the journal, runtime files, and the vaults of every checkout."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from recollect import foreign_files
from recollect.model import text
from recollect.project_context import ProjectContext
from recollect.store.protocols import Sighting
from recollect.vault.layouts import Vault
from recollect.write import vault_files

LOGS = ("MEMORY.md", "LONGMEMORY.md")


class VaultFile(NamedTuple):
    """A file in a checkout, and the slug of the memory that it holds, None for a log, an index or an archive."""

    path: Path
    slug: str | None


@dataclass(frozen=True, slots=True)
class OwnFiles:
    """The files that a scrub searches and rewrites."""

    context: ProjectContext
    runtime: Path
    home: Path | None
    """Our own folder, if every file in it is ours."""

    def all(self) -> Iterator[Path]:
        """Return every file of ours, each once; links are left out."""
        store, journal = self.context.store, self.context.journal
        found = [
            *store.all_files(),
            *journal.parent.glob(f"{journal.name}*"),
            *_walk(self.runtime),
            *(_walk(store.home) if store.home == self.home else ()),
            *(file.path for file in self.in_vaults()),
        ]
        yield from dict.fromkeys(_plain_files(found))

    def in_vaults(self) -> Iterator[VaultFile]:
        """Return the files in every checkout: memories first, then logs, archives and whatever is in a json vault."""
        for sighting in self.sightings():
            path = Path(sighting.root) / sighting.path
            if _is_plain_file(path) and foreign_files.is_below(str(path), sighting.root):
                yield VaultFile(path, text.slugify(path.stem))
        for path in _plain_files([*self._logs(), *self._log_archives()]):
            yield VaultFile(path, None)
        for vault in self.json_vaults():
            folder = vault.root / vault.json_root
            if foreign_files.is_below(str(folder), str(vault.root)):
                yield from (VaultFile(path, None) for path in _plain_files(_walk(folder)))

    def sightings(self) -> list[Sighting]:
        """Return the sightings of files in every known checkout."""
        return [sighting for root in self._roots() for sighting in self.context.store.sightings(root)]

    def json_vaults(self) -> list[Vault]:
        """Return the json vaults of every checkout whose folder is there."""
        roots = {
            (sighting.root, Path(sighting.path).parent.parent.as_posix())
            for sighting in self.sightings()
            if sighting.path.endswith(".json")
        }
        roots.add((self.context.root, self.context.vault.json_root))
        clean = self.context.vault.clean
        vaults = [Vault(Path(root), json_root=json_root, clean=clean) for root, json_root in sorted(roots)]
        return [vault for vault in vaults if (vault.root / vault.json_root).is_dir()]

    def is_live_store(self, path: Path) -> bool:
        """Whether a file belongs to the open database: SQLite alone may write it."""
        return path in self.context.store.live_files()

    def _roots(self) -> list[str]:
        return sorted({self.context.root, *(known.root for known in self.context.store.projects.checkouts())})

    def _logs(self) -> Iterator[Path]:
        for root in map(Path, self._roots()):
            yield from (root / path for path in (*LOGS, *Vault(root).days()))

    def _log_archives(self) -> Iterator[Path]:
        for name in self.context.store.settings(vault_files.ARCHIVE):
            root, _, path = name.removeprefix(vault_files.ARCHIVE).rpartition(":")
            yield Path(root) / path


def _walk(folder: Path) -> Iterator[Path]:
    """Return every file below a folder; links to folders are not followed."""
    for inner, _, names in os.walk(folder):
        yield from (Path(inner) / name for name in names)


def _plain_files(paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in paths if _is_plain_file(path))


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
