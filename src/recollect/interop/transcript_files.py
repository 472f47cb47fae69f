"""Transcripts on disk: find them, read them, and grow a copy as far as it was written at each event."""

import itertools
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recollect import foreign_files, machine
from recollect.errors import UnreadableFile
from recollect.formats.transcripts import claude_code, clients
from recollect.formats.transcripts import events as transcript_events
from recollect.formats.transcripts.events import Setting, Transcript
from recollect.lazy import load

ENDINGS = (".jsonl", ".jsonl.xz", ".json")
SUBAGENTS = "subagents"
# Files that lie beside transcripts and are none: the list of sessions, and labels.
NOT_TRANSCRIPTS = ("sessions.json", "captures.jsonl", "injections.jsonl", "should_be_known.jsonl")
MOST_BYTES = 400_000_000
"""A longer file is not read: sessions of many days have some 50 MB."""
MOST_FOLDERS = 20_000
FIRST_LINES = 200
"""So many lines are read to find out whose session a file holds."""


@dataclass(frozen=True, slots=True)
class SessionFile:
    """What the beginning of a transcript says."""

    path: Path
    client: str
    session: str
    folder: str
    started: str
    is_subagent: bool


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A transcript with its file and its lines."""

    path: Path
    lines: list[bytes]
    transcript: Transcript

    @property
    def name(self) -> str:
        """The session's id."""
        return self.transcript.session

    def named(self, session: str) -> "RecordedSession":
        """Return the session with another id."""
        return self.with_transcript(replace(self.transcript, session=session))

    def with_transcript(self, transcript: Transcript) -> "RecordedSession":
        """Return the session with other records."""
        return replace(self, transcript=transcript)

    def without_copies(self, seen: set[str]) -> "RecordedSession":
        """Return the session without records that an earlier one holds too; `seen` gets the ids of its own."""
        if self.transcript.client != claude_code.CLIENT:
            return self
        return self.with_transcript(claude_code.without_copies(self.transcript, seen))

    def moved_to(self, folder: str) -> "RecordedSession":
        """Return the session as if it had run in another folder: its own is replaced wherever it is named.

        The lines are read again: other changes to the session come after this one.
        """
        before, after = (json.dumps(path, ensure_ascii=False)[1:-1].encode() for path in (self.folder, folder))
        if not before or before == after:
            return self
        lines = [line.replace(before, after) for line in self.lines]
        moved = clients.read(lines)
        return replace(self, lines=lines, transcript=_with_subagents(moved, self.path)) if moved else self

    @property
    def folder(self) -> str:
        """The folder that the session ran in; empty where that is not known."""
        return self.transcript.folder


def find(folder: Path) -> list[Path]:
    """Return the files of a folder, and of those below it, that may be transcripts of sessions, sorted.

    Links are not followed, and files of subagents are left out: they belong to the session that started them.
    """
    found: list[Path] = []
    for number, (place, folders, names) in enumerate(os.walk(folder)):
        if number >= MOST_FOLDERS:
            raise UnreadableFile(f"holds more than {MOST_FOLDERS:,} folders", target=folder)
        folders[:] = sorted(name for name in folders if name != SUBAGENTS)
        fitting = [name for name in names if name.endswith(ENDINGS) and name not in NOT_TRANSCRIPTS]
        found += [Path(place) / name for name in fitting]
    return sorted(found)


def look(path: Path) -> SessionFile | None:
    """Return what the beginning of a file says of its session; None where no known client wrote it.

    Raises UnreadableFile as `read` does.
    """
    is_whole = path.suffix in (".json", ".xz")
    begin = clients.read(_lines(path) if is_whole else _lines(path, FIRST_LINES))
    if begin is None:
        return None
    return SessionFile(path, begin.client, begin.session, begin.folder, begin.started, begin.is_subagent)


def read(path: Path) -> RecordedSession | None:
    """Read the transcript of a file, with those of its subagents; None where it is none of a known client.

    Raises UnreadableFile where the file is too long, cannot be unpacked, or is no regular file.
    """
    lines = _lines(path)
    transcript = clients.read(lines)
    return RecordedSession(path, lines, _with_subagents(transcript, path)) if transcript else None


def _with_subagents(transcript: Transcript, path: Path) -> Transcript:
    """Return a transcript of Claude Code with the records of `<session>/subagents/*.jsonl`; any other as it is."""
    folder = path.with_name(path.name.partition(".")[0]) / SUBAGENTS
    if transcript.client != claude_code.CLIENT or not folder.is_dir():
        return transcript
    others = [tuple(transcript_events.records(_lines(other))) for other in sorted(folder.glob("*.jsonl"))]
    return claude_code.with_subagents(transcript, others)


def _lines(path: Path, most: int | None = None) -> list[bytes]:
    """Return the first lines of a file, all of them without `most`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableFile(f"has more than {MOST_BYTES:,} bytes", target=path)
        if path.suffix == ".xz":
            return _unpacked(path).splitlines(keepends=True)
        found = foreign_files.lines(str(path), most_line_bytes=transcript_events.LONGEST_LINE)
        return list(itertools.islice(found, most))
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {foreign_files.why(error)}", target=path) from None


def _unpacked(path: Path) -> bytes:
    """Return what an .xz file holds; raises UnreadableFile where it is damaged, or longer than MOST_BYTES."""
    lzma: Any = load("lzma")
    try:
        unpacking = lzma.LZMADecompressor(memlimit=MOST_BYTES)
        packed = foreign_files.read(str(path), most_bytes=MOST_BYTES)
        data: bytes = unpacking.decompress(packed, max_length=MOST_BYTES)
    except lzma.LZMAError as error:
        raise UnreadableFile(f"cannot be unpacked: {error}", target=path) from None
    if not unpacking.eof:
        raise UnreadableFile(f"is cut off, or unpacks to more than {MOST_BYTES:,} bytes", target=path)
    return data


@dataclass(slots=True)
class GrowingCopy:
    """A copy of a transcript that holds what had been written when an event was sent.

    The pipeline reads the file that an event names: at the end of a turn it must not hold the turns after it.
    """

    path: Path
    lines: Sequence[bytes]
    written: int = 0

    def grow(self, lines: int) -> None:
        """Append the lines up to a number."""
        if lines <= self.written and self.path.exists():
            return
        machine.make_folder(self.path.parent)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, machine.FILE_MODE)
        with os.fdopen(descriptor, "ab") as file:
            file.writelines(self.lines[self.written : lines])
        self.written = max(self.written, lines)


def hook_events(session: RecordedSession, copy: Path) -> Iterator[transcript_events.HookEvent]:
    """Yield the hook events of a session; they name `copy` as its transcript, and the session's own folder."""
    yield from clients.events(session.transcript, Setting(session.name, session.folder, str(copy)))
