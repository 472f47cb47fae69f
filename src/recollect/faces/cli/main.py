"""The top-level `recollect` command: the table of commands, global options, and error printing."""

import importlib
import os
from types import ModuleType
from typing import Any

import click

from recollect.errors import RecollectError
from recollect.faces.cli import output

EXIT_CODES = """
Exit codes: 0 success · 1 error, the message says what to do next · 2 wrong usage."""

# Command → the module of this package that defines it, loaded when the command is called.
COMMANDS = {
    "appreciate": "interop.markdown",
    "archive": "memories.commands",
    "candidate": "interop.seeds",
    "capture": "memories.keep_drop",
    "config": "setup.commands",
    "doctor": "maintenance.doctor",
    "drain": "setup.hooks",
    "drop": "memories.keep_drop",
    "edit": "memories.commands",
    "eval": "evaluation.commands",
    "export": "interop.transfer",
    "fact": "interop.tool",
    "gc": "maintenance.gc",
    "health": "maintenance.health",
    "hook": "setup.hooks",
    "import": "interop.transfer",
    "index": "interop.seeds",
    "init": "setup.commands",
    "install": "setup.install",
    "jobs": "maintenance.jobs",
    "keep": "memories.keep_drop",
    "list": "memories.list",
    "log": "interop.logs",
    "memory": "interop.tool",
    "metadata": "interop.markdown",
    "off": "setup.on_off",
    "on": "setup.on_off",
    "pin": "memories.commands",
    "presearch": "interop.markdown",
    "purge": "memories.commands",
    "recall": "memories.recall",
    "reconcile": "setup.commands",
    "reindex": "maintenance.reindex",
    "remember": "memories.commands",
    "restore": "memories.commands",
    "retire": "memories.commands",
    "run": "setup.hooks",
    "scrub": "maintenance.scrub",
    "session": "memories.sessions",
    "show": "memories.show",
    "timeline": "memories.timeline",
    "trust": "setup.commands",
    "undo": "memories.commands",
    "uninstall": "setup.install",
    "why": "memories.why",
    "write": "interop.seeds",
}

# The headings of `recollect --help`, and the commands under each.
SECTIONS = {
    "Everyday": ("remember", "recall", "list", "show", "edit", "pin", "undo"),
    "Capture and injection": ("keep", "drop", "capture", "why", "timeline", "session"),
    "Remove and restore": ("retire", "archive", "restore", "purge", "gc", "scrub"),
    "Setup": ("install", "uninstall", "init", "trust", "on", "off", "config", "run"),
    "Check and maintain": ("doctor", "health", "jobs", "drain", "reindex", "reconcile", "eval"),
    "Move data": ("import", "export"),
    "Called by agents and other tools": (
        "hook", "memory", "fact", "log", "write", "candidate", "index", "appreciate", "metadata", "presearch",
    ),
}  # fmt: skip


def load(module: str) -> ModuleType:
    """Import and return the module `recollect.faces.cli.<module>`."""
    return importlib.import_module(f"recollect.faces.cli.{module}")


class Group(click.Group):
    """A command group that imports commands on first use and prints RecollectError with exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module that defines a command; return the command, or None if there is none."""
        if cmd_name in COMMANDS:
            load(COMMANDS[cmd_name])
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under the headings of SECTIONS."""
        width = formatter.width - 6 - max(map(len, COMMANDS))
        for title, names in SECTIONS.items():
            found = {name: self.get_command(ctx, name) for name in names}
            rows = [(name.ljust(max(map(len, COMMANDS))), command.get_short_help_str(width))
                    for name, command in found.items() if command]  # fmt: skip
            with formatter.section(title):
                formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; bytes that are not UTF-8 become replacement characters."""
        return super().parse_args(ctx, [arg.encode("utf-8", "replace").decode() for arg in args])

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run a command; print a RecollectError and exit with code 1."""
        try:
            return super().invoke(ctx)
        except RecollectError as error:
            output.print_error(error, as_json=bool(ctx.meta.get(__name__)))
            ctx.exit(1)


def _remember_json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    ctx.find_root().meta[__name__] = value  # Group.invoke prints errors and has no --json option of its own
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_remember_json, is_eager=True, help="Print JSON."
)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(package_name="recollect")
@click.option("--now", hidden=True, help="Use this time as the current time, for tests and replays.")
@click.option("--project", "-C", type=click.Path(exists=True, file_okay=False), help="Use the project in this folder.")
@click.pass_context
def main(ctx: click.Context, now: str | None, project: str | None) -> None:
    """Persistent memory for coding agents.

    Memories are kept in one database in your home folder, the store. After `recollect init` they are also
    plain files in the repository.

    To start: `recollect install claude-code`, then `recollect remember TEXT` and `recollect recall QUESTION`.
    """
    if now:
        os.environ["RECOLLECT_NOW"] = now
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    ctx.obj = project or "."
