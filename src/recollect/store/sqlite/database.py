"""The SQLite database file, through apsw: opening, migrating, transactions, errors, and the settings table."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from recollect import machine
from recollect.errors import (
    BadInput,
    DiskRefused,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreForeign,
    StoreNewer,
)
from recollect.store.sqlite.migrations import MIGRATIONS, Migration

Rows = Callable[..., list[tuple[Any, ...]]]
"""The type of `Database._rows`, which the classes of single tables are given."""

BUSY_MS = 30_000
"""How long a statement waits for another process's transaction."""
HEADER_BYTES, VERSION_AT = 100, 60  # where SQLite keeps `user_version`
LOOK_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def translate(error: apsw.Error, target: Path) -> StoreError:
    """Map an apsw error to the StoreError that says what is wrong and what to do."""
    match error:
        case apsw.NotADBError() | apsw.CorruptError():
            return StoreCorrupt(f"the database is damaged: {error}", target=target)
        case apsw.SQLError() if "no such table" in str(error) or "no such column" in str(error):
            return StoreCorrupt(f"the database lacks a part: {error}", target=target)
        case apsw.BusyError():
            return StoreBusy(f"the database is busy: {error}", target=target)
        case apsw.FullError() | apsw.IOError() | apsw.ReadOnlyError() | apsw.CantOpenError():
            return DiskRefused(f"the disk refused: {error}", target=target)
        case _:
            return StoreError(str(error), target=target)


@contextlib.contextmanager
def translated(target: Path) -> Iterator[None]:
    """Raise apsw errors of this block as StoreErrors."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, target) from error


class Database:
    """One database file with a connection for each thread. The classes of the tables inherit `_rows` from it."""

    def __init__(self, path: Path, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
        self.path = path
        self._migrations = migrations
        self._local = threading.local()
        self._connections: list[apsw.Connection] = []
        self._watch: apsw.Connection | None = None
        self._watching = threading.Lock()
        with translated(path):
            self._prepare_file()
            self._check_ours()
            self._migrate()

    # -- opening ------------------------------------------------------------------------------------------------

    def _prepare_file(self) -> None:
        try:
            machine.make_folder(self.path.parent)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, machine.FILE_MODE))
        except OSError as error:
            raise DiskRefused(f"the store cannot be opened: {error}", target=self.path) from error

    def _check_ours(self) -> None:
        """Raise StoreForeign for a file with tables but without our version, before anything is written to it."""
        with self.path.open("rb") as file:
            head = file.read(HEADER_BYTES)
        if len(head) < HEADER_BYTES or any(head[VERSION_AT : VERSION_AT + 4]):
            return
        # A file that another process is writing may look damaged: then it is not another program's.
        uri = f"{self.path.resolve().as_uri()}?immutable=1"
        with contextlib.suppress(apsw.Error), contextlib.closing(apsw.Connection(uri, flags=LOOK_ONLY)) as db:
            if db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1").fetchall():
                raise StoreForeign("another program's database", target=self.path)

    @property
    def _db(self) -> apsw.Connection:
        """The connection of this thread, opened on first use."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            self._connections.append(connection)
        return connection

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(BUSY_MS)
        mode = "DELETE" if machine.is_network_folder(self.path.parent) else "WAL"
        connection.execute(f"PRAGMA journal_mode={mode}")
        connection.execute("PRAGMA secure_delete=ON; PRAGMA synchronous=FULL")
        return connection

    def version(self) -> int:
        """Return SQLite's `data_version`, of a connection that writes nothing: it changes with every commit."""
        with self._watching, translated(self.path):
            if self._watch is None:
                self._watch = self._connect()
                self._connections.append(self._watch)
            return int(self._watch.execute("PRAGMA data_version").get)

    def close(self) -> None:
        """Close every connection."""
        self._watch = None
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._local = threading.local()

    # -- migrations and copies ----------------------------------------------------------------------------------

    def _migrate(self) -> None:
        newest = len(self._migrations)
        if self._version() == newest:
            return
        if self._version() > newest:
            raise StoreNewer("a newer recollect wrote this database", target=self.path)
        with self.writing():
            version = self._version()  # another process may have been first
            if 0 < version < newest:
                self.copy_to(self.path.with_name(f"{self.path.name}.before-{version + 1:04d}"))
            for _, script in self._migrations[version:]:
                self._db.execute(script)
            self._db.execute(f"PRAGMA user_version={newest}")

    def _version(self) -> int:
        return int(self._db.pragma("user_version") or 0)

    def copy_to(self, copy: Path) -> None:
        """Write a whole copy of the database, as it is at this moment, to a new file."""
        with (
            apsw.Connection(str(copy)) as target,
            target.backup("main", apsw.Connection(str(self.path)), "main") as run,
        ):
            run.step()
        copy.chmod(machine.FILE_MODE)

    # -- statements ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[None]:
        """Open a transaction: all or nothing. What is durable survives a power cut."""
        with translated(self.path):
            self._pace(durable=durable)
            self._db.execute("BEGIN IMMEDIATE")
        is_done = False
        try:
            with translated(self.path):
                yield
                self._db.execute("COMMIT")
            is_done = True
        finally:
            if not is_done:
                with contextlib.suppress(apsw.Error):  # SQLite may have rolled back by itself
                    self._db.execute("ROLLBACK")

    def _pace(self, *, durable: bool) -> None:
        """Wait for the disk on each commit, or not."""
        if getattr(self._local, "durable", True) != durable:
            self._db.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._local.durable = durable

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return all rows; apsw errors are raised as StoreErrors."""
        try:
            return self._db.execute(sql, values).fetchall()
        except apsw.Error as error:
            raise translate(error, self.path) from error
        except UnicodeEncodeError as error:  # the name of a folder, on systems where it may be any bytes
            fix = "Rename the folder or file that has this name."
            raise BadInput("not UTF-8, which the store keeps", target=ascii(error.object), fix=fix) from None

    # -- settings -----------------------------------------------------------------------------------------------

    def setting(self, name: str) -> str | None:
        """Return the value of a name; None if there is none."""
        rows = self._rows("SELECT value FROM settings WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def set_setting(self, name: str, value: str | None) -> None:
        """Remember a value; None deletes it."""
        if value is None:
            self._rows("DELETE FROM settings WHERE name = ?", (name,))
        else:
            self._rows("REPLACE INTO settings VALUES (?, ?)", (name, value))

    def settings(self, prefix: str) -> dict[str, str]:
        """Return the values of all names with a prefix."""
        rows = self._rows("SELECT name, value FROM settings WHERE instr(name, ?) = 1 ORDER BY name", (prefix,))
        return dict(rows)
