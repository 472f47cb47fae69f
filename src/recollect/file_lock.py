"""Locks on files and folders, through the operating system, which releases them however a process ends.

Import-light, because most workers find the lock taken and end at once. `machine.lock` waits for such a lock.
"""

import os
import sys

if sys.platform == "win32":  # pragma: no cover
    import msvcrt
else:
    import fcntl


def try_lock(handle: int) -> bool:
    """Lock an open file or folder; return False where another process holds it. Closing the handle releases it."""
    try:
        if sys.platform == "win32":  # pragma: no cover
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def take(path: str) -> int | None:
    """Return the handle of a locked file, created where it is missing; None where another process holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if try_lock(handle):
        return handle
    os.close(handle)
    return None
