"""The short-lived process that drains the inbox: one at a time per store, gone when nothing is left.

Light until it holds the lock: most workers find another at work and end at once.
"""

import os
import sys
import time

from recollect import folders
from recollect.hooks import hook_log, inbox
from recollect.hooks.dispatch import failsafe
from recollect.lazy import load

LIMIT_SECONDS = 300


def main() -> None:
    """Drain until the inbox is empty; look once more after letting go, because an event may have come in between."""
    os.environ["RECOLLECT_INSIDE"] = "1"  # whatever we start is not a session of somebody's
    for name in ("RECOLLECT_HOME", "LETSGO_HOME"):
        if os.environ.get(name):  # from another folder, a relative one would be another one
            os.environ[name] = os.path.abspath(os.path.expanduser(os.environ[name]))
    home = folders.home(os.environ)
    _limit(home)
    done = None
    for _ in range(100):
        holder = take_lock(home)
        if holder is None:
            return
        os.chdir(home)  # the folder that we were started in may go away
        before = inbox.waiting(home)
        done = failsafe(home, "worker", load("recollect.pipeline.inbox_processor").drain)
        os.close(holder)
        after = inbox.waiting(home)
        if not done or not after or after == before:
            break
    if done and done.done:
        failsafe(home, "reindex", load("recollect.pipeline.inbox_processor").catch_up)


def take_lock(home: str) -> int | None:
    """The lock's handle; None where another worker holds it. The system lets go when the process ends."""
    os.makedirs(home, 0o700, exist_ok=True)
    handle = os.open(os.path.join(home, "worker.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":  # pragma: no cover
            load("msvcrt").locking(handle, 2, 1)
        else:
            fcntl = load("fcntl")
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _limit(home: str) -> None:
    """No worker lives longer than this, whatever happens."""

    def give_up() -> None:
        time.sleep(LIMIT_SECONDS)
        hook_log.write(home, "worker", f"gave up after {LIMIT_SECONDS} s; the rest waits for the next one")
        os._exit(1)

    load("_thread").start_new_thread(give_up, ())


if __name__ == "__main__":
    main()
