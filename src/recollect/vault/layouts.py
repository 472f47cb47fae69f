"""Layouts: where the memories of a project are as files, and in which format."""

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
    """How a layout names, reads and writes files; every path is from the project's root, with `/`."""

    @property
    def name(self) -> str:
        """The layout's name in the settings."""

    def folders(self) -> list[str]:
        """Return the folders that have its files."""

    def is_file(self, path: str) -> bool:
        """Whether a path belongs to this layout."""

    def place(self, memory: Memory, known: str | None) -> str | None:
        """Return the path for a memory (`known`: its present path); None if the layout cannot store it."""

    def decode(self, path: str, data: bytes, *, uid: str, project: str, now: str) -> Memory:
        """Return the memory of a file."""

    def encode(self, memory: Memory, like: bytes | None) -> bytes:
        """Return the bytes of a memory's file; `like` are those of the present file."""


@dataclass(frozen=True, slots=True)
class JsonLayout:
    """`.claude/memory/<folder>/<slug>.json`, format B."""

    kinds: Kinds
    text_too: bool = True
    """Whether it also stores kinds of free text; the markdown layout does if both are on."""
    root: str = JSON_ROOT
    name: str = "json"

    def folders(self) -> list[str]:
        """Return the folders of the kinds that it stores."""
        return [f"{self.root}/{folder}" for folder in self._kinds()]

    def _kinds(self) -> dict[str, Kind]:
        return {
            folder: kind for folder, kind in by_folder(self.kinds).items() if self.text_too or kind.content is not Text
        }

    def is_file(self, path: str) -> bool:
        """Whether a path is `<folder>/<name>.json`, no deeper."""
        place = Path(path)
        return place.suffix == ".json" and place.parent.as_posix() in self.folders()

    def place(self, memory: Memory, known: str | None) -> str | None:  # noqa: ARG002
        """Return the path of the kind's folder and the slug; None if the kind or its content is not stored here."""
        kind = self.kinds.get(memory.kind)
        if kind is None or kind.folder not in self._kinds() or not json_file.holds(memory, kind):
            return None
        return f"{self.root}/{kind.folder}/{memory.slug}.json"

    def decode(self, path: str, data: bytes, *, uid: str, project: str, now: str) -> Memory:  # noqa: ARG002
        """Return the memory of a file: its name is the slug, its folder the kind. Raises UnreadableFile."""
        place = Path(path)
        if not text.SLUG.match(place.stem):
            fix = "Name the file with at most 80 lower-case letters, digits and hyphens."
            raise UnreadableFile("the file's name is not a slug", target=path, fix=fix)
        return json_file.decode(data, self._kinds()[place.parent.name], stem=place.stem, uid=uid, project=project)

    def encode(self, memory: Memory, like: bytes | None) -> bytes:
        """Return the file in format B."""
        return json_file.encode(memory, like)


@dataclass(frozen=True, slots=True)
class MarkdownLayout:
    """`memory/<slug>.md`, and `memory-cold/` for what is archived or retired, format A."""

    kinds: Kinds
    name: str = "markdown"

    def folders(self) -> list[str]:
        """Return `memory` and `memory-cold`."""
        return [WARM, COLD]

    def is_file(self, path: str) -> bool:
        """Whether a path is a Markdown file that is no daily log; logs share the folder."""
        place = Path(path)
        folder = place.parent.as_posix()
        return place.suffix == ".md" and folder in (WARM, COLD) and not memory_log.is_daily_name(place.name)

    def place(self, memory: Memory, known: str | None) -> str | None:
        """Return the path: the present name if it gives the slug, else the slug; the folder follows the status."""
        kind = self.kinds.get(memory.kind)  # a file may name a kind that nobody knows here: it stays where it is
        if (kind and kind.folder is None) or not isinstance(memory.content, Text):
            return None
        named = Path(known).stem if known else memory.slug
        stem = named if text.slugify(named) == memory.slug else memory.slug
        if memory_log.is_daily_name(f"{stem}.md"):
            return None
        return f"{WARM if memory.status == 'active' else COLD}/{stem}.md"

    def decode(self, path: str, data: bytes, *, uid: str, project: str, now: str) -> Memory:
        """Return the memory of a file; one in `memory-cold/` is archived."""
        source = to_text(data, target=path)
        memory = tagged_markdown.decode(source, stem=Path(path).stem, uid=uid, project=project, now=now)
        return memory if path.startswith(WARM + "/") else memory.having(status="archived")

    def encode(self, memory: Memory, like: bytes | None) -> bytes:
        """Return the file in format A."""
        return tagged_markdown.encode(memory, None if like is None else like.decode("utf-8")).encode()


@dataclass(frozen=True, slots=True)
class Vault:
    """The layouts that are on in a checkout; with none, nothing in the repository is written."""

    root: Path
    layouts: tuple[Layout, ...] = ()
    logs: bool = False
    json_root: str = JSON_ROOT
    clean: Callable[[str], str] = str
    """Applied to titles and tags before the index shows them."""
    is_only_read: bool = False
    """Whether files are only read, and nothing is written, not even the index."""

    @property
    def index(self) -> str:
        """The path of the json layout's index."""
        return f"{self.json_root}/index.md"

    @property
    def has_log(self) -> bool:
        """Whether there is a log, even if its layout is off: a purged memory must leave no line in it."""
        return (self.root / LOG).is_file() or bool(self.days())

    @property
    def is_on(self) -> bool:
        """Whether any layout is on."""
        return bool(self.layouts) or self.logs

    @property
    def lock_folder(self) -> Path:
        """The folder that writers lock: the json root if that layout is on, else `memory`."""
        return self.root / (self.json_root if self.has_index else WARM)

    @property
    def has_index(self) -> bool:
        """Whether the vault has an `index.md`: the json layout is on."""
        return any(layout.name == "json" for layout in self.layouts)

    def layout_of(self, path: str) -> Layout | None:
        """Return the layout that a path belongs to; None if there is none."""
        return next((layout for layout in self.layouts if layout.is_file(path)), None)

    def place(self, memory: Memory, known: str | None = None) -> tuple[Layout, str] | None:
        """Return the layout and the path of a memory's file; None if the memory is kept in the store alone."""
        if memory.sensitivity not in SHAREABLE or memory.project == "global":
            return None
        if memory.origin == "quoted":  # the file has no origin: read again, the text would count as the user's
            return None
        if memory.is_in_store_alone and known is None:  # a file that is there stays
            return None
        for layout in self.layouts:
            path = layout.place(memory, known)
            if path:
                return layout, path
        return None

    def paths(self) -> Iterator[str]:
        """Yield every file of every layout; links and folders that lead outside are skipped."""
        for layout in self.layouts:
            for folder in layout.folders():
                places = (f"{folder}/{name}" for name in files.names(self.root / folder, self.root))
                yield from (path for path in places if layout.is_file(path))

    def days(self) -> list[str]:
        """Return the daily files of the log, oldest first, as paths from the root."""
        names = files.names(self.root / WARM, self.root)
        return [f"{WARM}/{name}" for name in names if memory_log.is_daily_name(name)]


def open_vault(
    root: Path,
    names: tuple[str, ...],
    kinds: Kinds,
    json_root: str = JSON_ROOT,
    clean: Callable[[str], str] = str,
) -> Vault:
    """Return the vault of a checkout with these layouts."""
    layouts: list[Layout] = []
    if "markdown" in names:
        layouts.append(MarkdownLayout(kinds))
    if "json" in names:
        layouts.append(JsonLayout(kinds, "markdown" not in names, json_root))
    return Vault(root, tuple(layouts), "log" in names, json_root, clean)
