"""`recollect list`: a page of memories, read from their rows without opening the project if no vault file changed."""

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect import lazy
from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, load, main
from recollect.library.fast import fast_list
from recollect.library.fast.fast_list import FastList, ListRow
from recollect.model.age import age
from recollect.model.query import TURNS, Query

if TYPE_CHECKING:
    from recollect.model.memory import Status

STATUSES: "tuple[Status, ...]" = ("active", "retired", "archived")
PAGE = 20
FRAME = 4
"""Lines of a terminal that a page leaves free: the command, the head, the last line, and the prompt."""
WIDE = 120
"""From this width on, there is room for the slugs as well."""


class ListCommand(click.Command):
    """A command that remembers its arguments, to print the command of the next page."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep a copy of the arguments, and parse them."""
        ctx.meta["arguments"] = list(args)
        return super().parse_args(ctx, args)


@main.command("list", cls=ListCommand, epilog=EXIT_CODES)
@click.argument("match", nargs=-1)
@click.option("--kind", "-k", "kinds", multiple=True, help="Only this kind; repeatable.")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only this status; default: active."
)
@click.option("--tag", "tags", multiple=True, help="Only with this tag; repeatable.")
@click.option("--pending", is_flag=True, help="Only captured memories that need a `keep` or `drop`.")
@click.option("--stale", is_flag=True, help="Only what may no longer hold: code is gone, or a newer memory exists.")
@click.option("--turns", is_flag=True, help="Include turns, the record of sessions; --json always does.")
@click.option("--all", "-a", "everything", is_flag=True, help="Include retired and archived memories.")
@click.option("--all-projects", is_flag=True, help="Memories of every project.")
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1_000_000),
    help=f"Lines on a page; default: {PAGE} or what the terminal has room for, with --json all.",
)
@click.option("--page", type=click.IntRange(1, 1_000_000), default=1, help="Show this page; default: the first.")
@json_option
@click.pass_context
def list_memories(
    ctx: click.Context, /, match: tuple[str, ...], *, as_json: bool, limit: int | None, page: int, **filters: Any  # noqa: ANN401
) -> None:  # fmt: skip
    """List memories, newest first: id, kind, age and title.

    With words as MATCH, only memories that contain all of them; `recollect recall` searches by meaning. Every command
    takes the id that is printed here. `pending` marks what was captured and not confirmed, `stale` what a newer memory
    may have replaced or whose code is gone; `recollect show ID` says what.
    """
    statuses = filters["statuses"] or (STATUSES if filters["everything"] else STATUSES[:1])
    tags = (*filters["tags"], *(("pending",) if filters["pending"] else ()))
    if as_json:
        load("memories.list_json").print_list(
            kinds=filters["kinds"], statuses=statuses, tags=tags, match=" ".join(match), turns=True,
            stale=filters["stale"], all_projects=filters["all_projects"], limit=limit if page == 1 else limit or PAGE,
            offset=(page - 1) * (limit or PAGE),
        )  # fmt: skip
        return
    size = limit or page_size()
    query = Query(
        None, filters["kinds"], statuses, tags, no_kinds=() if filters["turns"] or filters["kinds"] else TURNS,
        match=" ".join(match), limit=size, offset=(page - 1) * size,
    )  # fmt: skip
    found = fast_list.find(
        Path(ctx.obj), query, all_projects=filters["all_projects"], stale=filters["stale"], env=os.environ,
        warn=functools.partial(click.echo, err=True),
    )  # fmt: skip
    if not found.total and filters["kinds"]:  # only the whole project knows its kinds
        load("memories.list_json").check_kinds(filters["kinds"])
    print_page(found, shows_project=filters["all_projects"], shows_why=filters["stale"])
    print_rest(ctx, found, page=page, size=size)


def page_size() -> int:
    """Return how many memories a page has: as many as fit the terminal, at least 20."""
    return PAGE if output.width() is None else max(PAGE, columns.terminal_size()[1] - FRAME)


