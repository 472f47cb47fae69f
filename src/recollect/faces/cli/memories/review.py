"""The commands `recollect review` and `merge`: decide about captured memories and conflicts, one by one."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from recollect.errors import RecollectError
from recollect.faces.cli import columns, output
from recollect.faces.cli.main import load
from recollect.faces.cli.memories.show import NAMED_BY
from recollect.faces.cli.shared import command

if TYPE_CHECKING:
    from recollect.library.workspace import Workspace
    from recollect.model.memory import Memory
    from recollect.pipeline.review import ReviewItem

ID_CHARS, TURN_LINES, TEXT_LINES = 8, 6, 12
STOP = ("q", "\x03", "\x04", "\x1b")
"""Keys that end the review: q, Ctrl-C, Ctrl-D, Escape."""
HINT = "Decide with `recollect keep ID`, `drop ID`, `edit ID` or `merge ID OTHER`."
HINT_CONFLICT = "Conflicts: `keep ID --both` keeps both, `merge ID OLDER` replaces the older one."


@command("merge", help=f"Make one memory of two: NEWER stays, OLDER is retired.\n\nBoth are named by {NAMED_BY}")
@click.argument("newer")
@click.argument("older")
def merge(workspace: Workspace, as_json: bool, newer: str, older: str) -> None:
    """Make one memory of two."""
    output.print_outcome(workspace.merge(newer, older), as_json=as_json)


@command("review")
def review(workspace: Workspace, as_json: bool) -> None:
    """Decide about pending memories and conflicts, one by one.

    Pending memories were captured, but not with certainty; a conflict is a memory that may replace an older one. Each
    is shown with the turn it comes from. A key decides: k keep, d drop, e edit, m merge, s skip, ? why, q quit.
    Without a terminal they are listed. Every decision can be undone with `recollect undo`.
    """
    found = workspace.review()
    if as_json:
        output.print_json([_as_dict(item) for item in found])
    elif not found:
        click.echo("Nothing to review.")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _ask_about_each(workspace, found)
    else:
        _list(found)


def _as_dict(item: ReviewItem) -> dict[str, object]:
    return {
        "memory": output.as_dict(item.memory),
        "pending": item.is_pending,
        "may_replace": [output.as_dict(memory) for memory in item.older],
        "turn": output.as_dict(item.turn) if item.turn else None,
        "rule": item.rule,
        "why": item.reason,
    }


# -- printing ----------------------------------------------------------------------------------------------------------


def _label(item: ReviewItem) -> str:
    return click.style("pending", fg="yellow") if item.is_pending else click.style("conflict", fg="magenta")


def _line(memory: Memory, taken: int) -> str:
    """Return a memory on what a terminal's line has left behind `taken` columns: short id, kind, title."""
    id, width, title = memory.uid[-ID_CHARS:], output.width(), output.visible(memory.title)
    used = taken + len(f"{id}  {memory.kind}: ")
    shown = title if width is None else columns.cut(title, max(columns.LEAST, width - used))
    return f"{click.style(id, dim=True)}  {memory.kind}: {shown}"


def _list(found: Sequence[ReviewItem]) -> None:
    for item in found:
        gap = " " * item.is_pending  # the labels have 7 and 8 letters
        click.echo(f"{_label(item)}{gap}  {_line(item.memory, len('conflict  '))}")
        for older in item.older:
            click.echo(f"  may replace {_line(older, len('  may replace '))}")
    click.echo(click.style(HINT, dim=True))
    if any(item.older for item in found):
        click.echo(click.style(HINT_CONFLICT, dim=True))


def _show(item: ReviewItem, place: str) -> None:
    memory = item.memory
    when = click.style(f"{memory.created_at[:10]}  {memory.uid[-ID_CHARS:]}", dim=True)
    click.echo(f"\n{click.style(place, bold=True)}  {_label(item)}  {memory.kind}  {when}")
    title, lines = _title_and_text(memory)
    click.echo(click.style(output.prose(output.visible(title), "", TEXT_LINES), bold=True))
    if lines:
        click.echo(output.prose(output.body("\n".join(lines)), "  ", TEXT_LINES))
    for older in item.older:
        click.echo(click.style("may replace this older memory:", fg="magenta"))
        click.echo(output.prose(output.visible(f"{older.kind}, {older.created_at[:10]}: {older.title}"), "  ", 3))
    if item.turn:
        click.echo(click.style("from this turn:", dim=True))
        click.echo(click.style(output.prose(output.body(item.turn.text), "  ", TURN_LINES), dim=True))


