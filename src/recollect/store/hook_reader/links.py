"""Links between memories as hooks and recall read them. Import-light."""

from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import SHOWN_SENSITIVITIES
from recollect.store.hook_reader.connection import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recollect.store.hook_reader.connection import apsw

MAY_REPLACE, EXCEPTION_TO = "may_replace", "exception_to"
BEFORE, EXCEPT, RULE, PERHAPS = "before: ", "except: ", "rule: ", "perhaps now: "
REPLACED = "a newer memory may have replaced it"
"""The verdict of a memory that is told only as "before" of a newer one."""
_SHOWN = "', '".join(SHOWN_SENSITIVITIES)
# CROSS JOIN keeps this order: the planner would compare each linked memory with all memories of the project.
LINKED = """
FROM memories AS newer CROSS JOIN json_each(newer.image, '$.links') AS link
CROSS JOIN memories AS older ON older.uid = link.value ->> '$.uid'
WHERE json_valid(newer.image) AND newer.image ->> '$.links' IS NOT NULL AND newer.status = 'active'
"""
LINKS = f"""
SELECT link.value ->> '$.relation', newer.id, newer.uid, newer.title, older.uid, older.title,
    instr(char(10) || newer.tags || char(10), char(10) || 'pending' || char(10)) {LINKED}
    AND newer.project IN (?1, 'global') AND older.project IN (?1, 'global') AND older.status = 'active'
    AND (newer.expires IS NULL OR newer.expires > ?2) AND (older.expires IS NULL OR older.expires > ?2)
    AND newer.sensitivity IN ('{_SHOWN}') AND older.sensitivity IN ('{_SHOWN}')
ORDER BY newer.created
"""
SUPERSEDED = f"""
SELECT older.uid, older.title, newer.title, unixepoch(older.image ->> '$.closed_at') AS at {LINKED}
    AND newer.project = ?1 AND link.value ->> '$.relation' = 'replaces' AND older.status = 'retired' AND at >= ?2
    AND newer.sensitivity IN ('{_SHOWN}') AND older.sensitivity IN ('{_SHOWN}')
ORDER BY at DESC LIMIT 10
"""


class LinkRow:
    """An active memory that may replace an older active one, or names an exception to it."""

    __slots__ = ("is_pending", "newer", "newer_id", "newer_title", "older", "older_title", "relation")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.relation, self.newer_id, self.newer, self.newer_title, self.older, self.older_title = row[:6]
        self.is_pending = bool(row[6])
        """Whether the newer memory waits for a review: it hides nothing."""


class SupersededRow:
    """A memory that another one replaced."""

    __slots__ = ("at", "new_title", "old_title", "uid")

    def __init__(self, uid: str, old_title: str, new_title: str, at: float) -> None:
        self.uid, self.old_title, self.new_title, self.at = uid, old_title, new_title, at


def links(db: "apsw.Connection", project: str, now: float) -> list[LinkRow]:
    """Return the links of a project's memories, and of global ones, oldest first."""
    return [LinkRow(row) for row in rows(db, LINKS, (project, now))]


def superseded_since(db: "apsw.Connection", project: str, at: float) -> "list[SupersededRow]":
    """Return the memories of a project that another one replaced since a time in seconds, the newest first."""
    return [SupersededRow(*row) for row in rows(db, SUPERSEDED, (project, at))]


def apply(
    found: list[FoundMemory], known: list[LinkRow], read: "Callable[[int], FoundMemory | None]"
) -> list[FoundMemory]:
    """Return found memories with notes about linked ones.

    A memory that was possibly replaced gets the verdict REPLACED; the newer one is read where it was not found, and
    takes its place with its rating.
    """
    for link in known:
        by_uid = {memory.uid: memory for memory in found}
        newer, older = by_uid.get(link.newer), by_uid.get(link.older)
        if link.relation == EXCEPTION_TO:
            if older:
                older.notes.append(EXCEPT + link.newer_title)
            if newer and not older:
                newer.notes.append(RULE + link.older_title)
        elif link.relation == MAY_REPLACE and link.is_pending:
            if older:
                older.notes.append(PERHAPS + link.newer_title)
        elif link.relation == MAY_REPLACE and (newer or older):
            found = _replaced(found, newer, older, link, read)
    return found


def _replaced(
    found: list[FoundMemory],
    newer: FoundMemory | None,
    older: FoundMemory | None,
    link: LinkRow,
    read: "Callable[[int], FoundMemory | None]",
) -> list[FoundMemory]:
    if older and newer is None:
        newer = read(link.newer_id)
        if newer is None:
            return found
        newer.rated(older)
        place = found.index(older)
        found = [*found[:place], newer, *found[place:]]
    if newer:
        newer.notes.append(BEFORE + link.older_title)
        if older:
            newer.verdict = newer.verdict and older.verdict
            older.verdict = REPLACED
    return found
