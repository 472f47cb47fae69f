"""Open the store for reading, and ask it. Import-light.

apsw imports `collections.abc`, which loads `collections` and takes as long as apsw itself. `_collections_abc` is
already loaded and stands in during the import.
"""

import os
import sys

_NAMES = ("collections", "collections.abc")
_is_lean = _NAMES[0] not in sys.modules
if _is_lean:
    sys.modules.update(dict.fromkeys(_NAMES, sys.modules["_collections_abc"]))

import apsw  # noqa: E402

if _is_lean:  # whoever asks from now on gets the whole of it
    for _name in _NAMES:
        del sys.modules[_name]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["ReadFailed", "Unready", "apsw", "open_connection", "rows", "value"]

SCHEMA = 14  # as many as there are migrations
# The last migrations add indexes, columns and a table: hooks answer before the worker has made them.
READABLE = (6, 7, 8, 9, 10, 11, 12, 13, SCHEMA)
BUSY_MS = 50
MAPPED_BYTES = 1 << 30  # reading a page by a call of the system takes longer than using it


class Unready(Exception):
    """The store cannot answer now; events wait in the inbox until it can."""


class ReadFailed(Exception):
    """The store cannot be read: it is damaged, locked or gone."""


def open_connection(path: str, *, busy_ms: int = BUSY_MS) -> apsw.Connection:
    """Open the store's file; raise Unready where there is none, or where its tables are another version's."""
    if not os.path.exists(path):
        raise Unready("there is no store yet")
    try:
        # WAL needs a writable handle; nothing here writes
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        db.set_busy_timeout(busy_ms)
        db.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
        version = db.execute("PRAGMA user_version").get
    except apsw.Error as error:
        raise ReadFailed(str(error)) from error
    if version not in READABLE:
        db.close()
        raise Unready(f"the store has version {version}, this program reads {SCHEMA}")
    return db


def rows(db: apsw.Connection, sql: str, values: "Sequence[Any]" = ()) -> "list[tuple[Any, ...]]":
    """Return all rows of a statement; raise ReadFailed where SQLite refuses."""
    try:
        return db.execute(sql, values).fetchall()
    except apsw.Error as error:
        raise ReadFailed(str(error)) from error


def value(db: apsw.Connection, sql: str, values: "Sequence[Any]" = ()) -> "Any":
    """Return the first column of the first row of a statement, None where there is no row."""
    try:
        return db.execute(sql, values).get
    except apsw.Error as error:
        raise ReadFailed(str(error)) from error
