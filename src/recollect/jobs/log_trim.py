"""The job `log-trim`: cut `MEMORY.md` to its limits, where a person lowered them (C6)."""

from recollect.jobs.job import JobInput
from recollect.vault.files import Writing
from recollect.write import vault_files


def trim(work: JobInput) -> str:
    """Remove the oldest records of `MEMORY.md` beyond `log.max_records` and `log.max_chars`."""
    context, limits = work.project, work.config.log
    if context is None:
        raise ValueError("the job needs an open project")
    if not context.vault.has_log or not (limits.max_records or limits.max_chars):
        return "nothing to do"
    with vault_files.held(context), Writing(context.vault.root) as writing, context.store.writing():
        gone = vault_files.trim_log(
            context, writing, max_records=limits.max_records, max_chars=limits.max_chars, archive=limits.archive
        )
    return f"removed {len(gone):,} lines from MEMORY.md" if gone else "nothing to do"
