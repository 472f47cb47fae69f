"""`recollect show`: reads the store directly when no vault file has changed since the last scan."""

import os
from pathlib import Path

import click

from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, load, main
from recollect.library.fast import fast_show

NAME_HELP = "NAME is a slug, kind/slug, a file path, or an id (its first or last six characters are enough)."


@main.command("show", help=f"Show one memory. {NAME_HELP}", epilog=EXIT_CODES)
@click.argument("name")
@click.option("--history", is_flag=True, help="Show its changes instead, from the journal.")
@click.option("--content", is_flag=True, help="Print only its text.")
@json_option
@click.pass_context
def show(ctx: click.Context, name: str, history: bool, content: bool, as_json: bool) -> None:
    """Show one memory."""
    row = None if history or as_json or content else fast_show.find(Path(ctx.obj), name, os.environ)
    if row:
        output.print_memory(row.image, row.revision, row.path)
    else:
        load("memories.commands").show_fully(name, history=history, content=content, as_json=as_json)
