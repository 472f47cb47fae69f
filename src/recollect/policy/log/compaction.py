"""Merge old records of MEMORY.md into one record (C15-C19): which, into what, and whether nothing else was lost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.formats import memory_log
from recollect.formats.memory_log import Line
from recollect.model import clock, text
from recollect.model.content import Text
from recollect.model.kinds import Kinds
from recollect.model.memory import SHAREABLE, Memory
from recollect.policy.memories import log_trimming
from recollect.policy.secrets import screening

CATEGORIES = ("turn-summary", "note")
"""What may be merged (C15); learned, preferences, decisions, compactions and categories of one's own never are."""
KIND, SESSION = "compaction", "system"
TEXT_CHARS = 15_000
NO_FILE, UNDER, HELD, NOTHING = "no memory file", "under threshold", "lock held", "nothing to compact"


@dataclass(frozen=True, slots=True)
class Limits:
    """When records are merged."""

    min_age_days: int = 7
    max_records: int = 0
    """Only where the file has more records than this; 0: any number."""
    max_chars: int = 0
    """Only where the file has more characters than this; 0: any number."""

    @property
    def has_threshold(self) -> bool:
        """Whether a number of records or characters has to be exceeded."""
        return bool(self.max_records or self.max_chars)

    def are_exceeded(self, records: int, chars: int) -> bool:
        """Whether one of the thresholds is exceeded; where none is set, any record suffices."""
        is_over_records = bool(self.max_records) and records > self.max_records
        is_over_chars = bool(self.max_chars) and chars > self.max_chars
        return is_over_records or is_over_chars or not self.has_threshold


@dataclass(frozen=True, slots=True)
class Compaction:
    """What came of a run, or would (C16)."""

    ran: bool
    reason: str = ""
    records_before: int = 0
    records_after: int = 0
    records_compacted: int = 0
    long_memory_appended: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the result with CursorClaw's field names; without a reason where everything was done."""
        reason = {"reason": self.reason} if self.reason else {}
        return {
            "ran": self.ran, **reason, "recordsBefore": self.records_before, "recordsAfter": self.records_after,
            "recordsCompacted": self.records_compacted, "longMemoryAppended": self.long_memory_appended,
        }  # fmt: skip

    def __str__(self) -> str:
        """What was done, in a few words."""
        if not self.records_compacted:
            return self.reason or NOTHING
        noun = "record" if self.records_compacted == 1 else "records"
        return f"merged {self.records_compacted} {noun} of MEMORY.md, which has {self.records_after} now"


def in_scope(lines: Sequence[Line], limits: Limits, now: datetime) -> list[Line]:
    """Return the lines whose records may be merged: old enough, dated and shareable.

    A record that is personal, private, secret or of unknown sensitivity stays as it is: the merged one is readable for
    everybody (C19).
    """
    return [line for line in lines if line.memory and _is_in_scope(line.memory, limits.min_age_days, now)]


def _is_in_scope(record: Memory, min_age_days: int, now: datetime) -> bool:
    age = clock.age_days(record.created_at, now)
    is_old = age is not None and age > min_age_days
    return is_old and memory_log.category(record) in CATEGORIES and record.sensitivity in SHAREABLE


def merged_text(chosen: Sequence[Line]) -> str:
    """Return the texts of records, joined by blank lines, without credentials; cut where nothing more is kept."""
    texts = (line.memory.text.strip() for line in chosen if line.memory)
    whole = "\n\n".join(said for said in texts if said)
    return str(screening.deep(whole[: 2 * TEXT_CHARS]))[:TEXT_CHARS]  # looking for credentials takes long


def record(merged: str, chosen: Sequence[Line], *, project: str, now: datetime) -> Memory:
    """Return the record that stands for the merged ones (C17)."""
    title = text.cut(text.clean_line(text.first_line(merged)), text.TITLE_CHARS)
    stamp = clock.stamp(now)
    made = Memory(
        uid=text.new_uid(now),
        slug=text.slugify(f"log-{stamp[:10]}"),
        kind=KIND,
        title=title or f"Log up to {stamp[:10]}",
        content=Text(text=merged),
        project=project,
        session=SESSION,
        origin="assistant",
        channel=memory_log.SYSTEM,
        confidence=1.0,
        sensitivity="operational",
        derived_from=tuple(dict.fromkeys(line.memory.uid for line in chosen if line.memory)),
        created_at=stamp,
        updated_at=stamp,
    )
    return screening.memory(made).memory


def rewritten(lines: Sequence[Line], chosen: Sequence[Line], made: Memory) -> str:
    """Return MEMORY.md without the chosen lines, with the merged record before all others; other lines stay."""
    gone = {line.number for line in chosen}
    first = next(line for line in lines if line.memory)
    ending = "\r" if first.text.endswith("\r") else ""
    kept: list[str] = []
    for line in lines:
        if line.number == first.number:
            kept.append(memory_log.encode_line(made) + ending)
        if line.number not in gone:
            kept.append(line.text)
    return "\n".join(kept)


def problems(
    before: Sequence[Line], after: Sequence[Line], chosen: Sequence[Line], kinds: Kinds, now: datetime
) -> list[str]:
    """Return what is wrong with a rewritten MEMORY.md: records lost, none gone, or new findings of the scan (C18)."""
    gone = {line.number for line in chosen}
    kept = Counter(line.text for line in before if line.number not in gone)
    left = Counter(line.text for line in after)
    found = []
    if len(_records(after)) >= len(_records(before)) and len(chosen) > 1:
        found.append("the number of records did not fall")
    if not kept <= left:
        found.append("a line is gone that should stay")
    if _findings(after, kinds, now) - _findings(before, kinds, now):
        found.append("the scan has new findings")
    return found


def _records(lines: Sequence[Line]) -> list[Memory]:
    return [line.memory for line in lines if line.memory]


def _findings(lines: Sequence[Line], kinds: Kinds, now: datetime) -> set[tuple[str, str]]:
    return {(finding.uid, finding.category) for finding in log_trimming.scan(_records(lines), kinds, now)}
