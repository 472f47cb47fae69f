"""`recollect show` on an open project: after a scan of the vault, as JSON, or the history as differences."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.memories import show_text
from recollect.faces.cli.shared import opened
from recollect.library.fast.fast_show import ShownMemory
from recollect.policy.memories.differences import differences
from recollect.store.protocols import Entry

USED = "touched"
"""The action of counting a use, which changes nothing that a reader looks for."""
COLOURS = {"+": "green", "-": "red"}


def show(name: str, *, history: bool, content: bool, as_json: bool) -> None:
    """Scan the vault for changes, then print a memory, its history or its text."""
    with opened(as_json=as_json) as workspace:
        if history:
            print_history(workspace.history(name), as_json=as_json)
            return
        if content:
            text = output.body(workspace.show(name).text)
            output.print_json(text) if as_json else click.echo(text)
            return
        found, memory = workspace.shown(name)
    if as_json:
        known = output.as_dict(memory, revision=found.revision, path=found.path, id=found.id)
        more = {"applies_to": show_text.applies_to(known), "linked": show_text.links_json(found.links),
                "verdict": _verdict_json(found)}  # fmt: skip
        output.print_json(known | more)
    else:
        show_text.print_memory(found)


def _verdict_json(found: ShownMemory) -> dict[str, Any] | None:
    if found.checked is None:
        return None
    verdict, branch, head, at = found.checked
    return {**asdict(verdict), "branch": branch, "commit": head, "checked_at": at}


def print_history(entries: Sequence[Entry], *, as_json: bool) -> None:
    """Print the changes of a memory, newest first: when, what, who and why, and the lines that changed."""
    if as_json:
        output.print_json([output.entry_dict(entry) for entry in entries])
        return
    width = output.text_width()
    changes = [entry for entry in entries if entry.action != USED]
    for number, entry in enumerate(changes):
        reason = f": {output.visible(entry.reason)}" if entry.reason else ""
        done = click.style(output.done_as(entry.action), bold=True)
        head = f"{entry.at}  {done} by {output.visible(entry.actor)}{reason}"
        click.echo(f"\n{head}" if number else head)
        for line in differences(_image(entry.before), _image(entry.after)):
            shown = columns.wrapped(output.visible(line[1:]), width, f"{line[0]} ")
            click.echo(click.style(shown, fg=COLOURS[line[0]]))


def _image(image: str | None) -> dict[str, Any]:
    """Return an image without secrets: a key of several lines is found in the whole text alone."""
    found: dict[str, Any] = output.bare(json.loads(image)) if image else {}
    return found
