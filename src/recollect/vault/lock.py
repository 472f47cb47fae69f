"""The lock of a vault: one writer at a time.

The folder itself is locked through the operating system, which releases the lock when a process dies. claude-memory's
own scripts do not know that lock, so the lock folder of seed 002 is created as well (B48). Ours has the sticky bit:
whoever finds such a folder while holding the system's lock knows that the process that made it is dead.
"""

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from recollect import machine
from recollect.errors import StoreBusy

NAME = ".index.lockdir"
TIMEOUT_SECONDS = 5.0
STALE_SECONDS = 60.0
POLL_SECONDS = 0.05
OUR_MODE = 0o1700
QUEUE_SECONDS = 60.0  # how long we wait for our own processes

Warn = Callable[[str], None]


def warn_on_stderr(message: str) -> None:
    """Print a warning to standard error; the default if the caller does not collect warnings."""
    print(message, file=sys.stderr)


@contextlib.contextmanager
def held(root: Path, warn: Warn = warn_on_stderr) -> Iterator[None]:
    """Hold the lock of the vault below `root`; raises StoreBusy if another program does not release it in time."""
    with machine.lock(root, timeout_seconds=QUEUE_SECONDS):
        folder = root / NAME
        _take(folder, warn)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _take(folder: Path, warn: Warn) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not _make(folder):
        if _is_ours(folder):
            _break(folder)
        elif _age_seconds(folder) > STALE_SECONDS:
            warn(f"WARNING: broke a stale lock (older than {STALE_SECONDS:.0f} s): {folder}")
            _break(folder)
        elif time.monotonic() > deadline:
            fix = f"Wait for the other program; if none runs, remove the folder {folder}."
            raise StoreBusy(f"the vault was locked for {TIMEOUT_SECONDS:.0f} s", target=folder, fix=fix)
        else:
            time.sleep(POLL_SECONDS)


def _make(folder: Path) -> bool:
    try:
        os.mkdir(folder, OUR_MODE)  # noqa: PTH102 - Path.mkdir drops the sticky bit
    except FileExistsError:
        return False
    return True


def _break(folder: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        folder.rmdir()


def _is_ours(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & stat.S_ISVTX)
    except FileNotFoundError:
        return False


def _age_seconds(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0
