"""Handlers that mark jobs as owed: after a session has ended, and in the sessions of a schedule (A39, A42)."""

from recollect.jobs import owed, runner
from recollect.jobs.job_table import JOBS
from recollect.jobs.log import compact
from recollect.jobs.owed import Owed
from recollect.model.change import Create
from recollect.pipeline.batch import Batch
from recollect.pipeline.inbox_event import InboxEvent


def owe_weighing(batch: Batch, event: InboxEvent) -> None:
    """Mark that importance is to be weighed (D40)."""
    _owe(batch, event, "weigh")


def owe_compression(batch: Batch, event: InboxEvent) -> None:
    """Mark that memories that say the same are to be merged (D43)."""
    _owe(batch, event, "compress")


def owe_log_compaction(batch: Batch, event: InboxEvent) -> None:
    """Mark that old records of the log are to be merged, where a log is kept (C15)."""
    if batch.context.vault.logs:
        _owe(batch, event, "compact-log")


def owe_experiences(batch: Batch, event: InboxEvent) -> None:
    """Mark that turns and notes may have become experiences (C20)."""
    _owe(batch, event, "experiences")


def owe_recurring(batch: Batch, event: InboxEvent) -> None:
    """Mark the jobs whose time has come in this project, and compaction where the log exceeds a threshold (C15)."""
    context, now = batch.context, batch.context.clock().timestamp()
    if event.is_past:
        return
    for job in JOBS:
        if not job.in_use_only or not job.is_on(context.config):
            continue
        last = runner.last_run(job, context.store, context.project)
        if job.is_due(last, context.store, now) or job.has_recurred(last.at, context.config, now):
            _owe(batch, event, job.name)
    if context.config.log.compact and compact.is_over_threshold(context, _new_texts(batch)):
        _owe(batch, event, "compact-log")


def _new_texts(batch: Batch) -> list[str]:
    """Return the texts of the memories that this batch adds: their lines are not in the log yet."""
    return [change.memory.text for change in batch.changes if isinstance(change, Create)]


def owe_verdicts(batch: Batch, event: InboxEvent) -> None:
    """Mark that memories that name code are to be checked against the checkout (A42)."""
    _owe(batch, event, "verdicts")


def owe_scheduled(batch: Batch, event: InboxEvent) -> None:
    """Mark the jobs whose schedule names this session; the first such session only begins the count (A39).

    A job that did only a part of its work goes on in the next session.
    """
    number, store, project = batch.session(event).number, batch.context.store, batch.context.project
    for job in JOBS:
        if not job.schedule or not job.is_on(batch.context.config):
            continue
        name = owed.key(owed.SCHEDULED, job.name, project)
        last = batch.settings.get(name) or store.setting(name)
        answer = owed.scheduled(job.schedule_in(batch.context.config), number, last)
        if answer == "first":
            batch.settings[name] = str(number)
        elif answer == "due" or 0 < _unfinished(batch, job.name) < number:
            _owe(batch, event, job.name, number)


def _unfinished(batch: Batch, job: str) -> int:
    """Return the session in which a job did only a part of its work; 0 where it did all."""
    found = batch.context.store.setting(owed.key(owed.UNFINISHED, job, batch.context.project)) or ""
    return int(found) if found.isdecimal() else 0


def _owe(batch: Batch, event: InboxEvent, job: str, number: int = 0) -> None:
    if event.is_past:  # an import of old sessions is no reason for upkeep
        return
    mark = Owed(str(batch.context.checkout.root), event.at, number)
    batch.settings[owed.key(owed.OWED, job, batch.context.project)] = owed.value(mark)
