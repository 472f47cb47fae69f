"""Where the memories of a project lie as files, one class per layout."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from recollect.errors import UnreadableFile
from recollect.formats import json_file, memory_log, tagged_markdown
from recollect.formats.source import to_text
from recollect.model import text
from recollect.model.content import Text
from recollect.model.kinds import Kind, Kinds, by_folder
from recollect.model.memory import SHAREABLE, Memory
from recollect.vault import files

JSON_ROOT = ".claude/memory"
LOG = "MEMORY.md"
WARM, COLD = "memory", "memory-cold"


class Layout(Protocol):
    """How one layout names, reads and writes files; every path is from the project's root, with `/`."""

    @property
    def name(self) -> str:
        """What the settings call it."""

    def folders(self) -> list[str]:
        """The folders that hold its files."""

    def is_file(self, path: str) -> bool:
        """Whether a path is a place of this layout."""

    def place(self, memory: Memory, known: str | None) -> str | None:
        """Where a memory belongs (`known`: where it lies now); None when the layout cannot hold it."""

    def decode(self, path: str, data: bytes, *, uid: str, project: str, now: str) -> Memory:
        """The memory that a file says."""

    def encode(self, memory: Memory, like: bytes | None) -> bytes:
        """The file that says a memory."""


@dataclass(frozen=True, slots=True)
class JsonLayout:
    """`.claude/memory/<folder>/<slug>.json`, format B."""

    kinds: Kinds
    text_too: bool = True
    """Whether it also holds the kinds of free text; the markdown layout does where both are on."""
    root: str = JSON_ROOT
    name: str = "json"

    def folders(self) -> list[str]:
        """The folders of the kinds that it holds."""
        return [f"{self.root}/{folder}" for folder in self._kinds()]

    def _kinds(self) -> dict[str, Kind]:
        return {
            folder: kind for folder, kind in by_folder(self.kinds).items() if self.text_too or kind.content is not Text
        }

    def is_file(self, path: str) -> bool:
        """`<folder>/<name>.json`, no deeper."""
        place = Path(path)
        return place.suffix == ".json" and place.parent.as_posix() in self.folders()

    def place(self, memory: Memory, known: str | None) -> str | None:  # noqa: ARG002
        """The kind's folder and the slug."""
        kind = self.kinds.get(memory.kind)
        if kind is None or kind.folder not in self._kinds() or not json_file.holds(memory, kind):
            return None
        return f"{self.root}/{kind.folder}/{memory.slug}.json"

    def decode(self, path: str, data: bytes, *, uid: str, project: str, now: str) -> Memory:  # noqa: ARG002
        """The file's name is the slug, its folder the kind."""
        place = Path(path)
        if not text.SLUG.match(place.stem):
            fix = "Name the file with lower-case letters, digits and hyphens, at most 80."
            raise UnreadableFile("the file's name is not a slug", target=path, fix=fix)
        return json_file.decode(data, self._kinds()[place.parent.name], stem=place.stem, uid=uid, project=project)

    def encode(self, memory: Memory, like: bytes | None) -> bytes:
        """Format B."""
        return json_file.encode(memory, like)


