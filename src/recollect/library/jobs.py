"""Workspace verbs for due work: list the jobs, plan one, run one now."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from recollect import machine, paths
from recollect.errors import BadInput
from recollect.jobs import job_table, runner
from recollect.jobs.job import JobInput, JobRun
from recollect.jobs.memories import compress, forget
from recollect.jobs.plan import Plan
from recollect.jobs.runner import JobStatus
from recollect.model import text
from recollect.opening.open_project import OpenProject
from recollect.pipeline import worker
from recollect.policy.upkeep.forgetting import Candidate
from recollect.write import session_counter

LOCK_SECONDS = 10.0
Consolidation = Literal["weigh", "compress"]
CONSOLIDATION: tuple[Consolidation, ...] = ("weigh", "compress")


@dataclass(frozen=True, slots=True)
class JobReport:
    """What a job planned, and what came of it."""

    name: str
    plan: Plan
    run: JobRun | None = None
    """What is recorded of the run; None where nothing was done yet."""


class JobVerbs(OpenProject):
    """The jobs that the worker runs by itself."""

    def jobs(self) -> list[JobStatus]:
        """Return every job with its last run and whether it is due, in the order in which the worker runs them."""
        return runner.statuses(self._job_input())

    def plan_job(self, name: str) -> Plan:
        """Return what a job would change now, without changing anything; no steps for a job that changes no memories.

        Raises BadInput for an unknown name.
        """
        job = job_table.find(name)
        if job.plan is None:
            return Plan(result=f"it changes no memories. {job.does}")
        self.look()
        return job.plan(self._job_input())

    def run_job(self, name: str, *, even_so: bool = False, plan: Plan | None = None, group: str = "") -> JobRun:
        """Run a job now, due or not; return what is recorded of it.

        A job that would close too many memories stops and says so, unless `even_so`. `plan` is one of `plan_job`; jobs
        that are given the same `group` are undone together.
        Raises BadInput for an unknown name, StoreBusy where a worker is at work, and what the job itself raises.
        """
        job = job_table.find(name)
        lock = runner.LOCK if job.after_draining else worker.LOCK
        with self._job_lock(lock):
            if job.plan and plan is None:
                self.look()
            return runner.run(job, self._job_input(), even_so=even_so, plan=plan, group=group)

    def consolidate(
        self, only: Consolidation | None = None, *, dry_run: bool = False, even_so: bool = False
    ) -> list[JobReport]:
        """Weigh and compress the memories of this project, or do one of both; with `dry_run` only plan it.

        One `undo` takes back both.
        """
        plans: dict[str, Plan] = {}
        for name in [only] if only else CONSOLIDATION:
            away = {uid for plan in plans.values() for uid in plan.closed}
            plans[name] = compress.plan_without(self._job_input(), away) if away else self.plan_job(name)
        return self._reports(plans, dry_run=dry_run, even_so=even_so)

    def gc(self, *, dry_run: bool = False, even_so: bool = False) -> list[JobReport]:
        """Remove the files of long retired memories and erase expired ones; with `dry_run` only plan it.

        One `undo` takes back both.
        """
        plans = {name: self.plan_job(name) for name in ("collection", "expiry")}
        return self._reports(plans, dry_run=dry_run, even_so=even_so)

    def forget_candidates(self, count: int | None = None) -> list[Candidate]:
        """Return the memories that a review would look at, the lowest score first; the setting says how many.

        Raises BadInput before the first session: ages are counted in sessions.
        """
        self._check_sessions()
        number = self._context.config.forget.candidates if count is None else count
        self.look()
        return forget.candidates(self._context, number)

    def forget(
        self, count: int | None = None, *, force: bool = False, dry_run: bool = False, even_so: bool = False
    ) -> JobReport:
        """Review the least used memories if the schedule says so, or with `force` now; archive what nobody misses.

        Where it is not due the report has no steps and no run. Raises BadInput before the first session.
        """
        self._check_sessions()
        status = next(status for status in self.jobs() if status.job.name == "forget")
        if not (force or dry_run or status.is_due):
            return JobReport("forget", Plan(result=f"not due before session {status.next_session}"))
        self.look()
        if count is None and not force:
            plan = forget.plan(self._job_input())
        else:
            plan = forget.plan_of(self._context, self._context.config.forget.candidates if count is None else count)
        return JobReport("forget", plan, None if dry_run else self.run_job("forget", even_so=even_so, plan=plan))

    def _check_sessions(self) -> None:
        if not session_counter.number(self._context):
            fix = "Work with an agent first, or set the count: `recollect session --set N`."
            raise BadInput("no session was counted yet, and ages are counted in sessions", fix=fix)

    def _reports(self, plans: Mapping[str, Plan], *, dry_run: bool, even_so: bool) -> list[JobReport]:
        """Run plans of jobs one after the other, as one group of changes, unless it is a dry run."""
        group, reports = text.new_uid(self._context.clock()), []
        for name, plan in plans.items():
            is_run = not dry_run and (plan.steps or plan.also)
            run = self.run_job(name, even_so=even_so, plan=plan, group=group) if is_run else None
            reports.append(JobReport(name, plan, run))
        return reports

    def _job_input(self) -> JobInput:
        context = self._context
        return JobInput(context.store, context.config, Path(paths.home(context.env)), context.clock, context)

    @contextlib.contextmanager
    def _job_lock(self, name: str) -> Iterator[None]:
        with machine.lock(Path(paths.home(self._context.env)) / name, timeout_seconds=LOCK_SECONDS):
            yield
