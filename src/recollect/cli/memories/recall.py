"""`recollect recall`: what agents would find, for people. Light while nothing has changed since the last look."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from recollect.cli import output
from recollect.cli.main import EXIT_CODES, json_option, load, main
from recollect.errors import BadInput, StoreCorrupt, StoreError
from recollect.hooks.project_lookup import find_place
from recollect.library import fast_show
from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import RecallScope
from recollect.policy.injection import cards
from recollect.policy.ranking.snippets import snippet
from recollect.recall import search
from recollect.recall.query_terms import QueryTerms
from recollect.recall.question import Question
from recollect.store.reader import event_json
from recollect.store.reader.connection import ReadFailed, Unready


@main.command("recall", epilog=EXIT_CODES)
@click.argument("question", nargs=-1, required=True)
@click.option("--profile", type=click.Choice(sorted(search.PROFILES)), help="How to rank; the setting otherwise.")
@click.option("--kind", "-k", "kinds", multiple=True, help="Only this kind; may be repeated.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; may be repeated.")
@click.option("--concept", help="Only with this concept.")
@click.option("--file", help="Only what this file is about.")
@click.option("--project", "in_project", help="The memories of this project, by its name.")
@click.option("--since", help="Only what was learnt since this day.")
@click.option("--until", help="Only what was learnt before this day.")
@click.option("--session", help="Only what this session left.")
@click.option("--limit", "-n", type=click.IntRange(1, 50), default=10, show_default=True, help="At most that many.")
@click.option("--explain", is_flag=True, help="Print what each score is made of.")
@json_option
@click.pass_context
def recall_memories(
    ctx: click.Context, /, question: Sequence[str], *, profile: str | None, limit: int, explain: bool, as_json: bool,
    **filters: Any,  # noqa: ANN401
) -> None:  # fmt: skip
    """Find the memories that a question is about, best first.

    Those that an agent would be told by itself with such a prompt are marked with a bullet; the others with a dash.
    """
    terms, found = _found(ctx, " ".join(question), profile, limit, filters)
    if as_json:
        output.print_json([_as_dict(one) for one in found])
        return
    if terms.missing_vectors:
        click.echo(click.style(terms.missing_vectors, dim=True), err=True)
    for one in found:
        _print(one, terms, explain=explain)
    if not found:
        click.echo(click.style("Nothing here has to do with it.", dim=True))


def _found(
    ctx: click.Context, text: str, profile: str | None, limit: int, filters: dict[str, Any]
) -> tuple[QueryTerms, list[FoundMemory]]:
    """Ask the store directly where this checkout is as it was last seen; else take its changes in first."""
    folder = Path(ctx.obj).resolve()
    reader = fast_show.open_reader(os.environ)
    if reader is None or not fast_show.is_as_seen(reader, folder):
        load("face").refresh()
        reader = fast_show.open_reader(os.environ)
    if reader is None:
        raise StoreError("the store cannot be opened", fix="`recollect doctor` says what is wrong.")
    try:
        if fast_show.should_index_first(reader):
            load("evaluation.indexing").catch_up()
        place = find_place(reader, str(folder), os.environ)
        wanted = load("memories.filters").query(filters) if any(filters.values()) else None
        scope = RecallScope(filters["in_project"] or place.project, event_json.moment(os.environ), filters=wanted)
        chosen = profile or str(place.settings["recall.profile"])
        return search.find(reader.recall_source(), Question(text, scope, settings=place.settings), chosen, limit)
    except search.UnknownProfile as error:
        raise BadInput(str(error), target="recall.profile") from error
    except (ReadFailed, Unready) as error:
        raise StoreError(f"the store cannot answer: {error}", fix="`recollect doctor` says what is wrong.") from error
    except ValueError as error:
        raise StoreCorrupt(f"the search index is damaged: {error}", fix="Run `recollect reindex --all`.") from error


def _as_dict(one: FoundMemory) -> dict[str, Any]:
    return {
        "uid": one.uid, "name": f"{one.kind}/{one.slug}", "kind": one.kind, "title": one.title, "text": one.text,
        "tags": one.tags.split("\n") if one.tags else [], "created": _stamp(one.created), "session": one.session,
        "score": round(one.score, 4), "certainty": round(one.certainty, 3), "evidence": round(one.evidence, 3),
        "coverage": round(one.coverage, 3), "matched": one.matched,
        "parts": {name: round(value, 4) for name, value in one.parts.items()},
        "told": not one.verdict, "verdict": one.verdict,
    }  # fmt: skip


def _stamp(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _print(one: FoundMemory, terms: QueryTerms, *, explain: bool) -> None:
    mark = click.style("•", fg="green") if not one.verdict else click.style("-", dim=True)
    age = cards.age(one.created, event_json.moment(os.environ))
    head = click.style(output.visible(one.title), bold=True)
    click.echo(f"{mark} {head}  {click.style(f'{one.kind}/{one.slug}  {age}', dim=True)}")
    shown = _highlighted(one, terms)
    if shown:
        click.echo(f"  {shown}")
    why = ", ".join(one.matched) or "what it means"
    left = f"; not told by itself: {one.verdict}" if one.verdict else ""
    click.echo(click.style(f"  {one.score:.2f}  matches {output.visible(why)}{left}", dim=True))
    if explain:
        parts = "  ".join(f"{name} {value:.2f}" for name, value in one.parts.items() if round(value, 2))
        numbers = f"certainty {one.certainty:.2f}  evidence {one.evidence:.1f}  covers {one.coverage:.0%}"
        click.echo(click.style(f"  {parts}\n  {numbers}", dim=True))


def _highlighted(one: FoundMemory, terms: QueryTerms) -> str:
    """The line that matches, with what matches set off."""
    text = output.body(one.text)
    said, spans = snippet(text, terms.places_in(text))
    if said.strip() in (one.title, ""):
        return ""
    parts, end = [], 0
    for start, stop in spans:
        parts += [said[end:start], click.style(said[start:stop], fg="yellow")]
        end = stop
    return "".join([*parts, said[end:]])
