"""The job `log-trim`: cut `MEMORY.md` to its limits, where a person lowered them (C6)."""

from recollect import foreign_files
from recollect.jobs.job import JobInput
from recollect.jobs.plan import Plan, Step
from recollect.model.change import Splice
from recollect.policy.log import splicing
from recollect.project_context import ProjectContext
from recollect.vault import files
from recollect.vault.layouts import LOG
from recollect.write import vault_files


def plan(work: JobInput) -> Plan:
    """Return what removes the oldest records of `MEMORY.md` beyond `log.max_records` and `log.max_chars`."""
    context, limits = work.project, work.config.log
    if context is None:
        raise ValueError("the job needs an open project")
    if not context.vault.has_log or not (limits.max_records or limits.max_chars):
        return Plan()
    cut = vault_files.cut_log(
        context, max_records=limits.max_records, max_chars=limits.max_chars, archive=limits.archive
    )
    if not cut.gone:
        return Plan()
    gone = "".join(f"{line}\n" for line in cut.gone)
    number = f"{len(cut.gone):,} {'line' if len(cut.gone) == 1 else 'lines'}"
    trimming = splicing.plan(LOG, cut.source, cut.kept)
    steps = (
        [Step(trimming, LOG, f"remove {number}", "the oldest records, beyond a limit", preview=gone)]
        if trimming
        else []
    )
    if limits.archive:
        archiving = _archiving(context, limits.archive, gone)
        steps.insert(0, Step(archiving, limits.archive, f"append {number}", "log.archive keeps what is removed"))

    def note() -> None:
        if limits.archive:
            vault_files.register_archive(context, limits.archive)

    return Plan(tuple(steps), f"removed {number} from MEMORY.md", also=note)


def _archiving(context: ProjectContext, path: str, lines: str) -> Splice:
    """Return the change that appends lines to the archive."""
    place = files.inside(context.vault.root, path)
    return splicing.appended(path, files.read(place, foreign_files.LOG_BYTES) if files.look(place) else None, lines)
