"""A noted event, read back from the inbox."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect.clients.base import Dialect
from recollect.errors import BadInput
from recollect.hooks import inbox
from recollect.hooks.event import load_dialect
from recollect.model import clock, text
from recollect.policy.secrets import detector

DEEP = 40


@dataclass(frozen=True, slots=True)
class InboxEvent:
    """What a client sent, when, and what it was told."""

    file: str
    dialect: Dialect
    native: str
    event: str
    at: float
    said: Mapping[str, Any]
    receipt: Mapping[str, Any] = field(default_factory=dict)
    launcher: str = ""

    def __getitem__(self, name: str) -> str:
        """One of our fields of the client's JSON; empty where it is missing."""
        is_detail = name not in self.dialect.FIELDS
        for path in self.dialect.DETAILS[name] if is_detail else self.dialect.FIELDS[name]:
            value = _at(self.said, path)
            if isinstance(value, str) and (value or not is_detail):
                return text.storable(value)
            if value is True:
                return "true"
        return ""

    @property
    def session(self) -> str:
        """The client's name for the session."""
        return self["session"] or self.launcher or "unnamed"

    @property
    def counted_as(self) -> str:
        """What a session is counted by: the launcher's id, else the client's (A27)."""
        return self.launcher or self.session

    @property
    def key(self) -> str:
        """What tells it from every other event; the same one fired twice has the same key."""
        told = self["call"] or self["turn"]
        if not told or self.event in ("SessionStarted", "SessionEnded", "CompactionStarting"):
            return self.file.partition(inbox.ENDING)[0]
        # A turn may end more than once: the client goes on after a stop that was refused.
        ending = text.sha256(self["answer"])[:12] if self.event == "TurnEnded" else ""
        return "/".join((self.session, self.event, self["agent"], told, ending))


def _at(said: object, path: str) -> object:
    """What a path leads to; `name[0]` is the first of a list."""
    for part in path.split("."):
        name, is_first, _ = part.partition("[0]")
        said = said.get(name) if isinstance(said, dict) else None
        if is_first:
            said = said[0] if isinstance(said, list) and said else None
    return said


def _without_readings(said: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """An event without what was merely read, searched or fetched: that is somebody else's, and can be read again."""
    looks = (*dialect.READING, *dialect.SEARCHING, *dialect.WEB)
    tool = next((said.get(path) for path in dialect.FIELDS["tool"]), None)
    if tool not in looks:
        return said
    answers = {path.partition(".")[0].partition("[")[0] for path in dialect.DETAILS["output"]}
    return {name: value for name, value in said.items() if name not in answers}


def _bare(value: object, removed: list[str], depth: int = 0) -> object:
    """A value without credentials that the hook has missed; before anything is cut: half of one is not known.

    What was taken out is added to `removed`, in lower case.
    """
    if isinstance(value, str):
        return _redacted(text.storable(value), removed)
    if depth > DEEP:
        return None
    if isinstance(value, dict):
        return {
            _redacted(text.storable(str(name)), removed): _bare(part, removed, depth + 1)
            for name, part in value.items()
        }
    return [_bare(part, removed, depth + 1) for part in value] if isinstance(value, list) else value


def _redacted(said: str, removed: list[str]) -> str:
    bare = detector.redact(said)
    if bare is not said:
        removed += [said[found.start : found.end].lower() for found in detector.find(said)]
    return bare


def _without_words(receipt: dict[str, Any], removed: list[str]) -> dict[str, Any]:
    """A receipt without the words of the question that were parts of credentials the hook has missed."""
    if not removed or not isinstance(receipt.get("words"), dict):
        return receipt

    def is_kept(word: object) -> bool:
        return not any(str(word).lower() in value for value in removed)

    candidates = [
        {**candidate, "matched": [word for word in candidate["matched"] if is_kept(word)]}
        if isinstance(candidate.get("matched"), list)
        else candidate
        for candidate in receipt.get("candidates", [])
    ]
    words = {word: worth for word, worth in receipt["words"].items() if is_kept(word)}
    return {**receipt, "words": words, "candidates": candidates}


def read(place: Path, now: float) -> InboxEvent:
    """An event from its file; one that cannot be read is refused."""
    try:
        (client, native, set_to, launcher), receipt, raw = inbox.split(place.read_bytes())
        dialect = load_dialect(client)
        said = json.loads(raw.decode("utf-8", "replace"))
        told = json.loads(receipt) if receipt else {}
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the event cannot be read: {error}", target=place.name) from None
    if not isinstance(said, dict) or not isinstance(told, dict):
        raise BadInput("the event is no JSON object", target=place.name)
    removed: list[str] = []
    said = {str(text.storable(name)): _bare(value, removed) for name, value in _without_readings(said, dialect).items()}
    told = _without_words(told, removed)
    at = min(clock.seconds(set_to) or inbox.moment(place.name), now)  # a clock may have jumped ahead
    event = dialect.EVENTS.get(native or str(said.get("hook_event_name")), "")
    return InboxEvent(place.name, dialect, native, event, at, said, told, launcher)
