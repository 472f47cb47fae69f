"""Print results: text and tables for people, JSON for programs. Secrets are redacted in both."""

from __future__ import annotations  # `show` must not import the model for its type names

import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from recollect.model import text
from recollect.policy.scopes import scope
from recollect.policy.secrets import detector

if TYPE_CHECKING:
    from recollect.errors import RecollectError
    from recollect.model.fact import Fact
    from recollect.model.memory import Memory
    from recollect.policy.capture.timeline import TimelineEntry
    from recollect.store.protocols import Entry
    from recollect.write.outcome import Outcome

COLOURS = {"active": "green", "retired": "yellow", "archived": "blue", "purged": "red"}
LABEL_WIDTH = 13
MIN_TITLE = 20


def print_json(value: object) -> None:
    """Print a value as one JSON document on standard output."""
    click.echo(json.dumps(bare(value), ensure_ascii=False, indent=2, default=str))


def bare(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with the secrets in its strings redacted; an older version may have stored some."""
    if isinstance(value, str):
        return detector.redact(value)
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items()}
    return [bare(part) for part in value] if isinstance(value, list | tuple) else value


def as_dict(memory: Memory, **more: object) -> dict[str, Any]:
    """Return a memory as JSON: every field, its text, and the given extra fields."""
    return {**memory.model_dump(mode="json"), "text": memory.text, **more}


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a change as JSON."""
    more = {"path": outcome.path, "revision": outcome.revision, "notes": list(outcome.notes)}
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
    memory = outcome.memory
    verb = click.style(outcome.action.replace("_", " "), fg=COLOURS.get(outcome.action, "green"), bold=True)
    place = outcome.path or ("(in the store only)" if outcome.revision else "(erased)")
    where = click.style(f"  {place}", dim=True)
    click.echo(f"{verb} {memory.kind}/{memory.slug}: {visible(memory.title)}{where}")
    for note in outcome.notes:
        click.echo(click.style(f"  {note}", dim=True), err=True)


def number(count: int, noun: str) -> str:
    """Return a count with its noun: "1 change", "2 changes", "2 memories"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def visible(line: str) -> str:
    """Return one line of text without control characters and secrets."""
    return detector.redact(text.clean_line(line))


def print_memories(memories: Sequence[Memory], *, shows_project: bool) -> None:
    """Print a table of memories, cut to the terminal's width; whole titles when piped."""
    if not memories:
        click.echo(click.style("No memories found; `list --all` includes retired and archived ones.", dim=True))
        return
    heads = ["kind", "slug", "status", "updated", *(["project"] if shows_project else []), "title"]
    rows = [
        [
            memory.kind,
            memory.slug,
            memory.status,
            memory.updated_at[:10],
            *([memory.project] if shows_project else []),
            visible(memory.title),
        ]
        for memory in memories
    ]
    print_table(heads, rows, colour_column=2)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], colour_column: int | None = None) -> None:
    """Print aligned columns; on a terminal the last column is cut to the terminal's width."""
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(head), *(len(row[i]) for row in rows)) for i, head in enumerate(heads)]
    if sys.stdout.isatty():
        widths = _fit(widths, shutil.get_terminal_size().columns)
    click.echo(click.style(_line(heads, widths), bold=True))
    for row in rows:
        line = [text.cut(cell, width) for cell, width in zip(row, widths, strict=True)]
        colour = COLOURS.get(line[colour_column]) if colour_column is not None else None
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        if colour and colour_column is not None:
            cells[colour_column] = click.style(cells[colour_column], fg=colour)
        click.echo("  ".join(cells).rstrip())


def _fit(widths: list[int], columns: int) -> list[int]:
    room = columns - sum(widths[:-1]) - 2 * (len(widths) - 1)
    if room >= MIN_TITLE:
        return [*widths[:-1], min(widths[-1], room)]
    slug = max(8, widths[1] + room - MIN_TITLE)
    return [widths[0], slug, *widths[2:-1], MIN_TITLE]


