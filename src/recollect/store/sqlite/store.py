"""The store in SQLite, through apsw."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from operator import attrgetter
from pathlib import Path
from typing import Any

import apsw

from recollect import machine
from recollect.errors import (
    BadInput,
    DiskRefused,
    RecollectError,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreForeign,
    StoreNewer,
)
from recollect.model import clock, memory
from recollect.model.kinds import KINDS, Kinds
from recollect.model.memory import Memory
from recollect.model.query import Query, Weight
from recollect.model.search_fields import found_by
from recollect.model.search_words import POINTS
from recollect.store.protocols import Entry, Sighting, Stored
from recollect.store.reader.connection import ReadFailed
from recollect.store.reader.recall_source import SqliteRecallSource
from recollect.store.recall_source import RecallSource
from recollect.store.sqlite import conditions, scrub
from recollect.store.sqlite.facts import FactTable
from recollect.store.sqlite.lookup import RESOLVE, resolve_values
from recollect.store.sqlite.migrations import MIGRATIONS, Migration
from recollect.store.sqlite.projects import ProjectTable
from recollect.store.sqlite.search_index import RecallTable
from recollect.store.sqlite.sessions import SessionTable

BUSY_MS = 30_000
HEADER_BYTES, VERSION_AT = 100, 60  # where SQLite keeps `user_version`
LOOK_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
_values = attrgetter(*(field.name for field in fields(Entry)))  # astuple copies deeply, which a batch feels
JOURNAL_COLUMNS = "grp, at, actor, action, uid, project, before, after, revision, reason, undoes, root, seq"
SIGHTING_COLUMNS = ", ".join(field.name for field in fields(Sighting))
COLUMNS = (
    "uid", "project", "kind", "slug", "status", "title", "text", "tags", "digest", "revision", "created", "expires",
    "image", "updated", "importance", "hits", "pinned", "sensitivity", "session", "cue", "actor", "day", "parts",
)  # fmt: skip
PUT = f"""
INSERT INTO memories ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
ON CONFLICT (uid) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:])}
"""
SEARCH = f"""
SELECT image, revision, points
FROM (
    SELECT rowid AS found, {POINTS} AS points
    FROM memory_words WHERE memory_words MATCH ?
)
JOIN memories ON id = found WHERE {{where}} ORDER BY points LIMIT {{limit}}
"""


def translate(error: apsw.Error, target: Path) -> StoreError:
    """Ours for SQLite's: what is wrong and what to do."""
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
    """Whatever SQLite refuses in this block is refused in our words."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, target) from error


class SqliteStore:
    """One database file. Every thread has its own connection."""

    def __init__(self, path: Path, kinds: Kinds = KINDS, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
        self.path = path
        self.kinds = kinds
        self._migrations = migrations
        self._local = threading.local()
        self._connections: list[apsw.Connection] = []
        self.facts = FactTable(self._rows)
        self.projects = ProjectTable(self._rows)
        self.sessions = SessionTable(self._rows)
        self.recall = RecallTable(self._rows, lambda: self._db)
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
        """Tables without our version are another program's; looked at so that its file is not touched."""
        with self.path.open("rb") as file:
            head = file.read(HEADER_BYTES)
        if len(head) < HEADER_BYTES or any(head[VERSION_AT : VERSION_AT + 4]):
            return
        # A file that is being written may look torn: then it is nobody else's.
        uri = f"{self.path.resolve().as_uri()}?immutable=1"
        with contextlib.suppress(apsw.Error), contextlib.closing(apsw.Connection(uri, flags=LOOK_ONLY)) as db:
            if db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1").fetchall():
                raise StoreForeign("another program's database", target=self.path)

    @property
    def _db(self) -> apsw.Connection:
        found: apsw.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connect()
            self._connections.append(found)
        return found

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(BUSY_MS)
        mode = "DELETE" if machine.is_network_folder(self.path.parent) else "WAL"
        connection.execute(f"PRAGMA journal_mode={mode}")
        connection.execute("PRAGMA secure_delete=ON; PRAGMA synchronous=FULL")
        return connection

    def _migrate(self) -> None:
        newest = len(self._migrations)
        if self._version() == newest:
            return
        if self._version() > newest:
            raise StoreNewer("a newer recollect wrote this database", target=self.path)
        with self.writing():
            version = self._version()  # another process may have been first
            if 0 < version < newest:
                self._back_up(version)
            for _, script in self._migrations[version:]:
                self._db.execute(script)
            self._db.execute(f"PRAGMA user_version={newest}")

    def _version(self) -> int:
        return int(self._db.pragma("user_version") or 0)

    def _back_up(self, version: int) -> None:
        self.copy_to(self.path.with_name(f"{self.path.name}.before-{version + 1:04d}"))

    def copy_to(self, copy: Path) -> None:
        """A whole copy of the database, as it stands at this moment."""
        with (
            apsw.Connection(str(copy)) as target,
            target.backup("main", apsw.Connection(str(self.path)), "main") as run,
        ):
            run.step()
        copy.chmod(machine.FILE_MODE)

    def close(self) -> None:
        """Let go of the file."""
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._local = threading.local()

    # -- transactions -------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[None]:
        """All or nothing; durable means that a power cut cannot take it back."""
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
        if getattr(self._local, "durable", True) != durable:
            self._db.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._local.durable = durable

    def _rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, values).fetchall()
        except apsw.Error as error:
            raise translate(error, self.path) from error
        except UnicodeEncodeError as error:  # the name of a folder, on systems where it may be any bytes
            fix = "Rename the folder or file that has this name."
            raise BadInput("not UTF-8, which the store keeps", target=ascii(error.object), fix=fix) from None

    # -- memories -----------------------------------------------------------------------------------------------

    def _stored(self, rows: list[tuple[Any, ...]]) -> list[Stored]:
        return [Stored(memory.from_json(image, self.kinds), revision) for image, revision in rows]

    def _one(self, where: str, *values: object) -> Stored | None:
        found = self._stored(self._rows(f"SELECT image, revision FROM memories WHERE {where} LIMIT 1", values))
        return found[0] if found else None

    def get(self, uid: str) -> Stored | None:
        """A memory by its identity."""
        return self._one("uid = ?", uid)

    def named(self, project: str, kind: str, slug: str) -> Stored | None:
        """A memory by its name in the vault."""
        return self._one("project = ? AND kind = ? AND slug = ?", project, kind, slug)

    def same_text(self, project: str, digest: str, now: float) -> Stored | None:
        """The active memory that says just this and has not expired."""
        where = "digest = ? AND project = ? AND status = 'active' AND (expires IS NULL OR expires > ?)"
        return self._one(where, digest, project, now)

    def find(self, query: Query) -> list[Stored]:
        """The memories that pass every filter, newest first."""
        where, values = conditions.where(query)
        order = "created, id" if query.oldest_first else "created DESC, id DESC"
        limit = "" if query.limit is None else f" LIMIT {int(query.limit)} OFFSET {int(query.offset)}"
        sql = f"SELECT image, revision FROM memories WHERE {where} ORDER BY {order}{limit}"
        return self._stored(self._rows(sql, tuple(values)))

    def search(self, words: Sequence[str], query: Query) -> list[tuple[Stored, float]]:
        """The memories that hold any of the words, best first, with how well they match: more is better."""
        where, values = conditions.where(query)
        sql = SEARCH.format(where=where, limit=-1 if query.limit is None else int(query.limit))
        rows = self._rows(sql, (conditions.some(words), *values)) if words else []
        return [(found, -row[2]) for found, row in zip(self._stored([row[:2] for row in rows]), rows, strict=True)]

    def number(self, query: Query) -> int:
        """How many memories pass every filter."""
        where, values = conditions.where(query)
        return int(self._rows(f"SELECT count(*) FROM memories WHERE {where}", tuple(values))[0][0])

    def weights(self, query: Query) -> list[Weight]:
        """What decides which of the memories that pass gives way."""
        where, values = conditions.where(query)
        sql = f"SELECT uid, kind, importance, hits, pinned, updated FROM memories WHERE {where}"
        return [Weight(*row) for row in self._rows(sql, tuple(values))]

    def census(self, project: str) -> list[tuple[str, str, int]]:
        """Kind, status and number of a project's memories and the global ones."""
        where = "project IN (?, 'global') GROUP BY kind, status ORDER BY kind, status"
        return [
            (str(kind), str(status), int(number))
            for kind, status, number in self._rows(
                f"SELECT kind, status, count(*) FROM memories WHERE {where}", (project,)
            )
        ]

    def resolve(self, project: str, name: str) -> list[Stored]:
        """Whatever a person may mean by a name: an id, its beginning, a slug or kind/slug."""
        return self._stored(self._rows(RESOLVE, resolve_values(project, name)))

    def put(self, memory: Memory, revision: str) -> None:
        """Keep a memory as it now is."""
        row = (
            memory.uid, memory.project, memory.kind, memory.slug, memory.status, memory.title, memory.text,
            "\n".join(memory.tags).lower(), memory.digest, revision, clock.seconds(memory.created_at),
            clock.seconds(memory.expires_at), memory.image, clock.seconds(memory.updated_at), memory.importance,
            memory.usage.hits, memory.usage.pinned, memory.sensitivity, memory.session,
            " ".join((memory.cue, *memory.keywords)).strip(), *found_by(memory),
        )  # fmt: skip
        self._rows(PUT, row)

    @contextlib.contextmanager
    def recall_source(self) -> Iterator[RecallSource]:
        """Recall's view of this thread's connection; what SQLite refuses is raised as a StoreError."""
        try:
            yield SqliteRecallSource(self._db)
        except ReadFailed as error:
            raise translate(error.__cause__, self.path) if isinstance(error.__cause__, apsw.Error) else error from error

    def remove(self, uid: str) -> None:
        """Erase a memory."""
        said = self._rows(
            "SELECT title || ' ' || text || ' ' || cue || ' ' || parts FROM memories WHERE uid = ?", (uid,)
        )
        self._rows("DELETE FROM memories WHERE uid = ?", (uid,))
        self.recall.forget_words(" ".join(str(row[0]) for row in said))

    def count(self) -> dict[str, int]:
        """How many memories there are, by status."""
        return dict(self._rows("SELECT status, count(*) FROM memories GROUP BY status"))

    # -- journal ------------------------------------------------------------------------------------------------

    def record(self, entries: Iterable[Entry]) -> None:
        """Append to the journal; each entry gets the next number."""
        with translated(self.path):
            self._db.executemany(
                f"INSERT INTO journal ({JOURNAL_COLUMNS}) VALUES ({', '.join('?' * 13)})",
                [(*_values(entry)[:-1], None) for entry in entries],
            )

    def _entries(self, rest: str, *values: object) -> list[Entry]:
        return [Entry(*row) for row in self._rows(f"SELECT {JOURNAL_COLUMNS} FROM journal {rest}", values)]

    def entries(self, *, uid: str | None = None, limit: int = 50) -> list[Entry]:
        """The newest entries, newest first."""
        return self._entries("WHERE (?1 IS NULL OR uid = ?1) ORDER BY seq DESC LIMIT ?2", uid, limit)

    def entries_after(self, seq: int, limit: int) -> list[Entry]:
        """The entries that follow one, oldest first."""
        return self._entries("WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit)

    def last_group(self, project: str, root: str) -> list[Entry]:
        """The newest group made in a checkout that is neither an undo nor undone, nor only the meeting of new files.

        What agents leave behind by themselves, and the joining of projects, is passed over: it would hide what a
        person did.
        """
        return self._entries(
            "WHERE grp = (SELECT grp FROM journal WHERE project IN (?, 'global') AND root = ? AND undoes IS NULL "
            "AND grp NOT IN (SELECT undoes FROM journal WHERE undoes IS NOT NULL) "
            "AND action NOT IN ('touched', 'met', 'set') AND NOT (action = 'taken in' AND before IS NULL) "
            "AND actor NOT IN ('capture', 'join') "
            "ORDER BY seq DESC LIMIT 1) ORDER BY seq",
            project,
            root,
        )

    def images(self, uid: str) -> set[str]:
        """Everything that a memory ever said."""
        rows = self._rows("SELECT before, after FROM journal WHERE uid = ?", (uid,))
        return {image for row in rows for image in row if image}

    def image_at(self, uid: str, revision: str) -> str | None:
        """What a memory said at a revision."""
        where = "uid = ? AND revision = ? AND after IS NOT NULL ORDER BY seq DESC LIMIT 1"
        rows = self._rows(f"SELECT after FROM journal WHERE {where}", (uid, revision))
        return str(rows[0][0]) if rows else None

    def sayers(self, project: str, digest: str) -> set[str]:
        """The memories of a project that say just this, whatever became of them."""
        rows = self._rows("SELECT uid FROM memories WHERE digest = ? AND project = ?", (digest, project))
        return {str(row[0]) for row in rows}

    def knows_revision(self, uid: str, revision: str) -> bool:
        """Whether the memory ever stood at this revision."""
        return bool(self._rows("SELECT 1 FROM journal WHERE uid = ? AND revision = ? LIMIT 1", (uid, revision)))

    # -- uses and settings --------------------------------------------------------------------------------------

    def access(self, uid: str, session: str, at: str) -> bool:
        """Note a use in a session; False when it was noted before."""
        sql = "INSERT INTO accesses VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1"
        return bool(self._rows(sql, (uid, session, at)))

    def accessed(self, session: str, root: str) -> list[str]:
        """The memories used in a session that have a markdown file in a checkout: it holds their counters."""
        sql = """SELECT DISTINCT accesses.uid FROM accesses JOIN sightings ON sightings.uid = accesses.uid
                 WHERE session = ? AND root = ? AND presence = 'seen' AND path LIKE '%.md'"""
        return [str(row[0]) for row in self._rows(sql, (session, root))]

    def setting(self, name: str) -> str | None:
        """What the store itself remembers under a name."""
        rows = self._rows("SELECT value FROM settings WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def set_setting(self, name: str, value: str | None) -> None:
        """Remember a value; None forgets it."""
        if value is None:
            self._rows("DELETE FROM settings WHERE name = ?", (name,))
        else:
            self._rows("REPLACE INTO settings VALUES (?, ?)", (name, value))

    def settings(self, prefix: str) -> dict[str, str]:
        """Every value whose name begins like this."""
        rows = self._rows("SELECT name, value FROM settings WHERE instr(name, ?) = 1 ORDER BY name", (prefix,))
        return dict(rows)

    def renew_id(self) -> None:
        """From now on this is another store: its journal went another way than the mirror's."""
        with self.writing():
            self._rows("UPDATE settings SET value = lower(hex(randomblob(8))) WHERE name = 'store_id'")

    def store_id(self) -> str:
        """What tells this database from one that replaces it."""
        return str(self.setting("store_id"))

    # -- sightings ----------------------------------------------------------------------------------------------

    def see(self, sighting: Sighting) -> None:
        """Remember how a file looks."""
        self._rows(f"REPLACE INTO sightings ({SIGHTING_COLUMNS}) VALUES ({', '.join('?' * 10)})", astuple(sighting))

    def unsee(self, root: str, path: str) -> None:
        """Forget a file that we removed ourselves."""
        self._rows("DELETE FROM sightings WHERE root = ? AND path = ?", (root, path))

    def advance(self, root: str, position: str | None) -> None:
        """Every file that was seen is still there at this position."""
        self._rows("UPDATE sightings SET position = ? WHERE root = ? AND presence = 'seen'", (position, root))

    def sightings(self, root: str) -> list[Sighting]:
        """Every file known in a checkout."""
        return [
            Sighting(*row)
            for row in self._rows(f"SELECT {SIGHTING_COLUMNS} FROM sightings WHERE root = ? ORDER BY path", (root,))
        ]

    def orphans(self, root: str) -> set[str]:
        """The files of a checkout whose memory is gone from the store."""
        where = "root = ? AND presence = 'seen' AND uid NOT IN (SELECT uid FROM memories)"
        return {str(row[0]) for row in self._rows(f"SELECT path FROM sightings WHERE {where}", (root,))}

    def was_seen(self, uid: str) -> bool:
        """Whether a memory has, or had, a file in any checkout."""
        return bool(self._rows("SELECT 1 FROM sightings WHERE uid = ? LIMIT 1", (uid,)))

    def sighting_at(self, root: str, path: str) -> Sighting | None:
        """How one file looked."""
        rows = self._rows(f"SELECT {SIGHTING_COLUMNS} FROM sightings WHERE root = ? AND path = ?", (root, path))
        return Sighting(*rows[0]) if rows else None

    def sighting_of(self, root: str, uid: str) -> Sighting | None:
        """The file that holds a memory in a checkout."""
        where = f"SELECT {SIGHTING_COLUMNS} FROM sightings WHERE uid = ? AND root = ? ORDER BY presence = 'seen' DESC"
        rows = self._rows(where, (uid, root))
        return Sighting(*rows[0]) if rows else None

    # -- tombstones ---------------------------------------------------------------------------------------------

    def bury(self, project: str, digest: str, at: str, reason: str) -> None:
        """Leave a tombstone: this text was purged."""
        self._rows("REPLACE INTO tombstones VALUES (?, ?, ?, ?)", (project, digest, at, reason))

    def unbury(self, project: str, digest: str) -> None:
        """Take a tombstone away."""
        self._rows("DELETE FROM tombstones WHERE project = ? AND digest = ?", (project, digest))

    def is_buried(self, project: str, digest: str) -> bool:
        """Whether this text was purged here."""
        return bool(self._rows("SELECT 1 FROM tombstones WHERE project = ? AND digest = ?", (project, digest)))

    # -- scrubbing ----------------------------------------------------------------------------------------------

    def scrub(self, said: Callable[[str], str], image: Callable[[str], str]) -> int:
        """Give every text to the function for what it is; the number of rows that changed."""
        with translated(self.path):
            changed = scrub.rewrite(self._db, said, image)
        self.recall.clear()  # a vector tells of its word: all of them are made anew
        return changed

    def settle(self) -> None:
        """Write the file anew, so that nothing old is left in it."""
        with translated(self.path):
            scrub.settle(self._db)

    # -- health -------------------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """What SQLite's and FTS5's own checks find."""
        try:
            with translated(self.path):
                found = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check") if row[0] != "ok"]
                self._db.execute("INSERT INTO memory_words(memory_words, rank) VALUES ('integrity-check', 1)")
        except RecollectError as error:
            return [error.message]
        return found
