"""The short-lived process that drains the inbox: one at a time per store; it ends when nothing is left.

Import-light until it holds the lock: most workers find another at work and end at once.
"""

import os
import time

from recollect import file_lock, hook_log, paths
from recollect.failsafe import failsafe
from recollect.hooks import inbox
from recollect.lazy import load

LIMIT_SECONDS = 300
LOCK = "worker.lock"


def main() -> None:
    """Drain until the inbox is empty, then run the jobs that come after draining.

    The inbox is looked at once more after the lock is released, because an event may have come in between.
    """
    os.environ["RECOLLECT_INSIDE"] = "1"  # hooks of a client that we start do nothing
    for name in ("RECOLLECT_HOME", "LETSGO_HOME"):
        if os.environ.get(name):  # a relative path would mean another folder after the change of directory
            os.environ[name] = os.path.abspath(os.path.expanduser(os.environ[name]))
    home = paths.home(os.environ)
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
        failsafe(home, "jobs", load("recollect.pipeline.inbox_processor").run_jobs_after_draining)


def take_lock(home: str) -> int | None:
    """Return the handle of the worker's lock; None where another worker holds it. Closing the handle releases it."""
    os.makedirs(home, 0o700, exist_ok=True)
    return file_lock.take(os.path.join(home, LOCK))


def _limit(home: str) -> None:
    """End the process after LIMIT_SECONDS, whatever it does."""

    def give_up() -> None:
        time.sleep(LIMIT_SECONDS)
        hook_log.write(home, "worker", f"gave up after {LIMIT_SECONDS} s; the rest waits for the next one")
        os._exit(1)

    load("_thread").start_new_thread(give_up, ())


if __name__ == "__main__":
    main()
