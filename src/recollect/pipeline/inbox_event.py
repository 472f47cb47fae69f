"""An event of the inbox: what a client sent to a hook, read from its file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect.clients.base import Dialect
from recollect.errors import BadInput
from recollect.hooks import inbox
from recollect.hooks.event import load_dialect
from recollect.model import clock, text
from recollect.policy.secrets import detector

DEEPEST = 40
"""Values nested deeper than this are left out."""


@dataclass(frozen=True, slots=True)
class InboxEvent:
    """What a client sent, when, and what was injected in answer."""

    file: str
    """The name of its file in the inbox."""
    dialect: Dialect
    native: str
    """The client's name for the event."""
    name: str
    """Our name for the event; empty where it is not known."""
    at: float
    """When it was sent, in seconds since the epoch."""
    payload: Mapping[str, Any]
    """The client's JSON, without secrets."""
    receipt: Mapping[str, Any] = field(default_factory=dict)
    """What the hook injected, and why; empty where nothing was weighed."""
    launcher: str = ""
    """The session id of `recollect run`; empty without it."""
    is_past: bool = False
    """Whether it comes from a transcript of long ago, and no hook saw it."""

    def __getitem__(self, name: str) -> str:
        """Return one of our fields from the client's JSON; empty where it is missing."""
        is_detail = name not in self.dialect.FIELDS
        for path in self.dialect.DETAILS[name] if is_detail else self.dialect.FIELDS[name]:
            value = _at(self.payload, path)
            if isinstance(value, str) and (value or not is_detail):
                return text.storable(value)
            if value is True:
                return "true"
        return ""

    @property
    def session(self) -> str:
        """The client's id of the session; else the launcher's, else `unnamed`."""
        return self["session"] or self.launcher or "unnamed"

    @property
    def counted_as(self) -> str:
        """The id that a session is counted by: the launcher's, else the client's (A27)."""
        return self.launcher or self.session

    @property
    def key(self) -> str:
        """The id of the event; the same event sent twice has the same key."""
        call_or_turn = self["call"] or self["turn"]
        if not call_or_turn or self.name in ("SessionStarted", "SessionEnded", "CompactionStarting"):
            return self.file.partition(inbox.ENDING)[0]
        # A turn may end more than once: the client goes on after a stop that was refused.
        ending = text.sha256(self["answer"])[:12] if self.name == "TurnEnded" else ""
        return "/".join((self.session, self.name, self["agent"], call_or_turn, ending))


def _at(value: object, path: str) -> object:
    """Return the value at a dotted path; `name[0]` is the first item of a list. None where there is none."""
    for part in path.split("."):
        name, is_first, _ = part.partition("[0]")
        value = value.get(name) if isinstance(value, dict) else None
        if is_first:
            value = value[0] if isinstance(value, list) and value else None
    return value


def _without_readings(payload: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Return a payload without the output of reading, searching and fetching: others' text, which can be read again."""
    readers = (*dialect.READING, *dialect.SEARCHING, *dialect.WEB)
    tool = next((payload.get(path) for path in dialect.FIELDS["tool"]), None)
    if tool not in readers:
        return payload
    outputs = {path.partition(".")[0].partition("[")[0] for path in dialect.DETAILS["output"]}
    return {name: value for name, value in payload.items() if name not in outputs}


def _without_secrets(value: object, removed: list[str], depth: int = 0) -> object:
    """Return a JSON value without credentials that the hook has missed.

    This is done before anything is cut, because half a credential is not recognised. What was removed is added to
    `removed`, in lower case.
    """
    if isinstance(value, str):
        return _redacted(text.storable(value), removed)
    if depth > DEEPEST:
        return None
    if isinstance(value, dict):
        return {
            _redacted(text.storable(str(name)), removed): _without_secrets(part, removed, depth + 1)
            for name, part in value.items()
        }
    return [_without_secrets(part, removed, depth + 1) for part in value] if isinstance(value, list) else value


def _redacted(value: str, removed: list[str]) -> str:
    redacted = detector.redact(value)
    if redacted is not value:
        removed += [value[found.start : found.end].lower() for found in detector.find(value)]
    return redacted


def _without_words(receipt: dict[str, Any], removed: list[str]) -> dict[str, Any]:
    """Return a receipt without query words that were parts of removed credentials."""
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


def read(path: Path, now: float) -> InboxEvent:
    """Read an event from its file; its time is at most `now`. Raises BadInput where the file is no event."""
    try:
        file = inbox.parse(path.read_bytes())
        dialect = load_dialect(file.client)
        payload = json.loads(file.raw.decode("utf-8", "replace"))
        receipt = json.loads(file.receipt) if file.receipt else {}
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the event cannot be read: {error}", target=path.name) from None
    if not isinstance(payload, dict) or not isinstance(receipt, dict):
        raise BadInput("the event is no JSON object", target=path.name)
    at = min(clock.seconds(file.now) or inbox.moment(path.name), now)  # a clock may have jumped ahead
    event = screened(path.name, dialect, file.native, payload, at=at, receipt=receipt)
    return replace(event, launcher=file.launcher)


def screened(
    name: str, dialect: Dialect, native: str, payload: dict[str, Any], *, at: float,
    receipt: dict[str, Any] | None = None,
) -> InboxEvent:  # fmt: skip
    """Return the event of a client's JSON, without credentials and without the text that tools read."""
    removed: list[str] = []
    kept = _without_readings(payload, dialect)
    clean = {str(text.storable(name)): _without_secrets(value, removed) for name, value in kept.items()}
    return InboxEvent(
        file=name,
        dialect=dialect,
        native=native,
        name=dialect.EVENTS.get(native or str(clean.get("hook_event_name")), ""),
        at=at,
        payload=clean,
        receipt=_without_words(receipt or {}, removed),
    )