def _title_and_text(memory: Memory) -> tuple[str, list[str]]:
    """Return a title, and the lines of the text that say more; a line that begins with the title replaces it."""
    lines = list(dict.fromkeys(line.strip().rstrip(".") for line in memory.text.splitlines() if line.strip()))
    title = memory.title.strip().rstrip(".")
    longer = [line for line in lines if line.startswith(title.rstrip("…"))]
    return max(longer, key=len, default=title), [line for line in lines if line not in (title, *longer)]


def _explain(workspace: Workspace, item: ReviewItem) -> None:
    click.echo(output.prose(item.reason, "  ", 4))
    if item.rule:
        kept = f"{item.taught.kept} kept, {item.taught.dropped} dropped in this project"
        click.echo(output.prose(f"Captured by the rule `{item.rule}` ({kept}).", "  ", 3))
    if item.memory.session:
        story = f"recollect timeline --session {workspace.short_session_id(item.memory.session)}"
        click.echo(output.prose(f"`{story}` tells the story of the session.", "  ", 3))


def _keys(item: ReviewItem) -> str:
    if item.older:
        return "k keep both · d drop · e edit · m replace older · s skip · ? why · q quit"
    return "k keep · d drop · e edit · m merge · s skip · ? why · q quit"


# -- deciding ----------------------------------------------------------------------------------------------------------


def _ask_about_each(workspace: Workspace, found: Sequence[ReviewItem]) -> None:
    decided = 0
    for number, item in enumerate(found, 1):
        _show(item, f"{number} of {len(found)}")
        key = _ask(workspace, item)
        if key in STOP:
            break
        decided += key != "s"
    left = len(found) - decided
    rest = f", {left} left" if left else ""
    undo = " `recollect undo` takes back the last one." if decided else ""
    click.echo(f"\nDecided {decided}{rest}.{undo}")


def _ask(workspace: Workspace, item: ReviewItem) -> str:
    """Ask until a key decides about a memory; return that key."""
    click.echo(click.style(_keys(item), dim=True))
    while True:
        try:
            key = click.getchar().lower()
        except (KeyboardInterrupt, EOFError):
            return "q"
        if key in STOP or key == "s":
            return key
        if key == "?":
            _explain(workspace, item)
        elif key in DECISIONS and _decide(workspace, item, key):
            return key


def _decide(workspace: Workspace, item: ReviewItem, key: str) -> bool:
    """Carry out a decision; False if nothing came of it: the next key may decide otherwise."""
    try:
        is_decided = DECISIONS[key](workspace, item)
    except RecollectError as error:
        output.print_error(error, as_json=False)
        is_decided = False
    if not is_decided:
        click.echo(click.style(_keys(item), dim=True))
    return is_decided


def _keep(workspace: Workspace, item: ReviewItem) -> bool:
    workspace.keep(item.memory.uid, both=bool(item.older))
    return _say("kept both" if item.older else "kept")


def _drop(workspace: Workspace, item: ReviewItem) -> bool:
    workspace.drop(item.memory.uid)
    return _say("dropped")


def _edit(workspace: Workspace, item: ReviewItem) -> bool:
    """Edit it in $EDITOR, then keep it."""
    load("memories.commands").edit_by_hand(workspace, item.memory.uid)
    return _keep(workspace, item)


def _merge(workspace: Workspace, item: ReviewItem) -> bool:
    """Let it replace the older memory, or the one that the person names; nothing happens if no name is given."""
    names = [older.uid for older in item.older]
    if not names:
        name = click.prompt("Replace which memory? NAME (empty: none)", default="", show_default=False)
        names = [name.strip()] if name.strip() else []
    for name in names:
        workspace.merge(item.memory.uid, name)
        _say("replaced the older one")
    return bool(names)


def _say(done: str) -> bool:
    click.echo(click.style(done, fg="green"))
    return True


DECISIONS: dict[str, Callable[[Workspace, ReviewItem], bool]] = {"k": _keep, "d": _drop, "e": _edit, "m": _merge}
