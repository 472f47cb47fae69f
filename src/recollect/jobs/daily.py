"""What is due once a day: a backup, old events, dead sessions' ledgers, which words are frequent, what has expired."""

import contextlib
import time
from pathlib import Path

from recollect import folders
from recollect.jobs import expiry
from recollect.project_context import ProjectContext

RAN, DAILY, TERMS = "worker:ran", "worker:daily", "worker:terms"
BACKUPS = 7
DAY = 86_400
LEDGER_DAYS = 7
NO_LIMIT_DAYS = 365
GROWTH = 1.1


def run(context: ProjectContext, home: Path) -> None:
    """Do what is due, and remember when we were here."""
    store, now = context.store, context.clock().timestamp()
    if _is_due(store.setting(DAILY), now):
        back_up(context, home)
        for project in {"global", context.project, *(one.project for one in store.projects.checkouts())}:
            expiry.expire(context, project)
        _prune_ledgers(home)
        _prune(Path(folders.inbox(str(home))), ".*", 1)  # halves that killed hooks left
        keep = kept_days(context.config.capture.ttl_days)
        _prune(Path(folders.aside(str(home))), "*", keep)
        with store.writing(durable=False):
            store.sessions.trim(now - keep * DAY)
            store.set_setting(DAILY, str(now))
    _renew_terms(context)
    with store.writing(durable=False):
        store.set_setting(RAN, str(now))


def kept_days(ttl_days: int) -> int:
    """How many days sessions' events, and those that were set aside, are kept: a year where nothing expires."""
    return ttl_days or NO_LIMIT_DAYS


def _is_due(last: str | None, now: float) -> bool:
    return last is None or not 0 <= now - float(last) < DAY  # a clock that was set back is due too


def back_up(context: ProjectContext, home: Path) -> Path:
    """A copy of the store for today; the last seven are kept."""
    folder = home / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = folder / f"memory-{context.clock():%Y-%m-%d}.db"
    draft = copy.with_suffix(".new")
    draft.unlink(missing_ok=True)
    context.store.copy_to(draft)
    draft.replace(copy)
    for old in sorted(folder.glob("memory-*.db"))[:-BACKUPS]:
        old.unlink()
    return copy


def _prune_ledgers(home: Path) -> None:
    """A45: what sessions left that never said good-bye."""
    _prune(Path(folders.runtime(str(home))), "recalled-*", LEDGER_DAYS)


def _prune(folder: Path, names: str, days: int) -> None:
    oldest = time.time() - days * DAY
    for place in folder.glob(names):
        with contextlib.suppress(FileNotFoundError):
            if place.stat().st_mtime < oldest:
                place.unlink()


def _renew_terms(context: ProjectContext) -> None:
    """Which words are frequent changes as the store grows."""
    number = sum(context.store.count().values())
    known = int(context.store.setting(TERMS) or 0)
    if number > known * GROWTH + 50 or number < known / GROWTH - 50:
        with context.store.writing(durable=False):
            context.store.sessions.renew_terms()
            context.store.set_setting(TERMS, str(number))