def print_page(found: FastList, *, shows_project: bool, shows_why: bool = False) -> None:
    """Print one line per memory, cut to the terminal's width; whole lines when piped.

    With `shows_why`, what is gone or newer stands below each.
    """
    if not found.rows:
        return
    width = output.width()
    is_wide = width is None or width >= WIDE
    heads = [
        "id",
        "kind",
        "age",
        *(["project"] if shows_project else []),
        *(["", "title", "name"] if is_wide else ["title"]),
    ]
    rows = [_cells(row, found.now, shows_project=shows_project, is_wide=is_wide) for row in found.rows]
    styles = [_styles(row, is_wide=is_wide) for row in found.rows]
    if not shows_why:
        output.print_columns(heads, rows, styles, width=width, cuts=("title",), spare="name")
        return
    head, *lines = columns.lines(heads, rows, styles, width=width, cuts=("title",), spare="name")
    click.echo(head)
    for row, line in zip(found.rows, lines, strict=True):
        click.echo(f"{line}\n  {columns.cut(output.visible(row.stale), (width or columns.READABLE) - 2)}")
    click.echo(click.style("`recollect edit ID` corrects a memory, `recollect retire ID` puts it away.", dim=True))


def _cells(row: ListRow, now: float, *, shows_project: bool, is_wide: bool) -> list[str]:
    """Return the columns of a memory; on a narrow terminal the mark stands before the title, which needs the room."""
    memory, mark, title = row.memory, _mark(row), output.visible(row.memory.title)
    head = [row.id, memory.kind, age(memory.created, now), *([memory.project] if shows_project else [])]
    if is_wide:
        return [*head, mark, title, memory.slug]
    return [*head, f"{mark}: {title}" if mark else title]


def _mark(row: ListRow) -> str:
    """Return what is unusual about a memory, in a word; empty if nothing is."""
    memory = row.memory
    if memory.status != "active":
        return memory.status
    return "pending" if memory.is_pending else "stale" if row.stale else "pinned" if memory.is_pinned else ""


def _styles(row: ListRow, *, is_wide: bool) -> dict[str, dict[str, Any]]:
    """Return the style of each column, by its head."""
    colour = output.MARK_COLOURS.get(_mark(row))
    return {
        "id": {"dim": True},
        "kind": {"fg": output.kind_colour(row.memory.kind)},
        "age": {"dim": True},
        "project": {"dim": True},
        "": {"fg": colour},
        "title": {"dim": bool(row.stale) or row.memory.status != "active", "fg": None if is_wide else colour},
        "name": {"dim": True},
    }


def print_rest(ctx: click.Context, found: FastList, *, page: int, size: int) -> None:
    """Print how many memories follow and the command that lists them; on standard error when piped."""
    after = found.total - (page - 1) * size - len(found.rows)
    if not found.total:
        words = "No memories found; `recollect list --all` includes retired and archived ones."
    elif not found.rows:
        words = f"Page {page} is empty: there {_are(found.total)}. First page: `{_command(ctx, 1)}`"
    elif after > 0:
        words = f"{after:,} more of {found.total:,}: `{_command(ctx, page + 1)}`"
    else:
        return
    click.echo(click.style(words, dim=True), err=bool(found.total) and output.width() is None)


def _are(total: int) -> str:
    return f"{'is' if total == 1 else 'are'} {output.number(total, 'memory')}"


def _command(ctx: click.Context, page: int) -> str:
    """Return the command that was called, with another page."""
    kept: list[str] = []
    arguments = iter(ctx.meta["arguments"])
    for argument in arguments:
        if argument == "--page":
            next(arguments, None)
        elif not argument.startswith("--page="):
            kept.append(argument)
    paged = [] if page == 1 else ["--page", str(page)]
    joined: str = lazy.load("shlex").join(["recollect", "list", *paged, *kept])
    return joined
