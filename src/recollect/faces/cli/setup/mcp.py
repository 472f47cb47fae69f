"""The command `recollect mcp`, for its help and `recollect -C`: `faces/entry.py` starts the server without click."""

from pathlib import Path

import click

from recollect.faces.cli.main import EXIT_CODES, main
from recollect.faces.mcp.tool_table import SETS
from recollect.lazy import load


@main.command("mcp", epilog=EXIT_CODES)
@click.option(
    "--tools",
    type=click.Choice(list(SETS)),
    multiple=True,
    help="The set of tools; repeatable. default: recall, read, remember, retire, why; letsgo: memory;"
    " cursorclaw: recall_memory, remember_this, query_experiences.",
)
@click.option("--project", "folder", type=click.Path(exists=True, file_okay=False), help="Serve this project alone.")
@click.pass_context
def mcp(ctx: click.Context, tools: tuple[str, ...], folder: str | None) -> None:
    """Serve memory to an agent over MCP.

    It reads standard input and answers on standard output. Clients start it: `recollect install CLIENT --mcp` writes
    how. The project is that of --project, else the one that the client names by its environment, its roots or the
    working folder.
    """
    named = folder or (str(Path(ctx.obj).resolve()) if ctx.obj != "." else "")
    chosen = [word for name in tools for word in ("--tools", name)]
    load("recollect.faces.mcp.stdio").main([*chosen, *(["--project", named] if named else [])])
