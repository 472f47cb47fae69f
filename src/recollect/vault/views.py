"""`index.md`, and the vault's files as claude-memory's scripts read them: without checking every field (B27-B30)."""

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
from recollect.model.memory import UNTAGGED, Memory
from recollect.vault import files
from recollect.vault.files import Writing
from recollect.vault.layouts import Vault

Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class VaultFile:
    """A file of the vault, read without checking every field: enough for an index line."""

    path: str
    kind: Kind
    record: dict[str, Any]
    clean: Callable[[str], str] = str

    @property
    def status(self) -> str:
        """The memory's status; a missing one means active (B4)."""
        return str(self.record.get("record_status") or "active")

    @property
    def title(self) -> str:
        """The title in the index line; the file's name if it has none."""
        return self.clean(text.clean_title(str(self.record.get("title") or Path(self.path).stem)))

    def entry(self) -> Entry:
        """Return the file's index line."""
        tags = self.record.get("tags")
        clean = [self.clean(text.clean_tag(str(tag))) for tag in tags] if isinstance(tags, list) else []
        return Entry(self.kind.label, self.title, self.path, tuple(tag for tag in clean if tag))


def scan_files(vault: Vault, kinds: Kinds, warn: Warn) -> list[VaultFile]:
    """Return every file that can be read, of any status; warn about the others."""
    found = []
    for folder, kind in by_folder(kinds).items():
        for path in _json_paths(vault, folder, warn):
            place = vault.root / path
            if not text.SLUG.match(place.stem):
                warn(f"WARNING: {text.clean_line(path)}: the file's name is not a slug")
                continue
            try:
                data = files.read(place, root=vault.root)
                found.append(VaultFile(path, kind, json_file.parse(data, target=path), vault.clean))
            except RecollectError as error:
                warn(f"WARNING: {path}: {error.message}")
    return found


def _json_paths(vault: Vault, folder: str, warn: Warn) -> Iterator[str]:
    """Yield the regular JSON files of a folder, by path from the vault's root; warn about anything else."""
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
            warn(f"WARNING: {text.clean_line(path)}: not read: {odd}")
        else:
            yield path


def entry_of(memory: Memory, path: str, kinds: Kinds) -> Entry:
    """Return a memory's index line, the same as its file gives when the index is rebuilt."""
    tags = list(memory.tags) or [UNTAGGED]
    return VaultFile(path, kinds[memory.kind], {"title": memory.title, "tags": tags}).entry()


def index_bytes(vault: Vault) -> bytes | None:
    """Return the bytes of the index; None if there is none or it cannot be read, so that it is rebuilt."""
    place = vault.root / vault.index
    with contextlib.suppress(RecollectError):
        return files.read(place, root=vault.root) if files.look(place) else None
    return None


def index_bullets(vault: Vault) -> list[str] | None:
    """Return the bullets of the present index; None if there is none or it has conflict markers."""
    with contextlib.suppress(UnicodeDecodeError):
        if (data := index_bytes(vault)) is not None:
            lines = data.decode().split("\n")
            return None if text.has_conflict_markers(data) else [line for line in lines if line.startswith("- ")]
    return None


def read_index(vault: Vault) -> list[Entry] | None:
    """Return the entries of the present index; None if there is none or it has conflict markers."""
    bullets = index_bullets(vault)
    return None if bullets is None else index_md.decode("\n".join(bullets))


def write_index(writing: Writing, vault: Vault, entries: Iterable[Entry], *, even_empty: bool = False) -> None:
    """Write `index.md` if it differs; an empty index is not created unless `even_empty`."""
    lines = list(entries)
    data = index_md.encode(lines).encode()
    known = index_bytes(vault)
    if known != data if files.look(writing.root / vault.index) else (lines or even_empty):
        writing.write(vault.index, data)


def active_entries(vault_files: Iterable[VaultFile]) -> list[Entry]:
    """Return the lines of a new index: active memories only (B28)."""
    return [file.entry() for file in vault_files if file.status == "active"]


def rebuild_index(writing: Writing, vault: Vault, kinds: Kinds, warn: Warn, *, even_empty: bool = False) -> int:
    """Rebuild `index.md` from the files; return the number of lines."""
    entries = active_entries(scan_files(vault, kinds, warn))
    write_index(writing, vault, entries, even_empty=even_empty)
    return len(entries)


def update_index(writing: Writing, vault: Vault, kinds: Kinds, lines: dict[str, Entry | None]) -> None:
    """Set or remove single lines, by path; rebuild a missing or conflicted index."""
    known = read_index(vault)
    if known is None:
        rebuild_index(writing, vault, kinds, lambda _: None)
        return
    kept = [entry for entry in known if entry.path not in lines]
    write_index(writing, vault, [*kept, *(entry for entry in lines.values() if entry)])
