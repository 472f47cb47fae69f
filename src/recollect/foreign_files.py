"""Read files that somebody else may have put there. Import-light, because hooks use it.

A cloned repository can hold a link to `/dev/zero`, a FIFO, or a link to a file outside it. `read` opens nothing but
regular files, never more of them than asked for, and none outside the folder that the caller names.
"""

import os
import stat

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