@dataclass(frozen=True, slots=True)
class MarkdownLayout:
    """`memory/<slug>.md`, and `memory-cold/` for what is archived or retired, format A."""

    kinds: Kinds
    name: str = "markdown"

    def folders(self) -> list[str]:
        """The warm and the cold one."""
        return [WARM, COLD]

    def is_file(self, path: str) -> bool:
        """A markdown file that is not a daily log: logs share the folder."""
        place = Path(path)
        folder = place.parent.as_posix()
        return place.suffix == ".md" and folder in (WARM, COLD) and not memory_log.is_daily_name(place.name)

    def place(self, memory: Memory, known: str | None) -> str | None:
        """The slug, or the name that the file already has; the folder follows the status."""
        kind = self.kinds.get(memory.kind)  # a file may name a kind that nobody knows here: it stays where it is
        if (kind and kind.folder is None) or not isinstance(memory.content, Text):
            return None
        named = Path(known).stem if known else memory.slug
        stem = named if text.slugify(named) == memory.slug else memory.slug
        if memory_log.is_daily_name(f"{stem}.md"):
            return None
        return f"{WARM if memory.status == 'active' else COLD}/{stem}.md"

    def decode(self, path: str, data: bytes, *, uid: str, project: str, now: str) -> Memory:
        """A file in `memory-cold/` is archived."""
        source = to_text(data, target=path)
        memory = tagged_markdown.decode(source, stem=Path(path).stem, uid=uid, project=project, now=now)
        return memory if path.startswith(WARM + "/") else memory.having(status="archived")

    def encode(self, memory: Memory, like: bytes | None) -> bytes:
        """Format A."""
        return tagged_markdown.encode(memory, None if like is None else like.decode("utf-8")).encode()


@dataclass(frozen=True, slots=True)
class Vault:
    """The layouts that are on in one checkout; none means that nothing in the repository is touched."""

    root: Path
    layouts: tuple[Layout, ...] = ()
    logs: bool = False
    json_root: str = JSON_ROOT
    clean: Callable[[str], str] = str
    """What a title goes through before another file of ours repeats it."""
    is_only_read: bool = False
    """Whether files are taken in without anything being written, not even the index."""

    @property
    def index(self) -> str:
        """Where the index of the json layout lies."""
        return f"{self.json_root}/index.md"

    @property
    def has_log(self) -> bool:
        """Whether there is a log, the layout on or not: what is taken back leaves no line in it."""
        return (self.root / LOG).is_file() or bool(self.days())

    @property
    def is_on(self) -> bool:
        """Whether anything is kept as text."""
        return bool(self.layouts) or self.logs

    @property
    def lock_folder(self) -> Path:
        """What writers lock: the json root where there is one, else the first folder of the layouts."""
        return self.root / (self.json_root if self.has_index else WARM)

    @property
    def has_index(self) -> bool:
        """Whether `index.md` is kept."""
        return any(layout.name == "json" for layout in self.layouts)

    def layout_of(self, path: str) -> Layout | None:
        """The layout that a path belongs to."""
        return next((layout for layout in self.layouts if layout.is_file(path)), None)

    def place(self, memory: Memory, known: str | None = None) -> tuple[Layout, str] | None:
        """The one file that is a memory's twin; None for what never leaves the store."""
        if memory.sensitivity not in SHAREABLE or memory.project == "global":
            return None
        if memory.origin == "quoted":  # a file does not say whose words it holds: read again, they would be the user's
            return None
        for layout in self.layouts:
            path = layout.place(memory, known)
            if path:
                return layout, path
        return None

    def paths(self) -> Iterator[str]:
        """Every file of every layout; links and folders that lead outside are passed over."""
        for layout in self.layouts:
            for folder in layout.folders():
                places = (f"{folder}/{name}" for name in files.names(self.root / folder, self.root))
                yield from (path for path in places if layout.is_file(path))

    def days(self) -> list[str]:
        """The daily files of the log, oldest first, as paths from the root."""
        names = files.names(self.root / WARM, self.root)
        return [f"{WARM}/{name}" for name in names if memory_log.is_daily_name(name)]


def open_vault(
    root: Path,
    names: tuple[str, ...],
    kinds: Kinds,
    json_root: str = JSON_ROOT,
    clean: Callable[[str], str] = str,
) -> Vault:
    """The vault with these layouts on."""
    layouts: list[Layout] = []
    if "markdown" in names:
        layouts.append(MarkdownLayout(kinds))
    if "json" in names:
        layouts.append(JsonLayout(kinds, "markdown" not in names, json_root))
    return Vault(root, tuple(layouts), "log" in names, json_root, clean)
