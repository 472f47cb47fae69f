"""A value taken out of a database for good: every column, the index of words, free pages and the log behind."""

from collections.abc import Mapping

import apsw

WORDS = "memory_words"


def replace(db: apsw.Connection, forms: Mapping[str, str]) -> int:
    """Put something else in place of every form of a value, in every text column; the number of rows that changed."""
    changed = 0
    for table, column in _columns(db):
        for form, instead in forms.items():
            # OR REPLACE: two rows may become the same
            sql = (
                f'UPDATE OR REPLACE "{table}" SET "{column}" = replace("{column}", ?1, ?2) WHERE instr("{column}", ?1)'
            )
            db.execute(sql, (form, instead))
            changed += db.changes()
    return changed


def _columns(db: apsw.Connection) -> list[tuple[str, str]]:
    ordinary = "type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE ? || '%'"
    tables = [row[0] for row in db.execute(f"SELECT name FROM sqlite_master WHERE {ordinary}", (WORDS,))]
    return [
        (table, row[1])
        for table in tables
        for row in db.execute(f'PRAGMA table_info("{table}")')
        if "TEXT" in (row[2] or "TEXT").upper()
    ]


def settle(db: apsw.Connection) -> None:
    """Write the file anew: no old word in the index, nothing in free pages, nothing in the write-ahead log."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (WORDS,)).fetchall():
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('rebuild')")
        db.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('optimize')")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
