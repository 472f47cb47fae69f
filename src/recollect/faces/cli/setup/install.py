"""Commands that connect and disconnect coding agents: install, uninstall."""

import difflib
import os
from pathlib import Path
from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import confirm, confirm_or_refuse, refuse_agents
from recollect.library.open_workspace import open as open_workspace
from recollect.setup import install as setup
from recollect.setup import own_data
from recollect.setup.install import CLIENTS, MCP_CLIENTS, SCOPES, TARGETS, Plan, Where
from recollect.setup.install.plan import Target
from recollect.setup.manifest import HOOKS, MCP

ACTION_WIDTH = 9
WILL_BE = {"created": "create", "changed": "change", "removed": "remove"}
"""How a plan says what is done after the question."""
NAMES = sorted({*CLIENTS, *MCP_CLIENTS})
SAYS = {
    "installed": "Installed. New sessions use recollect; `recollect uninstall` undoes this.",
    "already installed": "Already installed.",
    "uninstalled": "Uninstalled.",
    "nothing is installed": "Nothing is installed.",
}


class Client(click.Choice[str]):
    """The name of a client; a wrong one gets the name that is nearest."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Return the name; fails with the names that are known."""
        if value not in self.choices:
            close = difflib.get_close_matches(value, self.choices, cutoff=0.5)
            hint = f"Did you mean {close[0]}?" if close else f"Known are {', '.join(self.choices)}."
            said = output.prose(f"Error: No client is called {value}. {hint}").removeprefix("Error: ")
            raise click.UsageError(said, ctx)
        return value


@main.command("install", epilog=EXIT_CODES)
@click.argument("client", type=Client(NAMES), metavar="CLIENT")
@click.option("--mcp", is_flag=True, help="Add the MCP server instead of hooks.")
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="user: you, in every project; project: everyone in this project; local: only you in this project.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
@json_option
@click.pass_context
def install(ctx: click.Context, /, client: str, scope: str, mcp: bool, **flags: Any) -> None:  # noqa: ANN401
    """Connect a coding agent to recollect.

    CLIENT is claude-code, codex, cursor or gemini; with --mcp also claude-desktop, vscode, windsurf or zed.

    Adds hooks to the agent's settings, and a skill and commands beside them; with --mcp, the MCP server. Other settings
    are not changed. `recollect uninstall` restores every file.
    """
    target = _target(client, mcp=mcp)
    _check_scope(target, scope)
    where = setup.around(Path(ctx.obj), os.environ)
    plan = setup.plan_install(target, scope, where)
    _carry_out(plan, where, "already installed" if plan.is_idle else "installed", "Install?", **flags)


