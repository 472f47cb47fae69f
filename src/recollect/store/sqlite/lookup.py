"""SQL that finds memories by the name a person gives, and gives each a short id.

Apart from the engine and without the classes of the model, so that a cold `show` and `list` can use it.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from recollect.model.rows.listed_memory import LinkedMemory

Rows = Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]
"""Runs a statement with its values and returns all rows."""
Lookup = tuple[str, tuple[object, ...]]
"""A condition on `memories`, and the values that it binds."""

PART_OF_UID = re.compile(r"[0-9a-f]{6,24}")
SHORT = 8
"""Characters of a short id: the end of the uid, because uids begin with the time and those of one hour look alike."""
NAME_CHARS = 300
"""No name is longer."""
IN_PROJECT = "project IN (?1, 'global')"
HAS_KIND = "(?3 = '' OR kind = ?3)"
# Each condition is answered by an index that holds all that it reads, or by the index of words.
BY_UID = "uid = ?1"
BY_END = "substr(uid, -length(?1)) = ?1"
BY_PART = f"substr(uid, 1, length(?1)) = ?1 OR {BY_END}"
BY_SLUG = f"{IN_PROJECT} AND slug = ?2 AND {HAS_KIND}"
BY_SLUG_START = f"{IN_PROJECT} AND substr(slug, 1, length(?2)) = ?2 AND {HAS_KIND}"
_HAS_WORDS = f"{IN_PROJECT} AND id IN (SELECT rowid FROM memory_words WHERE memory_words MATCH ?3)"
BY_TITLE = f"{_HAS_WORDS} AND title = ?2 COLLATE NOCASE"
BY_TITLE_START = f"{_HAS_WORDS} AND substr(title, 1, length(?2)) = ?2 COLLATE NOCASE"
FOUND = """
SELECT image, revision FROM memories WHERE id IN (SELECT id FROM memories WHERE {condition}) ORDER BY status, id
"""
SLUGS = f"SELECT DISTINCT slug FROM memories WHERE {IN_PROJECT}"
# The expression has to be that of the index `memories_by_short_id`, to the letter.
SAME_ENDS = f"SELECT uid FROM memories WHERE substr(uid, -{SHORT}) IN (SELECT value FROM json_each(?1))"
LINKED = """
SELECT link.value ->> '$.relation', older.uid, older.title, older.status, 0
FROM memories AS newer, json_each(newer.image, '$.links') AS link JOIN memories AS older
    ON older.uid = link.value ->> '$.uid'
WHERE newer.uid = ?1
UNION ALL
SELECT link.value ->> '$.relation', newer.uid, newer.title, newer.status, 1
FROM memories AS newer, json_each(newer.image, '$.links') AS link
WHERE json_valid(newer.image) AND newer.image ->> '$.links' IS NOT NULL AND link.value ->> '$.uid' = ?1
"""
# Sessions of imported memories, and of events that are not processed yet, have no row of their own.
IS_SESSION = """
SELECT 1 FROM sessions WHERE id = ?1 UNION ALL SELECT 1 FROM events WHERE session = ?1
UNION ALL SELECT 1 FROM memories WHERE session = ?1 LIMIT 1
"""
LONG_SESSION = 16
"""Ids of sessions that are no longer than this are never shortened: `s1` must not mean `s10`."""
SESSIONS_LIKE = """
SELECT id FROM sessions
WHERE length(id) > ?2 AND (substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1)
ORDER BY seen DESC LIMIT 100
"""


def resolve(rows: Rows, project: str, name: str) -> list[tuple[Any, ...]]:
    """Return image and revision of the memories that a name may mean, by the first reading that finds any.

    A name is an id, a slug or kind/slug, a short id, a title, or the beginning of a slug or title, in this order.
    """
    for condition, values in _readings(project, name) if len(name) <= NAME_CHARS else ():
        found = rows(FOUND.format(condition=condition), values)
        if found:
            return found
    return []


def _readings(project: str, name: str) -> Iterator[Lookup]:
    """Yield what a name may be, the surest first."""
    kind, _, slug = name.rpartition("/")
    yield BY_UID, (name,)
    yield BY_SLUG, (project, slug, kind)
    if PART_OF_UID.fullmatch(name.lower()):
        yield BY_PART, (name.lower(),)
    elif len(name) >= SHORT and " " not in name:  # the end of an id that another program made
        yield BY_END, (name,)
    title = name.strip().removesuffix("…").rstrip()
    phrase = 'title : "' + title.replace('"', '""').replace("\0", " ") + '"'
    yield BY_TITLE, (project, title, phrase)
    if slug:
        yield BY_SLUG_START, (project, slug, kind)
        yield BY_TITLE_START, (project, title, f"{phrase} *")


def sessions_named(rows: Rows, name: str) -> list[str]:
    """Return the sessions that a name may mean, newest first: a whole id, or 8 characters or more of a long one."""
    if len(name) < SHORT or rows(IS_SESSION, (name,)):
        return [name]
    return [str(row[0]) for row in rows(SESSIONS_LIKE, (name, LONG_SESSION))]


def short_session(rows: Rows, session: str) -> str:
    """Return a name for a session that `sessions_named` takes: its first 8 characters, or its last, or all."""
    ends = (session[:SHORT], session[-SHORT:]) if len(session) > LONG_SESSION else ()
    return next((end for end in ends if sessions_named(rows, end) in ([session], [])), session)


def links_of(rows: Rows, uid: str) -> list[LinkedMemory]:
    """Return the memories that a memory names in its links, and those that name it."""
    found = rows(LINKED, (uid,))
    ids = short_ids(rows, [row[1] for row in found]) if found else {}
    return [
        LinkedMemory(relation, other, ids[other], title, status, bool(is_newer))
        for relation, other, title, status, is_newer in found
    ]


def short_ids(rows: Rows, uids: Sequence[str]) -> dict[str, str]:
    """Return the short id of each uid: its last 8 characters, more where another memory's uid ends the same way."""
    wanted = list(dict.fromkeys(uids))
    ends = json.dumps([uid[-SHORT:] for uid in wanted])
    alike: dict[str, list[str]] = {}
    for (uid,) in rows(SAME_ENDS, (ends,)):
        alike.setdefault(uid[-SHORT:], []).append(uid)
    return {uid: _shortest_end(uid, alike.get(uid[-SHORT:], [])) for uid in wanted}


def _shortest_end(uid: str, alike: list[str]) -> str:
    others = [other for other in alike if other != uid]
    length = SHORT
    while length < len(uid) and any(other.endswith(uid[-length:]) for other in others):
        length += 1
    return uid[-length:]
