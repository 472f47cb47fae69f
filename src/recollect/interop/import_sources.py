"""What can be imported from a file or a folder: our own lines, and the memories of the systems that we learnt from."""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from recollect import foreign_files
from recollect.errors import BadInput, RecollectError, UnreadableFile
from recollect.formats import claude_notes, experience_store, json_file, memory_log
from recollect.formats.source import to_text
from recollect.model import clock, text
from recollect.model.fact import Fact, is_fact
from recollect.model.kinds import by_folder
from recollect.model.memory import STRICTNESS, Memory, Origin
from recollect.policy.memories import compose
from recollect.policy.memories.compose import Note
from recollect.project_context import ProjectContext
from recollect.store.sqlite import letsgo
from recollect.vault import files
from recollect.vault.layouts import COLD, JSON_ROOT, WARM, JsonLayout, MarkdownLayout

LOGS, LONG_LOG = ("MEMORY.md", "MEMORY-archive.md"), "LONGMEMORY.md"
LINE_FIELDS = ("text", "title", "kind", "tags", "actor", "session", "created_at", "files", "sensitivity")


class Item(NamedTuple):
    """One thing that was read: a memory or a fact, or why it is none."""

    where: str
    found: Memory | Fact | None
    problem: str = ""
    raw: str = ""
    """What could not be read, so that it can be set aside."""
    classify: bool = False
    exact: bool = False
    """A line of an export of ours: it has an identity, and nothing is added to it."""
    is_record: bool = False
    """A line of a log: two sessions may have logged the same."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to import from, what it is, and how it is read."""

    path: Path
    what: str
    read: Callable[[], Iterator[Item]]


