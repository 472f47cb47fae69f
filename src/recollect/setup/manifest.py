"""The manifest of installs: which files of other programs we changed, and what was in them before."""

import base64
import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from recollect import foreign_files, machine
from recollect.errors import BadInput, DiskRefused
from recollect.formats.client_settings import Json

NAME = "installs.json"
HOOKS, MCP = "hooks", "mcp"
VERSION = 1
MOST_BYTES = 20_000_000  # a client's settings, or the manifest with the originals of all of them


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that we changed: its original content, the hashes of what we wrote, the folders that we made."""

    path: Path
    original: bytes | None
    wrote: tuple[str, ...]
    folders: tuple[Path, ...] = ()

    def is_ours(self, data: bytes | None) -> bool:
        """Whether the file holds what we wrote."""
        return data is not None and sha256(data) in self.wrote

    def is_changed(self, data: bytes | None) -> bool:
        """Whether somebody else changed the file: it holds neither what we wrote nor what was there before."""
        return data != self.original and not self.is_ours(data)


@dataclass(frozen=True, slots=True)
class Install:
    """An install into one client in one scope."""

    client: str
    scope: str
    settings: Path
    files: tuple[KeptFile, ...]
    part: str = HOOKS
    """What was installed: hooks, or the entry of the MCP server."""


def sha256(data: bytes) -> str:
    """Return the hash by which we recognise what we wrote."""
    return hashlib.sha256(data).hexdigest()


def read(home: Path) -> tuple[Install, ...]:
    """Return every install of the manifest, none where there is no file; raises BadInput where it cannot be read."""
    data = read_file(home / NAME)
    if data is None:
        return ()
    try:
        return _decode(json.loads(data))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        fix = "Move it away: `recollect uninstall` finds our hooks without it, but cannot put files back as they were."
        raise BadInput(f"the list of installs cannot be read: {error!r}", target=home / NAME, fix=fix) from None


def _decode(value: Json) -> tuple[Install, ...]:
    if value["version"] != VERSION:
        raise ValueError("another version of recollect wrote it")
    return tuple(
        Install(
            str(row["client"]),
            str(row["scope"]),
            Path(row["settings"]),
            tuple(map(_decode_file, row["files"])),
            str(row.get("part", HOOKS)),
        )
        for row in value["installs"]
    )


def _decode_file(file: Json) -> KeptFile:
    original = None if file["original"] is None else base64.b64decode(file["original"], validate=True)
    return KeptFile(Path(file["path"]), original, tuple(map(str, file["wrote"])), tuple(map(Path, file["folders"])))


def write(home: Path, installs: Sequence[Install]) -> None:
    """Replace the manifest; without an install its file is removed."""
    value = [
        {
            "client": install.client,
            "scope": install.scope,
            "settings": str(install.settings),
            "files": [_encode_file(file) for file in install.files],
            **({"part": install.part} if install.part != HOOKS else {}),
        }
        for install in installs
    ]
    text = json.dumps({"version": VERSION, "installs": value}, indent=1)
    put(home / NAME, text.encode() if installs else None, machine.FILE_MODE)


def _encode_file(file: KeptFile) -> Json:
    original = None if file.original is None else base64.b64encode(file.original).decode()
    folders = [str(folder) for folder in file.folders]
    return {"path": str(file.path), "original": original, "wrote": file.wrote, "folders": folders}


def real(path: Path) -> Path:
    """Return a path with every link followed; raises BadInput where symbolic links form a loop."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a RuntimeError before Python 3.13
        raise BadInput("symbolic links form a loop", target=path, fix="Correct the links, then try again.") from None


def read_file(path: Path) -> bytes | None:
    """Return the content of a file, None where there is none; raises BadInput where it cannot be read."""
    fix = "Make it a file that you can read, then try again; nothing was changed."
    place = real(path)
    if place.exists() and not place.is_file():
        raise BadInput("this is not a file", target=path, fix=fix)
    try:
        return foreign_files.read(str(place), most_bytes=MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadInput(f"cannot be read: {foreign_files.why(error)}", target=path, fix=fix) from None


def put(path: Path, data: bytes | None, mode: int | None = None) -> None:
    """Replace a file in one step, or remove it for None. A link's target is replaced: dotfile managers use links."""
    place, draft = real(path), drop_draft(path)
    if data is None:
        place.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if mode is None and place.exists():
        mode = stat.S_IMODE(place.stat().st_mode)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(draft, flags, 0o666 if mode is None else machine.FILE_MODE), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
    machine.sync_folder(place.parent)


def drop_draft(path: Path) -> Path:
    """Remove a draft that a killed process or a clone left, and return its path."""
    place = real(path)
    draft = place.with_name(f".{place.name}.recollect-tmp")
    draft.unlink(missing_ok=True)
    return draft


@contextlib.contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn an OSError into DiskRefused."""
    try:
        yield
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror or error}", target=path) from error
