"""Review captured memories: keep and drop."""

import click

from recollect.faces.cli import output
from recollect.faces.cli.memories.show import NAME_HELP
from recollect.faces.cli.shared import command
from recollect.library.workspace import Workspace


@command("keep", help=f"Confirm a captured memory: it is no longer pending.\n\n{NAME_HELP}")
@click.argument("name")
def keep(workspace: Workspace, as_json: bool, name: str) -> None:
    """Confirm a captured memory."""
    output.print_outcome(workspace.keep(name), as_json=as_json)


@command("drop", help=f"Retire a captured memory; nothing like it is captured again.\n\n{NAME_HELP}")
@click.argument("name")
def drop(workspace: Workspace, as_json: bool, name: str) -> None:
    """Retire a captured memory."""
    output.print_outcome(workspace.drop(name), as_json=as_json)
