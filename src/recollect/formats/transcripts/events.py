"""The values that every client's module works with: a transcript, its records, and the hook events made of them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.model import clock

Json = dict[str, Any]
LONGEST_LINE = 4_000_000
"""Bytes; a longer line is no message of a session."""


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object of a transcript, and the number of its line; 0 for one of a subagent's own file."""

    line: int
    data: Json

    @property
    def at(self) -> str:
        """When it was written, as ISO text; empty where the record does not say so."""
        return time_at(self.data, "timestamp")


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session as its client recorded it."""

    client: str
    session: str
    folder: str
    """The folder that the session ran in; empty where the transcript does not name it."""
    started: str
    """The time of its first record, as ISO text."""
    records: tuple[Record, ...]
    is_subagent: bool = False
    """Whether it is the file of a subagent, whose session is another one's part."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What every event of a replayed session says: its id, the folder, and the path of its transcript."""

    session: str
    folder: str
    transcript: str

    def fields(self, native: str) -> Json:
        """Return the fields that all clients send with every event."""
        return {
            "session_id": self.session,
            "transcript_path": self.transcript,
            "cwd": self.folder,
            "hook_event_name": native,
        }


@dataclass(frozen=True, slots=True)
class HookEvent:
    """What a client would have sent to its hooks, and when."""

    at: str
    native: str
    """The client's name of the event."""
    payload: Json
    lines: int
    """How many lines of the transcript had been written by then."""

    @property
    def seconds(self) -> float:
        """Return its time in seconds since 1970; 0 where the transcript has none."""
        return clock.seconds(self.at) or 0.0


def records(lines: Iterable[bytes]) -> Iterator[Record]:
    """Yield the JSON objects of a transcript; a line that is none, too long or too deep is left out."""
    for number, line in enumerate(lines, 1):
        found = parse_object(line)
        if found is not None:
            yield Record(number, found)


def parse_object(line: bytes, longest: int = LONGEST_LINE) -> Json | None:
    """Return the JSON object of a line; None where it is none, or has more than `longest` bytes."""
    if len(line) > longest or not line.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def object_at(value: object, *names: str) -> Json:
    """Return the object below some names; empty where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def text_at(value: object, *names: str) -> str:
    """Return the text below some names; empty where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def time_at(value: object, *names: str) -> str:
    """Return the ISO time below some names; empty where there is none."""
    said = text_at(value, *names)
    return said if clock.seconds(said) is not None else ""


def list_at(value: object, *names: str) -> list[Any]:
    """Return the list below some names; empty where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def joined_texts(content: object, types: Sequence[str] = ("text",)) -> str:
    """Return the text of a message: the content itself, or its blocks of these types, joined by line breaks."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(text_at(block, "text") for block in blocks if text_at(block, "type") in types)
