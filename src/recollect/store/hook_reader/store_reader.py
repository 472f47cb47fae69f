"""The store as hooks read it: checkouts, settings, sessions and the memories of a session start. Import-light."""

import os

from recollect.lazy import load
from recollect.model.found_memory import FoundMemory
from recollect.store.hook_reader import links, verdicts
from recollect.store.hook_reader.columns import IS_SHOWN_SENSITIVITY, SELECTED
from recollect.store.hook_reader.connection import SCHEMA, open_connection, rows, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.store.hook_reader.connection import apsw
    from recollect.store.hook_reader.recall_source import SqliteRecallSource

SNAPSHOT = "hook:"
"""Prefix of the settings that `setup/hook_settings.py` leaves for hooks, per checkout."""
OFF_FOLDER, OFF_SESSION = "off:folder:", "off:session:"
# The store's own ProjectTable uses these two as well.
CANONICAL = """
SELECT stands_for FROM aliases WHERE project = ?1 UNION ALL
SELECT project FROM checkouts WHERE project = ?1 UNION ALL
SELECT project FROM memories WHERE project = ?1 LIMIT 1
"""
# Of the memories one row a project is read, through the index: imported ones may have a project without a checkout.
ROOT_NAMES = """
WITH RECURSIVE of_memories(name) AS (
    SELECT min(project) FROM memories WHERE project > 'root:' AND project < 'root;' UNION ALL
    SELECT (SELECT min(project) FROM memories WHERE project > name AND project < 'root;')
    FROM of_memories WHERE name IS NOT NULL
)
SELECT name FROM of_memories WHERE name IS NOT NULL
UNION SELECT project FROM aliases WHERE project LIKE 'root:%'
UNION SELECT project FROM checkouts WHERE project LIKE 'root:%'
ORDER BY 1 LIMIT 1000
"""
REMOTES_FROM = 8  # the version of the store that has the remotes of checkouts
CHECKOUTS = "SELECT root, project, clone, unproven, root_commit, {remote} FROM checkouts ORDER BY root"
COMMITS = "SELECT commit_id, is_root FROM project_commits WHERE project = ? ORDER BY seen DESC"
CONTENT = """
SELECT part.key, CASE part.type
    WHEN 'array' THEN (SELECT group_concat(coalesce(atom, value), '; ') FROM json_each(part.value))
    WHEN 'object' THEN '' ELSE part.atom END
FROM memories, json_each(image, '$.content') AS part WHERE uid = ?
"""
SHOWN = f"status = 'active' AND (expires IS NULL OR expires > ?2) AND {IS_SHOWN_SENSITIVITY}"
STRONG = "coalesce(image->>'$.content.strength', '') = 'strong'"
# A kind at a time and a project at a time, so that the index gives the newest without looking at the rest.
NEWEST_OF_KIND = f"""
SELECT {SELECTED}, {STRONG} FROM memories
WHERE project = ?1 AND {SHOWN} AND kind = ?3 ORDER BY updated DESC LIMIT ?4
"""
ALWAYS = f"""
SELECT {SELECTED}, {STRONG} FROM memories WHERE project = ?1 AND {SHOWN} AND pinned
UNION SELECT {SELECTED}, 1 FROM memories WHERE project = ?1 AND {SHOWN} AND kind = 'preference' AND {STRONG}
"""
RUNBOOK = f"project IN (?1, 'global') AND {SHOWN} AND kind = 'runbook'"
ANY_RUNBOOK = f"SELECT 1 FROM memories WHERE {RUNBOOK} LIMIT 1"
SIGNED = f"""
SELECT uid FROM memories WHERE {RUNBOOK}
    AND EXISTS (SELECT 1 FROM json_each(image, '$.keywords') WHERE value = ?3)
"""
LAST_PROMPT = "SELECT about FROM events WHERE session = ? AND name = 'PromptSubmitted' ORDER BY at DESC LIMIT 1"
FILES_IN_PLAY = """
SELECT DISTINCT path.value FROM (
    SELECT files_read, files_modified FROM events
    WHERE session = ? AND name IN ('ToolFinished', 'ToolFailed') ORDER BY at DESC LIMIT 30
) AS recent, json_each(json_array(recent.files_read, recent.files_modified)) AS both, json_each(both.value) AS path
"""
LAST_BOUNDARY = """
SELECT unixepoch(substr(object, 1, instr(object, ' ') - 1)) FROM facts
WHERE subject = ? AND predicate = 'boundary_at' ORDER BY object DESC LIMIT 1
"""
SHOWN_AT_START = """
SELECT DISTINCT value FROM receipts, json_each(receipts.shown)
WHERE receipts.session = ? AND event = 'SessionStarted'
"""
LAST_SESSION = "SELECT coalesce(max(started), 0) FROM sessions WHERE project = ? AND id <> ?"
# The first turn that may be shown of each of the last sessions (C23), through the index of sessions.
SESSION_TOPICS = f"""
WITH recent AS (
    SELECT id FROM sessions WHERE project = ?1 AND id <> ?3 ORDER BY started DESC LIMIT ?4
)
SELECT {SELECTED}, 0 FROM memories WHERE uid IN (
    SELECT (
        SELECT uid FROM memories WHERE session = recent.id AND project = ?1 AND kind = 'turn_summary' AND {SHOWN}
        ORDER BY created LIMIT 1
    ) FROM recent
) ORDER BY created DESC
"""
LOG_RECORD = """
SELECT CAST(?1->>'$.text' AS BLOB), CAST(?1->>'$.category' AS BLOB),
    coalesce(?1->>'$.provenance.sensitivity', 'unknown') WHERE json_valid(?1)
"""


