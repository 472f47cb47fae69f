"""`recollect project`: which project this is, all of them, and commands that merge, rename and keep them apart."""

import os
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import command, refuse_agents, warn
from recollect.identity.projects import Folder, Project
from recollect.library.fast import fast_project
from recollect.project.project_rule import COMMIT_DIGITS, short_commit

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace

NAMES_HELP = (
    "A project is named by its name, one of its aliases, a path, the name of its folder, or a part of the name that "
    "only it has."
)


@main.group("project", invoke_without_command=True, epilog=EXIT_CODES)
@json_option
@click.pass_context
def project(ctx: click.Context, as_json: bool) -> None:
    """Show which project this is, and why.

    Clones, worktrees and moved folders of a repository are one project. A fork is another one until you merge them.
    """
    if ctx.invoked_subcommand:
        return
    _show(ctx, "", as_json=as_json)


@project.command("show", help=f"Show a project.\n\n{NAMES_HELP}", epilog=EXIT_CODES)
@click.argument("name")
@json_option
@click.pass_context
def show(ctx: click.Context, as_json: bool, name: str) -> None:
    """Show a project."""
    _show(ctx, name, as_json=as_json)


def _show(ctx: click.Context, name: str, *, as_json: bool) -> None:
    found = fast_project.describe(Path(ctx.obj).resolve(), name, os.environ, warn)
    output.print_json(asdict(found)) if as_json else _print_project(found)


@project.command("list", epilog=EXIT_CODES)
@json_option
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """List every project; `*` marks this one."""
    found = fast_project.every(Path(ctx.obj).resolve(), os.environ, warn)
    if as_json:
        output.print_json([asdict(row) for row in found])
        return
    rows = [
        ["*" if row.is_here else "", f"{row.memories:>8,}", f"{len(row.folders):>7,}", _label(row)] for row in found
    ]
    output.print_table(["", "memories", "folders", "project"], rows)


@command("merge", parent=project)
@click.argument("source")
@click.argument("target", required=False, default="")
def merge(workspace: "Workspace", as_json: bool, source: str, target: str) -> None:
    """Move everything of project SOURCE to TARGET.

    Without TARGET, to this project. SOURCE becomes another name of TARGET. `recollect undo` takes it back.
    """
    refuse_agents("project merge")
    old = workspace.describe_project(source)
    _print_moved("merged", old, workspace.merge_projects(old.name, target), as_json=as_json)


@command("rename", parent=project)
@click.argument("names", nargs=-1, required=True, metavar="[OLD] NEW")
def rename(workspace: "Workspace", as_json: bool, names: tuple[str, ...]) -> None:
    """Give a project a name of your own.

    Without OLD, this project. The old name stays known. `recollect undo` takes it back.
    """
    if len(names) > 2:
        raise click.UsageError("write the new name in quotes: recollect project rename [OLD] NEW")
    old = workspace.describe_project(names[0] if len(names) == 2 else "")
    _print_moved("renamed", old, workspace.rename_project(names[-1], old.name), as_json=as_json)


@command("apart", parent=project)
@click.argument("first")
@click.argument("second", required=False, default="")
def apart(workspace: "Workspace", as_json: bool, first: str, second: str) -> None:
    """Say that two projects which look like one are not.

    Without SECOND, FIRST and this project. `recollect doctor` no longer asks about them.
    """
    names = workspace.keep_apart(first, second)
    if as_json:
        output.print_json({"apart": names})
        return
    click.echo(f"{output.visible(names[0])} and {output.visible(names[1])} stay apart.")


def _print_moved(action: str, old: Project, new: Project, *, as_json: bool) -> None:
    if as_json:
        output.print_json({"action": action, "source": old.name, "memories": old.memories, "project": asdict(new)})
        return
    verb = click.style(action, fg="green", bold=True)
    click.echo(f"{verb} {output.visible(_label(old))}")
    click.echo(f"{'as' if action == 'renamed' else 'into':>{len(action)}} {output.visible(_label(new))}")
    click.echo(f"{output.number(new.memories, 'memory')}. `recollect undo` takes it back.")


def _print_project(found: Project) -> None:
    click.echo(click.style(output.visible(_label(found)), bold=True))
    output.print_pairs({"named": found.why, "memories": f"{found.memories:,}"})
    for number, alias in enumerate(found.aliases):
        output.print_pairs({"also" if number == 0 else " ": short_commit(alias)})
    for number, folder in enumerate(found.folders):
        output.print_pairs({"folders" if number == 0 else " ": f"{output.short_path(folder.path)}{_state(folder)}"})
        if _origin(folder):
            click.echo(click.style(f"{'':{output.LABEL_WIDTH}}  {output.visible(_origin(folder))}", dim=True))
    for other in found.lookalikes:
        output.print_pairs({"looks like": short_commit(other.project)})
        click.echo(click.style(f"{'':{output.LABEL_WIDTH}}  it {other.why}; to join the two:", dim=True))
        click.echo(f"  recollect project merge {shlex.quote(output.visible(other.short))}")


def _label(found: Project) -> str:
    """Return a project's name for people; one that is named after a commit is called by its first folder too."""
    short = short_commit(found.name)
    return f"{Path(found.folders[0].path).name} ({short})" if short != found.name and found.folders else short


def _state(folder: Folder) -> str:
    states = {"this folder": folder.is_here, "gone": not folder.exists, "trusted": folder.is_trusted}
    said = ", ".join(state for state, applies in states.items() if applies)
    return f" ({said})" if said else ""


def _origin(folder: Folder) -> str:
    """Return the remote and the first commit of a folder; empty where it has neither."""
    remote = f"remote {folder.remote}" if folder.remote else ""
    unproven = " (no commit proves it)" if folder.unproven else ""
    commit = f"first commit {folder.first_commit[:COMMIT_DIGITS]}" if folder.first_commit else ""
    return ", ".join(part for part in (remote + unproven, commit) if part)
