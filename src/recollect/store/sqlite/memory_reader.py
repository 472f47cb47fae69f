"""Memories and vault sightings, read without the model's classes: for a cold `show`, `list` and `recall`."""

import json
from dataclasses import dataclass
from typing import Any

from recollect.model.listed_memory import LinkedMemory, ListedMemory
from recollect.model.query import Query
from recollect.model.words.search_words import MODEL
from recollect.store.hook_reader import links
from recollect.store.hook_reader.connection import ReadFailed, rows, value
from recollect.store.hook_reader.store_reader import StoreReader
from recollect.store.sqlite import conditions, lookup

SIGHTINGS = "SELECT uid, path, size, mtime_ns, seen_ns, digest, presence FROM sightings WHERE root = ?"
UNINDEXED = """
SELECT count(*) FROM (SELECT id FROM memories WHERE status = 'active' ORDER BY id DESC LIMIT ?2) AS late
WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.id = late.id AND model = ?1)
"""
# Those that pass are sorted and counted by two columns; the others are read of those on the page alone.
LISTED = """
WITH chosen AS MATERIALIZED (SELECT id, created FROM memories WHERE {where})
SELECT uid, kind, slug, status, project, title, created, pinned,
    status = 'active' AND instr(char(10) || tags || char(10), char(10) || 'pending' || char(10)) > 0,
    CASE WHEN json_valid(image) THEN image -> '$.anchors' END, (SELECT count(*) FROM chosen)
FROM memories
WHERE id IN (SELECT id FROM chosen ORDER BY created DESC, id DESC LIMIT {limit} OFFSET {offset})
ORDER BY created DESC, id DESC
"""


@dataclass(frozen=True, slots=True)
class SightingRow:
    """How a vault file looked when it was last seen."""

    uid: str
    path: str
    size: int
    mtime_ns: int
    seen_ns: int
    digest: str
    presence: str


class MemoryReader(StoreReader):
    """A StoreReader that also reads memories by name."""

    __slots__ = ()

    def resolve(self, project: str, name: str) -> list[tuple[dict[str, Any], str]]:
        """Return the memories that a name may mean, as their JSON images, each with its revision."""
        found = lookup.resolve(self._ask, project, name)
        return [(json.loads(row[0]), str(row[1])) for row in found]

    def _ask(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return rows(self._db, sql, values)

    def sessions_named(self, name: str) -> list[str]:
        """Return the sessions that a name may mean, newest first."""
        return lookup.sessions_named(self._ask, name)

    def short_ids(self, uids: list[str]) -> dict[str, str]:
        """Return a short id for each uid, which `resolve` takes."""
        return lookup.short_ids(self._ask, uids)

    def links_of(self, uid: str) -> list[LinkedMemory]:
        """Return the memories that a memory has to do with: those it names, and those that name it."""
        return lookup.links_of(self._ask, uid)

    def listed(self, query: Query) -> tuple[list[ListedMemory], int]:
        """Return the memories that pass every filter, newest first, and how many pass apart from the limit."""
        where, values = conditions.where(query)
        sql = LISTED.format(where=where, limit=-1 if query.limit is None else query.limit, offset=query.offset)
        found = rows(self._db, sql, values)
        total = found[0][-1] if found else value(self._db, f"SELECT count(*) FROM memories WHERE {where}", values)
        return [_listed(row) for row in found], int(total)

    def perhaps_replaced(self, project: str, now: float) -> dict[str, str]:
        """Return the uids of memories that a newer one may have replaced, each with the title of the newer one."""
        known = links.links(self._db, project, now)
        return {
            link.older: link.newer_title for link in known if link.relation == links.MAY_REPLACE and not link.is_pending
        }

    def sightings(self, root: str) -> list[SightingRow]:
        """Return every vault file that is known in a checkout."""
        return [SightingRow(*row) for row in rows(self._db, SIGHTINGS, (root,))]

    def unindexed_number(self, most: int) -> int:
        """Return how many of the newest `most` memories have no search vectors yet."""
        return int(value(self._db, UNINDEXED, (MODEL, most)))

    def can_write(self) -> bool:
        """Return whether nobody else is writing now."""
        try:
            rows(self._db, "BEGIN IMMEDIATE; ROLLBACK")
        except ReadFailed:
            return False
        return True


def _listed(row: tuple[Any, ...]) -> ListedMemory:
    uid, kind, slug, status, project, title, created, is_pinned, is_pending, anchors, _ = row
    files = tuple(str(anchor["path"]) for anchor in json.loads(anchors or "[]"))
    return ListedMemory(uid, kind, slug, status, project, title, created, bool(is_pinned), bool(is_pending), files)
