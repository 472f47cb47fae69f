"""Texts rewritten in a whole database: columns that hold words, the index, free pages, the log behind."""

from collections.abc import Callable
from typing import Any

import apsw

WORDS = "memory_words"
Change = Callable[..., Any]
IMAGES = frozenset({"image", "before", "after"})
SLUGS = frozenset({"slug"})
# What hooks know of the settings is derived: the next command leaves it anew.
DROP_SNAPSHOTS = "DELETE FROM settings WHERE name LIKE 'hook:%' AND clean_said(value) <> value"
SAID = frozenset(
    {
        "title", "text", "tags", "cue", "reason", "problem", "session", "subject", "predicate", "object", "about",
        "files_read", "files_modified", "outcome", "detail", "words", "candidates", "term", "actor", "parts", "state",
        "key", "turn", "tool", "id", "doing",
    }
)  # fmt: skip


def rewrite(db: apsw.Connection, said: Change, image: Change, slug: Change = str) -> int:
    """Give every text of a database to the function for its column; the number of rows that changed."""
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


def forget_files(db: apsw.Connection) -> None:
    """After `rewrite`, in a copy of the store: forget files whose name holds the value. They are met anew."""
    db.execute("DELETE FROM sightings WHERE clean_said(path) <> path")


def _tables(db: apsw.Connection) -> list[str]:
    """The ordinary tables; what SQLite derives from them is made anew."""
    ordinary = "type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE ? || '%'"
    rows = db.execute(f"SELECT name FROM sqlite_master WHERE {ordinary}", (WORDS,)).fetchall()
    return [str(row[0]) for row in rows]


def _columns(db: apsw.Connection) -> list[tuple[str, str, str]]:
    kinds = (("image", IMAGES), ("said", SAID), ("slug", SLUGS))
    return [
        (table, column, kind)
        for table in _tables(db)
        for column in [str(row[1]) for row in db.execute(f'PRAGMA table_info("{table}")').fetchall()]
        for kind, names in kinds
        if column in names
    ]


def holders(db: apsw.Connection, is_in: Callable[[str], bool]) -> list[str]:
    """Return the columns, as `table.column`, in which a cell holds what `is_in` looks for."""
    db.create_scalar_function("is_in", _search(is_in), 1, deterministic=True)
    found = []
    for table in _tables(db):
        for column in [str(row[1]) for row in db.execute(f'PRAGMA table_info("{table}")').fetchall()]:
            where = f"""typeof("{column}") IN ('text', 'blob') AND is_in("{column}")"""
            if db.execute(f'SELECT 1 FROM "{table}" WHERE {where} LIMIT 1').fetchall():
                found.append(f"{table}.{column}")
    return found


def _search(is_in: Callable[[str], bool]) -> Change:
    """A function for SQLite that looks into a cell of text or bytes."""

    def search(cell: Any) -> int:  # noqa: ANN401 - whatever SQLite keeps in a cell
        said = cell if isinstance(cell, str) else bytes(cell).decode("utf-8", "surrogateescape")
        return int(is_in(said))

    return search


def settle(db: apsw.Connection) -> None:
    """Write the file anew: no old word in the index, nothing in free pages, nothing in the write-ahead log."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (WORDS,)).fetchall():
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('rebuild')")
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('optimize')")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
