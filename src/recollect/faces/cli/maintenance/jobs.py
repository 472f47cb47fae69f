"""The commands `recollect jobs` and `recollect jobs run`: list due work, and run a job now."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING, Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.maintenance import plan_text
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command, opened
from recollect.lazy import load

if TYPE_CHECKING:
    from recollect.jobs.runner import JobStatus
    from recollect.library.workspace import Workspace

WIDTH = 80
"""The list is never wider, also where it is piped."""
HEADS = ("job", "due", "last run", "next")


@main.group("jobs", invoke_without_command=True, epilog=EXIT_CODES)
@json_option
@click.pass_context
def jobs(ctx: click.Context, as_json: bool) -> None:
    """List the jobs that the background worker runs.

    For each job: when it is due, its last run and what that did, and when it is due again. The worker runs due jobs by
    itself, after it has processed the events of a session. `recollect jobs run NAME` runs one now.
    """
    if ctx.invoked_subcommand:
        return
    with opened(as_json=as_json) as workspace:
        found = workspace.jobs()
    output.print_json([_as_dict(status) for status in found]) if as_json else _print(found)


@command("run", jobs)
@click.argument("job", metavar="NAME")
@click.option("--dry-run", is_flag=True, help="Only show what the job would change, and why.")
@click.option("--even-so", is_flag=True, help="Also where it closes more than 20 memories and a fifth of all.")
def run(workspace: Workspace, as_json: bool, job: str, dry_run: bool, even_so: bool) -> None:
    """Run a job now, due or not.

    A job that would close more than 20 memories and more than a fifth of the project's active ones stops and says so;
    `--even-so` lets it. `recollect undo` takes back what a job changed.
    """
    if dry_run:
        report = load("recollect.library.jobs").JobReport(job, workspace.plan_job(job))
        plan_text.print_report(report, as_json=as_json)
        return
    with progress(f"Running {job}", as_json=as_json):
        done = workspace.run_job(job, even_so=even_so)
    output.print_json({"name": job, **plan_text.run_dict(done)}) if as_json else plan_text.print_run(job, done)


def _print(found: list[JobStatus]) -> None:
    """Print a table; below each job that ran, what it did."""
    rows = [[status.job.name, status.job.due, _short(status.last.at) or "never", _next(status)] for status in found]
    lines = list(columns.lines(HEADS, rows, width=WIDTH, cuts=("due",)))
    click.echo(lines[0])
    for status, line in zip(found, lines[1:], strict=True):
        click.echo(line)
        if status.last.result:
            says = columns.cut(output.visible(status.last.result), WIDTH - 2)
            is_trouble = status.last.failed_at or status.last.stopped_at
            click.echo(click.style(f"  {says}", fg="red" if is_trouble else None, dim=not is_trouble))


def _next(status: JobStatus) -> str:
    if not status.is_on:
        return "switched off"
    if status.is_due:
        return "now"
    if status.schedule:
        return f"session {status.next_session}" if status.next_session else "never"
    return _short(status.next_due) or ("after a session" if status.job.after_session else "when needed")


def _short(at: float | None) -> str:
    """Return a time to the minute, in UTC; empty without one."""
    return (plan_text.stamp(at) or "").replace("T", " ")[:16]


def _as_dict(status: JobStatus) -> dict[str, Any]:
    job = status.job
    return {
        "name": job.name,
        "does": job.does,
        "due": job.due,
        "scope": job.scope,
        "is_on": status.is_on,
        "is_due": status.is_due,
        "next_due": plan_text.stamp(status.next_due) if status.is_on else None,
        "next_session": status.next_session if status.is_on else None,
        "after_session": job.after_session,
        "setting": job.setting or None,
        "schedule": status.schedule or None,
        "needs": list(job.needs),
        **plan_text.run_dict(status.last),
    }
