"""The table of the journal."""

from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter

from recollect.store.sqlite.database import Database, translated
from recollect.store.values import Entry

COLUMNS = "grp, at, actor, action, uid, project, before, after, revision, reason, undoes, root, seq"
INSERT = f"INSERT INTO journal ({COLUMNS}) VALUES ({', '.join('?' * len(fields(Entry)))})"
# What agents leave behind by themselves, and the joining of projects, would hide what a person did. That capture took
# a memory for replaced can be undone.
# Weights that the worker renews after each session would stand between a person and the change to be undone.
BY_PEOPLE = (
    "(actor NOT IN ('capture', 'join', 'worker:weigh') OR (actor = 'capture' AND reason LIKE 'superseded by %'))"
)
# Turns are the record of what was said, and no captures of it.
BY_CAPTURE = "actor = 'capture' AND coalesce(after, before) ->> '$.kind' <> 'turn_summary'"
LAST_GROUP = """
WHERE grp = (
    SELECT grp FROM journal
    WHERE project IN (?, 'global') AND root = ? AND undoes IS NULL
      AND grp NOT IN (SELECT undoes FROM journal WHERE undoes IS NOT NULL)
      AND action NOT IN ('touched', 'met', 'set', 'named', 'erased') AND NOT (action = 'taken in' AND before IS NULL)
      AND {made_by}
    ORDER BY seq DESC LIMIT 1
) ORDER BY seq
"""
_values = attrgetter(*(field.name for field in fields(Entry)))  # astuple copies deeply, which takes a batch too long


class JournalTable(Database):
    """Every change that was applied, in order."""

    def record(self, entries: Iterable[Entry]) -> None:
        """Append entries; each gets the next number."""
        with translated(self.path):
            self._db.executemany(INSERT, [(*_values(entry)[:-1], None) for entry in entries])

    def _entries(self, rest: str, *values: object) -> list[Entry]:
        return [Entry(*row) for row in self._rows(f"SELECT {COLUMNS} FROM journal {rest}", values)]

    def entries(self, *, uid: str | None = None, limit: int = 50) -> list[Entry]:
        """Return the newest entries, of one memory or of all, newest first."""
        return self._entries("WHERE (?1 IS NULL OR uid = ?1) ORDER BY seq DESC LIMIT ?2", uid, limit)

    def superseded(self, project: str | None, limit: int) -> list[Entry]:
        """Return the newest entries by which capture retired a memory that a newer one replaces, newest first."""
        where = "WHERE actor = 'capture' AND reason LIKE 'superseded by %' AND (?1 IS NULL OR project = ?1)"
        return self._entries(f"{where} ORDER BY seq DESC LIMIT ?2", project, limit)

    def entries_after(self, seq: int, limit: int) -> list[Entry]:
        """Return the entries that follow a number, oldest first."""
        return self._entries("WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit)

    def last_group(self, project: str, root: str, *, captured: bool = False) -> list[Entry]:
        """Return the entries of the newest change in a checkout that can be undone; empty if there is none.

        Passed over are undos and what was undone, changes that only took in new files, weights that the worker renewed,
        and what was captured; with `captured`, what people did.
        """
        return self._entries(LAST_GROUP.format(made_by=BY_CAPTURE if captured else BY_PEOPLE), project, root)

    def group_size(self, group: str) -> int:
        """Return how many entries a group of changes has; 0 for one that was never committed."""
        return int(self._rows("SELECT count(*) FROM journal WHERE grp = ?", (group,))[0][0])

    def images(self, uid: str) -> set[str]:
        """Return every image that the journal has of a memory: the memory as JSON."""
        rows = self._rows("SELECT before, after FROM journal WHERE uid = ?", (uid,))
        return {image for row in rows for image in row if image}

    def image_at(self, uid: str, revision: str) -> str | None:
        """Return a memory's image at a revision; None if the journal does not have it."""
        where = "uid = ? AND revision = ? AND after IS NOT NULL ORDER BY seq DESC LIMIT 1"
        rows = self._rows(f"SELECT after FROM journal WHERE {where}", (uid, revision))
        return str(rows[0][0]) if rows else None

    def knows_revision(self, uid: str, revision: str) -> bool:
        """Return whether a memory ever had this revision."""
        return bool(self._rows("SELECT 1 FROM journal WHERE uid = ? AND revision = ? LIMIT 1", (uid, revision)))

    def store_id(self) -> str:
        """Return the name that tells this store from one that replaces it."""
        return str(self.setting("store_id"))

    def renew_id(self) -> None:
        """Give the store another name, because its journal differs from the mirror's."""
        with self.writing():
            self._rows("UPDATE settings SET value = lower(hex(randomblob(8))) WHERE name = 'store_id'")
