"""Find what can be imported at a file or folder: our own JSON lines, and the memories of other systems."""

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect import foreign_files
from recollect.errors import BadInput, UnreadableFile
from recollect.formats import claude_notes, experience_store, json_file, memory_log
from recollect.formats.source import to_text
from recollect.interop.import_lines import Item, LineReader
from recollect.model import text
from recollect.model.kinds import by_folder
from recollect.policy.memories.compose import Note
from recollect.project_context import ProjectContext
from recollect.store.foreign_databases import letsgo
from recollect.vault import files
from recollect.vault.layouts import COLD, JSON_ROOT, WARM, JsonLayout, MarkdownLayout

LOGS, LONG_LOG = ("MEMORY.md", "MEMORY-archive.md"), "LONGMEMORY.md"


@dataclass(frozen=True, slots=True)
class Source:
    """A file to import from: its path, its format in words, and the function that reads it."""

    path: Path
    what: str
    read: Callable[[], Iterator[Item]]


def discover(context: ProjectContext, place: Path) -> list[Source]:
    """Return every source at a file or folder; raises BadInput where there is none."""
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
    """Finds and reads sources for one project."""

    context: ProjectContext
    root: Path | None = None
    """The folder that is imported: what lies outside it is not read, even through a link."""

    def folder(self, root: Path) -> Iterator[Source]:
        """Return our lines, the four seeds' layouts and databases, and Claude's notes in a folder."""
        for path in _named(root, root, ".jsonl"):
            yield self.file(path)
        for base in (root / JSON_ROOT, root):
            for folder in by_folder(self.context.kinds):
                for path in _named(base / folder, root, ".json"):
                    yield Source(path, "claude-memory file", partial(self._json_file, path))
        yield from self._markdown(root, _claude_topics(root))
        for path in [*_named(root, root, ".db"), *_named(root / ".letsgo", root, ".db")]:
            if foreign_files.is_below(str(path), str(root)) and letsgo.is_letsgo(path):
                yield self.file(path)
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
            for path in _named(root / folder, root, ".md"):
                if not path.is_dir() and path.name != "index.md":
                    yield self.file(path)

    def file(self, path: Path, topics: frozenset[str] = frozenset()) -> Source:
        """Return the source of a file; its format follows from its name and, for a database, its content."""
        is_log = path.name in LOGS or memory_log.is_daily_name(path.name)
        formats: tuple[tuple[bool, str, Callable[[Path], Iterator[Item]]], ...] = (
            (path.suffix == ".db" or self._is_letsgo(path), "LetsGo database", self._letsgo),
            (path.name == "experience-store.json", "experience store", self._experiences),
            (path.suffix == ".json", "claude-memory file", self._json_file),
            (path.name == LONG_LOG, "long-term summaries", self._long_memory),
            (is_log, "memory log", partial(self._log, topics=topics)),
            (path.suffix == ".md", "markdown memory", self._markdown_file),
            (True, "JSON lines", self._lines),
        )
        what, read = next((what, read) for is_fitting, what, read in formats if is_fitting)
        return Source(path, what, partial(read, path))

    def _is_letsgo(self, path: Path) -> bool:
        is_inside = self.root is None or foreign_files.is_below(str(path), str(self.root))
        return is_inside and letsgo.is_letsgo(path)

    # -- one reader per format ----------------------------------------------------------------------------------

    def _json_file(self, path: Path) -> Iterator[Item]:
        folder, layout = path.parent.name, JsonLayout(self.context.kinds)
        if folder not in by_folder(self.context.kinds):
            record = json_file.parse(files.read(path, root=self.root), target=path)
            kind = self.context.kinds.get(str(record.get("category")))
            folder = kind.folder if kind and kind.folder else folder
        yield self._decoded(path, layout, f"{JSON_ROOT}/{folder}/{path.name}")

    def _markdown_file(self, path: Path) -> Iterator[Item]:
        folder = COLD if path.parent.name == COLD else WARM
        yield self._decoded(path, MarkdownLayout(self.context.kinds), f"{folder}/{path.name}")

    def _decoded(self, path: Path, layout: JsonLayout | MarkdownLayout, vault_path: str) -> Item:
        """Decode a file as if it lay at a path of the vault."""
        memory = layout.decode(
            vault_path,
            files.read(path, root=self.root),
            uid=self._uid(),
            project=self.context.project,
            now=self.context.stamp(),
        )
        return Item(printable(path), memory)

    def _log(self, path: Path, topics: frozenset[str]) -> Iterator[Item]:
        source = self._text(path, foreign_files.LOG_BYTES)
        for line in memory_log.lines(source, project=self.context.project):
            where = f"{printable(path)}:{line.number}"
            if line.memory:
                yield Item(where, line.memory, is_record=True)
            elif line.text.lstrip().startswith("- {"):
                yield Item(where, None, "looks like a record, but is none", line.text)
        now = self.context.stamp()
        for note in claude_notes.decode_index(
            source, topics=topics, uid=self._uid, project=self.context.project, now=now
        ):
            yield Item(printable(path), note, classify=True)

    def _claude_topic(self, path: Path) -> Iterator[Item]:
        source, now = self._text(path), self.context.stamp()
        memory = claude_notes.decode_topic(
            source, stem=path.stem, uid=self._uid(), project=self.context.project, now=now
        )
        yield Item(printable(path), memory, classify=True)

    def _long_memory(self, path: Path) -> Iterator[Item]:
        """Read the blocks `## Summary (YYYY-MM-DD)` (C17), and the text before the first block."""
        blocks = re.split(r"(?m)^## ", re.sub(r"\A# .*\n?", "", self._text(path)))
        for number, block in enumerate(blocks):
            title, _, body = block.partition("\n") if number else ("Long-term memory", "", block)
            if body.strip():
                note = Note(body, "compaction", title=title, channel="system", origin="import", free_text=True)
                yield Item(printable(path), LineReader(self.context).compose(note), classify=True)

    def _experiences(self, path: Path) -> Iterator[Item]:
        memories, problems = experience_store.decode(
            self._text(path), project=self.context.project, now=self.context.stamp()
        )
        yield from (Item(printable(path), memory, classify=True) for memory in memories)
        yield from (Item(printable(path), None, problem) for problem in problems)

    def _letsgo(self, path: Path) -> Iterator[Item]:
        found = letsgo.read(path, project=self.context.project, now=self.context.stamp())
        yield from (Item(printable(path), memory) for memory in found.memories)
        yield from (Item(printable(path), fact) for fact in found.facts)
        yield from (Item(printable(path), None, problem) for problem in found.problems)

    def _lines(self, path: Path) -> Iterator[Item]:
        reader = LineReader(self.context)
        try:
            for number, data in enumerate(foreign_files.lines(str(path), root=str(self.root or "")), 1):
                where = f"{printable(path)}:{number}"
                line = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").strip()
                if len(data.removesuffix(b"\n")) > foreign_files.LINE_BYTES:
                    yield Item(where, None, f"longer than {foreign_files.LINE_BYTES:,} bytes; it is left where it is")
                elif line and line.encode() not in data:
                    yield Item(where, None, "not UTF-8", line)
                elif line:
                    yield reader.read(where, line)
        except OSError as error:
            raise UnreadableFile(f"cannot be read: {foreign_files.why(error)}", target=path) from error

    def _text(self, path: Path, most_bytes: int = foreign_files.MEMORY_BYTES) -> str:
        return to_text(files.read(path, most_bytes, root=self.root), target=path, encoding="utf-8-sig")

    def _uid(self) -> str:
        return text.new_uid(self.context.clock())


