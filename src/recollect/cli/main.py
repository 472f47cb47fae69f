"""The top command: which commands there are, the clock, and the one place where errors are printed."""

import importlib
import os
from types import ModuleType
from typing import Any

import click

from recollect.cli import output
from recollect.errors import RecollectError

EXIT_CODES = """
Exit codes: 0 done · 1 refused, the message names the error and the next step · 2 wrong usage."""

# Command → the module of this package that defines it, loaded when it is called.
COMMANDS = {
    "appreciate": "interop.markdown",
    "archive": "memories.commands",
    "candidate": "interop.seeds",
    "config": "setup.commands",
    "doctor": "setup.commands",
    "drain": "setup.hooks",
    "drop": "memories.keep_drop",
    "edit": "memories.commands",
    "eval": "evaluation.commands",
    "export": "interop.transfer",
    "fact": "interop.tool",
    "gc": "interop.transfer",
    "health": "interop.transfer",
    "hook": "setup.hooks",
    "import": "interop.transfer",
    "index": "interop.seeds",
    "init": "setup.commands",
    "install": "setup.install",
    "jobs": "setup.jobs",
    "keep": "memories.keep_drop",
    "list": "memories.commands",
    "log": "interop.logs",
    "memory": "interop.tool",
    "metadata": "interop.markdown",
    "off": "interop.transfer",
    "on": "interop.transfer",
    "pin": "memories.commands",
    "presearch": "interop.markdown",
    "purge": "memories.commands",
    "recall": "memories.recall",
    "reconcile": "setup.commands",
    "reindex": "evaluation.indexing",
    "remember": "memories.commands",
    "restore": "memories.commands",
    "retire": "memories.commands",
    "run": "setup.hooks",
    "scrub": "interop.transfer",
    "session": "memories.sessions",
    "show": "memories.show",
    "timeline": "interop.tool",
    "trust": "setup.commands",
    "undo": "memories.commands",
    "uninstall": "setup.install",
    "why": "setup.hooks",
    "write": "interop.seeds",
}


def load(module: str) -> ModuleType:
    """A module of this package, on first use."""
    return importlib.import_module(f"recollect.cli.{module}")


class Group(click.Group):
    """Loads commands on first use; errors of ours become a message and exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Every command, by name."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command; its module registers it."""
        if cmd_name in COMMANDS:
            load(COMMANDS[cmd_name])
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Arguments that are not UTF-8 are read as far as they are."""
        return super().parse_args(ctx, [arg.encode("utf-8", "replace").decode() for arg in args])

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run a command; the only place where our errors are caught."""
        try:
            return super().invoke(ctx)
        except RecollectError as error:
            output.print_error(error, as_json=bool(ctx.meta.get(__name__)))
            ctx.exit(1)


def _note_json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    ctx.find_root().meta[__name__] = value  # errors are printed by the group, which has no option of its own
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_note_json, is_eager=True, help="Print JSON for machines."
)


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
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    ctx.obj = project or "."
