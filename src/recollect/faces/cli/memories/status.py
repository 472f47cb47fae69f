"""`recollect status`, and `recollect` without a command: the state of this project on one screen."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import warn
from recollect.library.fast import fast_status
from recollect.library.fast.fast_status import ProjectStatus
from recollect.model.age import ago
from recollect.project.project_rule import short_commit

LABEL = 11
KINDS_SHOWN = 3
TITLES_SHOWN = 3
NEEDED = {
    "recall QUESTION": "find what is known about something",
    "list": "see all of it, newest first",
    "remember TEXT": "save a memory",
    "why": "see what the agent was told last, and why",
    "help": "list all commands",
}


@main.command("status", epilog=EXIT_CODES)
@json_option
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show the state of this project on one screen.

    What is known, the last session, what was told last, and what needs attention.

    `recollect` without a command prints the same.
    """
    found = fast_status.status(Path(ctx.obj), os.environ, warn)
    if as_json:
        output.print_json(asdict(found))
        return
    print_status(found)


def print_status(found: ProjectStatus) -> None:
    """Print the state of a project and the five commands that one needs."""
    width = output.width() or 10_000
    folder = output.visible(Path(found.root).name) if found.project else "This folder is new to recollect"
    project = columns.cut(
        output.visible(short_commit(found.project)), max(columns.LEAST, width - columns.width_of(folder) - 2)
    )
    click.echo(click.style(folder, bold=True) + (f"  {click.style(project, dim=True)}" if project else ""))
    for label, says in _lines(found).items():
        colour = "red" if label == "trouble" else "yellow" if label in ("pending", "off", "untrusted") else None
        head = click.style(label.ljust(LABEL), fg=colour, dim=colour is None)
        click.echo(f"  {head}{columns.cut(output.visible(says), width - LABEL - 2)}")
    click.echo()
    wide = max(map(len, NEEDED)) + len("recollect ")
    for command, says in NEEDED.items():
        click.echo(f"  {f'recollect {command}'.ljust(wide)}  {click.style(says, dim=True)}")


def _lines(found: ProjectStatus) -> dict[str, str]:
    """Return a line for each thing that there is to say, by its label."""
    lines = {"known": _known(found.kinds)}
    if found.has_untrusted:
        lines["untrusted"] = "memories came with this repository: `recollect trust` shows them"
    if found.pending:
        lines["pending"] = f"{found.pending:,} captured, not confirmed: `recollect review`"
    if found.session:
        prompts = output.number(found.session.prompts, "prompt")
        lines["session"] = f"{ago(found.session.seen, found.now)}, {found.session.client}, {prompts}"
    if found.receipt:
        lines["told last"] = f"{ago(found.receipt.at, found.now)}: {_titles(found.receipt.titles)}"
    if found.off:
        lines["off"] = "agents have no memory here; `recollect on` switches it on"
    if found.trouble:
        lines["trouble"] = f"{found.trouble}: run `recollect doctor`"
    lines["health"] = _health(found)
    return lines


def _known(kinds: Mapping[str, int]) -> str:
    counts = list(kinds.values())
    total = sum(counts)
    if not total:
        return "nothing yet"
    shown = [output.number(number, kind.replace("_", " ")) for kind, number in list(kinds.items())[:KINDS_SHOWN]]
    others = total - sum(counts[:KINDS_SHOWN])
    parts = ", ".join([*shown, *([output.number(others, "other")] if others else [])])
    return f"{output.number(total, 'memory')}: {parts}"


def _titles(titles: tuple[str, ...]) -> str:
    rest = len(titles) - TITLES_SHOWN
    return "; ".join([*titles[:TITLES_SHOWN], *([f"and {rest} more"] if rest > 0 else [])])


def _health(found: ProjectStatus) -> str:
    """Return the first thing that is wrong with the command that mends it; else that all is well."""
    if found.failed:
        return f"{output.number(found.failed, 'event')} could not be processed: `recollect doctor`"
    if not found.has_installs and not found.session:
        return "no agent is connected yet: `recollect install claude-code`"
    if found.waiting:
        return f"{output.number(found.waiting, 'event')} to be processed; the next hook starts that"
    return "nothing waits, nothing failed; `recollect doctor` checks everything"
