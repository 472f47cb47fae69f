"""The tables of memories, of their uses, and of texts that were purged."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from recollect.model import clock, memory
from recollect.model.kinds import KINDS, Kinds
from recollect.model.memory import Memory
from recollect.model.query import Query, Weight
from recollect.model.rows.listed_memory import LinkedMemory
from recollect.model.rows.upkeep_row import UpkeepRow
from recollect.model.words.search_fields import found_by
from recollect.model.words.search_words import POINTS, all_stems
from recollect.store.figures import KindDay
from recollect.store.hook_reader.columns import IS_SHOWN_SENSITIVITY
from recollect.store.hook_reader.links import LINKED
from recollect.store.sqlite import conditions, lookup
from recollect.store.sqlite.database import Database, translated
from recollect.store.sqlite.migrations import MIGRATIONS, Migration
from recollect.store.sqlite.search_index import SearchIndexTable
from recollect.store.values import KindCount, RuleRow, Stored

COLUMNS = (
    "uid", "project", "kind", "slug", "status", "title", "text", "tags", "digest", "revision", "created", "expires",
    "image", "updated", "importance", "hits", "pinned", "sensitivity", "session", "cue", "actor", "day", "parts",
)  # fmt: skip
PUT = f"""
INSERT INTO memories ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
ON CONFLICT (uid) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:])}
"""
# An image leaves out what has its default value, so that a memory has the same bytes again when a change is undone.
SET_IMPORTANCE = """
UPDATE memories SET importance = ?3, image =
    CASE WHEN ?3 = 0.5 THEN json_remove(image, '$.importance') ELSE json_set(image, '$.importance', ?3) END
WHERE uid = ?1 AND importance = ?2 AND json_valid(image)
"""
# A count that somebody edited may be anything.
UPKEEP = """
SELECT uid, kind, slug, title, text, tags, importance, pinned <> 0, sensitivity,
    coalesce(image ->> '$.origin', 'user'),
    coalesce(image ->> '$.content.strength', image ->> '$.content.severity', ''), image ->> '$.confidence',
    created, updated, expires, hits, unixepoch(image ->> '$.usage.last_hit_at'),
    coalesce(image ->> '$.usage.last_session', 0), coalesce(image ->> '$.usage.created_session', 0),
    coalesce(image ->> '$.usage.appreciation', 0)
FROM memories WHERE json_valid(image) AND {where} ORDER BY created, id
"""
SEARCH = f"""
SELECT image, revision, points
FROM (
    SELECT rowid AS found, {POINTS} AS points
    FROM memory_words WHERE memory_words MATCH ?
)
JOIN memories ON id = found WHERE {{where}} ORDER BY points LIMIT {{limit}}
"""
TAUGHT = """
SELECT image ->> '$.channel', status = 'active',
    unixepoch(coalesce(image ->> '$.closed_at', image ->> '$.updated_at')) AS at
FROM memories
WHERE json_valid(image) AND (image ->> '$.closed_reason' = 'dropped' OR image ->> '$.confidence' = 0.95)
    AND project = ?1
    AND instr(image ->> '$.channel', ':') AND coalesce(image ->> '$.origin', 'user') <> 'quoted' AND at IS NOT NULL
    AND (status = 'active' OR image ->> '$.closed_reason' = 'dropped')
"""
# Rules that the user stated, of a project: the index by project, status and kind finds them.
RULES = f"""
SELECT uid, revision, kind, title,
    coalesce(image->>'$.content.value', image->>'$.content.rule', image->>'$.content.text', title),
    coalesce(image->>'$.cue', ''), coalesce(image->>'$.content.strength', ''), pinned <> 0, image->>'$.confidence',
    tags,
    coalesce(session, ''), expires
FROM memories
WHERE project = ? AND status = 'active' AND kind IN (SELECT value FROM json_each(?))
    AND coalesce(image->>'$.origin', 'user') = 'user' AND {IS_SHOWN_SENSITIVITY}
