"""Sections of the session start that come from plain files: `USER.md`, the log, its daily files (C7). Import-light."""

import os
import time

from recollect import foreign_files, hook_log
from recollect.hooks.event import Event
from recollect.hooks.redaction import redact
from recollect.policy.injection import untrusted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = foreign_files.TOLD_BYTES
LONG_CHARS = 8_000
DAY = 86_400
CUT = "[... truncated for length]"
SEPARATOR = "\n\n---\n\n"
BEGINNING_CHARS = 200
LEAST_CHARS = 80
"""Where less is left for a line, it is not told at all."""
READABLE = ("public", "operational", "private-user", "personal")


class Section:
    """A labelled text. Sections of rank 0 get space first."""

    __slots__ = ("label", "lines", "rank")

    def __init__(self, label: str, lines: list[str], rank: int) -> None:
        self.label, self.lines, self.rank = label, lines, rank

    def without(self, told: set[str]) -> "Section":
        """Return the section without the records whose texts are told elsewhere."""
        return Section(self.label, [line for line in self.lines if _text_of(line) not in told], self.rank)

    def noting(self, notes: dict[str, str]) -> "Section":
        """Return the section with a note behind each record, by its text, such as that its code is gone."""
        noted = [f"{line} ({notes[_text_of(line)]})" if _text_of(line) in notes else line for line in self.lines]
        return Section(self.label, noted, self.rank)


def about_user(event: Event) -> list[Section]:
    """Return the sections about the user: the person's own USER.md, then the project's."""
    sections = [Section("About the user (USER.md):", lines(event, "", os.path.join(event.home, "USER.md")), 0)]
    if _is_trusted(event):
        sections.append(
            Section("About the user (USER.md of this project):", lines(event, event.place.root, "USER.md"), 1)
        )
    return [section for section in sections if section.lines]


def logs(event: Event) -> list[Section]:
    """Return the sections of the log: long-term summary, MEMORY.md, today, yesterday; no record twice (C8)."""
    if not _is_trusted(event) or "log" not in str(event.place.settings["vault.layouts"]):
        return []
    root, sections, told = event.place.root, [], set[str]()
    if event.place.settings["inject.long_memory"]:
        path = str(event.place.settings.get("log.long_memory") or "LONGMEMORY.md")
        long = "\n".join(lines(event, root, path))
        sections.append(Section("Long-term summary (LONGMEMORY):", long[-LONG_CHARS:].splitlines(), 3))
    known = " ".join(" ".join(sections[0].lines).split()) if sections else ""
    kept = [line for line in lines(event, root, "MEMORY.md") if not _is_summary_of(line, known)]
    sections.append(Section("Long-term memory (MEMORY.md):", kept, 2))
    for rank, back in enumerate((0, DAY)):
        day = time.strftime("%Y-%m-%d", time.gmtime(event.now - back))
        sections.append(Section(f"Daily memory ({day}):", lines(event, root, f"memory/{day}.md"), rank))
    for section in sections:
        section.lines = [line for line in section.lines if line not in told or not line.startswith("- ")]
        told |= set(section.lines)
    return [section for section in sections if section.lines]


def _is_summary_of(line: str, known: str) -> bool:
    """Return whether a line is a merged record whose beginning the long-term summary tells already."""
    beginning = _text_of(line)[:BEGINNING_CHARS] if line.startswith("- [compaction] ") else ""
    return bool(beginning) and beginning in known


def _is_trusted(event: Event) -> bool:
    return bool(event.place.settings.get("trusted")) and bool(event.place.root)


def lines(event: Event, root: str, path: str) -> list[str]:
    """Return the lines of a file without secrets, orders, headings and records of other sensitivities (C8).

    A project's file has to lie below its `root`; the person's own may be a link to anywhere.
    """
    try:
        data = foreign_files.read(os.path.join(root, path), root=root, most_bytes=MOST_BYTES, tail=True)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        hook_log.write(event.home, "session start", f"not told: {foreign_files.why(error)}")
        return []
    # Half a line may be half a secret: of a file that is longer than what is read, the first line is left out.
    lines = redact(data).decode("utf-8-sig", "replace").split("\n")[1 if len(data) == MOST_BYTES else 0 :]
    said = [_record(event, line) if _is_record(line) else line for line in lines]
    shown = [line for line in said if line is not None and not line.startswith(("<!--", "# "))]
    text = untrusted_text.govern("\n".join(shown), trusted=True).strip()
    return untrusted_text.escape(text, trusted=True).split("\n") if text else []


def _is_record(line: str) -> bool:
    """Return whether a line is a bullet that holds a JSON object (C2), however it is indented."""
    bare = line.strip()
    return bare.startswith("- ") and bare[2:].lstrip().startswith("{")


def _record(event: Event, line: str) -> str | None:
    """Return a record of the log as text; None where its sensitivity does not allow it."""
    record = event.store.log_record(line.strip()[2:])
    if record is None or record.text is None or record.sensitivity not in READABLE:
        return None
    return f"- [{record.category}] {' '.join(record.text.split())}"


def fit(sections: list[Section], room: float, size: "Callable[[str], float]") -> list[str]:
    """Return the texts of sections in order. Where room is short the newest keep it, and each keeps its end (C8).

    `size` measures a text; room is in the same unit.
    """
    kept: dict[str, str] = {}
    for section in sorted(sections, key=lambda section: section.rank):
        text = _cut(section, room, size)
        if text:
            kept[section.label] = text
            room -= size(text) + len(SEPARATOR)
    return [kept[section.label] for section in sections if section.label in kept]


def _cut(section: Section, room: float, size: "Callable[[str], float]") -> str:
    if not section.lines:
        return ""
    whole = "\n".join([section.label, *section.lines])
    if size(whole) <= room:
        return whole
    spare, kept = room - size(section.label) - size(CUT) - 2, list[str]()
    for line in reversed(section.lines):
        spare -= size(line) + 1
        if spare < 0:
            break
        kept.insert(0, line)
    if kept:
        return "\n".join([section.label, CUT, *kept])
    last = section.lines[-1]
    most = room - size(section.label) - size(CUT) - 2
    if most <= LEAST_CHARS:
        return ""
    share = min(1.0, most / max(1, size(last)))  # a character may count for more than one
    return "\n".join([section.label, untrusted_text.cut_escaped(last, int(share * len(last)) - 1), CUT])


def records(sections: list[str]) -> set[str]:
    """Return the texts of the records in sections, escaped as they are shown."""
    return {_text_of(line) for section in sections for line in section.split("\n") if _text_of(line)}


def _text_of(line: str) -> str:
    """Return the text of a record's line; empty for other lines."""
    return line.partition("] ")[2] if line.startswith("- [") else ""
