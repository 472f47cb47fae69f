"""The lock of a log compaction, `tmp/memory-compaction.lock`: a file with its owner and expiry (C18).

CursorClaw's own runtime knows a lock by its being there. Ours is taken over when it expired or its owner is dead.
"""

import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect import foreign_files, machine
from recollect.errors import DiskRefused
from recollect.vault import files

PATH = "tmp/memory-compaction.lock"
OWNER = "recollect"
EXPIRES_SECONDS = 600
TAKING_SECONDS = 5.0
MOST_BYTES = 10_000


class LockHeld(Exception):
    """Another process compacts the log."""


@contextlib.contextmanager
def held(root: Path) -> Iterator[None]:
    """Hold the lock below a project's root and remove it on every way out; raises LockHeld, or DiskRefused."""
    place = files.inside(root, PATH)
    is_new_folder = not place.parent.exists()
    token = secrets.token_hex(8)
    try:
        _take(place, token)
        yield
    finally:
        with contextlib.suppress(OSError):
            if (_read(place) or {}).get("token") == token:
                place.unlink()
            if is_new_folder:
                place.parent.rmdir()


def is_live(root: Path) -> bool:
    """Whether somebody holds the lock: it has not expired, and its owner runs, as far as that can be known."""
    place = root / PATH
    return os.path.lexists(place) and not _is_stale(place)


def _take(place: Path, token: str) -> None:
    try:
        machine.make_folder(place.parent)
        with machine.lock(place.parent, timeout_seconds=TAKING_SECONDS):  # two that find a stale lock take turns
            if os.path.lexists(place):
                if not _is_stale(place):
                    raise LockHeld(str(place))
                place.unlink()
            owner = {"owner": OWNER, "token": token, "pid": os.getpid(), "host": machine.host_name()}
            said = json.dumps({**owner, "expires": time.time() + EXPIRES_SECONDS})
            files.write_new(place, said.encode(), machine.FILE_MODE)
    except OSError as error:
        raise DiskRefused(f"cannot be written: {error.strerror or error}", target=PATH) from error


def _is_stale(place: Path) -> bool:
    """Whether a lock has expired or its owner is dead; one of another program expires by its age."""
    said = _read(place)
    if said is None or not isinstance(said.get("pid"), int):
        try:
            return time.time() - place.lstat().st_mtime > EXPIRES_SECONDS
        except FileNotFoundError:
            return True
    if said.get("host") == machine.host_name() and not machine.is_running(said["pid"]):
        return True
    expires = said.get("expires")
    return isinstance(expires, int | float) and time.time() > expires


def _read(place: Path) -> dict[str, Any] | None:
    """Return what a lock says; None where it says nothing that can be read."""
    try:
        said = json.loads(foreign_files.read(str(place), most_bytes=MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
