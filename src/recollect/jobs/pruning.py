"""The job `pruning`: remove old session events, files of sessions that never ended, and events that were set aside."""

import contextlib
import time
from pathlib import Path

from recollect import paths
from recollect.jobs.job import DAY_SECONDS, JobInput

LEDGER_DAYS = 7
UNFINISHED_DAYS = 1
NO_LIMIT_DAYS = 365


def prune(work: JobInput) -> str:
    """Remove old files from the home folder, and old events and receipts from the store."""
    home, days = str(work.home), kept_days(work.config.capture.ttl_days)
    removed = _remove_old(Path(paths.runtime(home)), "recalled-*", LEDGER_DAYS)  # A45: sessions that never ended
    removed += _remove_old(Path(paths.runtime(home)), "transcript-*", UNFINISHED_DAYS)  # imports that were killed
    removed += _remove_old(Path(paths.inbox(home)), ".*", UNFINISHED_DAYS)  # half-written by hooks that were killed
    removed += _remove_old(Path(paths.aside(home)), "*", days)
    with work.store.writing(durable=False):
        work.store.sessions.trim(work.now - days * DAY_SECONDS)
    return f"removed {removed} old files, and session events older than {days} days"


def kept_days(ttl_days: int) -> int:
    """Return how many days session events and events that were set aside are kept: 365 where nothing expires."""
    return ttl_days or NO_LIMIT_DAYS


def _remove_old(folder: Path, pattern: str, days: int) -> int:
    """Remove the files of a folder that were not changed for `days`; return how many."""
    oldest, removed = time.time() - days * DAY_SECONDS, 0
    for path in folder.glob(pattern):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime < oldest:
                path.unlink()
                removed += 1
    return removed
