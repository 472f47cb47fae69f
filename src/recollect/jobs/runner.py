"""Run due jobs, and record of each when it last ran, how long that took and what it did."""

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from recollect.config import Config
from recollect.failsafe import failsafe
from recollect.jobs.job import NEVER, Job, JobInput, JobRun
from recollect.jobs.job_table import JOBS
from recollect.store.protocols import Store

RAN = "worker:ran"
"""The setting that holds when a worker last ended, in seconds since the epoch."""
RUN_OF = "job:"
"""The prefix of the settings that hold a job's last run as JSON."""
DAILY_BEFORE = "worker:daily"
"""The setting in which older versions recorded one time for all daily jobs; a job without a record counts from it."""
FAILED = "failed; hook.log says why"


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job, its last run, and whether it is due."""

    job: Job
    last: JobRun
    is_on: bool
    is_due: bool

    @property
    def next_due(self) -> float | None:
        """When the interval is over, in seconds since the epoch; None for a job without an interval."""
        if self.job.every_seconds is None or self.last.at is None:
            return None
        return self.last.at + self.job.every_seconds


def run_due(work: JobInput, *, after_draining: bool = False) -> None:
    """Run the jobs that are due, either those of draining or those after it; one that fails stops no other."""
    for job in chosen(work.config, after_draining=after_draining):
        failsafe(str(work.home), job.name, _run_if_due, job, work)
    if not after_draining:
        with work.store.writing(durable=False):
            work.store.set_setting(RAN, str(work.now))


def chosen(config: Config, *, after_draining: bool) -> list[Job]:
    """Return the jobs that are switched on, either those of draining or those after it."""
    return [job for job in JOBS if job.after_draining == after_draining and job.is_on(config)]


def _run_if_due(job: Job, work: JobInput) -> None:
    last = last_run(job, work.store)
    if job.is_due(last, work.store, work.now) and failsafe(str(work.home), job.name, run, job, work) is None:
        _record(job, work.store, JobRun(last.at, result=FAILED, failed_at=work.now))


def run(job: Job, work: JobInput) -> JobRun:
    """Run a job now, due or not, and record the run; raises what the job raises."""
    started = time.monotonic()
    result = job.run(work)
    done = JobRun(work.now, round(time.monotonic() - started, 3), result)
    _record(job, work.store, done)
    return done


def last_run(job: Job, store: Store) -> JobRun:
    """Return what is recorded of a job's last run; NEVER where nothing is, or where the record cannot be read."""
    recorded = store.setting(RUN_OF + job.name)
    if recorded:
        try:
            return JobRun(**json.loads(recorded))
        except (ValueError, TypeError):
            return NEVER
    before = store.setting(DAILY_BEFORE) if job.every_seconds else None
    return JobRun(float(before)) if before else NEVER


def statuses(work: JobInput, jobs: Iterable[Job] = JOBS) -> list[JobStatus]:
    """Return the state of every job, in the table's order."""
    return [_status(job, work) for job in jobs]


def _status(job: Job, work: JobInput) -> JobStatus:
    last, is_on = last_run(job, work.store), job.is_on(work.config)
    return JobStatus(job, last, is_on, is_on and job.is_due(last, work.store, work.now))


def _record(job: Job, store: Store, run: JobRun) -> None:
    with store.writing(durable=False):
        store.set_setting(RUN_OF + job.name, json.dumps(asdict(run), ensure_ascii=False))
