"""Read files that somebody else may have put there. Import-light, because hooks use it.

A cloned repository can hold a link to `/dev/zero`, a FIFO, or a link to a file outside it. `read` opens nothing but
regular files, never more of them than asked for, and none outside the folder that the caller names.
"""

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# How much of each kind of file is read. Each cap is far above what people have, and small enough to hold in memory.
SETTINGS_BYTES = 1_000_000  # settings are a few kB; a large pyproject.toml has 100 kB
MEMORY_BYTES = 4_000_000  # one memory, note or draft; the longest text that may be saved is far below it
LOG_BYTES = 100_000_000  # MEMORY.md grows by a line a record: some 200,000 records
TOLD_BYTES = 500_000  # the end of a file that a session start tells from; it shows at most 32,000 characters
TRANSCRIPT_BYTES = 4_000_000  # the end of a transcript; a turn is far shorter
LINE_BYTES = 4_000_000  # one line of an import; the file itself may have any length, it is read line by line
DATASET_BYTES = 4_000_000_000  # a public data set that somebody measures with; the largest have 3 GB
MOST_ENTRIES = 100_000  # names in one folder; a vault of ten years has some thousands

CHUNK = 1 << 16
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)


class NotPlain(OSError):
    """A path that is not a regular file below its root, or a file that is too long."""


def read(path: str, *, root: str = "", most_bytes: int, tail: bool = False) -> bytes:
    """Return the bytes of a regular file, at most `most_bytes` of them.

    With `root`, the file must lie below that folder after all links are followed. With `tail`, a longer file yields
    its last bytes; otherwise it is refused. Raises FileNotFoundError where nothing is, NotPlain where the path is a
    device, FIFO, socket, folder, link that leads out, or too long, and OSError where the system refuses.
    """
    handle = _open_regular(path, root)
    try:
        size = os.fstat(handle).st_size
        if size > most_bytes:
            if not tail:
                raise NotPlain(f"{path} has {size} bytes, more than {most_bytes}")
            os.lseek(handle, size - most_bytes, os.SEEK_SET)
        return _read_at_most(handle, most_bytes)
    finally:
        os.close(handle)


def lines(path: str, *, root: str = "", most_line_bytes: int = LINE_BYTES) -> "Iterator[bytes]":
    """Yield the lines of a regular file with their ends, whatever its length.

    Of a longer line only the first `most_line_bytes` + 1 bytes are yielded. Raises as `read` does.
    """
    handle = _open_regular(path, root)
    try:
        kept = b""
        while part := os.read(handle, CHUNK):
            first, *rest = part.split(b"\n")
            kept += first[: max(0, most_line_bytes + 1 - len(kept))]
            for piece in rest:
                yield kept + b"\n"
                kept = piece[: most_line_bytes + 1]
        if kept:
            yield kept
    finally:
        os.close(handle)


def chunks(path: str, *, root: str = "", size: int = 1 << 20) -> "Iterator[bytes]":
    """Yield the bytes of a regular file piece by piece, whatever its length. Raises as `read` does."""
    handle = _open_regular(path, root)
    try:
        while part := os.read(handle, size):
            yield part
    finally:
        os.close(handle)


class PlainFile:
    """A regular file that is read in pieces. Opening it raises as `read` does."""

    __slots__ = ("_handle",)

    def __init__(self, path: str, *, root: str) -> None:
        self._handle = _open_regular(path, root)

    def at(self, offset: int, size: int) -> bytes:
        """Return up to `size` bytes from an offset; fewer at the end of the file."""
        os.lseek(self._handle, offset, os.SEEK_SET)
        return _read_at_most(self._handle, size)

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


def names(folder: str, *, root: str = "", most: int = MOST_ENTRIES) -> list[str]:
    """Return the names in a folder, sorted; nothing where there is none.

    Raises NotPlain where the folder is a link that leads outside `root`, or holds more than `most` names, and OSError
    where the system refuses.
    """
    if root and not is_below(folder, root):
        raise NotPlain(f"{folder} leads outside {root}")
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(found) == most:
                    raise NotPlain(f"{folder} holds more than {most} files")
                found.append(entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(found)


def why(error: OSError) -> str:
    """Return what is wrong with a file, in words for a person."""
    return str(error) if isinstance(error, NotPlain) else str(error.strerror or error)


def is_below(path: str, root: str) -> bool:
    """Return whether a path lies in a folder, or is that folder, after all links are followed."""
    real, top = os.path.realpath(path), os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def _open_regular(path: str, root: str) -> int:
    try:
        real = os.path.realpath(path, strict=True)
    except ValueError:  # a NUL byte in the name
        raise NotPlain(f"{path!r} is no path") from None
    if root and not is_below(real, root):
        raise NotPlain(f"{path} leads outside {root}")
    # A FIFO would block an ordinary open; the check comes before it, and once more on what was really opened.
    if not stat.S_ISREG(os.lstat(real).st_mode):
        raise NotPlain(f"{path} is not a regular file")
    handle = os.open(real, os.O_RDONLY | NOFOLLOW | NONBLOCK | BINARY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotPlain(f"{path} is not a regular file")
    return handle


def _read_at_most(handle: int, most_bytes: int) -> bytes:
    parts, left = [], most_bytes
    while left and (part := os.read(handle, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def transcript_path(said: str, home: str = "~") -> str:
    """Return the real path of a client's transcript; empty where it is not below the user's home or /tmp (B5)."""
    found = os.path.realpath(os.path.expanduser(said)) if said else ""
    allowed = [os.path.realpath(os.path.expanduser(folder)) for folder in (home, "/tmp") if folder]  # noqa: S108
    return found if any(found.startswith(folder.rstrip("/") + "/") for folder in allowed) else ""


def open_folder(path: str) -> int:
    """Open a folder, to look at the files in it by their names alone; raises OSError for anything else."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY)
