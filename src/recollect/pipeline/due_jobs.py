"""Run the due jobs that come after draining: those of projects, each with its project open, then those of the store.

They run while no event waits for them, one at a time under a lock of their own. A process that is killed leaves what it
was doing undone and owed.
"""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from recollect import config, file_lock, hook_log, paths
from recollect.config import Config
from recollect.failsafe import failsafe
from recollect.interop import launcher
from recollect.jobs import owed, runner
from recollect.jobs.job import NEVER, Job, JobInput
from recollect.jobs.job_table import JOBS
from recollect.model.clock import Clock
from recollect.opening.open_checkout import open_checkout, system_clock
from recollect.opening.open_project import OpenProject
from recollect.project.checkout import find_checkout
from recollect.store.protocols import Store
from recollect.store.sqlite.store import SqliteStore

ANNOUNCED_SECONDS = 45
LIMIT_SECONDS = 120.0
"""No job is begun after this time: what is left stays due. A worker ends itself some minutes later in any case."""


def run(env: Mapping[str, str] = os.environ) -> None:
    """Run the jobs that are due after draining; nothing is done where another process is at it."""
    settings, home, now = config.load(env=env).config, Path(paths.home(env)), system_clock(env)
    with _alone(home) as is_alone:
        if not is_alone:
            return
        with contextlib.closing(SqliteStore(Path(paths.database(env)), settings.kind_table())) as store:
            _run_for_projects(store, home, now, env, until=time.monotonic() + LIMIT_SECONDS)
            if runner.chosen(settings, after_draining=True):
                runner.run_due(JobInput(store, settings, home, now), after_draining=True)


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[bool]:
    """Hold the lock of the jobs; yield False where another process holds it."""
    handle = file_lock.take(str(home / runner.LOCK))
    try:
        yield handle is not None
    finally:
        if handle is not None:
            os.close(handle)


def _run_for_projects(store: Store, home: Path, now: Clock, env: Mapping[str, str], *, until: float) -> None:
    """Run the due jobs of every project that has any; those whose folder is gone are noted."""
    for project, due in _due(store, now().timestamp()).items():
        root = _folder(store, project, due)
        if root is None:
            for job in due:
                _note_gone(store, job, project)
        elif time.monotonic() < until:
            failsafe(str(home), "jobs", _run_in, root, project, home, env, until)


def _due(store: Store, now: float) -> dict[str, list[Job]]:
    """Return, by project, the jobs that are due there, as far as the store alone can tell."""
    owes = owed.every(store)
    known = {checkout.project for checkout in store.projects.checkouts()} | {project for _, project in owes}
    found: dict[str, list[Job]] = {}
    for project in sorted(known):
        for job in JOBS:
            is_due = (job.name, project) in owes
            if job.scope == "project" and not job.in_use_only:
                is_due = is_due or job.is_due(runner.last_run(job, store, project), store, now)
            if job.scope == "project" and is_due:
                found.setdefault(project, []).append(job)
    return found


def _folder(store: Store, project: str, due: list[Job]) -> Path | None:
    """Return a checkout of a project that exists: the one whose session made a job due, else any; None without one."""
    marks = [owed.read(store, job.name, project) for job in due]
    roots = [mark.root for mark in marks if mark]
    roots += [checkout.root for checkout in store.projects.checkouts() if checkout.project == project]
    return next((Path(root) for root in roots if os.path.isdir(root)), None)  # noqa: PTH112 - it raises nothing


def _note_gone(store: Store, job: Job, project: str) -> None:
    mark = owed.read(store, job.name, project)
    if mark:
        runner.note_skipped(job, store, project, f"the folder {mark.root} is gone")


def _run_in(root: Path, project: str, home: Path, env: Mapping[str, str], until: float) -> None:
    """Open a project and run its due jobs, in the table's order."""

    def warn(said: str) -> None:
        hook_log.write(str(home), "jobs", said)

    with open_checkout(
        find_checkout(root), OpenProject, folder=root, env=env, actor=runner.WORKER, warn=warn
    ) as opened:
        context = opened.project_context
        if context.project != project:  # the folder belongs to another project by now
            return
        if opened.standing.uses_vault:  # a clone that nobody trusted has no files to look at
            failsafe(str(home), "jobs", opened.look)
        work = JobInput(context.store, context.config, home, context.clock, opened.project_context)
        for job in _of_projects(context.config):
            if time.monotonic() < until:
                _announce(job, work, env)
                runner.run_if_due(job, work)


def _announce(job: Job, work: JobInput, env: Mapping[str, str]) -> None:
    """Tell a person who watches that a job begins, where its row says so (A41)."""
    if job.announces and launcher.is_watched(env) and runner.is_due(job, NEVER, work):
        launcher.announce(job.announces, env, seconds=ANNOUNCED_SECONDS)


def _of_projects(settings: Config) -> list[Job]:
    return [job for job in JOBS if job.scope == "project" and job.is_on(settings)]
