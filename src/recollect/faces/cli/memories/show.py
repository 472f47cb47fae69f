"""`recollect show`: reads the store directly when no vault file has changed since the last scan."""

import os
from pathlib import Path

import click

from recollect.faces.cli.main import EXIT_CODES, json_option, load, main
from recollect.faces.cli.shared import warn
from recollect.library.fast import fast_show

NAMED_BY = (
    "an id as `recollect list` prints it, a slug or the beginning of one, kind/slug, a title in quotes, or the path of"
    " a memory's file."
)
NAME_HELP = f"NAME is {NAMED_BY}"


@main.command("show", help=f"Show one memory. {NAME_HELP}", epilog=EXIT_CODES)
@click.argument("name")
@click.option("--history", is_flag=True, help="Show its changes instead, newest first, as differences.")
@click.option("--content", is_flag=True, help="Print only its text.")
@json_option
@click.pass_context
def show(ctx: click.Context, name: str, history: bool, content: bool, as_json: bool) -> None:
    """Show one memory."""
    found = None if history or as_json or content else fast_show.find(Path(ctx.obj), name, os.environ, warn)
    if found:
        load("memories.show_text").print_memory(found)
    else:
        load("memories.show_full").show(name, history=history, content=content, as_json=as_json)
