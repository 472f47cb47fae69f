"""The commands `recollect consolidate` and `recollect forget`: upkeep of memories, now."""

from typing import Literal

import click

from recollect.faces.cli import output
from recollect.faces.cli.maintenance import plan_text
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command
from recollect.library.workspace import Workspace
from recollect.model.rows.upkeep_row import UpkeepRow

EVEN_SO = "Also where it closes more than 20 memories and a fifth of all."
BY_SETTING = -1
"""Stands for a number that was not given."""
COUNT = click.IntRange(BY_SETTING, 1_000)


@command("consolidate")
@click.option("--only", type=click.Choice(["weigh", "compress"]), help="Do one of both.")
@click.option("--dry-run", is_flag=True, help="Only show what would change, and why.")
@click.option("--even-so", is_flag=True, help=EVEN_SO)
def consolidate(
    workspace: Workspace, as_json: bool, only: Literal["weigh", "compress"] | None, dry_run: bool, even_so: bool
) -> None:
    """Weigh memories, and merge those that say nearly the same.

    Used memories become more important, unused ones less. Three or more old memories that say nearly the same become
    one summary with every sentence; they are archived and can be restored. The worker does both after each session.
    One `recollect undo` takes back both.
    """
    with progress("Consolidating", as_json=as_json):
        reports = workspace.consolidate(only, dry_run=dry_run, even_so=even_so)
    if as_json:
        output.print_json([plan_text.report_dict(report) for report in reports])
        return
    for report in reports:
        plan_text.print_report(report, as_json=False)


@command("forget")
@click.option(
    "--candidates",
    type=COUNT,
    is_flag=False,
    flag_value=BY_SETTING,
    help="Only list the N memories with the lowest score.",
)
@click.option("--force", type=COUNT, is_flag=False, flag_value=BY_SETTING, help="Review N memories now, due or not.")
@click.option("--dry-run", is_flag=True, help="Only show what would change, and why.")
@click.option("--even-so", is_flag=True, help=EVEN_SO)
def forget(
    workspace: Workspace,
    as_json: bool,
    *,
    candidates: int | None,
    force: int | None,
    dry_run: bool,
    even_so: bool,
) -> None:
    """Archive memories that nobody used for a long time.

    Of the N memories with the lowest score, those below 0.5 are archived and the others appreciated. Without options
    it does so only where forget.schedule makes it due, as the worker does by itself; then what was captured and nobody
    used goes too, in each session up to forget.share of the project. N is forget.candidates where it is not given.
    """
    if candidates is not None:
        found = workspace.forget_candidates(_number(candidates))
        if as_json:
            output.print_json([{"score": one.score, "name": one.row.slug, **_counts(one.row)} for one in found])
        for one in found if not as_json else ():
            click.echo(one.line)
        return
    with progress("Forgetting", as_json=as_json):
        report = workspace.forget(_number(force), force=force is not None, dry_run=dry_run, even_so=even_so)
    plan_text.print_report(report, as_json=as_json)


def _number(given: int | None) -> int | None:
    return None if given in (None, BY_SETTING) else given


def _counts(row: UpkeepRow) -> dict[str, int]:
    return {"frequency": row.hits, "last_accessed_session": row.last_session, "appreciation": row.appreciation}
