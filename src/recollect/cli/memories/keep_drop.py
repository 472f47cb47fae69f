"""What capture filed, in a person's hands: keep and drop."""

import click

from recollect.cli import output
from recollect.cli.face import command
from recollect.cli.memories.show import NAME_HELP
from recollect.library.workspace import Workspace


@command("keep", help=f"A captured memory is right: it no longer waits for a look. {NAME_HELP}")
@click.argument("name")
def keep(workspace: Workspace, as_json: bool, name: str) -> None:
    """A captured memory is right."""
    output.print_outcome(workspace.keep(name), as_json=as_json)


@command("drop", help=f"A captured memory is not worth it: it goes, and nothing like it is captured again. {NAME_HELP}")
@click.argument("name")
def drop(workspace: Workspace, as_json: bool, name: str) -> None:
    """A captured memory is not worth it."""
    output.print_outcome(workspace.drop(name), as_json=as_json)
