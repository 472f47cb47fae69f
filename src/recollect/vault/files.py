"""Read and write files below a folder: nothing outside it, in whole steps, and undone if a later step fails."""

import contextlib
import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from recollect import foreign_files, machine
from recollect.errors import DiskRefused, OutsideVault, UnreadableFile

if TYPE_CHECKING:
    from recollect.vault.diary import Diary

SCRATCH = ".recollect-"
RACY_NS = 50_000_000
NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)


@dataclass(frozen=True, slots=True)
class Look:
    """Size and time of a file, and when they were read."""

    size: int
    mtime_ns: int
    seen_ns: int

    def is_same(self, size: int, mtime_ns: int, seen_ns: int) -> bool:
        """Whether a file is certainly unchanged; one modified less than 50 ms before it was read may have changed."""
        return (self.size, self.mtime_ns) == (size, mtime_ns) and mtime_ns < seen_ns - RACY_NS


def real(path: Path) -> Path:
    """Return where a path leads when all links are followed. Unlike `Path.resolve`, links in a circle do not raise."""
    return Path(os.path.realpath(path))


def inside(root: Path, path: str | Path) -> Path:
    """Return a path below root with `..` and links resolved; raises OutsideVault if it is not below."""
    whole = real((root / path).parent) / Path(path).name
    if real(root) not in whole.parents or Path(path).name in {"", ".", ".."}:
        raise OutsideVault("the path leaves the vault", target=path)
    return whole


def look(path: Path) -> Look | None:
    """Return size and time of a regular file; None if there is none, or it is a link. Raises UnreadableFile."""
    try:
        found = path.stat(follow_symlinks=False)
    except OSError as error:
        if error.errno in NOT_THERE:
            return None
        raise UnreadableFile(f"cannot be read: {error.strerror}", target=path) from error
    if path.is_symlink() or not path.is_file():
        return None
    return Look(found.st_size, found.st_mtime_ns, time.time_ns())


def read(path: Path, most: int = foreign_files.MEMORY_BYTES, *, root: Path | None = None) -> bytes:
    """Return the bytes of a regular file; with `root`, of one that lies below it.

    Raises UnreadableFile for anything else, and for a file of more than `most` bytes.
    """
    try:
        return foreign_files.read(str(path), root=str(root or ""), most_bytes=most)
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {foreign_files.why(error)}", target=path) from error


def names(folder: Path, root: Path) -> list[str]:
    """Return the names in a folder below `root`, sorted, without hidden ones; nothing where there is none.

    A folder that is a link out of `root` counts as none. Raises UnreadableFile where it cannot be listed.
    """
    if not foreign_files.is_below(str(folder), str(root)):
        return []
    try:
        found = foreign_files.names(str(folder))
    except OSError as error:
        raise UnreadableFile(f"cannot be listed: {foreign_files.why(error)}", target=folder) from error
    return [name for name in found if not name.startswith(".")]


def oddity(path: Path) -> str | None:
    """Return why a path that exists is not read: it is a link, device, pipe, socket or folder. None otherwise."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return None
    return None if stat.S_ISREG(mode) else "not a regular file"


@dataclass(slots=True)
class Writing:
    """Writes below a root that are all undone if the `with` block fails."""

    root: Path
    changed: list[str] = field(default_factory=list)
    _undo: list[tuple[Path, Path | None]] = field(default_factory=list)
    diary: "Diary | None" = None
    """Where the files' old bytes are kept in case this process is killed; None where one file at a time is enough."""
    _cut: list[tuple[Path, int]] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def write(self, path: str, data: bytes) -> Look:
        """Replace a file in one step: it always has either the old bytes or the new ones. Raises DiskRefused."""
        with self._refusals(path):
            place = inside(self.root, path)
            machine.make_folder(place.parent)
            draft = place.with_name(f"{SCRATCH}{secrets.token_hex(6)}.tmp")
            mode = place.stat().st_mode & 0o777 if place.exists() else machine.FILE_MODE
            try:
                write_new(draft, data, mode)
                self._set_aside(place)
                if self.diary:
                    self.diary.before_write(place, data)
                draft.replace(place)
            finally:
                draft.unlink(missing_ok=True)
            machine.sync_folder(place.parent)
            self.changed.append(path)
            found = look(place)
        if found is None:
            raise UnreadableFile("was removed while it was written", target=path)
        return found

    def append(self, path: str, data: bytes, first: bytes = b"") -> None:
        """Append to a file, `first` at the start of a new one; undone if the block fails. Raises DiskRefused."""
        with self._refusals(path):
            place = inside(self.root, path)
            machine.make_folder(place.parent)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            if not os.path.lexists(place):
                self._undo.append((place, None))
            with os.fdopen(os.open(place, flags, machine.FILE_MODE), "rb+", buffering=0) as file:
                size = file.seek(0, os.SEEK_END)
                self._cut.append((place, size))
                file.seek(max(0, size - 1))
                gap = b"\n" if file.read(1) not in (b"", b"\n") else b""
                rest = gap + data if size else first + data
                if self.diary:
                    self.diary.before_append(place, size, rest)
                while rest:  # the system may take a part, and say only then that there is no room
                    rest = rest[file.write(rest) or 0 :]
            self.changed.append(path)

    def remove(self, path: str) -> None:
        """Remove a file, if it exists. Raises DiskRefused."""
        with self._refusals(path):
            place = inside(self.root, path)
            if place.exists():
                self._set_aside(place)
                if self.diary:
                    self.diary.before_write(place, None)
                place.unlink(missing_ok=True)
                self.changed.append(path)

    def _set_aside(self, place: Path) -> None:
        # A hard link keeps the old bytes without needing space: taking back works on a full disk too.
        aside: Path | None = None
        if os.path.lexists(place):
            aside = place.with_name(f"{SCRATCH}{secrets.token_hex(6)}.old")
            try:
                os.link(place, aside, follow_symlinks=False)
            except PermissionError:  # a file of another user's, or a file system without links
                shutil.copy2(place, aside, follow_symlinks=False)
        self._undo.append((place, aside))

    @contextlib.contextmanager
    def _refusals(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DiskRefused(f"cannot be written: {error.strerror or error}", target=path) from error

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        for place, aside in reversed(self._undo):
            with contextlib.suppress(OSError):
                if kind is None and aside:
                    aside.unlink()
                elif kind is not None and aside:
                    aside.replace(place)
                elif kind is not None:
                    place.unlink(missing_ok=True)
        for place, size in reversed(self._cut if kind else []):
            with contextlib.suppress(OSError):
                os.truncate(place, size)
        self._undo.clear()
        self._cut.clear()
        if self.diary:
            self.diary.close()


def write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a file that must not exist yet, and wait until it is on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sweep(folder: Path) -> None:
    """Remove temporary files of a killed process; call only under the vault's lock."""
    for left in folder.glob(f"{SCRATCH}*"):
        if left.suffix in {".tmp", ".old"}:
            with contextlib.suppress(OSError):
                left.unlink()
