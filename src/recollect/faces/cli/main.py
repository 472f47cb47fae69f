"""The top-level `recollect` command: the table of commands, global options, and error printing."""

import errno
import importlib
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from recollect import __version__
from recollect.errors import DiskRefused, RecollectError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

EXIT_CODES = """
Exit codes: 0 success · 1 error, with the next step · 2 wrong usage."""

DISK_IS_FULL = (errno.ENOSPC, errno.EDQUOT)
COMPLETING = "_RECOLLECT_COMPLETE"
"""The variable with which a shell asks for completions."""

# Command → the module of this package that defines it, loaded when the command is called.
COMMANDS = {
    "appreciate": "interop.markdown",
    "archive": "memories.commands",
    "candidate": "interop.seeds",
    "capture": "memories.keep_drop",
    "completion": "setup.completion",
    "config": "setup.config",
    "consolidate": "maintenance.consolidate",
    "doctor": "maintenance.doctor",
    "drain": "setup.hooks",
    "drop": "memories.keep_drop",
    "edit": "memories.commands",
    "eval": "evaluation.commands",
    "export": "interop.transfer",
    "fact": "interop.tool",
    "forget": "maintenance.consolidate",
    "gc": "maintenance.gc",
    "health": "maintenance.health",
    "help": "help",
    "hook": "setup.hooks",
    "import": "interop.transfer",
    "index": "interop.seeds",
    "init": "setup.commands",
    "install": "setup.install",
    "jobs": "maintenance.jobs",
    "keep": "memories.keep_drop",
    "list": "memories.list",
    "log": "interop.logs",
    "mcp": "setup.mcp",
    "memory": "interop.tool",
    "merge": "memories.review",
    "metadata": "interop.markdown",
    "off": "setup.on_off",
    "on": "setup.on_off",
    "open": "setup.serve",
    "pin": "memories.commands",
    "presearch": "interop.markdown",
    "project": "setup.project",
    "purge": "memories.commands",
    "recall": "memories.recall",
    "reconcile": "setup.commands",
    "reindex": "maintenance.reindex",
    "remember": "memories.commands",
    "restore": "memories.commands",
    "retire": "memories.commands",
    "review": "memories.review",
    "run": "setup.hooks",
    "scrub": "maintenance.scrub",
    "search": "memories.recall",
    "serve": "setup.serve",
    "session": "memories.sessions",
    "show": "memories.show",
    "status": "memories.status",
    "timeline": "memories.timeline",
    "trust": "setup.commands",
    "undo": "memories.undo",
    "uninstall": "setup.install",
    "validate": "maintenance.validate",
    "why": "memories.why",
    "write": "interop.seeds",
}

