"""Build a session's timeline for people: what was asked, run, edited, broken and kept, a line each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.model import text
from recollect.model.session_event import ANSWER, FAILED, PROMPT, SessionEvent
from recollect.policy.shell import commands, outputs

LINE_CHARS = 160
MOST_FILES = 4


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One line of a timeline: when (seconds since 1970), what (`asked`, `failed`, `edited`, …), and its text."""

    at: float
    what: str
    says: str


def build(events: Sequence[SessionEvent], titles: Mapping[str, str]) -> list[TimelineEntry]:
    """Return the lines of a session in order. `titles` has the titles of the memories that were filed, by uid."""
    entries: list[TimelineEntry] = []
    told: set[str] = set()
    edited: dict[str, None] = {}
    for event in events:
        entry = _entry(event)
        if event.files_modified:
            edited |= dict.fromkeys(event.files_modified)
        elif entry and edited:
            entries.append(_edits(event.at, edited))
            edited = {}
        entries += [entry] if entry else []
        if event.name == ANSWER:
            filed = dict.fromkeys(earlier.memory for earlier in events if earlier.at <= event.at)
            due = [uid for uid in filed if uid in titles and uid not in told]
            entries += [TimelineEntry(event.at, "kept", titles[uid]) for uid in due]
            told |= set(due)
    if edited:
        entries.append(_edits(events[-1].at, edited))
    return [*entries, *(TimelineEntry(events[-1].at, "kept", titles[uid]) for uid in titles if uid not in told)]


def _edits(at: float, files: Mapping[str, None]) -> TimelineEntry:
    more = f" and {len(files) - MOST_FILES} more" if len(files) > MOST_FILES else ""
    return TimelineEntry(at, "edited", ", ".join(list(files)[:MOST_FILES]) + more)


def _entry(event: SessionEvent) -> TimelineEntry | None:
    """Return the line of an event; None for what only looks around."""
    if event.name == PROMPT:
        return TimelineEntry(event.at, "asked", _line(event.about))
    if event.name == ANSWER:
        return TimelineEntry(event.at, "answered", _line(event.detail)) if event.detail else None
    if event.doing != "shell":
        return None
    does = commands.does(commands.read(event.about))
    if event.name == FAILED and does != "look":
        return TimelineEntry(
            event.at, "failed", _line(f"{event.about}: {(outputs.error_lines(event.detail) or [''])[0]}")
        )
    if does in ("commit", "release", "change"):
        return TimelineEntry(event.at, "did", _line(event.about))
    return TimelineEntry(event.at, "ran", _line(event.about)) if does == "check" else None


def _line(said: str) -> str:
    return text.cut(text.first_line(said), LINE_CHARS)
