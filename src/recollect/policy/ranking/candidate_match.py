"""Which existing memory new information is about (B21, B31-B34)."""

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
    """The entry of this kind with the most points, ties by path; None below three points (B31)."""
    prompt = words(new_info)
    scored = [(points(prompt, entry.title, entry.tags), entry) for entry in entries if entry.label == kind.label]
    scored.sort(key=lambda found: (-found[0], found[1].path))
    return scored[0] if scored and scored[0][0] >= CANDIDATE_POINTS else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be done with new information, in seed 002's words."""

    delete_allowed: bool
    pre_action: str | None
    structural_cud: str
    vetoes: list[str]
    hints: list[str]


def judge(kind: Kind, event: str | None, score: int | None) -> Verdict:
    """The pre-classification and structural tables of seed 002 §4; `score` is None without a candidate."""
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
    """Nothing of this kind is captured by itself here: a drafter has nothing to do."""
    return replace(verdict, pre_action="NOOP", structural_cud="NOOP", vetoes=[f"auto_capture is off for {kind.name}"])


def excerpt(record: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """What a drafter needs to see of a candidate (B31, B32)."""
    changes = [one for one in _as(list, record.get("changes")) if isinstance(one, dict)]
    content = _as(dict, record.get("content"))
    return {
        "title": record.get("title", ""),
        "record_status": record.get("record_status", "active"),
        "tags": record.get("tags", []),
        "last_change_summary": changes[-1].get("summary", "") if changes else "Initial creation",
        "key_fields": {name: _quote(content[name]) for name in kind.key_fields if content.get(name)},
    }


def _as(shape: type[T], value: object) -> T:
    """A hand-made file may hold anything; what is of another shape says nothing."""
    return value if isinstance(value, shape) else shape()


def _quote(value: object) -> str:
    text = "; ".join(str(part) for part in value) if isinstance(value, list) else str(value)
    return text[:EXCERPT_CHARS]
