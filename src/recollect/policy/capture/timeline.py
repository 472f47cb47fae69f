"""A session's events as a story that a person reads in a minute: what was asked, tried, broken, repaired and kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.model import text
from recollect.model.session_event import ANSWER, FAILED, PROMPT, SessionEvent
from recollect.policy.shell import commands, outputs

LINE_CHARS = 160
MOST_FILES = 4


@dataclass(frozen=True, slots=True)
class Beat:
    """One thing of a story: when, what sort of thing, and what it says."""

    at: float
    what: str
    says: str


def tell(events: Sequence[SessionEvent], titles: Mapping[str, str]) -> list[Beat]:
    """The beats of a session in order; `titles` names the memories that events were filed in."""
    beats: list[Beat] = []
    told: set[str] = set()
    edited: dict[str, None] = {}
    for one in events:
        beat = _beat(one)
        if one.files_modified:
            edited |= dict.fromkeys(one.files_modified)
        elif beat and edited:
            beats.append(_edits(one.at, edited))
            edited = {}
        beats += [beat] if beat else []
        if one.name == ANSWER:
            filed = [uid for uid in dict.fromkeys(each.memory for each in events) if uid in titles and uid not in told]
            due = [uid for uid in filed if any(each.memory == uid and each.at <= one.at for each in events)]
            beats += [Beat(one.at, "kept", titles[uid]) for uid in due]
            told |= set(due)
    if edited:
        beats.append(_edits(events[-1].at, edited))
    return [*beats, *(Beat(events[-1].at, "kept", titles[uid]) for uid in titles if uid not in told)]


def _edits(at: float, files: Mapping[str, None]) -> Beat:
    more = f" and {len(files) - MOST_FILES} more" if len(files) > MOST_FILES else ""
    return Beat(at, "edited", ", ".join(list(files)[:MOST_FILES]) + more)


def _beat(one: SessionEvent) -> Beat | None:
    """What of an event belongs into a story; looking around does not."""
    if one.name == PROMPT:
        return Beat(one.at, "asked", _line(one.about))
    if one.name == ANSWER:
        return Beat(one.at, "answered", _line(one.detail)) if one.detail else None
    if one.doing != "shell":
        return None
    does = commands.does(commands.read(one.about))
    if one.name == FAILED and does != "look":
        return Beat(one.at, "failed", _line(f"{one.about}: {(outputs.error_lines(one.detail) or [''])[0]}"))
    if does in ("commit", "release", "change"):
        return Beat(one.at, "did", _line(one.about))
    return Beat(one.at, "ran", _line(one.about)) if does == "check" else None


def _line(said: str) -> str:
    return text.cut(text.first_line(said), LINE_CHARS)
