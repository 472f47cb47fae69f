"""Shell completion of names: memories, kinds, sessions and settings. Silent and fast, whatever is wrong."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from recollect.errors import RecollectError
from recollect.lazy import load
from recollect.library.fast.fast_reader import checkout_around, open_reader
from recollect.store.hook_reader.connection import ReadFailed, Unready

Names = Callable[[Path, str], list[str]]


def memory_names(folder: Path, prefix: str) -> list[str]:
    """Return the slugs of this project's memories that begin with a text."""
    reader = open_reader(os.environ)
    checkout = checkout_around(reader, folder) if reader else None
    return reader.slugs(checkout.project, prefix) if reader and checkout else []


def session_names(folder: Path, prefix: str) -> list[str]:
    """Return the ids of this project's sessions that begin with a text."""
    reader = open_reader(os.environ)
    checkout = checkout_around(reader, folder) if reader else None
    return reader.session_ids(checkout.project, prefix) if reader and checkout else []


def kind_names(_: Path, prefix: str) -> list[str]:
    """Return the kinds of memories that begin with a text."""
    return [name for name in load("recollect.model.kinds").KINDS if name.startswith(prefix)]


def setting_names(_: Path, prefix: str) -> list[str]:
    """Return the settings that begin with a text."""
    return [name for name in load("recollect.setup.settings_file").names() if name.startswith(prefix)]


def job_names(_: Path, prefix: str) -> list[str]:
    """Return the jobs that begin with a text."""
    return [job.name for job in load("recollect.jobs.job_table").JOBS if job.name.startswith(prefix)]


# The parameter of a command → what completes it.
COMPLETED: dict[str, Names] = {
    "name": memory_names,
    "newer": memory_names,
    "older": memory_names,
    "supersedes": memory_names,
    "kind": kind_names,
    "kinds": kind_names,
    "session": session_names,
    "key": setting_names,
    "job": job_names,
}
NOT_MEMORIES = ("project", "metadata")
"""Commands whose parameter `name` is no memory."""


class CompletedText(click.types.StringParamType):
    """A text that a shell completes with names."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Return the names that begin with what is typed; none where they cannot be read."""
        folder = Path(ctx.find_root().params.get("project") or ".")
        with contextlib.suppress(RecollectError, ReadFailed, Unready, OSError, ValueError):
            return [CompletionItem(name) for name in self._names(folder, incomplete)]
        return []


def add_completions(command: click.Command) -> None:
    """Let a shell complete the parameters of a command and its subcommands."""
    for inner in getattr(command, "commands", {}).values():
        add_completions(inner)
    if command.name in NOT_MEMORIES:
        return
    for param in command.params:
        if param.name in COMPLETED and isinstance(param.type, click.types.StringParamType):
            param.type = CompletedText(COMPLETED[param.name])
