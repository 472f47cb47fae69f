"""`recollect session`: the number of sessions, and `session tail`, which follows their events."""

import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import opened, warn
from recollect.library.fast import fast_project

if TYPE_CHECKING:
    from recollect.pipeline.session_tail import Line

PAUSE_SECONDS = 0.5
NO_EVENTS = "No events here yet; `recollect doctor` says whether an agent is connected."
LEFT_OUT_SHOWN = 2
COLOURS = {"told": "green", "late": "red", "waiting": "yellow", "dropped": "red"}


@main.group("session", invoke_without_command=True, epilog=EXIT_CODES)
@click.option("--set", "number", type=click.IntRange(0, 1_000_000_000), help="Set the count to this number.")
@json_option
@click.pass_context
def session(ctx: click.Context, number: int | None, as_json: bool) -> None:
    """Show how many sessions this project has had.

    `session tail` shows the events of sessions as they happen.
    """
    if ctx.invoked_subcommand:
        return
    if number is not None:
        with opened(as_json=as_json) as workspace:
            workspace.set_session_number(number)
    now = fast_project.session_number(Path(ctx.obj).resolve(), os.environ, warn)
    output.print_json({"session": now}) if as_json else click.echo(str(now))


@session.command("tail", epilog=EXIT_CODES)
@click.option("--session", "name", help="Only this session.")
@click.option(
    "-n",
    "--lines",
    "number",
    default=30,
    type=click.IntRange(1, 10_000),
    help="Begin with this many lines.",
    show_default=True,
)
@click.option("--all", "everywhere", is_flag=True, help="Show the sessions of every project.")
@click.option("--follow/--no-follow", default=None, help="Wait for more until Ctrl-C; default: on a terminal.")
@json_option
def tail(as_json: bool, name: str | None, number: int, everywhere: bool, follow: bool | None) -> None:
    """Show hook events of this project and the memories that agents were told.

    + marks a memory that was told, - one that was considered and left out, with the reason. `recollect why RECEIPT`
    shows the scores.
    """
    with opened(as_json=as_json) as workspace:
        poll = partial(workspace.tail, session=name, all_projects=everywhere)
        if not as_json and not poll(limit=1):
            click.echo(click.style(NO_EVENTS, dim=True), err=True)
        for lines in _polls(poll, number, follow=sys.stdout.isatty() if follow is None else follow):
            for line in lines:
                short = workspace.short_session_id(line.session)
                shown = json.dumps(output.bare(line.as_dict()), ensure_ascii=False) if as_json else _shown(line, short)
                click.echo(shown)


def _polls(poll: "Callable[..., list[Line]]", number: int, *, follow: bool) -> "Iterator[list[Line]]":
    """Yield the new lines of each poll; no line twice. Without `follow`, poll once."""
    seen: set[str] = set()
    oldest = 0.0
    for turn in itertools.count():
        lines = [line for line in poll(limit=number if turn == 0 else 200) if line.at >= oldest]
        yield [line for line in lines if line.key not in seen]
        seen.update(line.key for line in lines)
        oldest = oldest or min((line.at for line in lines), default=0.0)  # later polls must not bring up older lines
        if not follow:
            return
        time.sleep(PAUSE_SECONDS)


def _some(line: "Line") -> list[str]:
    """Return the further rows of a line, without most of the memories that were left out."""
    left_out = [row for row in line.more if row.startswith("- ")]
    hidden = left_out[LEFT_OUT_SHOWN:]
    rest = [f"… {len(hidden)} more left out: `recollect why {line.key.removeprefix('receipt ')}`"] if hidden else []
    return [row for row in line.more if row not in hidden] + rest


def _shown(line: "Line", session: str) -> str:
    """Return a line for people; what was told stands below the event's own line, and so does without its name."""
    head, width = f"{line.clock}  {output.visible(session):8}  ", output.width()
    event = "" if line.state == "told" else f"{line.event:18} "
    what = click.style(event, fg=COLOURS.get(line.state))
    says = columns.hanging(output.visible(line.says), width, len(head + event), len(head))
    if line.state == "told":
        says = click.style(says, fg=COLOURS["told"], bold=True)
    more = [
        " " * len(head) + columns.hanging(output.visible(row), width, len(head), len(head) + 2) for row in _some(line)
    ]
    return "\n".join([f"{click.style(head, dim=True)}{what}{says}", *more])
