"""The command `recollect timeline`: memories by the time they were created."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING, Any

import click

from recollect.faces.cli import output
from recollect.faces.cli.shared import command

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace


@command("timeline")
@click.option("--session", help="Only this session: its prompts, tool calls and memories.")
@click.option("--since", help="Only from this time on, as 2026-01-31 or 2026-01-31T12:00.")
@click.option("--until", help="Only before this time.")
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1_000_000),
    default=50,
    show_default=True,
    help="Show the newest ones, this many.",
)
def timeline(workspace: Workspace, as_json: bool, **filters: Any) -> None:  # noqa: ANN401
    """List memories by the time they were created, oldest first.

    With --session, also the prompts and tool calls of that session.
    """
    found = workspace.timeline(**filters)
    story = workspace.story(str(filters["session"])) if filters["session"] and not as_json else []
    if story:
        output.print_story(story)
    elif as_json:
        output.print_json([output.as_dict(memory) for memory in found])
    else:
        output.print_timeline(found)
