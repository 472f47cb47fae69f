"""`recollect show`, the command that is run most: a glance at the row is enough when nothing has changed."""

import os
from pathlib import Path

import click

from recollect.cli import output
from recollect.cli.main import EXIT_CODES, json_option, load, main
from recollect.library import fast_show

NAME_HELP = "NAME is a slug, kind/slug, the path of its file, or an id or its beginning."


@main.command("show", help=f"Show one memory. {NAME_HELP}", epilog=EXIT_CODES)
@click.argument("name")
@click.option("--history", is_flag=True, help="Show what the journal knows of it instead.")
@click.option("--content", is_flag=True, help="Print only what it says.")
@json_option
@click.pass_context
def show(ctx: click.Context, name: str, history: bool, content: bool, as_json: bool) -> None:
    """Show one memory."""
    seen = None if history or as_json or content else fast_show.find(Path(ctx.obj), name, os.environ)
    if seen:
        output.print_memory(seen.image, seen.revision, seen.path)
    else:
        load("memories.commands").show_fully(name, history=history, content=content, as_json=as_json)
