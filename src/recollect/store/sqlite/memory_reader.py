"""Single memories and vault sightings, read without the model's classes: for a cold `show` and `recall`."""

import json
from dataclasses import dataclass
from typing import Any

from recollect.model.words.search_words import MODEL
from recollect.store.hook_reader.connection import ReadFailed, rows, value
from recollect.store.hook_reader.store_reader import StoreReader
from recollect.store.sqlite.lookup import RESOLVE, resolve_values

SIGHTINGS = "SELECT uid, path, size, mtime_ns, seen_ns, digest, presence FROM sightings WHERE root = ?"
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
