"""`recollect recall`: search as hooks do; opens a whole workspace only if vault files changed since the last scan."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from recollect.errors import BadInput, StoreCorrupt, StoreError
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, load, main
from recollect.hooks.project_lookup import find_place
from recollect.library import fast_show
from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import RecallScope
from recollect.policy.injection import cards
from recollect.policy.ranking.snippets import snippet
from recollect.recall import search
from recollect.recall.query_terms import QueryTerms
from recollect.recall.question import Question
from recollect.store.hook_reader import event_json
from recollect.store.hook_reader.connection import ReadFailed, Unready


@main.command("recall", epilog=EXIT_CODES)
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--profile", type=click.Choice(sorted(search.PROFILES)), help="How to rank; default: the setting recall.profile."
)
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

    `+` marks a memory that would be injected if an agent got this question as a prompt. `-` marks a memory that would
    not be injected, with the reason.
    """
    terms, found = _search(ctx, " ".join(question), profile, limit, filters)
    if as_json:
        output.print_json([_as_dict(memory) for memory in found])
        return
    if terms.missing_vectors:
        click.echo(click.style(terms.missing_vectors, dim=True), err=True)
    for memory in found:
        _print(memory, terms, explain=explain)
    if not found:
        click.echo(click.style("No memory matches.", dim=True))


def _search(
    ctx: click.Context, text: str, profile: str | None, limit: int, filters: dict[str, Any]
) -> tuple[QueryTerms, list[FoundMemory]]:
    """Search the store, after reading vault files that changed since the last scan; return query terms and memories.

    Raises StoreError if the store cannot be read, and StoreCorrupt if the search index is damaged.
    """
    folder = Path(ctx.obj).resolve()
    reader = fast_show.open_reader(os.environ)
    if reader is None or not fast_show.is_as_seen(reader, folder):
        load("shared").refresh()
        reader = fast_show.open_reader(os.environ)
    if reader is None:
        raise StoreError("the store cannot be opened", fix="Run `recollect doctor`.")
    try:
        if fast_show.should_index_first(reader):
            load("maintenance.reindex").catch_up()
        place = find_place(reader, str(folder), os.environ)
        wanted = load("memories.filters").query(filters) if any(filters.values()) else None
        scope = RecallScope(filters["in_project"] or place.project, event_json.moment(os.environ), filters=wanted)
        chosen = profile or str(place.settings["recall.profile"])
        return search.find(reader.recall_source(), Question(text, scope, settings=place.settings), chosen, limit)
    except search.UnknownProfile as error:
        raise BadInput(str(error), target="recall.profile") from error
    except (ReadFailed, Unready) as error:
        raise StoreError(f"the store cannot be searched: {error}", fix="Run `recollect doctor`.") from error
    except ValueError as error:
        fix = "Run `recollect reindex --all`: it builds the index again."
        raise StoreCorrupt(f"the search index is damaged: {error}", fix=fix) from error


def _as_dict(memory: FoundMemory) -> dict[str, Any]:
    return {
        "uid": memory.uid, "name": f"{memory.kind}/{memory.slug}", "kind": memory.kind, "title": memory.title,
        "text": memory.text, "tags": memory.tags.split("\n") if memory.tags else [],
        "created": _stamp(memory.created), "session": memory.session, "score": round(memory.score, 4),
        "certainty": round(memory.certainty, 3), "evidence": round(memory.evidence, 3),
        "coverage": round(memory.coverage, 3), "matched": memory.matched,
        "parts": {name: round(value, 4) for name, value in memory.parts.items()},
        "told": not memory.verdict, "verdict": memory.verdict,
    }  # fmt: skip


def _stamp(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _print(memory: FoundMemory, terms: QueryTerms, *, explain: bool) -> None:
    mark = click.style("+", fg="green") if not memory.verdict else click.style("-", dim=True)
    age = cards.age(memory.created, event_json.moment(os.environ))
    head = click.style(output.visible(memory.title), bold=True)
    click.echo(f"{mark} {head}  {click.style(f'{memory.kind}/{memory.slug}  {age}', dim=True)}")
    line = _highlighted(memory, terms)
    if line:
        click.echo(f"  {line}")
    matched = f"matches {', '.join(memory.matched)}" if memory.matched else "matches by meaning only"
    left_out = f"; not injected: {memory.verdict}" if memory.verdict else ""
    click.echo(click.style(f"  score {memory.score:.2f}  {output.visible(matched)}{left_out}", dim=True))
    if explain:
        parts = "  ".join(f"{name} {value:.2f}" for name, value in memory.parts.items() if round(value, 2))
        share = f"covers {memory.coverage:.0%} of the question"
        numbers = f"certainty {memory.certainty:.2f}  evidence {memory.evidence:.1f}  {share}"
        click.echo(click.style(f"  {parts}\n  {numbers}", dim=True))


def _highlighted(memory: FoundMemory, terms: QueryTerms) -> str:
    """Return the line of the text that matches best, its matching words in colour; empty if it equals the title."""
    text = output.body(memory.text)
    line, spans = snippet(text, terms.places_in(text))
    if line.strip() in (memory.title, ""):
        return ""
    parts, end = [], 0
    for start, stop in spans:
        parts += [line[end:start], click.style(line[start:stop], fg="yellow")]
        end = stop
    return "".join([*parts, line[end:]])
