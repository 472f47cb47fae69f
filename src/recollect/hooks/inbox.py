"""The inbox: one file per event, written beside and renamed, so that no event is ever half there. Import-light."""

import os
import time

from recollect import paths

ENDING = ".event"
_taken = [0]


class InboxFile:
    """The parts of a file of the inbox."""

    __slots__ = ("client", "launcher", "native", "now", "raw", "receipt")

    def __init__(self, client: str, native: str, *, now: str, launcher: str, receipt: str, raw: bytes) -> None:
        self.client = client
        self.native = native
        """The client's name for the event."""
        self.now = now
        """The time to assume; empty for the time in the file's name."""
        self.launcher = launcher
        """The session id of `recollect run`; empty without it."""
        self.receipt = receipt
        """What the hook injected, and why, as JSON; empty without a receipt."""
        self.raw = raw
        """The client's own JSON."""


def put(
    home: str, client: str, native: str, raw: bytes, *, now: str = "", launcher: str = "", receipt: str = ""
) -> str:
    """Write an event to the inbox and return its file name.

    The first line has client, event, time and launcher; the second the receipt; then follows the client's own JSON.
    """
    name = f"{time.time_ns():020d}-{os.getpid()}-{_next():04d}{ENDING}"
    words = [word.replace(" ", "") or "-" for word in (client, native, now, launcher)]
    head = f"{' '.join(words)}\n{receipt}\n".encode("utf-8", "replace")
    place = paths.inbox(home)
    draft = os.path.join(place, f".{name}")
    handle = _create(draft)
    try:
        _write(handle, head + raw)
    except OSError:
        os.unlink(draft)  # a full disk should not be filled with halves
        raise
    finally:
        os.close(handle)
    os.rename(draft, os.path.join(place, name))
    return name


def _next() -> int:
    _taken[0] += 1
    return _taken[0]


def _create(draft: str) -> int:
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.open(draft, how, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(draft), 0o700, exist_ok=True)
        return os.open(draft, how, 0o600)


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def waiting(home: str) -> list[str]:
    """Return the file names of the events that wait, oldest first."""
    try:
        names = os.listdir(paths.inbox(home))
    except OSError:
        return []
    return sorted(name for name in names if ENDING in name and not name.startswith("."))


def moment(name: str) -> float:
    """Return when an event was written, in seconds since the epoch, from its file name; 0 for another name."""
    digits = name.partition("-")[0]
    return int(digits) / 1e9 if digits.isascii() and digits.isdigit() else 0.0


def parse(data: bytes) -> InboxFile:
    """Return the parts of a file of the inbox; raise ValueError where its first line does not have four words."""
    head, _, rest = data.partition(b"\n")
    receipt, _, raw = rest.partition(b"\n")
    words = ["" if word == "-" else word for word in head.decode("utf-8", "replace").split(" ")]
    if len(words) != 4:
        raise ValueError(f"its first line has {len(words)} words instead of 4")
    client, native, now, launcher = words
    return InboxFile(client, native, now=now, launcher=launcher, receipt=receipt.decode("utf-8", "replace"), raw=raw)