@main.command("uninstall", epilog=EXIT_CODES)
@click.argument("client", type=Client(NAMES), metavar="[CLIENT]", required=False)
@click.option("--mcp", is_flag=True, help="Only the MCP server; hooks stay.")
@click.option("--scope", type=click.Choice(SCOPES), help="Only this scope; project and local mean the current project.")
@click.option("--data", is_flag=True, help="Also delete all memories and the folder of recollect, after asking.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
@json_option
@click.pass_context
def uninstall(
    ctx: click.Context, /, client: str | None, scope: str | None, mcp: bool, data: bool,
    **flags: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """Undo `recollect install`: restore the agent's files.

    For every agent and scope, or only for the given ones. From settings that were edited since, only the entries of
    recollect are removed. Memories are kept, unless you add --data.
    """
    targets = _targets(client, mcp=mcp)
    if client and scope:
        _check_scope(targets[0], scope)
    if data and (client or scope or mcp):
        raise click.UsageError("--data removes everything; it takes no client, no scope and no --mcp.")
    if data:
        refuse_agents("uninstall --data")
    where = setup.around(Path(ctx.obj), os.environ)
    plan = setup.plan_uninstall(targets, scope, where)
    _carry_out(plan, where, "uninstalled" if plan.about else "nothing is installed", "Uninstall?", **flags)
    if data and not flags["dry_run"]:
        _remove_data(yes=flags["yes"], as_json=flags["as_json"])
    elif not flags["as_json"] and (plan.about or data):
        _print_left(will_remove=data)


def _print_left(*, will_remove: bool) -> None:
    """Print what stays on this machine."""
    found = own_data.examine(os.environ)
    if found.files:
        verb = "Would be deleted" if will_remove else "Left"
        size = f"{output.number(found.files, 'file')}, {found.megabytes:.1f} MB"
        click.echo(output.prose(f"{verb}: all memories, in {output.short_path(found.home)} ({size})"))
    if found.settings:
        click.echo(output.prose(f"Left: your settings, {output.short_path(found.settings)}"))
    click.echo("Left: memory files in repositories; `recollect init --off` removes those of one.")
    if found.files and not will_remove:
        click.echo("`recollect uninstall --data` deletes the memories too.")


def _remove_data(*, yes: bool, as_json: bool) -> None:
    """Delete the folder of recollect, after asking; memory files in repositories stay."""
    found = own_data.examine(os.environ)
    if not as_json:
        click.echo(output.prose(f"All memories of every project are in {output.short_path(found.home)}."))
    confirm_or_refuse("Delete them and that folder? This cannot be undone.", yes=yes)
    own_data.remove(os.environ)
    if not as_json:
        click.echo(output.prose(f"Deleted {output.short_path(found.home)}."))
        _print_left(will_remove=False)


def _target(client: str, *, mcp: bool) -> Target:
    """Return what is installed into a client: hooks, or the MCP server."""
    if not mcp and client not in CLIENTS:
        raise click.UsageError(f"{MCP_CLIENTS[client].title} has no hooks; add --mcp.")
    return TARGETS[MCP if mcp else HOOKS, client]


def _targets(client: str | None, *, mcp: bool) -> list[Target]:
    """Return what may be uninstalled: of one client or of all, the MCP server alone or hooks too."""
    return [target for (part, name), target in TARGETS.items() if client in (None, name) and (part == MCP or not mcp)]


def _check_scope(found: Target, scope: str) -> None:
    if scope not in found.scopes:
        scopes = ", ".join(found.scopes)
        raise click.BadParameter(f"{found.title} has no {scope} scope; use one of: {scopes}.", param_hint="'--scope'")


def _carry_out(
    plan: Plan, where: Where, result: str, question: str, *, dry_run: bool, yes: bool, as_json: bool
) -> None:
    if not as_json:
        _print_plan(plan)
    if not dry_run:
        confirm(question, yes=yes or plan.is_idle)
        setup.apply(plan, where.home)
        if plan.after:  # so that the first session finds a store with the current settings
            open_workspace(where.root, actor="install", warn=lambda _: None).close()
    if as_json:
        output.print_json(_as_dict(plan, result, dry_run=dry_run))
    else:
        click.echo("Nothing was changed (--dry-run)." if dry_run and not plan.is_idle else SAYS[result])


def _print_plan(plan: Plan) -> None:
    for target in plan.about:
        title = TARGETS[target.part, target.client].title
        server = ", MCP server" if target.part == MCP else ""
        click.echo(click.style(f"{title}, {target.scope} scope{server}", bold=True))
    for change in plan.changes:
        word = WILL_BE.get(change.action, change.action).ljust(ACTION_WIDTH)
        action = click.style(word, fg=None if change.action == "unchanged" else "green")
        click.echo(f"  {action}  {output.visible(str(change.path))}")
        for detail in (f"{_label(plan)}: {', '.join(change.hooks)}" if change.hooks else "", change.says):
            if detail:
                click.echo(
                    click.style(
                        columns.wrapped(output.visible(detail), output.width(), " " * (ACTION_WIDTH + 4)), dim=True
                    )
                )
    for note in plan.notes:
        click.echo(f"{click.style('note', fg='yellow')}  {columns.wrapped(note, output.width(), ' ' * 6).lstrip()}")


def _label(plan: Plan) -> str:
    return "hooks" if all(target.part == HOOKS for target in plan.about) else "entries"


def _as_dict(plan: Plan, result: str, *, dry_run: bool) -> dict[str, object]:
    return {
        "result": result,
        "dry_run": dry_run,
        "installs": [
            {
                "client": target.client,
                "scope": target.scope,
                "settings": str(target.settings),
                **({"part": target.part} if target.part == MCP else {}),
            }
            for target in plan.about
        ],
        "files": [
            {"path": str(change.path), "action": change.action, "hooks": change.hooks, "says": change.says}
            for change in plan.changes
        ],
        "notes": plan.notes,
    }
