"""Print results: text and tables for people, JSON for programs. Secrets are redacted in both."""

from __future__ import annotations  # `show` must not import the model for its type names

import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from recollect.faces.cli import columns
from recollect.lazy import load
from recollect.model import text
from recollect.model.rows.file_id import FILE_PREFIX, is_file
from recollect.project.project_rule import short_commit

if TYPE_CHECKING:
    from recollect.errors import RecollectError
    from recollect.model.fact import Fact
    from recollect.model.memory import Memory
    from recollect.policy.capture.timeline import TimelineEntry
    from recollect.store.protocols import Entry
    from recollect.write.outcome import Outcome

COLOURS = {"active": "green", "retired": "yellow", "archived": "blue", "purged": "red"}
MARK_COLOURS = {"pending": "yellow", "stale": "red", "pinned": "green", "retired": "yellow", "archived": "blue"}
KIND_COLOURS = {
    "constraint": "red", "preference": "magenta", "user_preference": "magenta", "decision": "cyan", "runbook": "green",
    "bugfix": "green", "tech_debt": "yellow", "learned": "blue", "discovery": "blue",
}  # fmt: skip
UNCOUNTED = ("learned", "tech debt")
"""Kinds whose names have no plural."""
ACTIONS = {
    "taken in": "read from its file", "met": "first seen", "reweighed": "weighed anew", "asserted": "added",
    "retracted": "removed",
}  # fmt: skip
"""What the journal calls an action → what people read."""
LABEL_WIDTH = 13
KIND_WIDTH = 17
SESSION_WIDTH = 10
"""A gap of two and the first eight characters of a session."""
"""As wide as the longest kind that sessions make, and a gap."""
ONE_LINE = ("choice", "did you mean")
"""Details of an error that are cut to the terminal's width."""


def print_json(value: object) -> None:
    """Print a value as one JSON document on standard output."""
    click.echo(json.dumps(bare(value), ensure_ascii=False, indent=2, default=str))


