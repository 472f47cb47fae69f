"""`recollect reindex`: what recall compares, made now instead of by the worker."""

import contextlib

import click

from recollect.cli import output
from recollect.cli.face import command, opened
from recollect.errors import RecollectError
from recollect.library.workspace import Workspace


def catch_up() -> None:
    """Make what is missing, if that can be done: somebody asks for it, and words alone would do."""
    with contextlib.suppress(RecollectError), opened(as_json=False) as workspace:
        workspace.catch_up()


@command("reindex")
@click.option("--all", "everything", is_flag=True, help="Throw away what was made before, and make all of it anew.")
def reindex(workspace: Workspace, as_json: bool, everything: bool) -> None:
    """Make what recall compares for every memory that lacks it; the worker does so by itself after each turn."""
    with output.progress("indexing", as_json=as_json) as tick:
        done = workspace.reindex(tick, everything=everything)
    if as_json:
        output.print_json({"indexed": done})
    else:
        click.echo(f"{done:,} memories indexed" if done else "Nothing was missing.")
