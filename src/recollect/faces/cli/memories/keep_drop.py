"""Review captured memories: keep and drop."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING

import click

from recollect.faces.cli import output
from recollect.faces.cli.memories.show import NAME_HELP
from recollect.faces.cli.shared import command

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace


@command("keep", help=f"Confirm a captured memory: it is no longer pending.\n\n{NAME_HELP}")
@click.argument("name")
@click.option("--both", is_flag=True, help="Keep the older memory that it may replace, too.")
def keep(workspace: Workspace, as_json: bool, name: str, both: bool) -> None:
    """Confirm a captured memory."""
    output.print_outcome(workspace.keep(name, both=both), as_json=as_json)


@command("drop", help=f"Retire a captured memory; nothing like it is captured again.\n\n{NAME_HELP}")
@click.argument("name")
def drop(workspace: Workspace, as_json: bool, name: str) -> None:
    """Retire a captured memory."""
    output.print_outcome(workspace.drop(name), as_json=as_json)


@command("capture", help="Show what `keep` and `drop` taught in this project.")
@click.option("--reset", metavar="RULE", help="Forget what was taught about this rule; it captures again.")
def capture(workspace: Workspace, as_json: bool, reset: str | None) -> None:
    """Show or reset the tallies of the capture rules."""
    if reset:
        workspace.reset_capture_rule(reset)
    found = workspace.capture_rules()
    rows = [[name, str(tally.kept), str(tally.dropped), tally.state] for name, tally in sorted(found.items())]
    if as_json:
        heads = ("rule", "kept", "dropped", "state")
        output.print_json([dict(zip(heads, (name, tally.kept, tally.dropped, tally.state), strict=True))
                           for name, tally in sorted(found.items())])  # fmt: skip
    elif rows:
        output.print_table(("rule", "kept", "dropped", "state"), rows)
    else:
        click.echo("Nothing was kept or dropped yet.")
