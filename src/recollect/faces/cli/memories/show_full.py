"""`recollect show` on an open project: after a scan of the vault, as JSON, or the history as differences."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.memories import show_text
from recollect.faces.cli.shared import opened
from recollect.store.protocols import Entry

# What a reader does not look for in a history: it follows from the rest, or changes with every use.
UNTOLD = {"uid", "content", "updated_at", "created_at", "edits", "times_revised", "usage", "closed_at", "derived_from"}
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
        more = {"applies_to": show_text.applies_to(known), "linked": show_text.links_json(found.links)}
        output.print_json(known | more)
    else:
        show_text.print_memory(found)


def print_history(entries: Sequence[Entry], *, as_json: bool) -> None:
    """Print the changes of a memory, newest first: when, what, who and why, and the lines that changed."""
    if as_json:
        output.print_json([output.entry_dict(entry) for entry in entries])
        return
    width = show_text.text_width()
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


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that a change removed and added, behind `-` and `+`; of a new or erased memory its text alone."""
    old, new = list(_lines(before)), list(_lines(after))
    if not before or not after:
        sign, lines = ("+", new) if after else ("-", old)
        yield from (f"{sign}{line}" for line in lines if line.startswith(("title: ", "text: ", "value: ")))
        return
    for line in difflib.unified_diff(old, new, lineterm="", n=0):
        if line[0] in COLOURS and not line.startswith(("+++", "---")):
            yield line


def _lines(image: Mapping[str, Any]) -> Iterator[str]:
    """Yield a memory as lines `field: value`; a text of several lines gives several."""
    for name, value in image.items():
        if name not in UNTOLD:
            yield f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
    for name, value in (image.get("content") or {}).items():
        for text in show_text.content_lines(value) if value is not None else ():
            yield from (f"{name}: {line}" for line in text.splitlines() if line.strip())
    yield from (f"{name}: {value}" for name, value in (image.get("usage") or {}).items() if name == "pinned")
