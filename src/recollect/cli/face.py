"""What the commands that work in a workspace share."""

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from recollect.agent_shell import running_agent
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.errors import NeedsPerson
from recollect.library.opening import open as open_workspace
from recollect.library.workspace import Workspace


@contextlib.contextmanager
def opened(*, as_json: bool) -> Iterator[Workspace]:
    """The workspace of this call. Warnings come on standard error, but never beside an error that a machine reads."""
    warnings: list[str] = []
    try:
        with open_workspace(click.get_current_context().obj, actor="cli", warn=warnings.append) as workspace:
            yield workspace
    finally:
        is_failing = sys.exc_info()[0] is not None
        for warning in [] if as_json and is_failing else warnings:
            click.echo(warning, err=True)


def refresh() -> None:
    """Take in what changed in this checkout, and leave the settings of today where hooks look."""
    with opened(as_json=False) as workspace:
        workspace.meet()
        workspace.look()


def command(
    name: str,
    parent: click.Group = main,
    **settings: Any,  # noqa: ANN401
) -> Callable[[Callable[..., None]], click.Command]:
    """A command that works in a workspace: it is opened before and closed after."""

    def wrap(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(**arguments: Any) -> None:  # noqa: ANN401
            with opened(as_json=arguments["as_json"]) as workspace:
                function(workspace, **arguments)

        return parent.command(name, epilog=EXIT_CODES, **settings)(json_option(run))

    return wrap


def refuse_agents(name: str) -> None:
    """Raise NeedsPerson where a command runs in the shell of a coding agent; there is no way to allow it there."""
    agent = running_agent(os.environ)
    if agent:
        raise NeedsPerson(f"`recollect {name}` needs a person; this is a shell of {agent}", target=name)


def confirm(question: str, *, yes: bool) -> None:
    """Ask before much is changed; never without a terminal."""
    if not yes and sys.stdin.isatty():
        click.confirm(question, abort=True)
