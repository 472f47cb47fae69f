"""The command `recollect jobs`: list due work, and run a job now."""

from datetime import UTC, datetime
from typing import Any

import click

from recollect.faces.cli import output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command
from recollect.jobs.job import JobRun
from recollect.jobs.runner import JobStatus
from recollect.library.workspace import Workspace
from recollect.model import clock


@command("jobs")
@click.option("--run", "name", metavar="NAME", help="Run this job now, due or not.")
def jobs(workspace: Workspace, as_json: bool, name: str | None) -> None:
    """List the jobs that the background worker runs.

    For each job: what it does, its last run and result, and when it is due. The worker runs due jobs by itself, after
    it has processed the events of a session.
    """
    if name is None:
        found = workspace.jobs()
        output.print_json([_as_dict(status) for status in found]) if as_json else _print(found, workspace)
        return
    with progress(f"Running {name}", as_json=as_json):
        run = workspace.run_job(name)
    if as_json:
        output.print_json({"name": name, **_run_dict(run)})
    else:
        click.echo(f"{click.style('ran', fg='green', bold=True)} {name} ({run.seconds:.1f} s): {run.result}")


def _print(found: list[JobStatus], workspace: Workspace) -> None:
    for number, status in enumerate(found):
        click.echo(nl=number > 0)
        click.echo(click.style(status.job.name, bold=True))
        value = status.job.setting_value(workspace.project_context.config)
        output.print_pairs(
            {
                "does": status.job.does,
                "last run": _last(status.last),
                "result": status.last.result,
                "next due": _next(status),
                "setting": f"{status.job.setting} = {_shown(value)}" if status.job.setting else "",
            }
        )


def _last(run: JobRun) -> str:
    if run.at is None:
        return "never"
    return f"{_stamp(run.at)} ({run.seconds:.1f} s)" if run.result and not run.failed_at else _stamp(run.at)


def _next(status: JobStatus) -> str:
    if not status.is_on:
        return "switched off"
    if status.is_due:
        return "now"
    return _stamp(status.next_due) if status.next_due else status.job.due


def _shown(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _stamp(at: float) -> str:
    return clock.stamp(datetime.fromtimestamp(at, UTC))


def _run_dict(run: JobRun) -> dict[str, Any]:
    return {
        "last_run": _stamp(run.at) if run.at is not None else None,
        "seconds": run.seconds,
        "result": run.result,
        "failed_at": _stamp(run.failed_at) if run.failed_at is not None else None,
    }


def _as_dict(status: JobStatus) -> dict[str, Any]:
    job = status.job
    return {
        "name": job.name,
        "does": job.does,
        "due": job.due,
        "is_on": status.is_on,
        "is_due": status.is_due,
        "next_due": _stamp(status.next_due) if status.next_due and status.is_on else None,
        "setting": job.setting or None,
        "needs": list(job.needs),
        **_run_dict(status.last),
    }