# The headings of `recollect --help`, and the commands under each with what they do. The page is printed from this table
# alone: importing every command for its first sentence takes twenty times as long.
SECTIONS = {
    "Everyday": {
        "recall": "Find memories that answer a question (also: search)",
        "list": "List memories, newest first",
        "show": "Show a memory, where it comes from, its history",
        "why": "Show what an agent was told, and why",
        "remember": "Save a memory",
        "edit": "Change a memory",
        "undo": "Take back the last change",
        "open": "Open the page of this project in a browser",
        "status": "Show the state of this project",
        "help": "Explain a command",
    },
    "Review": {
        "review": "Decide about pending memories and conflicts",
        "keep": "Confirm a captured memory",
        "drop": "Reject a captured memory",
        "merge": "Make one memory of two",
        "pin": "Protect a memory from being removed automatically",
        "retire": "Stop recalling a memory; it can be restored",
        "archive": "Stop recalling a memory and keep it for good",
        "restore": "Make a retired or archived memory active again",
        "purge": "Erase a memory",
        "capture": "Show what `keep` and `drop` taught",
        "timeline": "List memories by time, or what a session did",
        "validate": "Check whether the code that memories name is still there",
    },
    "Agents": {
        "install": "Connect a coding agent",
        "uninstall": "Disconnect it and restore its files",
        "on": "Switch memory on for agents",
        "off": "Switch memory off for agents, here or in a session",
        "session": "Count sessions; `session tail` follows them",
        "run": "Start a coding agent with memory",
        "serve": "Serve the page, and memory over MCP, with tokens",
        "completion": "Print the completion script of a shell",
        "config": "Show and change settings",
    },
    "Files and git": {
        "init": "Keep memories as files in this repository",
        "trust": "Accept the memory files of a clone",
        "project": "Show which project this is; merge and rename projects",
        "reconcile": "Read memory files that changed",
        "import": "Import memories from files or past sessions",
        "export": "Write all memories as JSON lines",
    },
    "Repair": {
        "doctor": "Check everything, and say what to do",
        "health": "Show counts, growth and problems",
        "jobs": "List the background jobs, run one now",
        "consolidate": "Weigh memories, merge those that say the same",
        "forget": "Archive memories that nobody used for long",
        "drain": "Process waiting events now",
        "reindex": "Build missing search vectors",
        "gc": "Remove files of long retired memories",
        "scrub": "Remove a leaked secret from everything",
        "eval": "Measure recall and capture",
    },
}
# Surfaces of other programs, listed by `recollect help --all`.
OTHERS_SECTION = "Called by agents and other programs"
OTHERS = {
    "hook": "Answer a hook event of an agent",
    "mcp": "Serve memory to an agent over MCP",
    "memory": "Run a request of the memory tool, JSON in and out",
    "fact": "Add, list and remove facts",
    "log": "Read and write the project log MEMORY.md",
    "write": "Create or change a memory file from a draft",
    "candidate": "Find the memory that new information belongs to",
    "index": "Rebuild, check or search index.md",
    "appreciate": "Raise a memory's appreciation",
    "metadata": "Read or write the metadata of a markdown memory",
    "presearch": "Find memory files that a prompt may need",
}
ALIASES = ("search",)
"""Second names of commands, which the help page does not list."""
HELP_FLAGS = ("-h", "--help")
HELP_WIDTH = 100
"""Help uses a wider terminal up to this many columns; longer lines are hard to read."""
ALL = f"{__name__}.all"
"""Where the context keeps whether `--help --all` was asked for."""


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
        command = super().get_command(ctx, cmd_name)
        if command and os.environ.get(COMPLETING):
            load("completion").add_completions(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete commands by their names alone: their help would load every module."""
        item = importlib.import_module("click.shell_completion").CompletionItem
        found = [item(name) for name in sorted(COMMANDS) if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under the headings of SECTIONS; those of OTHERS only for `--help --all`."""
        is_all = ctx.meta.get(ALL, False)
        wide = max(map(len, COMMANDS))
        for title, commands in (SECTIONS | ({OTHERS_SECTION: OTHERS} if is_all else {})).items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(wide), says) for name, says in commands.items()])
        if not is_all:
            formatter.write_paragraph()
            formatter.write_text("`recollect help COMMAND` explains one; `recollect help --all` lists the rest.")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a call; the error for an unknown one names those that are spelt alike."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            close = importlib.import_module("difflib").get_close_matches(args[0], COMMANDS)
            hint = f" Did you mean {' or '.join(close)}?" if close else ""
            raise click.UsageError(error.message + hint, ctx) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; bytes that are not UTF-8 become replacement characters."""
        if args and any(flag in args for flag in HELP_FLAGS) and not any(name in args for name in COMMANDS):
            ctx.meta[ALL] = "--all" in args
            args = [arg for arg in args if arg != "--all"]
        return super().parse_args(ctx, [arg.encode("utf-8", "replace").decode() for arg in args])

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run a command; print a RecollectError, or that the output cannot be written, and exit with code 1."""
        try:
            return super().invoke(ctx)
        except RecollectError as error:
            problem = error
        except OSError as error:
            if error.errno not in DISK_IS_FULL:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is buffered must not fail again
            problem = DiskRefused(
                f"the output cannot be written: {error.strerror}", fix="Free space; what the command changed is kept."
            )
        load("output").print_error(problem, as_json=bool(ctx.meta.get(__name__)))
        return ctx.exit(1)


def _remember_json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    ctx.find_root().meta[__name__] = value  # Group.invoke prints errors and has no --json option of its own
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_remember_json, is_eager=True, help="Print JSON."
)


@click.group(
    cls=Group, invoke_without_command=True, epilog=EXIT_CODES,
    context_settings={"help_option_names": list(HELP_FLAGS), "max_content_width": HELP_WIDTH},
)  # fmt: skip
@click.version_option(__version__, prog_name="recollect")
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
    if ctx.invoked_subcommand is None:
        ctx.invoke(load("memories.status").status, as_json=False)
