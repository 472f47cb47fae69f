"""The command `recollect undo`."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from recollect.faces.cli import output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command, confirm

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace
    from recollect.store.protocols import Entry

MANY = 10
"""Of more changes than this, `undo` says first what it will do, and afterwards prints a count only."""


@command("undo")
@click.option("--captured", is_flag=True, help="Undo the last capture instead: what was made of a session.")
@click.option("--dry-run", is_flag=True, help="Only show what would be undone.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def undo(workspace: Workspace, as_json: bool, captured: bool, dry_run: bool, yes: bool) -> None:
    """Undo your last change in this project.

    Changes that were made together are undone together. Run it again to go further back. What was captured from
    sessions since then stays; --captured takes it back.

    Before more than ten things are undone, it says what they are. On a terminal it asks before it undoes more than one.
    """
    group = workspace.last_group(captured=captured)
    since = 0 if captured else workspace.captured_since(group)
    if dry_run:
        output.print_json([output.entry_dict(entry) for entry in group]) if as_json else output.print_entries(group)
        return
    if len(group) > MANY and not as_json:
        _announce(group)
    if len(group) > 1 or group[0].action == "taken in":
        first = f"{output.done_as(group[0].action)}, {group[0].at}"
        what = "them" if len(group) > MANY else f"{output.number(len(group), 'change')} ({first})"
        confirm(f"Undo {what}?", yes=yes)
    actions = {entry.uid: entry.action for entry in group}
    with progress("Undoing:", as_json=as_json, total=len(actions)) as tick:
        done = workspace.undo(tick, captured=captured)
    outcomes = [replace(outcome, action=f"undone: {output.done_as(actions[outcome.about.uid])}") for outcome in done]
    if as_json:
        output.print_json([output.outcome_dict(outcome) for outcome in outcomes])
        return
    if len(outcomes) > MANY:
        click.echo(f"{click.style('undone:', fg='green', bold=True)} {_counts(group)}")
    else:
        for outcome in outcomes:
            output.print_outcome(outcome, as_json=False)
    for entry in (entry for entry in group if entry.action == "reweighed"):
        done_to = output.entry_name(entry)
        click.echo(f"{click.style('put back', fg='green', bold=True)} the importance of {done_to}")
    for entry in (entry for entry in group if entry.action == "joined"):
        click.echo(f"{click.style('separated', fg='green', bold=True)} {output.visible(output.entry_name(entry))}")
    if since:
        kept = f"{output.number(since, 'memory')} of the last capture {'is' if since == 1 else 'are'} kept"
        click.echo(click.style(f"{kept}: `recollect undo --captured` takes them back.", dim=True))


def _announce(group: Sequence[Entry]) -> None:
    """Print how many changes of which sort would be undone, who made them, and the first of them."""
    number = output.number(len(group), "change")
    click.echo(f"This undoes {number} of {group[0].at}, by {group[0].actor}: {_counts(group)}.")
    click.echo("First of them:")
    for entry in group[:3]:
        click.echo(f"  {output.done_as(entry.action)}  {output.visible(output.entry_name(entry))}")


def _counts(group: Sequence[Entry]) -> str:
    """Return how many changes of which sort a group has."""
    done = Counter(output.done_as(entry.action) for entry in group)
    return ", ".join(f"{number:,} {action}" for action, number in done.items())
