"""The command `recollect gc`: delete files of long-retired memories, and expired memories."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING

import click

from recollect.faces.cli import output
from recollect.faces.cli.maintenance import plan_text
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command, confirm

if TYPE_CHECKING:
    from recollect.library.jobs import JobReport
    from recollect.library.workspace import Workspace


@command("gc")
@click.option("--dry-run", is_flag=True, help="Only show what would be deleted, and why.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
@click.option("--even-so", is_flag=True, help="Also where it erases more than 20 memories and a fifth of all.")
def gc(workspace: Workspace, as_json: bool, dry_run: bool, yes: bool, even_so: bool) -> None:
    """Delete files of long-retired memories, and expired memories.

    A retired memory keeps its file for forget.grace_days days. The worker does both once a day. `recollect undo` takes
    back both.
    """
    if not dry_run:
        confirm("Delete the files of long-retired memories, and erase expired memories?", yes=yes)
    with progress("Deleting", as_json=as_json):
        reports = workspace.gc(dry_run=dry_run, even_so=even_so)
    if as_json:
        _print_json(reports, is_dry=dry_run)
        return
    for report in reports if dry_run else ():
        plan_text.print_plan(report.plan)
    collected, erased = (_number(report) for report in reports)
    verbs = ("Would delete", "and erase") if dry_run else ("Deleted", "erased")
    click.echo(f"{verbs[0]} {output.number(collected, 'file')} of retired memories, {verbs[1]} {erased} expired.")
    for report in reports:
        if report.run and report.run.stopped_at:
            plan_text.print_run(report.name, report.run)


def _print_json(reports: list[JobReport], *, is_dry: bool) -> None:
    jobs = [plan_text.report_dict(report) for report in reports]
    collected, erased = (_number(report) for report in reports)
    output.print_json(jobs if is_dry else {"collected": collected, "expired": erased, "jobs": jobs})


def _number(report: JobReport) -> int:
    """Return how many memories a job changed; those of its plan in a dry run, none where it stopped."""
    return 0 if report.run and report.run.stopped_at else len(report.plan.steps)
