"""Commands that switch memory off and on for agents: off, on."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING

import click

from recollect.faces.cli import output
from recollect.faces.cli.shared import command

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace


def _named(target: str) -> str:
    """Return "folder PATH" or "session ID" for `folder:PATH` or `session:ID`."""
    return output.visible(target.replace(":", " ", 1))


@command("off")
@click.option("--session", help="Only in this session.")
def off(workspace: Workspace, as_json: bool, session: str | None) -> None:
    """Switch memory off for agents in this folder or a session.

    In this folder and all below it, nothing is recorded and agents are told nothing. The commands that you type still
    work. `recollect on` switches it on again.
    """
    what = workspace.switch(on=False, session=session)
    output.print_json({"off": what}) if as_json else click.echo(f"Memory is off for agents in {_named(what)}.")


@command("on")
@click.option("--session", help="Only in this session.")
def on(workspace: Workspace, as_json: bool, session: str | None) -> None:
    """Switch memory on again for agents in this folder or a session."""
    what = workspace.switch(on=True, session=session)
    still = workspace.off_because(session)
    output.print_json({"on": what, "still_off": still}) if as_json else click.echo(
        f"Memory is on for agents in {_named(what)}."
    )
    if still and not as_json:
        click.echo(f"But it is still off: {still}.")