def _line(cells: Iterable[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def print_memory(image: Mapping[str, Any], revision: str, path: str | None) -> None:
    """Print one memory in full, from its stored JSON image."""
    click.echo(click.style(visible(image["title"]), bold=True))
    reason, confidence = image.get("closed_reason"), image.get("confidence")
    pairs = {
        "kind": image["kind"],
        "status": image.get("status", "active") + (f": {reason}" if reason else ""),
        "id": image["uid"],
        "file": path or "none; in the store only",
        "applies to": applies_to(image),
        "tags": ", ".join(image.get("tags", ())),
        "files": ", ".join(anchor["path"] for anchor in image.get("anchors", ())),
        "sensitivity": image.get("sensitivity", ""),
        "pinned": "yes" if image.get("usage", {}).get("pinned") else "",
        "confidence": "" if confidence is None else str(confidence),
        "project": image.get("project", "global"),
        "branch": image.get("branch") or "",
        "created": image["created_at"],
        "updated": f"{image['updated_at']} ({image.get('times_revised', 0)} revisions)",
        "expires": image.get("expires_at") or "",
        "revision": revision,
    }
    print_pairs(pairs)
    click.echo()
    _print_content({name: value for name, value in image["content"].items() if value is not None})


def applies_to(image: Mapping[str, Any]) -> str:
    """Return the activities, commands and files that a rule applies to; empty for other memories."""
    content = image["content"]
    says = content.get("value") or content.get("rule") or content.get("trigger") or content.get("text") or ""
    return str(scope.scope_of(image["kind"], f"{image['title']}. {says}", cue=image.get("cue", "")))


def print_pairs(pairs: Mapping[str, str]) -> None:
    """Print aligned `label value` lines; pairs with an empty value are left out."""
    for label, value in pairs.items():
        if value:
            click.echo(click.style(label.ljust(LABEL_WIDTH), dim=True) + visible(value))


def _print_content(fields: Mapping[str, Any]) -> None:
    if set(fields) == {"text"}:
        click.echo(body(fields["text"]))
        return
    for name, value in fields.items():
        click.echo(click.style(name.replace("_", " "), bold=True))
        for line in _content_lines(value):
            click.echo(f"  {body(line)}")


def body(says: str) -> str:
    """Return text of several lines without control characters and secrets."""
    return detector.redact(text.clean_body(says))


def _content_lines(value: object) -> list[str]:
    if isinstance(value, list):
        return [f"- {'; '.join(_content_lines(part))}" for part in value]
    if isinstance(value, dict):
        return [f"{name}: {'; '.join(_content_lines(part))}" for name, part in value.items()]
    return [str(value)]


def print_facts(facts: Sequence[Fact], *, as_json: bool, action: str | None = None) -> None:
    """Print facts, one per line, after the action that changed them, if one did."""
    if as_json:
        print_json([{"action": action, **fact.model_dump()} if action else fact.model_dump() for fact in facts])
        return
    verb = f"{click.style(action, fg='green', bold=True)} " if action else ""
    for fact in facts:
        statement = f"{visible(fact.subject)} · {visible(fact.predicate)} · {visible(fact.object)}"
        click.echo(verb + statement + click.style(f"  {fact.confidence:g}  {fact.uid}", dim=True))
    if not facts:
        click.echo(click.style("No facts found.", dim=True))


def print_timeline(memories: Sequence[Memory]) -> None:
    """Print memories in the given order, with a heading per day."""
    day = ""
    for memory in memories:
        if memory.created_at[:10] != day:
            day = memory.created_at[:10]
            click.echo(click.style(day, bold=True))
        session = click.style(f"  {memory.session}", dim=True) if memory.session else ""
        time = memory.created_at[11:16]
        click.echo(f"  {time}  {memory.kind.ljust(LABEL_WIDTH)} {visible(memory.title)}{session}")
    if not memories:
        click.echo(click.style("No memories found.", dim=True))


def print_story(entries: Sequence[TimelineEntry]) -> None:
    """Print the steps of a session, one per line; saved memories are green, failures red."""
    for entry in entries:
        words = visible(entry.says)
        time = f"{datetime.fromtimestamp(entry.at, UTC):%H:%M}"
        label = entry.what.ljust(9)
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
    rows = [[entry.at, entry.action, entry_name(entry), entry.actor, entry.reason or ""] for entry in entries]
    print_table(["time", "action", "memory", "actor", "reason"], rows)


def entry_name(entry: Entry) -> str:
    """Return what a journal entry is about: kind and slug of a memory, a fact, or a project."""
    image = json.loads(entry.after or entry.before or "{}")
    if "target" in image:
        return f"project {image['source']}"
    if "subject" in image:
        return f"{image['subject']} {image['predicate']} {image['object']}"
    return f"{image['kind']}/{image['slug']}" if image else entry.uid


def print_error(error: RecollectError, *, as_json: bool) -> None:
    """Print an error and its next step on standard error."""
    if as_json:
        click.echo(json.dumps(bare(error.as_dict()), ensure_ascii=False, indent=2), err=True)
        return
    click.echo(click.style(error.code, fg="red", bold=True), err=True)
    for key, value in error.lines():
        click.echo(f"{click.style(key + ':', dim=True)} {visible(value)}", err=True)
    click.echo(f"{click.style('fix:', bold=True)} {error.fix}", err=True)
