"""Memories and vault sightings, read without the model's classes: for a cold `show`, `list` and `recall`."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.lazy import load
from recollect.model.query import Query
from recollect.model.rows.listed_memory import LinkedMemory, ListedMemory
from recollect.model.verdict import Finding, Verdict
from recollect.model.words.search_words import MODEL
from recollect.store.hook_reader import links, verdicts
from recollect.store.hook_reader.connection import ReadFailed, rows, value
from recollect.store.hook_reader.store_reader import StoreReader
from recollect.store.sqlite import conditions, lookup

if TYPE_CHECKING:
    from recollect.store.sqlite.projects import ProjectTable
    from recollect.store.sqlite.sessions import SessionTable

SIGHTING = "SELECT path, digest FROM sightings WHERE uid = ? AND root = ? AND presence = 'seen'"
PRESENT = "FROM sightings WHERE root = ? AND presence <> 'absent'"
SHORTEST_AGE = f"SELECT min(CASE presence WHEN 'seen' THEN seen_ns - mtime_ns ELSE -1 END) {PRESENT}"
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
KNOWN = """
SELECT kind, count(*) FROM memories
WHERE project IN (?1, 'global') AND status = 'active' AND kind <> 'turn_summary' AND (expires IS NULL OR expires > ?2)
GROUP BY kind ORDER BY 2 DESC, kind
"""
PENDING = """
SELECT count(*) FROM memories
WHERE id IN (SELECT rowid FROM memory_words WHERE memory_words MATCH 'tags : pending')
    AND project IN (?1, 'global') AND status = 'active' AND (expires IS NULL OR expires > ?2)
    AND instr(char(10) || tags || char(10), char(10) || 'pending' || char(10))
"""
LAST_SESSION = "SELECT id, client, prompts, seen FROM sessions WHERE project = ? ORDER BY seen DESC LIMIT 1"
LAST_RECEIPT = """
SELECT id, at, event, session, (
    SELECT group_concat(value ->> '$.title', char(10)) FROM json_each(candidates) WHERE value ->> '$.verdict' = 'shown'
)
FROM receipts WHERE project = ? AND shown <> '[]' ORDER BY at DESC LIMIT 1
"""


class LastSession(NamedTuple):
    """The session of a project that was seen last."""

    id: str
    client: str
    prompts: int
    seen: float


class LastReceipt(NamedTuple):
    """What an agent was told last in a project."""

    id: str
    at: float
    event: str
    session: str
    titles: tuple[str, ...]


class SightingRow(NamedTuple):
    """The vault file of a memory, as it was last seen."""

    path: str
    digest: str


class VerdictRow(NamedTuple):
    """The verdict on a memory that names code, and where it was found."""

    verdict: Verdict
    branch: str
    head: str
    at: float


class MemoryReader(StoreReader):
    """A StoreReader that also reads memories by name."""

    __slots__ = ()

    @property
    def projects(self) -> "ProjectTable":
        """The projects and their checkouts."""
        table: ProjectTable = load("recollect.store.sqlite.projects").ProjectTable(self._ask)
        return table

    @property
    def sessions(self) -> "SessionTable":
        """What clients sent and were shown."""
        table: SessionTable = load("recollect.store.sqlite.sessions").SessionTable(self._ask)
        return table

    def setting(self, name: str) -> str | None:
        """Return a small value that the store remembers by name; None if there is none."""
        found = rows(self._db, "SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0][0]) if found else None

    def resolve(self, project: str, name: str) -> list[tuple[dict[str, Any], str]]:
        """Return the memories that a name may mean, as their JSON images, each with its revision."""
        found = lookup.resolve(self._ask, project, name)
        return [(json.loads(row[0]), str(row[1])) for row in found]

    def slugs(self, project: str, prefix: str) -> list[str]:
        """Return the slugs of active memories that begin with a text, the newest first; turns are left out."""
        return [str(row[0]) for row in rows(self._db, SLUGS, (project, prefix, MOST_COMPLETIONS))]

    def session_ids(self, project: str, prefix: str) -> list[str]:
        """Return the ids of sessions that begin with a text and left memories, the newest first."""
        return [str(row[0]) for row in rows(self._db, SESSIONS, (project, prefix, MOST_COMPLETIONS))]

    def _ask(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
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

    def known(self, project: str, now: float) -> tuple[dict[str, int], int]:
        """Return how many active memories a project has of each kind without turns, and how many are pending."""
        kinds = {str(kind): int(number) for kind, number in rows(self._db, KNOWN, (project, now))}
        return kinds, int(value(self._db, PENDING, (project, now)))

    def last_session(self, project: str) -> LastSession | None:
        """Return the session of a project that was seen last; None if there was none."""
        found = rows(self._db, LAST_SESSION, (project,))
        return LastSession(*found[0]) if found else None

    def last_receipt(self, project: str) -> LastReceipt | None:
        """Return what an agent was told last in a project; None if nothing was."""
        found = rows(self._db, LAST_RECEIPT, (project,))
        if not found:
            return None
        id, at, event, session, titles = found[0]
        return LastReceipt(id, at, event, session, tuple((titles or "").splitlines()))

    def short_session(self, session: str) -> str:
        """Return a short name for a session, which `sessions_named` takes."""
        return lookup.short_session(self._ask, session)

    def perhaps_replaced(self, project: str, now: float) -> dict[str, str]:
        """Return the uids of memories that a newer one may have replaced, each with the title of the newer one."""
        known = links.links(self._db, project, now)
        return {
            link.older: link.newer_title for link in known if link.relation == links.MAY_REPLACE and not link.is_pending
        }

    def stale_reasons(self, uids: list[str], branch: str) -> dict[str, str]:
        """Return what is gone of the code that memories name, on a branch, by uid."""
        return verdicts.stale_reasons(self._db, uids, branch)

    def verdict_of(self, uid: str) -> VerdictRow | None:
        """Return the verdict on a memory; None without one."""
        found = verdicts.of_uid(self._db, uid)
        return _verdict(found) if found else None

    def sighting(self, root: str, uid: str) -> SightingRow | None:
        """Return the file of a memory in a checkout; None if none was seen."""
        found = rows(self._db, SIGHTING, (uid, root))
        return SightingRow(*found[0]) if found else None

    def seen_files(self, root: str) -> "set[tuple[str, int, int]]":
        """Return path, size and time in nanoseconds of every vault file that is known in a checkout."""
        return set(rows(self._db, f"SELECT path, size, mtime_ns {PRESENT}", (root,)))

    def shortest_age_ns(self, root: str) -> int:
        """Return how old the youngest file of a checkout was when it was seen; -1 if one was not seen as it is."""
        found = value(self._db, SHORTEST_AGE, (root,))
        return -1 if found is None else int(found)

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


def _verdict(row: tuple[Any, ...]) -> VerdictRow:
    state, says, doubts, findings, branch, head, at = row
    found = tuple(Finding(*parts) for parts in json.loads(findings))
    return VerdictRow(Verdict(state, says, found, tuple(doubts.splitlines())), branch, head, at)


def _listed(row: tuple[Any, ...]) -> ListedMemory:
    uid, kind, slug, status, project, title, created, is_pinned, is_pending, anchors, _ = row
    files = tuple(str(anchor["path"]) for anchor in json.loads(anchors or "[]"))
    return ListedMemory(uid, kind, slug, status, project, title, created, bool(is_pinned), bool(is_pending), files)
