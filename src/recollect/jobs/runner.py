"""Run due jobs, and record of each when it last ran, how long that took and what it did."""

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from recollect.config import Config
from recollect.failsafe import failsafe
from recollect.jobs import owed
from recollect.jobs.job import NEVER, Job, JobInput, JobRun
from recollect.jobs.job_table import JOBS
from recollect.jobs.owed import Owed
from recollect.jobs.plan import Plan
from recollect.model.query import Query
from recollect.store.protocols import Store
from recollect.write import commit, session_counter

RAN = "worker:ran"
"""The setting that holds when a worker last ended, in seconds since the epoch."""
RUN_OF = "job:"
"""The prefix of the settings that hold a job's last run as JSON."""
DAILY_BEFORE = "worker:daily"
"""The setting in which older versions recorded one time for all daily jobs; a job without a record counts from it."""
FAILED = "failed; hook.log says why"
WORKER = "worker"
"""Who the worker's changes are by."""
BY_HAND, BY_ITSELF = "job:{}", "worker:{}"
"""Who the journal says made the changes of a job, with its name: a person ran it, or the worker did."""
LOCK = "jobs.lock"
"""The lock of the jobs that run after draining: one at a time, in whatever process."""
MOST_CLOSED, MOST_SHARE = 20, 0.2
"""A plan that closes more memories than this, and a larger share of the project's active ones, is not carried out by
itself: the clock may be wrong, or a setting."""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job, its last run, and whether it is due."""

    job: Job
    last: JobRun
    is_on: bool
    is_due: bool
    schedule: str = ""
    """The sessions in which it is due, as offset/cycle; empty without a schedule."""
    next_session: int | None = None
    """The next session of its schedule; None without a schedule."""
    next_due: float | None = None
    """When the interval is over, in seconds since the epoch; None for a job without an interval."""


def run_due(work: JobInput, *, after_draining: bool = False) -> None:
    """Run the jobs of the store that are due, either those of draining or those after it; a failure stops no other."""
    for job in chosen(work.config, after_draining=after_draining):
        failsafe(str(work.home), job.name, run_if_due, job, work)
    if not after_draining:
        with work.store.writing(durable=False):
            work.store.set_setting(RAN, str(work.now))


def chosen(config: Config, *, after_draining: bool) -> list[Job]:
    """Return the jobs of the store that are switched on, either those of draining or those after it."""
    rows = [job for job in JOBS if job.scope == "store" and job.after_draining == after_draining]
    return [job for job in rows if job.is_on(config)]


def run_if_due(job: Job, work: JobInput) -> None:
    """Run a job if it is due; one that fails is recorded as failed and is due again."""
    project = _project(job, work)
    last = last_run(job, work.store, project)
    if is_due(job, last, work) and failsafe(str(work.home), job.name, run, job, work) is None:
        _record(job, work.store, project, JobRun(last.at, result=FAILED, failed_at=work.now))


def is_due(job: Job, last: JobRun, work: JobInput) -> bool:
    """Whether a job is due: its interval is over, the store asks for it, or it is owed to the open project."""
    is_owed = bool(work.project and owed.read(work.store, job.name, work.project.project))
    is_time = job.is_due(last, work.store, work.now) or job.has_recurred(last.at, work.config, work.now)
    return is_owed or is_time


def run(job: Job, work: JobInput, *, even_so: bool = False, plan: Plan | None = None, group: str = "") -> JobRun:
    """Run a job now, due or not, and record the run; raises what the job raises.

    A plan that would close too many memories stops and says so, unless `even_so`; the job stays due. `plan` is one that
    was made before, and `group` the group of changes that it continues.
    """
    started, project = time.monotonic(), _project(job, work)
    mark = owed.read(work.store, job.name, project) if project else None
    if job.run:
        done = JobRun(work.now, result=job.run(work))
        with work.store.writing(durable=False):
            owed.settle(work.store, job.name, project, mark)
    else:
        done = _carry_out(job, work, plan or plan_of(job, work), mark, even_so=even_so, group=group)
    done = replace(done, seconds=round(time.monotonic() - started, 3))
    _record(job, work.store, project, done)
    return done


def plan_of(job: Job, work: JobInput) -> Plan:
    """Return what a job would change; raises ValueError for a job that changes no memories."""
    if job.plan is None:
        raise ValueError(f"{job.name} changes no memories")
    return job.plan(work)


def _carry_out(job: Job, work: JobInput, plan: Plan, mark: Owed | None, *, even_so: bool, group: str) -> JobRun:
    """Commit a plan as one group, with what is noted besides; or stop, and return that."""
    context = work.project
    if context is None:
        raise ValueError("the job needs an open project")
    active = work.store.number(Query(project=context.project, global_too=False))
    if not even_so and is_too_much(plan.closing, active):
        how = f"`recollect jobs run {job.name} --even-so` does it"
        says = f"stopped: it would close {plan.closing:,} of {active:,} memories; {how}"
        return JobRun(last_run(job, work.store, context.project).at, result=says, stopped_at=work.now)

    def note() -> None:
        if plan.also:
            plan.also()
        owed.settle(work.store, job.name, context.project, mark)

    if plan.changes:
        actor = (BY_ITSELF if context.actor == WORKER else BY_HAND).format(job.name)
        by_job = replace(context, actor=actor)
        commit.commit(by_job, plan.changes, group_id=group, also=note, survives_kill=True)
    else:
        with work.store.writing(durable=False):
            note()
    return JobRun(work.now, result=plan.result)


def is_too_much(closing: int, active: int) -> bool:
    """Whether a plan closes so many memories of a project that a person should look at it first."""
    return closing > MOST_CLOSED and closing > active * MOST_SHARE


def last_run(job: Job, store: Store, project: str = "") -> JobRun:
    """Return what is recorded of a job's last run; NEVER where nothing is, or where the record cannot be read.

    `project` is the one in which a job of projects ran.
    """
    recorded = store.setting(_name(job, project))
    if recorded:
        try:
            return JobRun(**json.loads(recorded))
        except (ValueError, TypeError):
            return NEVER
    before = store.setting(DAILY_BEFORE) if job.every_seconds and job.scope == "store" else None
    return JobRun(float(before)) if before else NEVER


def statuses(work: JobInput, jobs: Iterable[Job] = JOBS) -> list[JobStatus]:
    """Return the state of every job, in the table's order; of jobs of projects, that in the open project."""
    return [_status(job, work) for job in jobs]


def _status(job: Job, work: JobInput) -> JobStatus:
    last, is_on = last_run(job, work.store, _project(job, work)), job.is_on(work.config)
    schedule = job.schedule_in(work.config)
    number = session_counter.number(work.project) if work.project else 0
    ahead = owed.next_session(schedule, number) if schedule else None
    upcoming = job.next_due(last.at, work.config)
    return JobStatus(job, last, is_on, is_on and is_due(job, last, work), schedule, ahead, upcoming)


def _project(job: Job, work: JobInput) -> str:
    """Return the project that a run is recorded for; empty for a job of the store."""
    return work.project.project if job.scope == "project" and work.project else ""


def _name(job: Job, project: str) -> str:
    return owed.key(RUN_OF, job.name, project) if project else RUN_OF + job.name


def note_skipped(job: Job, store: Store, project: str, why: str) -> None:
    """Record that a job that is owed could not be run in a project, and why; it stays owed."""
    _record(job, store, project, replace(last_run(job, store, project), result=f"skipped: {why}"))


def _record(job: Job, store: Store, project: str, run: JobRun) -> None:
    with store.writing(durable=False):
        store.set_setting(_name(job, project), json.dumps(asdict(run), ensure_ascii=False))
