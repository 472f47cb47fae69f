"""Trim a log of records, oldest first, and find records that contradict each other or are stale (C5, C6)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.formats import memory_log
from recollect.formats.memory_log import Line
from recollect.model import clock
from recollect.model.clock import age_days
from recollect.model.kinds import Kinds
from recollect.model.memory import Memory

STALE_DAYS = 120
MERGED, MERGED_SESSION = "compaction", "system"
"""Kind and session of a record into which others were merged (C17)."""


def trimmed(source: str, *, max_records: int, max_chars: int, spared: Collection[str] = ()) -> tuple[str, list[str]]:
    """Return the log within its limits (0 is no limit), and the lines that were removed.

    The oldest records go first, the newest never does; a merged record stands first and is as old as its time says. The
    header and lines that are no records stay.
    """
    lines = memory_log.lines(source)
    records = [position for position, line in enumerate(lines) if line.memory]
    size = len(source)
    gone: list[int] = []
    for position in _oldest_first(lines, records)[: max(0, len(records) - 1)]:
        is_over = (max_records and len(records) - len(gone) > max_records) or (max_chars and size > max_chars)
        if not is_over:
            break
        if _uid(lines[position]) in spared:
            continue
        gone.append(position)
        size -= len(lines[position].text) + 1
    kept = "\n".join(line.text for position, line in enumerate(lines) if position not in set(gone))
    return kept, [lines[position].text.strip() for position in gone]


def _oldest_first(lines: Sequence[Line], records: Sequence[int]) -> list[int]:
    """Return the positions of records in the order in which they were written; the last line stays the last."""
    plain = [position for position in records if not _is_merged(lines[position])]
    ordered = list(plain)
    for merged in (position for position in records if position not in set(plain)):
        later = (number for number, other in enumerate(ordered) if _seconds(lines[other]) > _seconds(lines[merged]))
        ordered.insert(next(later, max(0, len(ordered) - 1)), merged)
    return ordered


def _is_merged(line: Line) -> bool:
    return line.memory is not None and line.memory.kind == MERGED and line.memory.session == MERGED_SESSION


def _seconds(line: Line) -> float:
    return (clock.seconds(line.memory.created_at) or 0.0) if line.memory else 0.0


def _uid(line: Line) -> str:
    return line.memory.uid if line.memory else ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one record that a person should review."""

    uid: str
    category: str
    says: str


def scan(records: Sequence[Memory], kinds: Kinds, now: datetime) -> list[Finding]:
    """Return records that differ from the first one of their session and category, and those over 120 days old (C5)."""
    first: dict[tuple[str, str], Memory] = {}
    found: list[Finding] = []
    for record in records:
        category = memory_log.category(record)
        known = first.setdefault((record.session or "", category), record)
        if known.text != record.text and _is_singular(category, kinds):
            found.append(
                Finding(record.uid, category, f"Potential contradiction with {known.uid} in category {category}")
            )
        age = age_days(record.created_at, now)
        if age is not None and age > STALE_DAYS:
            found.append(Finding(record.uid, category, f"Stale memory record older than {STALE_DAYS} days"))
    return found


def _is_singular(category: str, kinds: Kinds) -> bool:
    """Whether a category has one value per session: the user's own do, among built-in kinds the table decides."""
    kind = kinds.get(category.replace("-", "_"))
    return kind is None or kind.singular


def stray(lines: Sequence[Line]) -> list[int]:
    """Return the line numbers of bullets that are no records: hand-written ones, or broken records."""
    return [line.number for line in lines if line.memory is None and line.text.strip().startswith("- ")]
