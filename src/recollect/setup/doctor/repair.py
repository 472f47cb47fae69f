"""Rebuild a damaged or missing database from the journal."""

from pathlib import Path

from recollect import machine
from recollect.errors import DiskRefused
from recollect.model.kinds import Kinds
from recollect.store import journal_mirror
from recollect.store.sqlite.store import SqliteStore
from recollect.write import journal_rebuild
from recollect.write.journal_rebuild import Rebuilt


def repair(database: Path, mirror: Path, kinds: Kinds) -> tuple[Path, Rebuilt]:
    """Rename a damaged database and rebuild it from the journal's mirror; return the old file's new path."""
    aside = set_aside(database)
    return aside, rebuild_database(database, mirror, kinds) or Rebuilt()


def rebuild_database(database: Path, mirror: Path, kinds: Kinds) -> Rebuilt | None:
    """Build a new database from the mirror, completely or not at all; None when another process was first."""
    machine.make_folder(database.parent)
    with machine.lock(database.with_name("rebuild.lock"), timeout_seconds=60):
        if database.exists() and database.stat().st_size:
            return None
        draft = database.with_name(f"{database.name}.new")
        for leftover in database.parent.glob(f"{draft.name}*"):
            leftover.unlink()
        store = SqliteStore(draft, kinds)
        done = journal_rebuild.from_journal(store, mirror)
        store.close()
        draft.replace(database)
        journal_mirror.set_aside(mirror)
        store = SqliteStore(database, kinds)
        journal_mirror.append_missing_entries(store, mirror)
        store.close()
    return done


def set_aside(database: Path) -> Path:
    """Rename the database and its companion files, and return the new path; nothing is deleted."""
    number = sum(1 for _ in database.parent.glob(f"{database.name}.damaged-*")) + 1
    aside = database.with_name(f"{database.name}.damaged-{number}")
    try:
        database.rename(aside)
        for suffix in ("-wal", "-shm"):
            companion = database.with_name(database.name + suffix)
            if companion.exists():
                companion.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise DiskRefused(f"the database cannot be set aside: {error}", target=database) from error
    return aside
