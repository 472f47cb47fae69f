"""Which existing memory new information is about, and what a drafter may do with it (B21, B31-B34)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from recollect.formats.index_md import Entry
from recollect.model.kinds import Kind
from recollect.policy.ranking.keyword_points import points, words

T = TypeVar("T")
CANDIDATE_POINTS = 3
EXCERPT_CHARS = 200
LIFECYCLE_EVENTS = ("resolved", "removed", "reversed", "superseded", "deprecated")


def best(new_info: str, kind: Kind, entries: Iterable[Entry]) -> tuple[int, Entry] | None:
    """Return the points and the entry of this kind that has most, ties by path; None below three points (B31)."""
    prompt = words(new_info)
    scored = [(points(prompt, entry.title, entry.tags), entry) for entry in entries if entry.label == kind.label]
    scored.sort(key=lambda row: (-row[0], row[1].path))
    return scored[0] if scored and scored[0][0] >= CANDIDATE_POINTS else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a drafter may do with new information; the fields are those of seed 002."""

    delete_allowed: bool
    pre_action: str | None
    structural_cud: str
    vetoes: list[str]
    hints: list[str]


def judge(kind: Kind, event: str | None, score: int | None) -> Verdict:
    """Apply the pre-classification and structural tables of seed 002 §4; `score` is None without a candidate."""
    if score is None:
        action = "NOOP" if event else "CREATE"
        hints = [f"lifecycle_event={event} with no matching candidate; NOOP"] if event else []
        return Verdict(kind.deletable, action, action, [], hints)
    hints = [f"1 candidate found (score={score})"]
    if event and kind.deletable:
        hints.append(f"lifecycle_event={event} suggests DELETE if eligible")
    elif event:
        hints.append(f"lifecycle_event={event} present but DELETE disallowed; consider UPDATE")
    # B34: the veto forbids DELETE, the action that it names; UPDATE proceeds.
    vetoes = [] if kind.deletable else [f"Cannot DELETE {kind.name} (triage-initiated)"]
    return Verdict(kind.deletable, None, "UPDATE_OR_DELETE" if kind.deletable else "UPDATE", vetoes, hints)


def left_alone(verdict: Verdict, kind: Kind) -> Verdict:
    """Return the verdict for a kind that is not captured automatically: nothing to do."""
    return replace(verdict, pre_action="NOOP", structural_cud="NOOP", vetoes=[f"auto_capture is off for {kind.name}"])


def excerpt(record: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """Return the fields of a candidate that a drafter is shown (B31, B32)."""
    changes = [change for change in _as(list, record.get("changes")) if isinstance(change, dict)]
    content = _as(dict, record.get("content"))
    return {
        "title": record.get("title", ""),
        "record_status": record.get("record_status", "active"),
        "tags": record.get("tags", []),
        "last_change_summary": changes[-1].get("summary", "") if changes else "Initial creation",
        "key_fields": {name: _quote(content[name]) for name in kind.key_fields if content.get(name)},
    }


def _as(shape: type[T], value: object) -> T:
    """Return a value of the type, else an empty one: a file edited by hand may hold anything."""
    return value if isinstance(value, shape) else shape()


def _quote(value: object) -> str:
    text = "; ".join(str(part) for part in value) if isinstance(value, list) else str(value)
    return text[:EXCERPT_CHARS]
