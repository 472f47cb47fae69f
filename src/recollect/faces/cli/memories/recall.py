"""`recollect recall`: search as hooks do; opens a whole workspace only if vault files changed since the last scan."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, load, main
from recollect.faces.cli.shared import warn
from recollect.library.fast import fast_recall
from recollect.library.fast.fast_recall import FastRecall
from recollect.model.age import age
from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import PROFILES
from recollect.policy.ranking.snippets import WIDTH, snippet
from recollect.recall.query_terms import QueryTerms


@main.command("recall", epilog=EXIT_CODES)
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--profile", type=click.Choice(sorted(PROFILES)), metavar="NAME",
    help=f"How to rank: {', '.join(sorted(PROFILES))}; default: the setting recall.profile.",
)  # fmt: skip
@click.option("--kind", "-k", "kinds", multiple=True, help="Only this kind; repeatable.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; repeatable.")
@click.option("--concept", help="Only with this concept.")
@click.option("--file", help="Only memories about this file.")
@click.option("--project", "in_project", help="Search this project instead, by its name.")
@click.option("--since", help="Only memories created on or after this day, as 2026-01-31.")
@click.option("--until", help="Only memories created before this day.")
@click.option("--session", help="Only memories of this session.")
@click.option(
    "--limit", "-n", type=click.IntRange(1, 50), default=10, show_default=True, help="Show at most this many."
)
@click.option("--explain", is_flag=True, help="Also print the parts of each score.")
@json_option
@click.pass_context
def recall_memories(
    ctx: click.Context, /, question: Sequence[str], *, profile: str | None, limit: int, explain: bool, as_json: bool,
    **filters: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """Find the memories that match a question, best first.

    `+` marks a memory that an agent with this prompt would be told, `-` one that it would not be told, with the reason.
    """
    wanted = load("memories.filters").query(filters) if any(filters.values()) else None
    found = fast_recall.recall(
        Path(ctx.obj).resolve(), " ".join(question), profile=profile, limit=limit, project=filters["in_project"],
        filters=wanted, env=os.environ, warn=warn,
    )  # fmt: skip
    if as_json:
        output.print_json([_as_dict(memory, found.ids[memory.uid]) for memory in found.memories])
        return
    if found.terms.missing_vectors:
        click.echo(click.style(found.terms.missing_vectors, dim=True), err=True)
    for memory in found.memories:
        _print(memory, found, explain=explain)
    if not found.memories:
        if filters["kinds"]:  # only the whole project knows its kinds
            load("memories.list_json").check_kinds(filters["kinds"])
        click.echo(click.style("No memory matches.", dim=True))


main.add_command(recall_memories, "search")


def _as_dict(memory: FoundMemory, short_id: str) -> dict[str, Any]:
    return {
        "uid": memory.uid, "id": short_id, "name": f"{memory.kind}/{memory.slug}", "kind": memory.kind,
        "title": memory.title, "text": memory.text, "tags": memory.tags.split("\n") if memory.tags else [],
        "created": _stamp(memory.created), "session": memory.session, "score": round(memory.score, 4),
        "certainty": round(memory.certainty, 3), "evidence": round(memory.evidence, 3),
        "coverage": round(memory.coverage, 3), "matched": memory.matched,
        "parts": {name: round(value, 4) for name, value in memory.parts.items()},
        "told": not memory.verdict, "verdict": memory.verdict, "notes": memory.notes,
        "code_state": memory.code_state,
    }  # fmt: skip


def _stamp(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _print(memory: FoundMemory, found: FastRecall, *, explain: bool) -> None:
    """Print a memory in two or three lines: what it is, the line that matches, and how well it does."""
    click.echo(_head(memory, found))
    line = _highlighted(memory, found.terms)
    if line:
        click.echo(f"  {line}")
    for note in memory.notes:
        click.echo(f"  {_fitting(output.visible(note), 2)}")
    matched = f"matches {', '.join(memory.matched)}" if memory.matched else "matches by meaning only"
    left_out = f"; agents are not told: {memory.verdict}" if memory.verdict else ""
    points = f"score {memory.score:.2f}  {output.visible(matched)}{left_out}"
    click.echo(click.style(columns.wrapped(points, output.width(), "  "), dim=True))
    if explain:
        parts = "  ".join(f"{name} {value:.2f}" for name, value in memory.parts.items() if round(value, 2))
        share = f"covers {memory.coverage:.0%} of the question"
        numbers = f"certainty {memory.certainty:.2f}  evidence {memory.evidence:.1f}  {share}"
        click.echo(click.style(f"  {parts}\n  {numbers}", dim=True))


def _head(memory: FoundMemory, found: FastRecall) -> str:
    """Return the first line of a memory: mark, short id, kind, age and title, and its name where there is room."""
    mark = click.style("+", fg="green") if not memory.verdict else click.style("-", dim=True)
    short, old, width = found.ids[memory.uid], age(memory.created, found.now), output.width()
    title = _fitting(output.visible(memory.title), len(f"+ {short}  {memory.kind}  {old}  "))
    name = f"  {memory.kind}/{memory.slug}"
    taken = columns.width_of(f"+ {short}  {memory.kind}  {old}  {title}{name}")
    name = name if width is None or taken <= width else ""
    kind = click.style(memory.kind, fg=output.kind_colour(memory.kind))
    dim = click.style(short, dim=True), click.style(old, dim=True), click.style(name, dim=True)
    return f"{mark} {dim[0]}  {kind}  {dim[1]}  {click.style(title, bold=True)}{dim[2]}"


def _fitting(line: str, taken: int) -> str:
    """Return a line that is cut to what a terminal has left behind `taken` columns; whole when piped."""
    width = output.width()
    return line if width is None else columns.cut(line, max(columns.LEAST, width - taken))


def _highlighted(memory: FoundMemory, terms: QueryTerms) -> str:
    """Return the line of the text that matches best, its matching words in colour; empty if it equals the title."""
    lines = (line for line in output.body(memory.text).splitlines() if line.strip() not in (memory.title, ""))
    text, width = " · ".join(dict.fromkeys(lines)), output.width()
    room = WIDTH if width is None else min(WIDTH, width - len("  ……"))
    line, spans = snippet(text, terms.places_in(text), room)
    parts, end = [], 0
    for start, stop in spans:
        parts += [line[end:start], click.style(line[start:stop], fg="yellow")]
        end = stop
    return "".join([*parts, line[end:]])
