"""The command `recollect scrub`: remove a leaked value from everything."""

import sys

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command, confirm, refuse_agents
from recollect.interop.scrub import LAST_STEP, Scrubbed
from recollect.library.workspace import Workspace


@command("scrub")
@click.argument("value", required=False)
@click.option("--dry-run", is_flag=True, help="Only show where it is.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def scrub(workspace: Workspace, as_json: bool, value: str | None, dry_run: bool, yes: bool) -> None:
    """Remove a leaked value from everything recollect has stored.

    This cannot be undone. Afterwards the raw files are searched again; exit code 1 if the value is still in one.

    The value is found in any case and in these encodings: JSON (also inside JSON), percent-encoding, HTML, base64,
    shell quotes. Without VALUE, or with `-`, it is read from standard input, so that it stays out of the shell's
    history. Files that are not recollect's are only listed: transcripts of agents, git's history, backups.
    """
    if not dry_run:
        refuse_agents("scrub")
    wanted = _value(value)
    with progress("Searching", as_json=as_json):
        found = workspace.scrub(wanted, dry_run=True)
    if not dry_run and (found.memories or found.files):
        confirm(f"Remove it from {_places(found)}? This cannot be undone.", yes=yes)
    with progress("Removing", as_json=as_json):
        done = found if dry_run else workspace.scrub(wanted)
    if as_json:
        output.print_json({name: getattr(done, name) for name in done.__slots__})
    else:
        _print_scrubbed(done, dry_run=dry_run)
    click.get_current_context().exit(0 if dry_run or not done.left else 1)


def _value(value: str | None) -> str:
    if value not in (None, "-"):
        return str(value)
    if sys.stdin.isatty():
        return str(click.prompt("Value", hide_input=True))
    return sys.stdin.buffer.read().decode("utf-8", "replace").strip("\r\n")


def _places(found: Scrubbed) -> str:
    return f"{output.number(len(found.memories), 'memory')} and {output.number(len(found.files), 'file')}"


def _print_scrubbed(done: Scrubbed, *, dry_run: bool) -> None:
    verb = "The value is in" if dry_run else "Removed from"
    click.echo(f"{verb} {_places(done)}.")
    for name in (*done.memories, *done.files):
        click.echo(f"  {output.visible(name)}")
    if done.in_git:
        click.echo("git tracks some of these files: the value is still in its history. Replace the credential.")
    for name in done.restored:
        click.echo(f"`recollect uninstall` will restore {output.visible(name)} with [scrubbed] in place of the value.")
    if not dry_run:
        gone = click.style("Done: no file of recollect contains the value any more.", fg="green")
        left = click.style("The value is still in:", fg="red", bold=True) + " " + output.visible(", ".join(done.left))
        click.echo(left if done.left else gone)
    click.echo("Not searched, because these are not recollect's files:")
    for line in done.not_looked_at:
        click.echo(columns.wrapped(f"- {output.visible(line)}", output.width(), "  "))
    click.echo(LAST_STEP)