def bare(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with the secrets in its strings redacted; an older version may have stored some."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items()}
    return [bare(part) for part in value] if isinstance(value, list | tuple) else value


def as_dict(memory: Memory, **more: object) -> dict[str, Any]:
    """Return a memory as JSON: every field, its text, and the given extra fields."""
    return {**memory.model_dump(mode="json"), "text": memory.text, **more}


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a change as JSON."""
    more = {"path": outcome.path, "revision": outcome.revision, "notes": list(outcome.notes)}
    if outcome.is_file:
        return {"action": outcome.action, **more}
    about = {"fact": outcome.fact.model_dump()} if outcome.is_fact else {"memory": as_dict(outcome.memory)}
    return {"action": outcome.action, **more, **about}


def print_outcome(outcome: Outcome, *, as_json: bool) -> None:
    """Print one line: the action, the memory, and the path of its file; notes go to standard error."""
    if as_json:
        print_json(outcome_dict(outcome))
        return
    if outcome.is_fact:
        print_facts([outcome.fact], as_json=False, action=outcome.action)
        return
    if outcome.is_file:
        click.echo(f"{click.style(outcome.action, fg='green', bold=True)} {visible(outcome.path or '')}")
        return
    memory = outcome.memory
    action, room = outcome.action.replace("_", " "), width()
    place = outcome.path or ("(in the store only)" if outcome.revision else "(erased)")
    name, title = f"{memory.kind}/{memory.slug}", visible(memory.title)
    has_room = room is None or columns.width_of(f"{action} {name}: {title}  {place}") <= room
    if room is not None:
        title = columns.cut(title, max(columns.LEAST, room - len(f"{action} {name}: ")))
    verb = click.style(action, fg=COLOURS.get(outcome.action, "green"), bold=True)
    click.echo(f"{verb} {name}: {title}" + ("" if has_room else "\n") + click.style(f"  {place}", dim=True))
    for note in outcome.notes:
        click.echo(click.style(columns.wrapped(note, room, "  "), dim=True), err=True)


def number(count: int, noun: str) -> str:
    """Return a count with its noun: "1 change", "2 changes", "2 memories", "2 learned"."""
    plural = noun if noun in UNCOUNTED else f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def visible(line: str) -> str:
    """Return one line of text without control characters and secrets."""
    return redact(text.clean_line(line))


def short_path(path: object) -> str:
    """Return a path with `~` for the home folder, on one line."""
    shown, home = str(path), os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
    return visible(shown.replace(home, "~", 1) if shown.startswith(f"{home}/") else shown)


def redact(says: str) -> str:
    """Return a text without secrets. The detector's patterns take long to load, so that happens at the first text."""
    bare_text: str = load("recollect.policy.secrets.detector").redact(says)
    return bare_text


def width() -> int | None:
    """Return the width of the terminal in columns; None if the output is piped."""
    return columns.terminal_width() if sys.stdout.isatty() else None


def text_width() -> int | None:
    """Return the width at which a memory's text is wrapped; None if the output is piped, so that a search finds it."""
    room = width()
    return None if room is None else min(room, columns.READABLE)


def prose(says: str, indent: str = "", most_lines: int | None = None) -> str:
    """Return sentences of a report wrapped behind an indent, cut after a number of lines; at 80 columns if piped."""
    return columns.wrapped(says, min(columns.terminal_width(), columns.READABLE), indent, most_lines)


def kind_colour(kind: str) -> str | None:
    """Return the colour of a kind; None for the terminal's own."""
    return KIND_COLOURS.get(kind)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns; on a terminal the last column, then the second, is cut to the terminal's width."""
    cells = [[visible(cell) for cell in row] for row in rows]
    print_columns(heads, cells, width=width(), cuts=(heads[-1], heads[1]))


def print_columns(
    heads: Sequence[str], rows: Sequence[Sequence[str]], styles: Sequence[Mapping[str, Any]] = (), *,
    width: int | None, cuts: Sequence[str], spare: str = "",
) -> None:  # fmt: skip
    """Print aligned columns with a style for each cell; see `columns.lines`."""
    for line in columns.lines(heads, rows, styles, width=width, cuts=cuts, spare=spare):
        click.echo(line)


def print_pairs(pairs: Mapping[str, str]) -> None:
    """Print aligned `label value` lines, wrapped on a terminal; pairs with an empty value are left out."""
    for label, value in pairs.items():
        if value:
            lines = columns.wrapped(visible(value), width(), " " * LABEL_WIDTH)
            click.echo(click.style(label.ljust(LABEL_WIDTH), dim=True) + lines[LABEL_WIDTH:])


def body(says: str) -> str:
    """Return text of several lines without control characters and secrets."""
    return redact(text.clean_body(says))


def print_facts(facts: Sequence[Fact], *, as_json: bool, action: str | None = None) -> None:
    """Print facts, one per line, after the action that changed them, if one did."""
    if as_json:
        print_json([{"action": action, **fact.model_dump()} if action else fact.model_dump() for fact in facts])
        return
    verb = f"{click.style(done_as(action), fg='green', bold=True)} " if action else ""
    for fact in facts:
        statement = f"{visible(fact.subject)} · {visible(fact.predicate)} · {visible(fact.object)}"
        click.echo(verb + statement + click.style(f"  confidence {fact.confidence:g}  {fact.uid}", dim=True))
    if not facts:
        click.echo(click.style("No facts found.", dim=True))


def print_timeline(memories: Sequence[Memory]) -> None:
    """Print memories in the given order, with a heading per day; on a terminal the sessions are a column."""
    day, room = "", width()
    longest = max((columns.width_of(visible(memory.title)) for memory in memories), default=0)
    for memory in memories:
        if memory.created_at[:10] != day:
            day = memory.created_at[:10]
            click.echo(click.style(day, bold=True))
        session = "" if not memory.session else f"  {memory.session}" if room is None else f"  {memory.session[:8]}"
        head, kind = f"  {memory.created_at[11:16]}  ", memory.kind.ljust(KIND_WIDTH)
        title = visible(memory.title)
        if room is not None:
            size = min(longest, room - len(head) - len(kind) - SESSION_WIDTH)
            title = (
                columns.pad(columns.cut(title, size), size) if session else columns.cut(title, room - len(head + kind))
            )
        click.echo(head + click.style(kind, fg=kind_colour(memory.kind)) + title + click.style(session, dim=True))
    if not memories:
        click.echo(click.style("No memories found.", dim=True))


def print_story(entries: Sequence[TimelineEntry]) -> None:
    """Print the steps of a session, wrapped on a terminal; saved memories are green, failures red."""
    for entry in entries:
        time, label = f"{datetime.fromtimestamp(entry.at, UTC):%H:%M}", entry.what.ljust(9)
        taken = len(f"  {time}  {label}")
        words = columns.hanging(visible(entry.says), width(), taken, taken)
        coloured = {"kept": click.style(label + words, fg="green"), "failed": click.style(label, fg="red") + words}
        click.echo(f"  {time}  {coloured.get(entry.what, click.style(label, dim=True) + words)}")


def entry_dict(entry: Entry) -> dict[str, object]:
    """Return a journal entry as JSON."""
    images = {name: json.loads(image) if image else None for name, image in _images(entry).items()}
    rest = {"seq": entry.seq, "group": entry.group, "at": entry.at, "actor": entry.actor, "action": entry.action}
    return {**rest, "uid": entry.uid, "reason": entry.reason, "revision": entry.revision, **images}


def _images(entry: Entry) -> dict[str, str | None]:
    return {"before": entry.before, "after": entry.after}


def print_entries(entries: Sequence[Entry]) -> None:
    """Print journal entries as a table."""
    rows = [[entry.at, done_as(entry.action), entry_name(entry), entry.actor, entry.reason or ""] for entry in entries]
    print_table(["time", "action", "memory", "actor", "reason"], rows)


def done_as(action: str) -> str:
    """Return the action of a journal entry for people."""
    return ACTIONS.get(action, action).replace("_", " ")


def entry_name(entry: Entry) -> str:
    """Return what an entry is about: kind and slug of a memory, how many memories, a fact, a file, a project."""
    if is_file(entry.uid):
        return entry.uid.removeprefix(FILE_PREFIX)
    image = json.loads(entry.after or entry.before or "{}")
    if "target" in image:
        return f"project {short_commit(image['source'])}"
    if "weights" in image:
        return number(len(image["weights"]), "memory")
    if "subject" in image:
        return f"{image['subject']} {image['predicate']} {image['object']}"
    return f"{image['kind']}/{image['slug']}" if image else entry.uid


def print_error(error: RecollectError, *, as_json: bool) -> None:
    """Print an error and its next step on standard error: sentences on a terminal, a block behind its code if piped."""
    if as_json:
        click.echo(json.dumps(bare(error.as_dict()), ensure_ascii=False, indent=2), err=True)
    elif sys.stderr.isatty():
        _print_error_sentences(error, columns.terminal_width())
    else:
        click.echo(click.style(error.code, fg="red", bold=True), err=True)
        for key, value in [*error.lines(), ("fix", error.fix)]:
            click.echo(f"{key}: {visible(value)}", err=True)


def _print_error_sentences(error: RecollectError, room: int) -> None:
    """Print what is wrong, what it is about, and the next step, wrapped to the terminal."""
    about = "" if error.target is None else f": {visible(error.target)}"
    says = columns.wrapped(f"Error: {visible(error.message)}{about}", room)
    click.echo(click.style("Error:", fg="red", bold=True) + says.removeprefix("Error:"), err=True)
    for key, value in error.details:
        line = visible(f"{key}: {value}")
        click.echo(
            f"  {columns.cut(line, room - 2)}" if key in ONE_LINE else columns.wrapped(line, room, "  "), err=True
        )
    step = columns.wrapped(f"Next step: {visible(error.fix)}", room)
    click.echo(click.style("Next step:", bold=True) + step.removeprefix("Next step:"), err=True)