def discover(context: ProjectContext, place: Path) -> list[Source]:
    """Every source at a place; refused where there is none."""
    if place.is_file():
        found = [_Reader(context).file(place)]
    elif place.is_dir():
        found = list(_Reader(context, place).folder(place))
    else:
        problem = "not a regular file or folder" if place.exists() else "there is no such file or folder"
        raise BadInput(problem, target=place, fix="Name a file, or a project's folder.")
    if not found:
        fix = "It takes JSON lines, .claude/memory/, memory/*.md, MEMORY.md, and LetsGo databases."
        raise BadInput("nothing here can be imported", target=place, fix=fix)
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads for one workspace."""

    context: ProjectContext
    root: Path | None = None
    """The folder that is imported: what lies outside it is not read, whatever a link says."""

    def folder(self, root: Path) -> Iterator[Source]:
        """Our lines, the four seeds' layouts and databases, and Claude's notes, as far as they are there."""
        for place in _named(root, root, ".jsonl"):
            yield self.file(place)
        for base in (root / JSON_ROOT, root):
            for folder in by_folder(self.context.kinds):
                for place in _named(base / folder, root, ".json"):
                    yield Source(place, "claude-memory file", partial(self._json_file, place))
        topics = _claude_topics(root)
        yield from self._markdown(root, topics)
        for place in [*_named(root, root, ".db"), *_named(root / ".letsgo", root, ".db")]:
            if foreign_files.is_below(str(place), str(root)) and letsgo.is_letsgo(place):
                yield self.file(place)
        store = root / "tmp" / "experience-store.json"
        if _is_there(store):
            yield self.file(store)

    def _markdown(self, root: Path, topics: frozenset[str]) -> Iterator[Source]:
        for name in (LOGS[0], LONG_LOG):
            if _is_there(root / name):
                yield self.file(root / name, topics)
        for topic in sorted(topics):
            yield Source(root / topic, "Claude's note", partial(self._claude_topic, root / topic))
        for folder in (WARM, COLD):
            for place in _named(root / folder, root, ".md"):
                if not place.is_dir() and place.name != "index.md":
                    yield self.file(place)

    def file(self, place: Path, topics: frozenset[str] = frozenset()) -> Source:
        """A file by its name and what it holds."""
        is_log = place.name in LOGS or memory_log.is_daily_name(place.name)
        formats: tuple[tuple[bool, str, Callable[[Path], Iterator[Item]]], ...] = (
            (place.suffix == ".db" or self._is_letsgo(place), "LetsGo database", self._letsgo),
            (place.name == "experience-store.json", "experience store", self._experiences),
            (place.suffix == ".json", "claude-memory file", self._json_file),
            (place.name == LONG_LOG, "long-term summaries", self._long_memory),
            (is_log, "memory log", partial(self._log, topics=topics)),
            (place.suffix == ".md", "markdown memory", self._markdown_file),
            (True, "JSON lines", self._lines),
        )
        what, read = next((what, read) for fits, what, read in formats if fits)
        return Source(place, what, partial(read, place))

    def _is_letsgo(self, place: Path) -> bool:
        is_inside = self.root is None or foreign_files.is_below(str(place), str(self.root))
        return is_inside and letsgo.is_letsgo(place)

    # -- one reader per format ----------------------------------------------------------------------------------

    def _json_file(self, place: Path) -> Iterator[Item]:
        folder, layout = place.parent.name, JsonLayout(self.context.kinds)
        if folder not in by_folder(self.context.kinds):
            said = json_file.parse(files.read(place, root=self.root), target=place)
            kind = self.context.kinds.get(str(said.get("category")))
            folder = kind.folder if kind and kind.folder else folder
        yield self._decoded(place, layout, f"{JSON_ROOT}/{folder}/{place.name}")

    def _markdown_file(self, place: Path) -> Iterator[Item]:
        folder = COLD if place.parent.name == COLD else WARM
        yield self._decoded(place, MarkdownLayout(self.context.kinds), f"{folder}/{place.name}")

    def _decoded(self, place: Path, layout: JsonLayout | MarkdownLayout, path: str) -> Item:
        found = layout.decode(
            path,
            files.read(place, root=self.root),
            uid=self._uid(),
            project=self.context.project,
            now=self.context.stamp(),
        )
        return Item(printable(place), found)

    def _log(self, place: Path, topics: frozenset[str]) -> Iterator[Item]:
        source = self._text(place, foreign_files.LOG_BYTES)
        for line in memory_log.lines(source, project=self.context.project):
            where = f"{printable(place)}:{line.number}"
            if line.memory:
                yield Item(where, line.memory, is_record=True)
            elif line.text.lstrip().startswith("- {"):
                yield Item(where, None, "looks like a record, but is none", line.text)
        now = self.context.stamp()
        for note in claude_notes.decode_index(
            source, topics=topics, uid=self._uid, project=self.context.project, now=now
        ):
            yield Item(printable(place), note, classify=True)

    def _claude_topic(self, place: Path) -> Iterator[Item]:
        source, now = self._text(place), self.context.stamp()
        made = claude_notes.decode_topic(
            source, stem=place.stem, uid=self._uid(), project=self.context.project, now=now
        )
        yield Item(printable(place), made, classify=True)

    def _long_memory(self, place: Path) -> Iterator[Item]:
        """C17: `## Summary (YYYY-MM-DD)` and what follows; what stands before the first one is kept as well."""
        blocks = re.split(r"(?m)^## ", re.sub(r"\A# .*\n?", "", self._text(place)))
        for number, block in enumerate(blocks):
            title, _, said = block.partition("\n") if number else ("Long-term memory", "", block)
            if said.strip():
                note = Note(said, "compaction", title=title, channel="system", origin="import", free_text=True)
                yield Item(printable(place), self._compose(note), classify=True)

    def _experiences(self, place: Path) -> Iterator[Item]:
        found, problems = experience_store.decode(
            self._text(place), project=self.context.project, now=self.context.stamp()
        )
        yield from (Item(printable(place), one, classify=True) for one in found)
        yield from (Item(printable(place), None, problem) for problem in problems)

    def _letsgo(self, place: Path) -> Iterator[Item]:
        found = letsgo.read(place, project=self.context.project, now=self.context.stamp())
        yield from (Item(printable(place), one) for one in found.memories)
        yield from (Item(printable(place), one) for one in found.facts)
        yield from (Item(printable(place), None, problem) for problem in found.problems)

    def _lines(self, place: Path) -> Iterator[Item]:
        try:
            for number, data in enumerate(foreign_files.lines(str(place), root=str(self.root or "")), 1):
                where = f"{printable(place)}:{number}"
                line = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").strip()
                if len(data.removesuffix(b"\n")) > foreign_files.LINE_BYTES:
                    yield Item(where, None, f"longer than {foreign_files.LINE_BYTES:,} bytes; it is left where it is")
                elif line and line.encode() not in data:
                    yield Item(where, None, "not UTF-8", line)
                elif line:
                    yield self._line(where, line)
        except OSError as error:
            raise UnreadableFile(f"cannot be read: {foreign_files.why(error)}", target=place) from error

    def _line(self, where: str, line: str) -> Item:
        try:
            said = json.loads(line)
            if not isinstance(said, dict):
                return Item(where, None, "not a JSON object", line)
            return self._said(where, said)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            return Item(where, None, f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}", line)
        except RecollectError as error:
            told = [f"{value}" for key, value in error.details if key in ("field", "expected")]
            return Item(where, None, ": ".join([error.message, *told[:2]]), line)
        except (ValueError, RecursionError) as error:
            return Item(where, None, f"not JSON: {error}", line)

    def _said(self, where: str, said: dict[str, Any]) -> Item:
        if "fact" in said:
            return Item(where, Fact.model_validate(said["fact"]), exact=True)
        if "uid" in said:
            found = Memory.model_validate(said, context={"kinds": self.context.kinds})
            if is_fact(found.uid) or not found.image:  # what is nested too deeply shows here
                raise BadInput("uid is one of a fact")
            is_record = found.channel in memory_log.CHANNELS and found.session is not None
            return Item(where, found, exact=True, is_record=is_record)
        unknown = [name for name in said if name not in LINE_FIELDS]
        ignored = f"ignored: {', '.join(unknown)}" if unknown else ""
        return Item(where, self._compose(_note(said)), ignored, classify=said.get("sensitivity") is None)

    def _compose(self, note: Note) -> Memory:
        context = self.context
        return compose.memory(
            note, context.kinds, moment=context.clock(), project=context.project, commit=None, branch=None
        )

    def _text(self, place: Path, most: int = foreign_files.MEMORY_BYTES) -> str:
        return to_text(files.read(place, most, root=self.root), target=place, encoding="utf-8-sig")

    def _uid(self) -> str:
        return text.new_uid(self.context.clock())


def _note(said: dict[str, Any]) -> Note:
    """A line that holds a text and little else; a value of the wrong type is named."""
    for name in ("text", "title", "kind", "actor", "session", "created_at"):
        if not isinstance(said.get(name, ""), str | None):
            raise BadInput(f"{name} has to be text")
    lists = {name: [] if said.get(name) is None else said[name] for name in ("tags", "files")}
    for name, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise BadInput(f"{name} has to be a list of texts")
    if not str(said.get("text") or "").strip():
        raise BadInput("text is required")
    if said.get("sensitivity") not in (None, *STRICTNESS):
        raise BadInput(f"sensitivity is one of {', '.join(STRICTNESS)}")
    origin: Origin = "import"
    return Note(
        said["text"], said.get("kind") or "note", title=said.get("title"), tags=lists["tags"], files=lists["files"],
        channel=said.get("actor"), session=said.get("session"), created_at=_time(said.get("created_at")),
        origin=origin, free_text=True, sensitivity=said.get("sensitivity"),
    )  # fmt: skip


def _time(said: str | None) -> str | None:
    moment = clock.parse(said)
    if said and moment is None:
        raise BadInput(f"created_at is not a time: {text.cut(said, 40)}")
    return clock.stamp(moment) if moment else None


def _claude_topics(root: Path) -> frozenset[str]:
    """The notes beside Claude's own MEMORY.md: markdown files with frontmatter, or that the index points at."""
    try:
        pointed = files.read(root / LOGS[0], foreign_files.LOG_BYTES, root=root).decode("utf-8", "replace")
    except UnreadableFile:
        return frozenset()
    names = [place.name for place in _named(root, root, ".md") if not place.is_dir()]
    notes = (name for name in names if name not in (LOGS[0], LONG_LOG))
    return frozenset(name for name in notes if name in pointed or _has_frontmatter(root / name, root))


def _has_frontmatter(place: Path, root: Path) -> bool:
    try:
        head = next(foreign_files.chunks(str(place), root=str(root), size=8), b"")
    except OSError:
        return False
    return head.removeprefix(codecs.BOM_UTF8).startswith(b"---")


def _is_there(place: Path) -> bool:
    """Whether something lies at a place that is no folder; one that cannot be read is named when it is read."""
    return place.exists() and not place.is_dir()


def _named(folder: Path, root: Path, ending: str) -> list[Path]:
    """The places in a folder whose names end so, sorted; none where the folder leads out of `root`."""
    return [folder / name for name in files.names(folder, root) if name.endswith(ending)]


def printable(place: Path) -> str:
    """A path that can be printed, whatever bytes its name is made of."""
    return str(place).encode("utf-8", "replace").decode()
