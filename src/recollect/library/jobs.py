"""Workspace verbs for due work: list the jobs, run one now."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from recollect import machine, paths
from recollect.jobs import job_table, runner
from recollect.jobs.job import JobInput, JobRun
from recollect.jobs.runner import JobStatus
from recollect.opening.open_project import OpenProject
from recollect.pipeline import worker

LOCK_SECONDS = 10.0


class JobVerbs(OpenProject):
    """The jobs that the worker runs by itself."""

    def jobs(self) -> list[JobStatus]:
        """Return every job with its last run and whether it is due, in the order in which the worker runs them."""
        return runner.statuses(self._job_input())

    def run_job(self, name: str) -> JobRun:
        """Run a job now, due or not; return what is recorded of it.

        Raises BadInput for an unknown name, StoreBusy where a worker is at work, and what the job itself raises.
        """
        job = job_table.find(name)
        with contextlib.nullcontext() if job.after_draining else self._worker_lock():
            return runner.run(job, self._job_input())

    def _job_input(self) -> JobInput:
        context = self._context
        return JobInput(context.store, context.config, Path(paths.home(context.env)), context.clock, context)

    @contextlib.contextmanager
    def _worker_lock(self) -> Iterator[None]:
        with machine.lock(Path(paths.home(self._context.env)) / worker.LOCK, timeout_seconds=LOCK_SECONDS):
            yield
