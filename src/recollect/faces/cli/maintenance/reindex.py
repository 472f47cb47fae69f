"""`recollect reindex`: build search vectors now instead of waiting for the worker."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING

import click

from recollect.faces.cli import output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace


@command("reindex")
@click.option("--all", "everything", is_flag=True, help="Delete all search vectors and build them again.")
def reindex(workspace: Workspace, as_json: bool, everything: bool) -> None:
    """Build missing search vectors.

    Recall compares them to find memories by meaning. The background worker builds them by itself after each turn.
    """
    with progress("Indexing memories:", as_json=as_json) as tick:
        done = workspace.reindex(tick, everything=everything)
    if as_json:
        output.print_json({"indexed": done})
    else:
        click.echo(f"Indexed {output.number(done, 'memory')}." if done else "No search vectors are missing.")
