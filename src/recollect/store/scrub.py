"""Texts rewritten in a whole database: columns that hold words, the index, free pages, the log behind."""

from collections.abc import Callable
from typing import Any

import apsw

WORDS = "memory_words"
Change = Callable[..., Any]
IMAGES = frozenset({"image", "before", "after"})
SLUGS = frozenset({"slug"})
SAID = frozenset(
    {
        "title", "text", "tags", "cue", "reason", "problem", "session", "subject", "predicate", "object", "about",
        "files_read", "files_modified", "outcome", "detail", "words", "candidates", "term", "actor", "parts", "state",
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
        where = f'"{column}" IS NOT NULL AND {clean} <> "{column}"'
        sql = f'UPDATE OR REPLACE "{table}" SET "{column}" = {clean} WHERE {where}'
        db.execute(sql)
        changed += db.changes()
    return changed


def _columns(db: apsw.Connection) -> list[tuple[str, str, str]]:
    ordinary = "type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE ? || '%'"
    tables = [
        str(row[0]) for row in db.execute(f"SELECT name FROM sqlite_master WHERE {ordinary}", (WORDS,)).fetchall()
    ]
    kinds = (("image", IMAGES), ("said", SAID), ("slug", SLUGS))
    return [
        (table, column, kind)
        for table in tables
        for column in [str(row[1]) for row in db.execute(f'PRAGMA table_info("{table}")').fetchall()]
        for kind, names in kinds
        if column in names
    ]


def settle(db: apsw.Connection) -> None:
    """Write the file anew: no old word in the index, nothing in free pages, nothing in the write-ahead log."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (WORDS,)).fetchall():
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('rebuild')")
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('optimize')")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
