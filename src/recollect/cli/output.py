"""How results are shown: calm text, tables on a terminal, JSON for machines."""

from __future__ import annotations  # a cold `show` must not load the model for the sake of these names

import contextlib
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from recollect.model import text
from recollect.policy.secrets import detector

if TYPE_CHECKING:
    from recollect.errors import RecollectError
    from recollect.model.fact import Fact
    from recollect.model.memory import Memory
    from recollect.policy.capture.timeline import Beat
    from recollect.store.protocols import Entry
    from recollect.write.outcome import Outcome

COLOURS = {"active": "green", "retired": "yellow", "archived": "blue", "purged": "red"}
LABEL_WIDTH = 13
MIN_TITLE = 20


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(bare(value), ensure_ascii=False, indent=2, default=str))


def bare(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The same value without secrets: what an older version kept is not shown either."""
    if isinstance(value, str):
        return detector.redact(value)
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items()}
    return [bare(part) for part in value] if isinstance(value, list | tuple) else value


def as_dict(memory: Memory, **more: object) -> dict[str, Any]:
    """A memory for machines: every field, and what is derived from it."""
    return {**memory.model_dump(mode="json"), "text": memory.text, **more}


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """What became of a change, for machines."""
    more = {"path": outcome.path, "revision": outcome.revision, "notes": list(outcome.notes)}
    about = {"fact": outcome.fact.model_dump()} if outcome.is_fact else {"memory": as_dict(outcome.memory)}
    return {"action": outcome.action, **more, **about}


def print_outcome(outcome: Outcome, *, as_json: bool) -> None:
    """One line: what happened to which memory, and where its file lies."""
    if as_json:
        print_json(outcome_dict(outcome))
        return
    if outcome.is_fact:
        print_facts([outcome.fact], as_json=False, action=outcome.action)
        return
    memory = outcome.memory
    verb = click.style(outcome.action.replace("_", " "), fg=COLOURS.get(outcome.action, "green"), bold=True)
    place = outcome.path or ("(store only)" if outcome.revision else "(gone)")
    where = click.style(f"  {place}", dim=True)
    click.echo(f"{verb} {memory.kind}/{memory.slug}: {visible(memory.title)}{where}")
    for note in outcome.notes:
        click.echo(click.style(f"  {note}", dim=True), err=True)


def visible(line: str) -> str:
    """Text that cannot move the cursor or hide itself, and that holds no secret."""
    return detector.redact(text.clean_line(line))


def print_memories(memories: Sequence[Memory], *, shows_project: bool) -> None:
    """A table that fits the terminal; whole titles when piped."""
    if not memories:
        click.echo(click.style("No memories; nothing matches here.", dim=True))
        return
    heads = ["kind", "slug", "status", "updated", *(["project"] if shows_project else []), "title"]
    rows = [
        [
            one.kind,
            one.slug,
            one.status,
            one.updated_at[:10],
            *([one.project] if shows_project else []),
            visible(one.title),
        ]
        for one in memories
    ]
    print_table(heads, rows, colour_column=2)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], colour_column: int | None = None) -> None:
    """Aligned columns; on a terminal the last one is cut to what fits."""
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
    """Everything a person wants to know of one memory, from its image."""
    click.echo(click.style(visible(image["title"]), bold=True))
    reason, confidence = image.get("closed_reason"), image.get("confidence")
    pairs = {
        "kind": image["kind"],
        "status": image.get("status", "active") + (f": {reason}" if reason else ""),
        "id": image["uid"],
        "file": path or "(store only)",
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


def print_pairs(pairs: Mapping[str, str]) -> None:
    """Aligned `label value` lines; empty ones are left out."""
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
    """Text of several lines, fit to be shown."""
    return detector.redact(text.clean_body(says))


def _content_lines(value: object) -> list[str]:
    if isinstance(value, list):
        return [f"- {'; '.join(_content_lines(part))}" for part in value]
    if isinstance(value, dict):
        return [f"{name}: {'; '.join(_content_lines(part))}" for name, part in value.items()]
    return [str(value)]


def print_facts(facts: Sequence[Fact], *, as_json: bool, action: str | None = None) -> None:
    """Facts, a line each; with what became of them, if anything did."""
    if as_json:
        print_json([{"action": action, **one.model_dump()} if action else one.model_dump() for one in facts])
        return
    verb = f"{click.style(action, fg='green', bold=True)} " if action else ""
    for one in facts:
        said = f"{visible(one.subject)} · {visible(one.predicate)} · {visible(one.object)}"
        click.echo(verb + said + click.style(f"  {one.confidence:g}  {one.uid}", dim=True))
    if not facts:
        click.echo(click.style("No facts.", dim=True))


def print_timeline(memories: Sequence[Memory]) -> None:
    """Memories in order of time, a heading per day."""
    day = ""
    for one in memories:
        if one.created_at[:10] != day:
            day = one.created_at[:10]
            click.echo(click.style(day, bold=True))
        session = click.style(f"  {one.session}", dim=True) if one.session else ""
        click.echo(f"  {one.created_at[11:16]}  {one.kind.ljust(LABEL_WIDTH)} {visible(one.title)}{session}")
    if not memories:
        click.echo(click.style("Nothing yet.", dim=True))


def print_story(beats: Sequence[Beat]) -> None:
    """A session's story, a line per beat; what was kept of it stands out."""
    for one in beats:
        said = visible(one.says)
        moment = f"{datetime.fromtimestamp(one.at, UTC):%H:%M}"
        label = one.what.ljust(9)
        shown = {"kept": click.style(label + said, fg="green"), "failed": click.style(label, fg="red") + said}
        click.echo(f"  {moment}  {shown.get(one.what, click.style(label, dim=True) + said)}")


@contextlib.contextmanager
def progress(label: str, *, as_json: bool) -> Iterator[Callable[[int], None]]:
    """Count what is done, on a terminal only."""
    done, is_shown = 0, sys.stderr.isatty() and not as_json

    def tick(number: int) -> None:
        nonlocal done
        done += number
        if is_shown and done % 100 == 0:
            click.echo(f"\r{label} {done:,} …", nl=False, err=True)

    yield tick
    if is_shown and done >= 100:
        click.echo("\r\x1b[K", nl=False, err=True)


def entry_dict(entry: Entry) -> dict[str, object]:
    """A journal entry for machines."""
    images = {name: json.loads(image) if image else None for name, image in _images(entry).items()}
    rest = {"seq": entry.seq, "group": entry.group, "at": entry.at, "actor": entry.actor, "action": entry.action}
    return {**rest, "uid": entry.uid, "reason": entry.reason, "revision": entry.revision, **images}


def _images(entry: Entry) -> dict[str, str | None]:
    return {"before": entry.before, "after": entry.after}


def print_entries(entries: Sequence[Entry]) -> None:
    """The journal's lines."""
    rows = [[one.at, one.action, _about(one), one.actor, one.reason or ""] for one in entries]
    print_table(["when", "what", "memory", "by", "why"], rows)


def _about(entry: Entry) -> str:
    image = json.loads(entry.after or entry.before or "{}")
    if "subject" in image:
        return f"{image['subject']} {image['predicate']} {image['object']}"
    return f"{image['kind']}/{image['slug']}" if image else entry.uid


def print_error(error: RecollectError, *, as_json: bool) -> None:
    """What is wrong and what to do, on standard error."""
    if as_json:
        click.echo(json.dumps(bare(error.as_dict()), ensure_ascii=False, indent=2), err=True)
        return
    click.echo(click.style(error.code, fg="red", bold=True), err=True)
    for key, value in error.lines():
        click.echo(f"{click.style(key + ':', dim=True)} {visible(value)}", err=True)
    click.echo(f"{click.style('fix:', bold=True)} {error.fix}", err=True)
