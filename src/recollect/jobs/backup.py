"""The job `backup`: a copy of the store for each of the last seven days."""

from recollect.jobs.job import JobInput

BACKUPS = 7


def back_up(work: JobInput) -> str:
    """Copy the store to today's file in `backups/`, and remove the copies before the last seven."""
    folder = work.home / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = folder / f"memory-{work.clock():%Y-%m-%d}.db"
    draft = copy.with_suffix(".new")
    draft.unlink(missing_ok=True)
    work.store.copy_to(draft)
    draft.replace(copy)
    for old in sorted(folder.glob("memory-*.db"))[:-BACKUPS]:
        old.unlink()
    return f"wrote backups/{copy.name}"
