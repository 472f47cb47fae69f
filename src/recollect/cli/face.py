"""What the commands that work in a workspace share."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import click

from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.workspace import Workspace
from recollect.workspace import open as open_workspace


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


__all__ = ["Workspace", "command", "confirm"]
