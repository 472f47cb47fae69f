"""The command `recollect gc`: delete files of long-retired memories, and expired memories."""

import click

from recollect.faces.cli import output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command, confirm
from recollect.library.workspace import Workspace


@command("gc")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def gc(workspace: Workspace, as_json: bool, yes: bool) -> None:
    """Delete files of long-retired memories, and expired memories.

    A retired memory keeps its file for forget.grace_days days.
    """
    confirm("Delete the files of long-retired memories, and erase expired memories?", yes=yes)
    with progress("Deleting", as_json=as_json):
        collected, erased = workspace.gc()
    if as_json:
        output.print_json({"collected": collected, "expired": erased})
    else:
        click.echo(f"Deleted {output.number(collected, 'file')} of retired memories, erased {erased} expired.")
