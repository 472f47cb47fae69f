"""What every command shares: the group, the clock, `--json`, and one place where errors are printed."""

import functools
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from recollect.cli import output
from recollect.errors import RecollectError
from recollect.workspace import Workspace
from recollect.workspace import open as open_workspace

EXIT_CODES = """
Exit codes: 0 done · 1 refused, the message names the error and the next step · 2 wrong usage."""


def _note_json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    ctx.find_root().meta[__name__] = value  # errors are printed by the group, which has no option of its own
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_note_json, is_eager=True, help="Print JSON for machines."
)


class Group(click.Group):
    """The top command: errors of ours become a message and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run a command; the only place where our errors are caught."""
        try:
            return super().invoke(ctx)
        except RecollectError as error:
            output.print_error(error, as_json=bool(ctx.meta.get(__name__)))
            ctx.exit(1)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(package_name="recollect")
@click.option("--now", hidden=True, help="Set the clock, for tests and replays.")
@click.option("--project", "-C", type=click.Path(exists=True, file_okay=False), help="Work on the project around DIR.")
@click.pass_context
def main(ctx: click.Context, now: str | None, project: str | None) -> None:
    """Persistent memory for coding agents.

    Memories live in one database of yours and, after `recollect init`, as plain files in the repository.
    """
    if now:
        os.environ["RECOLLECT_NOW"] = now
    ctx.obj = project or "."


def command(name: str, **settings: Any) -> Callable[[Callable[..., None]], click.Command]:  # noqa: ANN401
    """A command that works in a workspace: it is opened before and closed after."""

    def wrap(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(**arguments: Any) -> None:  # noqa: ANN401
            with open_workspace(click.get_current_context().obj, actor="cli") as space:
                function(space, **arguments)

        return main.command(name, epilog=EXIT_CODES, **settings)(json_option(run))

    return wrap


def confirm(question: str, *, yes: bool) -> None:
    """Ask before much is changed; never without a terminal."""
    if not yes and sys.stdin.isatty():
        click.confirm(question, abort=True)


__all__ = ["Workspace", "command", "confirm", "json_option", "main"]
