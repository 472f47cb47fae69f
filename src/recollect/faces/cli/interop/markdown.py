"""Commands of the markdown memory that hook agents use: appreciate, metadata, presearch."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from recollect.errors import BadInput, RecollectError, UnreadableFile
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.memories.show import NAME_HELP
from recollect.faces.cli.shared import command
from recollect.formats import memory_log
from recollect.interop import usage_block as block
from recollect.library.workspace import Workspace
from recollect.policy.ranking import presearch as searching
from recollect.vault import files

METADATA = ("read", "write_field", "ensure", "description")


@command("appreciate", help=f"Raise a memory's appreciation by N, so that it is kept longer.\n\n{NAME_HELP}")
@click.argument("name")
@click.argument("bonus", metavar="N", type=click.IntRange(1, 1_000_000))
def appreciate(workspace: Workspace, as_json: bool, name: str, bonus: int) -> None:
    """Raise a memory's appreciation (A35)."""
    outcome = workspace.appreciate(name, bonus)
    if as_json:
        output.print_json(output.outcome_dict(outcome))
    else:
        now = outcome.memory.usage.appreciation
        click.echo(f"Bumped appreciation of {output.visible(name)} by +{bonus} (now {now})")


@command("metadata")
@click.argument("action", type=click.Choice(METADATA))
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("values", nargs=-1)
def metadata(workspace: Workspace, as_json: bool, action: str, file: Path, values: tuple[str, ...]) -> None:
    """Read or write the metadata of a markdown memory file.

    \b
    read FILE                   print the metadata as JSON
    write_field FILE KEY VALUE  set one field
    ensure FILE [SESSION]       add the metadata if there is none
    description FILE            print the description
    """  # noqa: D301 - \b keeps these lines as they are in --help
    wanted = {"read": (0, 0), "write_field": (2, 2), "ensure": (0, 1), "description": (0, 0)}[action]
    if not wanted[0] <= len(values) <= wanted[1]:
        raise click.UsageError(
            "Use: read FILE, write_field FILE KEY VALUE, ensure FILE [SESSION], or description FILE."
        )
    place = Path(click.get_current_context().obj) / file
    if files.look(place) is None:
        oddity = None if place.is_dir() else files.oddity(place)
        raise BadInput(oddity or "there is no such file", target=file, fix="Name a markdown file, as memory/NAME.md.")
    value: object
    if action == "description":
        value = block.description(place)
    elif action == "read":
        value = block.read(place)
    elif action == "write_field":
        value = workspace.write_metadata(place, values[0], _literal(values[1]))
    else:
        value = "created" if workspace.ensure_metadata(place, _session(workspace, values)) else "exists"
    is_plain = isinstance(value, str) and not as_json
    click.echo(output.body(str(value)) if is_plain else json.dumps(output.bare(value), indent=2, ensure_ascii=False))


def _session(workspace: Workspace, values: tuple[str, ...]) -> int:
    if values and not (values[0].isascii() and values[0].isdigit()):
        raise click.UsageError("SESSION must be a number.")
    return int(values[0]) if values else workspace.session_number


def _literal(value: str) -> object:
    """Return the parsed value if it is strict JSON, else the text itself (A10)."""
    try:
        found = json.loads(value)
        json.dumps(found, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return value
    return found


@main.command("presearch", epilog=EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("content", type=click.Choice(("on", "off")), default="off")
@json_option
@click.pass_context
def presearch(ctx: click.Context, folder: Path, content: str, as_json: bool) -> None:
    """Find the memory files that a prompt may need, by keywords.

    Reads the prompt from standard input and prints a line `- memory/<file> — <description>` per file of FOLDER that
    matches. `off` searches names and keywords, `on` whole memories. A summary as JSON goes to standard error.
    """
    prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    sources = dict(_readable(Path(ctx.obj) / folder))
    found = searching.search(prompt, sources, with_content=content == "on")
    if as_json:
        pointers = [{"file": name, "description": description} for name, description in found.pointers]
        output.print_json({**found.summary, "pointers": pointers})
        return
    for line in searching.render(found):
        click.echo(output.visible(line))
    click.echo(json.dumps(found.summary, ensure_ascii=False), err=True)


def _readable(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each memory file of a folder, without daily logs; warn about files that cannot be read."""
    for place in (folder / name for name in files.names(folder, folder) if name.endswith(".md")):
        try:
            if memory_log.is_daily_name(place.name) or place.is_symlink() or place.is_dir():
                continue  # A15: skipped without a warning
            if oddity := files.oddity(place):
                raise UnreadableFile(oddity, target=place)
            yield place.name, files.read(place).decode("utf-8", "replace")
        except RecollectError as error:
            click.echo(f"WARNING: {output.visible(str(place))}: {error.message}", err=True)