ORDER BY updated DESC, uid
"""
CONFLICTS = f"""
SELECT newer.uid, older.uid {LINKED}
    AND newer.project IN (?1, 'global') AND link.value ->> '$.relation' = 'may_replace' AND older.status = 'active'
    AND (newer.expires IS NULL OR newer.expires > ?2) AND (older.expires IS NULL OR older.expires > ?2)
ORDER BY newer.created, newer.id, link.key
"""
SEARCHED_TEXT = "SELECT title || ' ' || text || ' ' || cue || ' ' || parts FROM memories WHERE uid = ?"


class MemoryTable(Database):
    """Memories by identity, by name, by text and by filter."""

    def __init__(self, path: Path, kinds: Kinds = KINDS, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
        self.kinds = kinds
        self.search_index = SearchIndexTable(self._rows)
        super().__init__(path, migrations)

    def _stored(self, rows: list[tuple[Any, ...]]) -> list[Stored]:
        return [Stored(memory.from_json(image, self.kinds), revision) for image, revision in rows]

    def _first(self, where: str, *values: object) -> Stored | None:
        found = self._stored(self._rows(f"SELECT image, revision FROM memories WHERE {where} LIMIT 1", values))
        return found[0] if found else None

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[None]:
        """Open a transaction: all or nothing. Words that only removed memories contained are forgotten at its end."""
        self._removed_stems().clear()
        with super().writing(durable=durable):
            yield
            self._forget_removed_words()

    def _removed_stems(self) -> set[str]:
        """Return the words of the memories that this thread removed in its transaction."""
        stems: set[str] | None = getattr(self._local, "removed_stems", None)
        if stems is None:
            stems = self._local.removed_stems = set()
        return stems

    def _forget_removed_words(self) -> None:
        stems = self._removed_stems()
        self.search_index.forget_words(stems)
        stems.clear()

    # -- reading ------------------------------------------------------------------------------------------------

    def get(self, uid: str) -> Stored | None:
        """Return a memory by its identity; None if there is none."""
        return self._first("uid = ?", uid)

    def named(self, project: str, kind: str, slug: str) -> Stored | None:
        """Return a memory by its name in the vault; None if there is none."""
        return self._first("project = ? AND kind = ? AND slug = ?", project, kind, slug)

    def same_text(self, project: str, digest: str, now: float) -> Stored | None:
        """Return the active, unexpired memory of a project with this text; None if there is none."""
        where = "digest = ? AND project = ? AND status = 'active' AND (expires IS NULL OR expires > ?)"
        return self._first(where, digest, project, now)

    def uids_with_text(self, project: str, digest: str) -> set[str]:
        """Return the identities of all memories of a project with this text, whatever their status."""
        rows = self._rows("SELECT uid FROM memories WHERE digest = ? AND project = ?", (digest, project))
        return {str(row[0]) for row in rows}

    def taught(self, project: str) -> list[tuple[str, bool, float]]:
        """Return the captured memories that people kept or dropped: channel, whether kept, when in seconds."""
        return [(str(row[0]), bool(row[1]), float(row[2])) for row in self._rows(TAUGHT, (project,))]

    def possible_conflicts(self, project: str, now: float) -> list[tuple[str, str]]:
        """Return the active, unexpired memories that may replace an active older one: both uids, oldest first."""
        return [(str(newer), str(older)) for newer, older in self._rows(CONFLICTS, (project, now))]

    def find(self, query: Query) -> list[Stored]:
        """Return the memories that pass every filter, newest first."""
        where, values = conditions.where(query)
        order = "created, id" if query.oldest_first else "created DESC, id DESC"
        limit = f" LIMIT {-1 if query.limit is None else int(query.limit)} OFFSET {int(query.offset)}"
        sql = f"SELECT image, revision FROM memories WHERE {where} ORDER BY {order}{limit}"
        return self._stored(self._rows(sql, tuple(values)))

    def search(self, words: Sequence[str], query: Query) -> list[tuple[Stored, float]]:
        """Return the memories that contain any of the words and pass the filters, best first, with their scores."""
        where, values = conditions.where(query)
        sql = SEARCH.format(where=where, limit=-1 if query.limit is None else int(query.limit))
        rows = self._rows(sql, (conditions.some(words), *values)) if words else []
        return [(stored, -row[2]) for stored, row in zip(self._stored([row[:2] for row in rows]), rows, strict=True)]

    def number(self, query: Query) -> int:
        """Return how many memories pass every filter."""
        where, values = conditions.where(query)
        return int(self._rows(f"SELECT count(*) FROM memories WHERE {where}", tuple(values))[0][0])

    def weights(self, query: Query) -> list[Weight]:
        """Return, for the memories that pass every filter, what decides which of them is dropped first."""
        where, values = conditions.where(query)
        sql = f"SELECT uid, kind, importance, hits, pinned, updated FROM memories WHERE {where}"
        return [Weight(*row) for row in self._rows(sql, tuple(values))]

    def upkeep_rows(self, query: Query) -> list[UpkeepRow]:
        """Return what upkeep reads of the memories that pass every filter, oldest first."""
        where, values = conditions.where(query)
        return list(map(UpkeepRow._make, self._rows(UPKEEP.format(where=where), tuple(values))))

    def count(self) -> dict[str, int]:
        """Return how many memories there are, by status."""
        return dict(self._rows("SELECT status, count(*) FROM memories GROUP BY status"))

    def rules(self, project: str, kinds: Sequence[str]) -> list[RuleRow]:
        """Return the active memories of these kinds in a project that the user stated, the newest first."""
        found = self._rows(RULES, (project, json.dumps(list(kinds))))
        return [RuleRow(*row) for row in found]

    def census(self, project: str) -> list[KindCount]:
        """Return how many memories a project has, the global ones included, by kind and status."""
        where = "project IN (?, 'global') GROUP BY kind, status ORDER BY kind, status"
        rows = self._rows(f"SELECT kind, status, count(*) FROM memories WHERE {where}", (project,))
        return [KindCount(str(kind), str(status), int(number)) for kind, status, number in rows]

    def growth(self, project: str) -> list[KindDay]:
        """Return how many active memories of each kind were created on which day (UTC), oldest first; without turns."""
        where = "project IN (?, 'global') AND status = 'active' AND kind <> 'turn_summary' AND created IS NOT NULL"
        day = "date(created, 'unixepoch')"
        rows = self._rows(
            f"SELECT {day}, kind, count(*) FROM memories WHERE {where} GROUP BY 1, 2 ORDER BY 1", (project,)
        )
        return [KindDay(*row) for row in rows]

    def resolve(self, project: str, name: str) -> list[Stored]:
        """Return the memories that a person may mean by a name: an id, a slug, a title, or a part of one."""
        return self._stored(lookup.resolve(self._rows, project, name))

    def slugs(self, project: str) -> list[str]:
        """Return the slugs of a project's memories, the global ones included."""
        return [str(row[0]) for row in self._rows(lookup.SLUGS, (project,))]

    def short_ids(self, uids: Sequence[str]) -> dict[str, str]:
        """Return a short id for each uid, which `resolve` takes: the last 8 characters, more if they are not unique."""
        return lookup.short_ids(self._rows, uids)

    def links_of(self, uid: str) -> list[LinkedMemory]:
        """Return the memories that a memory has to do with: those it names, and those that name it."""
        return lookup.links_of(self._rows, uid)

    def kept_by_session(self, project: str) -> dict[str, int]:
        """Return how many active memories of a project came from each session; turns are not counted."""
        where = "project = ? AND session IS NOT NULL AND status = 'active' AND kind <> 'turn_summary'"
        return dict(self._rows(f"SELECT session, count(*) FROM memories WHERE {where} GROUP BY session", (project,)))

    def derived_from(self, uid: str, limit: int = 20) -> list[Stored]:
        """Return the newest memories that name another one in their lineage."""
        lineage = "SELECT 1 FROM json_each(image, '$.derived_from') WHERE value = ?1"
        where = f"instr(image, ?1) AND json_valid(image) AND EXISTS ({lineage}) ORDER BY created DESC LIMIT ?2"
        return self._stored(self._rows(f"SELECT image, revision FROM memories WHERE {where}", (uid, limit)))

    # -- writing ------------------------------------------------------------------------------------------------

    def put(self, memory: Memory, revision: str) -> None:
        """Insert a memory, or replace the one with its identity; a pinned one does not expire."""
        end = None if memory.usage.pinned else clock.seconds(memory.expires_at)
        row = (
            memory.uid, memory.project, memory.kind, memory.slug, memory.status, memory.title, memory.text,
            "\n".join(memory.tags).lower(), memory.digest, revision, clock.seconds(memory.created_at),
            end, memory.image, clock.seconds(memory.updated_at), memory.importance,
            memory.usage.hits, memory.usage.pinned, memory.sensitivity, memory.session,
            " ".join((memory.cue, *memory.keywords)).strip(), *found_by(memory),
        )  # fmt: skip
        self._rows(PUT, row)

    def set_importances(self, values: Iterable[tuple[str, float, float]]) -> None:
        """Set the importance of memories: uid, the value before, the new value; one that has another value is left."""
        with translated(self.path):
            self._db.executemany(SET_IMPORTANCE, values)

    def remove(self, uid: str) -> None:
        """Delete a memory, and at the end of the transaction the vectors of words that no other memory contains.

        At the end, because each look into the word index writes what it has collected: one by one, the removal of
        thousands of memories takes many times as long as their import.
        """
        for (searched,) in self._rows(SEARCHED_TEXT, (uid,)) if self.search_index.has_words() else ():
            self._removed_stems().update(all_stems(str(searched)))
        self._rows("DELETE FROM memories WHERE uid = ?", (uid,))
        if not self._db.in_transaction:
            self._forget_removed_words()

    # -- uses ---------------------------------------------------------------------------------------------------

    def access(self, uid: str, session: str, at: str) -> bool:
        """Note that a memory was used in a session; return False if that was noted before."""
        sql = "INSERT INTO accesses (uid, session, at, weighed) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING RETURNING 1"
        return bool(self._rows(sql, (uid, session, at)))

    def accessed(self, session: str, root: str) -> list[str]:
        """Return the memories used in a session that have a markdown file in a checkout: it holds their counters."""
        sql = """SELECT DISTINCT accesses.uid FROM accesses JOIN sightings ON sightings.uid = accesses.uid
                 WHERE session = ? AND root = ? AND presence = 'seen' AND path LIKE '%.md'"""
        return [str(row[0]) for row in self._rows(sql, (session, root))]

    def unweighed(self, project: str) -> list[tuple[str, str]]:
        """Return the uses of a project's memories that weighing has not counted: memory and session."""
        sql = """SELECT accesses.uid, accesses.session FROM accesses JOIN memories ON memories.uid = accesses.uid
                 WHERE weighed = 0 AND project = ?"""
        return [(str(uid), str(session)) for uid, session in self._rows(sql, (project,))]

    def set_weighed(self, uses: Iterable[tuple[str, str]]) -> None:
        """Note that weighing has counted uses: memory and session."""
        with translated(self.path):
            self._db.executemany("UPDATE accesses SET weighed = 1 WHERE uid = ? AND session = ?", uses)

    # -- tombstones ---------------------------------------------------------------------------------------------

    def bury(self, project: str, digest: str, at: str, reason: str) -> None:
        """Note that a text was purged from a project."""
        self._rows("REPLACE INTO tombstones VALUES (?, ?, ?, ?)", (project, digest, at, reason))

    def unbury(self, project: str, digest: str) -> None:
        """Forget that a text was purged."""
        self._rows("DELETE FROM tombstones WHERE project = ? AND digest = ?", (project, digest))

    def is_buried(self, project: str, digest: str) -> bool:
        """Return whether a text was purged from a project."""
        return bool(self._rows("SELECT 1 FROM tombstones WHERE project = ? AND digest = ?", (project, digest)))
