"""Which client wrote a transcript, and its records as hook events."""

import re
from collections.abc import Iterator, Sequence
from types import ModuleType

from recollect.formats.transcripts import claude_code, codex, gemini
from recollect.formats.transcripts.events import HookEvent, Record, Setting, Transcript, parse_object, records

CLIENTS: dict[str, ModuleType] = {module.CLIENT: module for module in (codex, gemini, claude_code)}
SESSION_ID = re.compile(r"[A-Za-z0-9_.:@+-]{1,200}")
LONGEST_DOCUMENT = 100_000_000
"""Bytes; a longer JSON document is not read."""


def read(lines: Sequence[bytes]) -> Transcript | None:
    """Return the transcript that these lines hold; None where no client is known to write such a file."""
    found = tuple(records(lines))
    if not found and lines and lines[0].strip() == b"{":  # a document of many lines
        whole = parse_object(b"".join(lines), LONGEST_DOCUMENT)
        found = (Record(0, whole),) if whole else ()
    for module in CLIENTS.values():
        transcript: Transcript | None = module.read(found)
        if transcript and SESSION_ID.fullmatch(transcript.session):
            return transcript
    return None


def events(transcript: Transcript, setting: Setting) -> Iterator[HookEvent]:
    """Yield the hook events that the client would have sent, in order; each names what was written by then."""
    yield from CLIENTS[transcript.client].events(transcript, setting)
