"""`index.md` and what claude-memory's scripts read of a vault: lenient, straight from the files (B27-B30)."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.formats import index_md, json_file
from recollect.formats.index_md import Entry
from recollect.model import text
from recollect.model.kinds import Kind, Kinds, by_folder
from recollect.model.memory import Memory
from recollect.vault import files
from recollect.vault.files import Writing
from recollect.vault.layouts import Vault

Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the vault, read leniently: enough for an index line."""

    path: str
    kind: Kind
    record: dict[str, Any]
    clean: Callable[[str], str] = str

    @property
    def status(self) -> str:
        """Missing means active (B4)."""
        return str(self.record.get("record_status") or "active")

    @property
    def title(self) -> str:
        """What a line shows."""
        return self.clean(text.clean_title(str(self.record.get("title") or Path(self.path).stem)))

    def entry(self) -> Entry:
        """Its index line."""
        tags = self.record.get("tags")
        clean = [self.clean(text.clean_tag(str(tag))) for tag in tags] if isinstance(tags, list) else []
        return Entry(self.kind.label, self.title, self.path, tuple(tag for tag in clean if tag))


def scan_files(vault: Vault, kinds: Kinds, warn: Warn) -> list[Found]:
    """Every file that can be read, of any status; the others are warned about."""
    found = []
    for folder, kind in by_folder(kinds).items():
        for path in _json_paths(vault, folder, warn):
            place = vault.root / path
            if not text.SLUG.match(place.stem):
                warn(f"WARNING: {text.clean_line(path)}: the file's name is not a slug")
                continue
            try:
                data = files.read(place, root=vault.root)
                found.append(Found(path, kind, json_file.parse(data, target=path), vault.clean))
            except RecollectError as error:
                warn(f"WARNING: {path}: {error.message}")
    return found


def _json_paths(vault: Vault, folder: str, warn: Warn) -> Iterator[str]:
    """The regular files of one folder, by path from the vault's root; what is none is warned about."""
    inner = f"{vault.json_root}/{folder}"
    try:
        names = files.names(vault.root / inner, vault.root)
    except RecollectError as error:
        warn(f"WARNING: {inner}: {error.message}")
        return
    for name in names:
        if not name.endswith(".json"):
            continue
        path = f"{inner}/{name}"
        if odd := files.oddity(vault.root / path):
            warn(f"WARNING: {text.clean_line(path)}: not taken in: {odd}")
        else:
            yield path


def entry_of(memory: Memory, path: str, kinds: Kinds) -> Entry:
    """A memory's index line."""
    return Found(path, kinds[memory.kind], {"title": memory.title, "tags": list(memory.tags)}).entry()


def index_bytes(vault: Vault) -> bytes | None:
    """The bytes of the index; None where there is none, or something that cannot be read: it is made anew."""
    place = vault.root / vault.index
    with contextlib.suppress(RecollectError):
        return files.read(place, root=vault.root) if files.look(place) else None
    return None


def index_bullets(vault: Vault) -> list[str] | None:
    """The bullets of the index as it stands; None when there is none, or git left a merge in it."""
    with contextlib.suppress(UnicodeDecodeError):
        if (data := index_bytes(vault)) is not None:
            lines = data.decode().split("\n")
            return None if text.has_conflict_markers(data) else [line for line in lines if line.startswith("- ")]
    return None


def read_index(vault: Vault) -> list[Entry] | None:
    """The entries of the index as it stands."""
    bullets = index_bullets(vault)
    return None if bullets is None else index_md.decode("\n".join(bullets))


def write_index(writing: Writing, vault: Vault, entries: Iterable[Entry], *, even_empty: bool = False) -> None:
    """Renew `index.md` unless it says just this already; an empty one would only be in git's way."""
    lines = list(entries)
    data = index_md.encode(lines).encode()
    known = index_bytes(vault)
    if known != data if files.look(writing.root / vault.index) else (lines or even_empty):
        writing.write(vault.index, data)


def active_entries(found: Iterable[Found]) -> list[Entry]:
    """The lines of a fresh index: active memories only (B28)."""
    return [one.entry() for one in found if one.status == "active"]


def rebuild_index(writing: Writing, vault: Vault, kinds: Kinds, warn: Warn, *, even_empty: bool = False) -> int:
    """Regenerate `index.md` from the files; the number of lines."""
    entries = active_entries(scan_files(vault, kinds, warn))
    write_index(writing, vault, entries, even_empty=even_empty)
    return len(entries)


def update_index(writing: Writing, vault: Vault, kinds: Kinds, lines: dict[str, Entry | None]) -> None:
    """Set or remove single lines, by path; a missing or conflicted index is regenerated."""
    known = read_index(vault)
    if known is None:
        rebuild_index(writing, vault, kinds, lambda _: None)
        return
    kept = [entry for entry in known if entry.path not in lines]
    write_index(writing, vault, [*kept, *(entry for entry in lines.values() if entry)])
