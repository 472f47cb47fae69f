"""Rewrite the texts of a whole database: text columns, the full-text index, free pages, the write-ahead log."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

WORDS = "memory_words"
Change = Callable[..., Any]
IMAGES = frozenset({"image", "before", "after"})
SLUGS = frozenset({"slug"})
# The settings that hooks read are derived: the next command writes them again.
DROP_SNAPSHOTS = "DELETE FROM settings WHERE name LIKE 'hook:%' AND clean_said(value) <> value"
ERASED = "erased"
"""The action of a journal entry whose images were erased; it cannot be undone."""
# Also the parts of files that hold a line of the memory: there its id stands in quotes that JSON escapes.
ERASE_IMAGES = rf"""
UPDATE journal SET action = '{ERASED}', before = NULL, after = NULL, revision = NULL, reason = NULL
WHERE uid = ?1 OR (uid LIKE 'file:%' AND instr(coalesce(before, '') || coalesce(after, ''), '\"' || ?1 || '\"'))
"""
ERASE_IN_RECEIPTS = """
UPDATE receipts SET candidates = (
    SELECT coalesce(json_group_array(json(value)), '[]') FROM json_each(candidates) WHERE value ->> '$.uid' IS NOT ?1
)
WHERE json_valid(candidates) AND instr(candidates, ?1)
"""
SAID = frozenset(
    {
        "title", "text", "tags", "cue", "reason", "problem", "session", "subject", "predicate", "object", "about",
        "files_read", "files_modified", "outcome", "detail", "words", "candidates", "term", "actor", "parts", "state",
        "key", "turn", "tool", "id", "doing", "says", "doubts", "findings", "branch",
    }
)  # fmt: skip


def rewrite(db: apsw.Connection, said: Change, image: Change, slug: Change = str) -> int:
    """Replace every text of a database by what the function for its column returns; return how many rows changed."""
    for name, change in (("said", said), ("image", image), ("slug", slug)):
        db.create_scalar_function(f"clean_{name}", change, 1, deterministic=True)
    changed = 0
    for table, column, kind in _columns(db):
        clean = f'clean_{kind}("{column}")'
        # OR REPLACE: two rows may become the same
        where = f'typeof("{column}") = \'text\' AND {clean} <> "{column}"'
        sql = f'UPDATE OR REPLACE "{table}" SET "{column}" = {clean} WHERE {where}'
        db.execute(sql)
        changed += db.changes()
    db.execute(DROP_SNAPSHOTS)
    return changed + db.changes()


def rewrite_file(path: Path, said: Change, image: Change, slug: Change) -> None:
    """Rewrite the texts of a backup, which is a database of its own; leave one that is damaged as it is."""
    with contextlib.suppress(apsw.Error):
        db = apsw.Connection(str(path))
        with db:
            rewrite(db, said, image, slug)
            _forget_files(db)
        settle(db)
        db.close()


def erase(db: apsw.Connection, uid: str) -> None:
    """Erase a memory from a database: its row, its file's path, its images in the journal, its title in receipts."""
    db.execute("DELETE FROM memories WHERE uid = ?", (uid,))
    db.execute("DELETE FROM sightings WHERE uid = ?", (uid,))
    db.execute(ERASE_IMAGES, (uid,))
    db.execute(ERASE_IN_RECEIPTS, (uid,))


def erase_in_file(path: Path, uid: str) -> None:
    """Erase a memory from a backup, which is a database of its own; leave one that is damaged as it is."""
    with contextlib.suppress(apsw.Error):
        db = apsw.Connection(str(path))
        with db:
            erase(db, uid)
        settle(db)
        db.close()


def _forget_files(db: apsw.Connection) -> None:
    """After `rewrite`, in a copy of the store: forget files whose path changes; the next sync finds them again."""
    db.execute("DELETE FROM sightings WHERE clean_said(path) <> path")


def _tables(db: apsw.Connection) -> list[str]:
    """Return the ordinary tables; the full-text index is rebuilt from them."""
    ordinary = "type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE ? || '%'"
    rows = db.execute(f"SELECT name FROM sqlite_master WHERE {ordinary}", (WORDS,)).fetchall()
    return [str(row[0]) for row in rows]


def _columns(db: apsw.Connection) -> list[tuple[str, str, str]]:
    """Return table, column and kind (`image`, `said` or `slug`) of every column that is rewritten."""
    kinds = (("image", IMAGES), ("said", SAID), ("slug", SLUGS))
    return [
        (table, column, kind)
        for table in _tables(db)
        for column in [str(row[1]) for row in db.execute(f'PRAGMA table_info("{table}")').fetchall()]
        for kind, names in kinds
        if column in names
    ]


def columns_with(path: Path, is_in: Callable[[str], bool]) -> list[str]:
    """Return the columns of a database file, as `table.column`, in which `is_in` is true of a cell.

    Empty for a file that is damaged.
    """
    try:
        with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            return _columns_with(db, is_in)
    except apsw.Error:
        return []


def _columns_with(db: apsw.Connection, is_in: Callable[[str], bool]) -> list[str]:
    db.create_scalar_function("is_in", _search(is_in), 1, deterministic=True)
    found = []
    for table in _tables(db):
        for column in [str(row[1]) for row in db.execute(f'PRAGMA table_info("{table}")').fetchall()]:
            where = f"""typeof("{column}") IN ('text', 'blob') AND is_in("{column}")"""
            if db.execute(f'SELECT 1 FROM "{table}" WHERE {where} LIMIT 1').fetchall():
                found.append(f"{table}.{column}")
    return found


def _search(is_in: Callable[[str], bool]) -> Change:
    """Return an SQL function that calls `is_in` with a cell of text or bytes."""

    def search(cell: Any) -> int:  # noqa: ANN401 - whatever SQLite keeps in a cell
        said = cell if isinstance(cell, str) else bytes(cell).decode("utf-8", "surrogateescape")
        return int(is_in(said))

    return search


def settle(db: apsw.Connection) -> None:
    """Rewrite the file, so that no old text is left in the index, in free pages or in the write-ahead log."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (WORDS,)).fetchall():
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('rebuild')")
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('optimize')")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
