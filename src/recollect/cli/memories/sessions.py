"""Sessions as a person sees them: their number, and what happens in them, live."""

import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import click

from recollect.cli import output
from recollect.cli.face import opened
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.pipeline.session_tail import Line

PAUSE_SECONDS = 0.5
COLOURS = {"told": "green", "waiting": "yellow", "dropped": "red"}


@main.group("session", invoke_without_command=True, epilog=EXIT_CODES)
@click.option("--set", "number", type=click.IntRange(0, 1_000_000_000), help="Go on counting from here.")
@json_option
@click.pass_context
def session(ctx: click.Context, number: int | None, as_json: bool) -> None:
    """How many sessions this project has had; `tail` shows what happens in them."""
    if ctx.invoked_subcommand:
        return
    with opened(as_json=as_json) as workspace:
        if number is not None:
            workspace.count_sessions_from(number)
        now = workspace.session_number
    output.print_json({"session": now}) if as_json else click.echo(str(now))


@session.command("tail", epilog=EXIT_CODES)
@click.option("--session", "name", help="Only this session.")
@click.option("-n", "--lines", "number", default=30, type=click.IntRange(1, 10_000), help="How many to begin with.")
@click.option("--all", "everywhere", is_flag=True, help="The sessions of every project.")
@click.option("--follow/--no-follow", default=None, help="Go on until Ctrl-C; the default on a terminal.")
@json_option
def tail(as_json: bool, name: str | None, number: int, everywhere: bool, follow: bool | None) -> None:
    """What clients send and are told: each event, what was weighed, shown and why, noted, dropped."""
    with opened(as_json=as_json) as workspace:
        look = partial(workspace.tail, session=name, all_projects=everywhere)
        for lines in _looks(look, number, follow=sys.stdout.isatty() if follow is None else follow):
            for line in lines:
                click.echo(json.dumps(output.bare(line.as_dict()), ensure_ascii=False) if as_json else _shown(line))


def _looks(look: Callable[..., list[Line]], number: int, *, follow: bool) -> Iterator[list[Line]]:
    """What is new at each look; nothing is shown twice."""
    seen: set[str] = set()
    oldest = 0.0
    for turn in itertools.count():
        lines = [line for line in look(limit=number if turn == 0 else 200) if line.at >= oldest]
        yield [line for line in lines if line.key not in seen]
        seen.update(line.key for line in lines)
        oldest = oldest or min((line.at for line in lines), default=0.0)  # what was before is not asked for
        if not follow:
            return
        time.sleep(PAUSE_SECONDS)


def _shown(line: Line) -> str:
    head = click.style(f"{line.clock}  {line.session[:8]:8}", dim=True)
    what = click.style(f"{line.event:18}", fg=COLOURS.get(line.state), bold=line.state == "told")
    return "\n".join(
        [f"{head}  {what} {output.visible(line.says)}", *(f"{'':22}{output.visible(one)}" for one in line.more)]
    )
