"""Being called by coding agents, and no longer: install, uninstall."""

import os
from pathlib import Path
from typing import Any

import click

from recollect.cli import output
from recollect.cli.face import confirm
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.library.opening import open as open_workspace
from recollect.setup import install as lifecycle
from recollect.setup.install import CLIENTS, SCOPES, Plan, Where

ACTION_WIDTH = 9
SAYS = {
    "installed": "Installed: sessions that start from now on have it. `recollect uninstall` takes it back.",
    "already installed": "Already installed.",
    "uninstalled": "Uninstalled.",
    "nothing is installed": "Nothing is installed.",
}


@main.command("install", epilog=EXIT_CODES)
@click.argument("client", type=click.Choice(sorted(CLIENTS)))
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="user: you, in every project; project: everyone in this one; local: you in this one (Claude Code).",
)
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def install(ctx: click.Context, /, client: str, scope: str, **flags: Any) -> None:  # noqa: ANN401
    """Let a coding agent call recollect: hooks in its settings, a skill and commands beside them.

    Everything else in the settings stays as it is, and `recollect uninstall` puts every file back.
    """
    _check_scope(client, scope)
    where = lifecycle.around(Path(ctx.obj), os.environ)
    plan = lifecycle.plan_install(CLIENTS[client], scope, where)
    _carry_out(plan, where, "already installed" if plan.is_idle else "installed", "Install?", **flags)


@main.command("uninstall", epilog=EXIT_CODES)
@click.argument("client", type=click.Choice(sorted(CLIENTS)), required=False)
@click.option("--scope", type=click.Choice(SCOPES), help="Only this one; project and local: of the project here.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def uninstall(ctx: click.Context, /, client: str | None, scope: str | None, **flags: Any) -> None:  # noqa: ANN401
    """Put back the files that `recollect install` changed, for every client and scope or for those that are named.

    In settings that were changed since, only our hooks are taken out. Memories are not touched.
    """
    if client and scope:
        _check_scope(client, scope)
    where = lifecycle.around(Path(ctx.obj), os.environ)
    plan = lifecycle.plan_uninstall(CLIENTS[client] if client else None, scope, where)
    _carry_out(plan, where, "uninstalled" if plan.about else "nothing is installed", "Uninstall?", **flags)


def _check_scope(client: str, scope: str) -> None:
    found = CLIENTS[client]
    if scope not in found.scopes:
        there = ", ".join(found.scopes)
        raise click.BadParameter(f"{found.title} has no {scope} scope; it has {there}.", param_hint="'--scope'")


def _carry_out(
    plan: Plan, where: Where, result: str, question: str, *, dry_run: bool, yes: bool, as_json: bool
) -> None:
    if not as_json:
        _print_plan(plan)
    if not dry_run:
        confirm(question, yes=yes or plan.is_idle)
        lifecycle.apply(plan, where.home)
        if plan.after:  # so that the first session finds a store with the settings of today
            open_workspace(where.root, actor="install", warn=lambda _: None).close()
    if as_json:
        output.print_json(_as_dict(plan, result, dry_run=dry_run))
    else:
        click.echo("Nothing was changed (--dry-run)." if dry_run and not plan.is_idle else SAYS[result])


def _print_plan(plan: Plan) -> None:
    for one in plan.about:
        click.echo(click.style(f"{CLIENTS[one.client].title}, {one.scope} scope", bold=True))
    for change in plan.changes:
        action = click.style(change.action.ljust(ACTION_WIDTH), fg=None if change.action == "unchanged" else "green")
        click.echo(f"  {action}  {output.visible(str(change.path))}")
        for more in (f"hooks: {', '.join(change.hooks)}" if change.hooks else "", change.says):
            if more:
                click.echo(click.style(f"  {'':{ACTION_WIDTH}}  {output.visible(more)}", dim=True))
    for note in plan.notes:
        click.echo(f"{click.style('note', fg='yellow')}  {note}")


def _as_dict(plan: Plan, result: str, *, dry_run: bool) -> dict[str, object]:
    return {
        "result": result,
        "dry_run": dry_run,
        "installs": [{"client": one.client, "scope": one.scope, "settings": str(one.settings)} for one in plan.about],
        "files": [
            {"path": str(one.path), "action": one.action, "hooks": one.hooks, "says": one.says} for one in plan.changes
        ],
        "notes": plan.notes,
    }