def _claude_topics(root: Path) -> frozenset[str]:
    """Return the notes beside Claude's own MEMORY.md: markdown files with frontmatter, or that it names."""
    try:
        index = files.read(root / LOGS[0], foreign_files.LOG_BYTES, root=root).decode("utf-8", "replace")
    except UnreadableFile:
        return frozenset()
    names = [path.name for path in _named(root, root, ".md") if not path.is_dir()]
    notes = (name for name in names if name not in (LOGS[0], LONG_LOG))
    return frozenset(name for name in notes if name in index or _has_frontmatter(root / name, root))


def _has_frontmatter(path: Path, root: Path) -> bool:
    try:
        head = next(foreign_files.chunks(str(path), root=str(root), size=8), b"")
    except OSError:
        return False
    return head.removeprefix(codecs.BOM_UTF8).startswith(b"---")


def _is_there(path: Path) -> bool:
    """Whether a path exists and is no folder; a file that cannot be read is named when it is read."""
    return path.exists() and not path.is_dir()


def _named(folder: Path, root: Path, suffix: str) -> list[Path]:
    """Return the paths in a folder with a suffix, sorted; none where the folder leads out of `root`."""
    return [folder / name for name in files.names(folder, root) if name.endswith(suffix)]


def printable(path: Path) -> str:
    """Return a path as text that can be printed, whatever bytes its name is made of."""
    return str(path).encode("utf-8", "replace").decode()
