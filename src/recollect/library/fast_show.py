"""One memory straight from its row, without the model: only when this checkout is surely as it was last seen.

Everything doubtful (a changed file, a name that is not clear, a store of another version) is answered with None, and
the whole way is taken.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from recollect import paths
from recollect.model.search_words import MODEL
from recollect.store.sqlite.lookup import RESOLVE, resolve_values
from recollect.store.sqlite.migrations import MIGRATIONS
from recollect.vault import files

BUSY_MS = 1_000
SEEN = "SELECT uid, path, size, mtime_ns, seen_ns, digest, presence FROM sightings WHERE root = ?"
MUCH = 200
LACKING = """
SELECT count(*) FROM (SELECT id FROM memories WHERE status = 'active' ORDER BY id DESC LIMIT ?2) AS late
WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.id = late.id AND model = ?1)
"""
PATTERNS = (".claude/memory/*/[!.]*.json", "memory/[!.]*.md", "memory-cold/[!.]*.md")


@dataclass(frozen=True, slots=True)
class FastShow:
    """A memory as the store keeps it."""

    image: dict[str, Any]
    revision: str
    path: str | None


def find(folder: Path, name: str, env: Mapping[str, str]) -> FastShow | None:
    """The memory that is surely meant, as it surely is; None where that takes a closer look."""
    database = paths.database(env)
    if not database.exists():
        return None
    try:
        return _find(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE), folder.resolve(), name)
    except apsw.Error:
        return None


def is_as_seen(folder: Path, env: Mapping[str, str]) -> bool:
    """Whether the store surely knows what stands in the files around a folder."""
    database = paths.database(env)
    if not database.exists():
        return False
    try:
        db = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
        root = _known_root(db, folder)
        return root is not None and _is_as_seen(root[0], {row[1]: row for row in _rows(db, SEEN, str(root[0]))})
    except apsw.Error:
        return False


def lacks_a_little(db: apsw.Connection) -> bool:
    """Whether the newest memories want what recall compares, and it could be made before an answer.

    Much of it would keep somebody waiting, and so would another who writes: then words alone have to do.
    """
    number = db.execute(LACKING, (MODEL, MUCH)).get
    if not isinstance(number, int) or not 0 < number < MUCH:
        return False
    try:
        db.execute("BEGIN IMMEDIATE; ROLLBACK")
    except apsw.Error:
        return False
    return True


def _known_root(db: apsw.Connection, folder: Path) -> tuple[Path, str] | None:
    """The checkout around a folder that the store knows, and its project."""
    db.set_busy_timeout(BUSY_MS)
    if db.pragma("user_version") != len(MIGRATIONS):
        return None
    known: dict[str, str] = dict(_rows(db, "SELECT root, project FROM checkouts"))
    root = next((up for up in (folder, *folder.parents) if str(up) in known or (up / ".git").exists()), None)
    return (root, known[str(root)]) if root is not None and str(root) in known else None


def _find(db: apsw.Connection, folder: Path, name: str) -> FastShow | None:
    known = _known_root(db, folder)
    if known is None:
        return None
    root, project = known
    rows = [(json.loads(row[0]), row[1]) for row in _rows(db, RESOLVE, *resolve_values(project, name))]
    live = [row for row in rows if row[0].get("status", "active") == "active"] or rows
    seen = {row[1]: row for row in _rows(db, SEEN, str(root))}
    if len(live) != 1 or not _is_as_seen(root, seen):
        return None
    image, revision = live[0]
    twin = next((row for row in seen.values() if row[0] == image["uid"] and row[6] == "seen"), None)
    if twin and twin[5] != revision:
        return None  # another checkout says something else
    return FastShow(image, revision, twin[1] if twin else None)


def _rows(db: apsw.Connection, sql: str, *values: str) -> list[tuple[Any, ...]]:
    return db.execute(sql, values).fetchall()


def _is_as_seen(root: Path, seen: Mapping[str, tuple[Any, ...]]) -> bool:
    here = {path.relative_to(root).as_posix() for pattern in PATTERNS for path in root.glob(pattern)}
    if here != {path for path, row in seen.items() if row[6] != "absent"}:
        return False
    looks = [(row, files.look(root / path)) for path, row in seen.items() if row[6] != "absent"]
    return all(row[6] == "seen" and look and look.is_same(row[2], row[3], row[4]) for row, look in looks)
