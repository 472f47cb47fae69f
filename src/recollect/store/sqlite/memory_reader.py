"""Single memories and vault sightings, read without the model's classes: for a cold `show` and `recall`."""

import json
from dataclasses import dataclass
from typing import Any

from recollect.model.words.search_words import MODEL
from recollect.store.hook_reader.connection import ReadFailed, rows, value
from recollect.store.hook_reader.store_reader import StoreReader
from recollect.store.sqlite.lookup import RESOLVE, resolve_values

SIGHTINGS = "SELECT uid, path, size, mtime_ns, seen_ns, digest, presence FROM sightings WHERE root = ?"
MOST_COMPLETIONS = 50
SLUGS = """
SELECT slug FROM memories
WHERE project IN (?1, 'global') AND status = 'active' AND kind <> 'turn_summary' AND substr(slug, 1, length(?2)) = ?2
GROUP BY slug ORDER BY max(updated) DESC LIMIT ?3
"""
SESSIONS = """
SELECT session FROM memories
WHERE project = ?1 AND session IS NOT NULL AND substr(session, 1, length(?2)) = ?2
GROUP BY session ORDER BY max(created) DESC LIMIT ?3
"""
UNINDEXED = """
SELECT count(*) FROM (SELECT id FROM memories WHERE status = 'active' ORDER BY id DESC LIMIT ?2) AS late
WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.id = late.id AND model = ?1)
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
        found = rows(self._db, RESOLVE, resolve_values(project, name))
        return [(json.loads(row[0]), str(row[1])) for row in found]

    def slugs(self, project: str, prefix: str) -> list[str]:
        """Return the slugs of active memories that begin with a text, the newest first; turns are left out."""
        return [str(row[0]) for row in rows(self._db, SLUGS, (project, prefix, MOST_COMPLETIONS))]

    def session_ids(self, project: str, prefix: str) -> list[str]:
        """Return the ids of sessions that begin with a text and left memories, the newest first."""
        return [str(row[0]) for row in rows(self._db, SESSIONS, (project, prefix, MOST_COMPLETIONS))]

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
