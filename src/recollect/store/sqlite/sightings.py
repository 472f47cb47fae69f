"""The table of vault files as they were last seen."""

from dataclasses import astuple, fields

from recollect.store.sqlite.database import Database
from recollect.store.values import Sighting

COLUMNS = ", ".join(field.name for field in fields(Sighting))
REPLACE = f"REPLACE INTO sightings ({COLUMNS}) VALUES ({', '.join('?' * len(fields(Sighting)))})"


class SightingTable(Database):
    """How each vault file looked when it was last seen, for each checkout."""

    def _sightings(self, rest: str, *values: object) -> list[Sighting]:
        return [Sighting(*row) for row in self._rows(f"SELECT {COLUMNS} FROM sightings WHERE {rest}", values)]

    def see(self, sighting: Sighting) -> None:
        """Remember how a file looks."""
        self._rows(REPLACE, astuple(sighting))

    def unsee(self, root: str, path: str) -> None:
        """Forget a file that recollect removed itself."""
        self._rows("DELETE FROM sightings WHERE root = ? AND path = ?", (root, path))

    def advance(self, root: str, position: str | None) -> None:
        """Note that every file that was seen in a checkout is still there at this commit."""
        self._rows("UPDATE sightings SET position = ? WHERE root = ? AND presence = 'seen'", (position, root))

    def sightings(self, root: str) -> list[Sighting]:
        """Return every file known in a checkout, by path."""
        return self._sightings("root = ? ORDER BY path", root)

    def orphans(self, root: str) -> set[str]:
        """Return the paths of files in a checkout whose memory is not in the store any more."""
        where = "root = ? AND presence = 'seen' AND uid NOT IN (SELECT uid FROM memories)"
        return {str(row[0]) for row in self._rows(f"SELECT path FROM sightings WHERE {where}", (root,))}

    def was_seen(self, uid: str) -> bool:
        """Return whether a memory has, or had, a file in any checkout."""
        return bool(self._rows("SELECT 1 FROM sightings WHERE uid = ? LIMIT 1", (uid,)))

    def sighting_at(self, root: str, path: str) -> Sighting | None:
        """Return how a file looked; None for a file never seen."""
        return next(iter(self._sightings("root = ? AND path = ?", root, path)), None)

    def sighting_of(self, root: str, uid: str) -> Sighting | None:
        """Return the file that holds a memory in a checkout; None if there is none. One that is there comes first."""
        found = self._sightings("uid = ? AND root = ? ORDER BY presence = 'seen' DESC", uid, root)
        return found[0] if found else None
