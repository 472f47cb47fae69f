"""`hook.log`: hooks and workers fail open, and write one line about what went wrong. Import-light."""

import os
import time

from recollect import paths

MOST_BYTES = 500_000


def write(home: str, what: str, problem: str) -> None:
    """Append a line to hook.log; where the disk refuses that, do nothing."""
    append(paths.log(home), what, problem)


def append(place: str, what: str, problem: str) -> None:
    """Append a line to a log in our home; where the disk refuses that, do nothing."""
    chosen = os.environ.get("RECOLLECT_NOW", "")
    is_time = len(chosen) == 20 and chosen[:4].isdigit()
    stamp = chosen if is_time else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = f"{stamp} {what}: {' '.join(problem.split())[:500]}\n"
    try:
        os.makedirs(os.path.dirname(place), 0o700, exist_ok=True)
        if os.path.exists(place) and os.path.getsize(place) > MOST_BYTES:
            os.replace(place, place + ".old")
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, line.encode("utf-8", "replace"))
        os.close(handle)
    except OSError:
        return
