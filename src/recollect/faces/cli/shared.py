"""Helpers of the commands that open a workspace, which is loaded only when a command runs: it takes long."""

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from recollect.agent_shell import running_agent
from recollect.errors import BadInput, NeedsPerson
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.lazy import load

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace


@contextlib.contextmanager
def opened(*, as_json: bool) -> "Iterator[Workspace]":
    """Open the workspace of the current folder or -C.

    Warnings go to standard error at the end, except beside an error that is printed as JSON.
    """
    warnings: list[str] = []
    open_workspace = load("recollect.library.open_workspace").open
    try:
        with open_workspace(click.get_current_context().obj, actor="cli", warn=warnings.append) as workspace:
            yield workspace
    finally:
        is_failing = sys.exc_info()[0] is not None
        for warning in [] if as_json and is_failing else warnings:
            click.echo(warning, err=True)


def command(
    name: str,
    parent: click.Group = main,
    **settings: Any,  # noqa: ANN401
) -> Callable[[Callable[..., None]], click.Command]:
    """Define a command whose function gets an open workspace and `as_json`."""

    def wrap(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(**arguments: Any) -> None:  # noqa: ANN401
            with opened(as_json=arguments["as_json"]) as workspace:
                function(workspace, **arguments)

        return parent.command(name, epilog=EXIT_CODES, **settings)(json_option(run))

    return wrap


def warn(warning: str) -> None:
    """Print a warning on standard error."""
    click.echo(warning, err=True)


def refuse_agents(name: str) -> None:
    """Raise NeedsPerson if the command `name` runs in a coding agent's shell; no option allows it there."""
    agent = running_agent(os.environ)
    if agent:
        raise NeedsPerson(f"only a person may run `recollect {name}`; this shell belongs to {agent}", target=name)


def confirm_or_refuse(question: str, *, yes: bool) -> None:
    """Ask before something that cannot be undone; without a terminal it needs `yes`, and raises BadInput otherwise."""
    if not yes and not sys.stdin.isatty():
        fix = "Run it in a terminal, or add --yes."
        raise BadInput("this cannot be undone, and nobody can be asked here", fix=fix)
    confirm(question, yes=yes)


def confirm(question: str, *, yes: bool) -> None:
    """Ask a yes/no question on a terminal and abort on no; with `yes`, or without a terminal, do not ask."""
    if not yes and sys.stdin.isatty():
        click.confirm(question, abort=True)
