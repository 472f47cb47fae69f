"""The store in SQLite: every table together, recall's view of them, and the upkeep of the file."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw

from recollect.errors import RecollectError
from recollect.model.kinds import KINDS, Kinds
from recollect.store.hook_reader.connection import ReadFailed
from recollect.store.hook_reader.recall_source import SqliteRecallSource
from recollect.store.hook_reader.store_reader import StoreReader
from recollect.store.protocols.recall_source import RecallSource
from recollect.store.sqlite import scrub
from recollect.store.sqlite.database import translate, translated
from recollect.store.sqlite.derived.verdicts import VerdictTable
from recollect.store.sqlite.facts import FactTable
from recollect.store.sqlite.journal import JournalTable
from recollect.store.sqlite.memories import MemoryTable
from recollect.store.sqlite.migrations import MIGRATIONS, Migration
from recollect.store.sqlite.projects import ProjectTable
from recollect.store.sqlite.sessions import SessionTable
from recollect.store.sqlite.sightings import SightingTable


class SqliteStore(MemoryTable, JournalTable, SightingTable):
    """One database file, with every role of `recollect.store.protocols.Store`."""

    def __init__(self, path: Path, kinds: Kinds = KINDS, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
        self.facts = FactTable(self._rows)
        self.projects = ProjectTable(self._rows)
        self.sessions = SessionTable(self._rows)
        self.verdicts = VerdictTable(self._rows)
        super().__init__(path, kinds, migrations)

    @contextlib.contextmanager
    def recall_source(self) -> Iterator[RecallSource]:
        """Open recall's view of this thread's connection; what SQLite refuses is raised as a StoreError."""
        try:
            yield SqliteRecallSource(self._db)
        except ReadFailed as error:
            raise translate(error.__cause__, self.path) if isinstance(error.__cause__, apsw.Error) else error from error

    @contextlib.contextmanager
    def hook_reader(self) -> Iterator[StoreReader]:
        """Open the hooks' view of this thread's connection; what SQLite refuses is raised as a StoreError."""
        try:
            yield StoreReader(self._db)
        except ReadFailed as error:
            raise translate(error.__cause__, self.path) if isinstance(error.__cause__, apsw.Error) else error from error

    # -- files --------------------------------------------------------------------------------------------------

    @property
    def home(self) -> Path:
        """The folder that the database file is in."""
        return self.path.parent

    @property
    def location(self) -> str:
        """The path of the database file."""
        return str(self.path)

    def live_files(self) -> list[Path]:
        """Return the files of the open database, whether or not each exists now; the main one first."""
        return [self.path, *(self.path.with_name(f"{self.path.name}-{part}") for part in ("wal", "shm"))]

    def all_files(self) -> list[Path]:
        """Return every existing file of the database, with the copies that migrations and repairs left beside it."""
        return list(self.home.glob(f"{self.path.name}*"))

    # -- upkeep -------------------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """Return what SQLite's and FTS5's own checks find; empty for a sound database."""
        try:
            with translated(self.path):
                found = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check") if row[0] != "ok"]
                self._db.execute("INSERT INTO memory_words(memory_words, rank) VALUES ('integrity-check', 1)")
        except RecollectError as error:
            return [error.message]
        return found

    def scrub(self, said: Callable[[str], str], image: Callable[[str], str]) -> int:
        """Replace each text by `said` of it and each image by `image` of it; return how many rows changed."""
        with translated(self.path):
            changed = scrub.rewrite(self._db, said, image)
        self.search_index.clear()  # a word can be guessed from its vector, so all of them are made anew
        return changed

    def erase(self, uid: str) -> None:
        """Erase what is left of a purged memory: its images in the journal, and its title in receipts."""
        with translated(self.path):
            scrub.erase(self._db, uid)

    def erase_in_copies(self, uid: str) -> None:
        """Erase a memory from the copies of the database: backups, and what migrations and repairs left."""
        live = self.live_files()
        copies = [*self.all_files(), *(self.home / "backups").glob("*.db")]
        for path in copies:
            if path not in live and path.suffix != ".lock" and not path.name.endswith(("-wal", "-shm")):
                scrub.erase_in_file(path, uid)

    def settle(self) -> None:
        """Rewrite the database's files, so that no deleted text is left in them."""
        with translated(self.path):
            scrub.settle(self._db)