class CheckoutRow:
    """A checkout that recollect has met."""

    __slots__ = ("clone", "project", "remote", "root", "root_commit", "unproven")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.root, self.project, self.clone = row[:3]
        self.unproven = row[3]
        """The project that its remote names, where that is not proven."""
        self.root_commit = row[4]
        """The first commit of its history; a word where that is not known."""
        self.remote = row[5]
        """The project that its remote named when it was last met; None where nobody looked."""


class CommitLists:
    """The commits with which clones of a project were seen: first commits, and others, the newest first."""

    __slots__ = ("others", "roots")

    def __init__(self, found: "list[Any]") -> None:
        self.roots = [str(row[0]) for row in found if row[1]]
        self.others = [str(row[0]) for row in found if not row[1]]


class LogRecord:
    """A record of the plain-text log (C2)."""

    __slots__ = ("category", "sensitivity", "text")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.text = bytes(row[0]).decode("utf-8", "replace") if row[0] is not None else None
        self.category = bytes(row[1] or b"").decode("utf-8", "replace")
        self.sensitivity = row[2]


class StoreReader:
    """A connection for reading, with a method for each question that hooks ask."""

    __slots__ = ("_db", "_links")

    def __init__(self, db: "apsw.Connection") -> None:
        self._db = db
        self._links: dict[str, list[links.LinkRow]] = {}

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    @property
    def is_current(self) -> bool:
        """Whether the tables are of this version; those of an older one lack what the last migrations add."""
        return int(value(self._db, "PRAGMA user_version")) == SCHEMA

    def recall_source(self) -> "SqliteRecallSource":
        """Return recall's view of the same connection."""
        source: SqliteRecallSource = load("recollect.store.hook_reader.recall_source").SqliteRecallSource(self._db)
        return source

    # -- project and settings ----------------------------------------------------------------------------------

    def checkouts(self) -> list[CheckoutRow]:
        """Return every checkout that is known."""
        has_remotes = int(value(self._db, "PRAGMA user_version")) >= REMOTES_FROM
        found = rows(self._db, CHECKOUTS.format(remote="remote" if has_remotes else "NULL"))
        return [CheckoutRow(row) for row in found]

    def canonical(self, name: str) -> str:
        """Return the name that a project's memories are kept under; empty for a project never met."""
        return str(value(self._db, CANONICAL, (name,)) or "")

    def root_names(self) -> list[str]:
        """Return the names of projects by their first commits, `root:` and the commit; a part follows behind `//`."""
        return [str(row[0]) for row in rows(self._db, ROOT_NAMES)]

    def commits(self, project: str) -> CommitLists:
        """Return the commits that clones of a project were seen with."""
        return CommitLists(rows(self._db, COMMITS, (project,)))

    def hook_settings(self, root: str) -> "dict[str, Any]":
        """Return the settings left for a checkout, else the user's own; empty where no program has left any."""
        best = "SELECT value FROM settings WHERE name IN (?1, ?2) ORDER BY length(name) DESC LIMIT 1"
        return dict(rows(self._db, f"SELECT key, atom FROM json_each(({best}))", (SNAPSHOT + root, SNAPSHOT)))

    def off_because(self, folder: str, session: str) -> str:
        """Return why agents have no memory in a folder or session; empty where they have."""
        folder = os.path.realpath(folder)
        names = [OFF_SESSION + session, OFF_FOLDER + folder]
        while os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
            names.append(OFF_FOLDER + folder)
        holes = ",".join("?" * len(names))
        found = value(self._db, f"SELECT name FROM settings WHERE name IN ({holes}) LIMIT 1", names)
        return f"{str(found).removeprefix('off:')} is switched off" if found else ""

    # -- memories ----------------------------------------------------------------------------------------------

    def content(self, uid: str) -> dict[str, str]:
        """Return the fields of a memory's content that are not empty, lists joined by semicolons."""
        return {str(name): str(said) for name, said in rows(self._db, CONTENT, (uid,)) if said}

    def always(self, project: str, now: float) -> list[tuple[FoundMemory, bool]]:
        """Return pinned memories and strong preferences of a project, each with whether it is strong."""
        return self._with_links(project, now, rows(self._db, ALWAYS, (project, now)))

    def newest_of_kind(self, project: str, now: float, kind: str, most: int) -> list[tuple[FoundMemory, bool]]:
        """Return up to `most` of the newest memories of a kind in a project, each with whether it is strong."""
        return self._with_links(project, now, rows(self._db, NEWEST_OF_KIND, (project, now, kind, most)))

    def _with_links(self, project: str, now: float, found: "list[Any]") -> list[tuple[FoundMemory, bool]]:
        """Return rows as memories with notes about linked ones, without what a newer one may have replaced."""
        if project not in self._links:
            self._links[project] = links.links(self._db, project, now)
        strong = {row[0]: bool(row[-1]) for row in found}
        known = self._links[project]
        memories = links.apply([FoundMemory(row[:-1]) for row in found], known, lambda _: None)
        replaced = {link.older for link in known if link.relation == links.MAY_REPLACE and not link.is_pending}
        return [(memory, strong[memory.uid]) for memory in memories if memory.uid not in replaced]

    def session_topics(self, project: str, now: float, session: str, most: int) -> list[tuple[FoundMemory, bool]]:
        """Return the first turn of each of the last `most` sessions of a project but this one, the newest first."""
        return self._with_links(project, now, rows(self._db, SESSION_TOPICS, (project, now, session, most)))

    def with_verdicts(self, found: list[FoundMemory], branch: str) -> None:
        """Give memories their verdicts of a branch, and notes about code that is gone or moved."""
        verdicts.annotate(self._db, found, branch)

    def superseded_since(self, project: str, at: float) -> "list[links.SupersededRow]":
        """Return the memories of a project that another one replaced since a time in seconds, the newest first."""
        return links.superseded_since(self._db, project, at)

    def has_runbooks(self, project: str, now: float) -> bool:
        """Return whether a runbook is visible in a project."""
        return bool(rows(self._db, ANY_RUNBOOK, (project, now)))

    def runbooks_signed(self, project: str, now: float, signature: str) -> set[str]:
        """Return the ids of the runbooks that were made of an error with this signature."""
        return {str(row[0]) for row in rows(self._db, SIGNED, (project, now, signature))}

    def current_rules(self, project: str, now: float, uids: list[str]) -> dict[str, str]:
        """Return the revisions of those memories that are still active, unexpired and visible in a project, by id."""
        holes = ",".join("?" * len(uids))
        sql = f"SELECT uid, revision FROM memories WHERE project IN (?1, 'global') AND {SHOWN} AND uid IN ({holes})"
        return dict(rows(self._db, sql, (project, now, *uids))) if uids else {}

    def vault_path(self, root: str, uid: str) -> str:
        """Return the path of a memory's file in a checkout; empty where it has none."""
        sql = "SELECT path FROM sightings WHERE root = ? AND uid = ? AND presence = 'seen' LIMIT 1"
        return str(value(self._db, sql, (root, uid)) or "")

    # -- sessions ----------------------------------------------------------------------------------------------

    def last_session_started(self, project: str, session: str) -> float:
        """Return when the last other session of a project started, in seconds; 0 where there was none."""
        return float(value(self._db, LAST_SESSION, (project, session)))

    def last_prompt(self, session: str) -> str:
        """Return what a session was asked last; empty where nothing is known."""
        return str(value(self._db, LAST_PROMPT, (session,)) or "")

    def files_in_play(self, session: str) -> tuple[str, ...]:
        """Return the files that a session's last 30 tool calls read or changed."""
        return tuple(str(row[0]) for row in rows(self._db, FILES_IN_PLAY, (session,)))

    def compacted_at(self, session: str) -> float:
        """Return when a session's context was last compacted, in seconds; 0 where it never was."""
        return float(value(self._db, "SELECT coalesce(max(compacted), 0) FROM sessions WHERE id = ?", (session,)))

    def last_boundary(self, session: str) -> float:
        """Return when a session's work last turned to something else, in seconds; 0 where it never did."""
        return float(value(self._db, LAST_BOUNDARY, (f"session:{session}",)) or 0)

    def shown_at_start(self, session: str) -> set[str]:
        """Return the ids of the memories that a session was told when it started."""
        return {str(row[0]) for row in rows(self._db, SHOWN_AT_START, (session,))}

    def log_record(self, said: str) -> LogRecord | None:
        """Parse a record of the log; None where it is no JSON object."""
        found = rows(self._db, LOG_RECORD, (said,))
        return LogRecord(found[0]) if found else None


def open_store(path: str) -> StoreReader:
    """Open the store for reading; raise Unready where there is none, or where another version wrote it."""
    return StoreReader(open_connection(path))
