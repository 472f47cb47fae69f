"""The command `recollect why`: which memories an agent was told, which not, and why."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from recollect.errors import BadInput, NotFound
from recollect.faces.cli import columns, output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.memories.show import NAMED_BY
from recollect.faces.cli.shared import warn
from recollect.library.fast.fast_why import FastWhy, Telling
from recollect.model import text
from recollect.model.age import ago
from recollect.model.session_event import PROMPT
from recollect.store.session_values import Receipt

ASKED_CHARS = 200
"""How much of a prompt is shown."""

WHY_HELP = f"""Show what an agent was told, and why.

WHAT is a receipt, or a memory. A receipt (default: the last one here) shows the memories that were told at one prompt
or session start, those that were left out, and the reasons; its id is in the <memory-context> block of the prompt, and
in `recollect session tail`. A memory shows when it was told and why, or why it was left out. A memory is named by
{NAMED_BY}
"""


@main.command("why", help=WHY_HELP, epilog=EXIT_CODES)
@click.argument("what", default="last")
@click.option(
    "--limit", "-n", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Of a memory: most occasions."
)
@click.option("--explain", is_flag=True, help="Of a receipt: also print the scores and their parts.")
@json_option
@click.pass_context
def why(ctx: click.Context, as_json: bool, what: str, limit: int, explain: bool) -> None:
    """Show what an agent was told, and why."""
    known = FastWhy(Path(ctx.obj).resolve(), os.environ, warn)
    receipt = known.receipt(None if what == "last" else what)
    if receipt:
        ids = known.short_ids([candidate["uid"] for candidate in receipt.candidates])
        if as_json:
            output.print_json(asdict(receipt))
        else:
            _print_receipt(receipt, known, ids, explain=explain)
    elif what == "last":
        fix = "Run `recollect doctor` to check the hooks, and `recollect drain` to process waiting events."
        raise BadInput("no agent has been told anything in this project yet", fix=fix)
    else:
        _print_memory(known, what, limit, as_json=as_json)


def _print_memory(known: FastWhy, name: str, limit: int, *, as_json: bool) -> None:
    """Print the occasions on which a memory was considered; raises NotFound if neither memory nor receipt has it."""
    try:
        shown = known.memory(name)
    except NotFound as error:
        error.message = "no memory and no receipt has this name"
        error.fix = (
            "`recollect session tail --no-follow` lists receipts, `recollect recall WORDS` finds memories;"
            " `recollect drain` reads what is still waiting."
        )
        raise
    found = known.told(shown.image["uid"], limit)
    if as_json:
        output.print_json([asdict(telling) for telling in found])
        return
    width, title = output.width(), output.visible(shown.image["title"])
    title = title if width is None else columns.cut(title, width - len(shown.id) - 2)
    click.echo(f"{click.style(title, bold=True)}  {click.style(shown.id, dim=True)}")
    if not found:
        click.echo("It was not considered for any prompt yet, as far as receipts are kept.")
        return
    told = sum(telling.is_told for telling in found)
    click.echo(f"considered {output.number(len(found), 'time')}, told {output.number(told, 'time')}")
    for telling in found:
        _print_telling(telling, known.short_session(telling.session), shown.now)


def _print_telling(telling: Telling, session: str, now: float) -> None:
    """Print one occasion: told or left out, when, to which session, and why."""
    mark = click.style("+", fg="green") if telling.is_told else click.style("-", dim=True)
    reason = output.visible(telling.why)
    result = f"told{': ' if reason else ''}{reason}" if telling.is_told else f"left out: {reason}"
    about = click.style(f"{output.visible(session)}  {telling.event}  receipt {telling.receipt}", dim=True)
    click.echo(f"{mark} {ago(telling.at, now):8}  {about}")
    click.echo(columns.wrapped(result, output.width(), "  "))


def _print_receipt(found: Receipt, known: FastWhy, ids: Mapping[str, str], *, explain: bool) -> None:
    """Print one receipt: what was asked, its figures, and every memory that was considered, those told first."""
    asked, tokens = text.first_line(known.asked(found)), f", about {found.tokens} tokens" if found.tokens else ""
    is_prompt = found.event == PROMPT and asked
    pairs = {
        "prompt": columns.cut(asked, ASKED_CHARS) if is_prompt else "",
        "event": "" if is_prompt else columns.cut(f"{found.event} {asked}".strip(), ASKED_CHARS),
        "told": f"{len(found.shown)} of {len(found.candidates)} considered{tokens}",
        "time": f"{datetime.fromtimestamp(found.at, UTC):%Y-%m-%d %H:%M:%S} UTC",
        "session": known.short_session(found.session),
        "receipt": found.id,
        "recall": _recall(found, explain=explain),
        "words": ", ".join(f"{word} {worth:.1f}" for word, worth in found.words.items()) if explain else "",
    }
    output.print_pairs(pairs)
    if found.candidates:
        click.echo()
    for candidate in sorted(found.candidates, key=lambda candidate: candidate["verdict"] != "shown"):
        _print_candidate(candidate, ids[candidate["uid"]], explain=explain)


def _recall(found: Receipt, *, explain: bool) -> str:
    """Return what was unusual about recall; `explain` adds the profile that ranked."""
    unusual = found.state.removeprefix("hits").removeprefix("none").strip(" ()")
    return ", ".join(part for part in (found.profile if explain else "", unusual) if part)


def _print_candidate(candidate: dict[str, Any], short_id: str, *, explain: bool) -> None:
    """Print one memory of a receipt: told or left out with the reason; `explain` adds scores and their parts."""
    is_told = candidate["verdict"] == "shown"
    mark = click.style("+", fg="green") if is_told else click.style("-", dim=True)
    width, title = output.width(), output.visible(candidate["title"])
    head = f"{short_id}  {candidate['kind']}  "
    title = title if width is None else columns.cut(title, max(columns.LEAST, width - len(head) - 2))
    kind = click.style(candidate["kind"], fg=output.kind_colour(candidate["kind"]))
    by_scope = f" ({output.visible(candidate['why'])})" if candidate.get("why") else ""
    result = f"told{by_scope}" if is_told else f"left out: {output.visible(candidate['verdict'])}"
    click.echo(f"{mark} {click.style(short_id, dim=True)}  {kind}  {title}")
    click.echo(columns.wrapped(result, width, "  "))
    if candidate.get("code"):
        click.echo(columns.wrapped(output.visible(candidate["code"]), width, "  "))
    if not explain:
        return
    share = f"covers {candidate['coverage']:.0%} of the question"
    points = f"score {candidate['score']:.2f}  evidence {candidate['evidence']:.1f}  {share}"
    if candidate["score"]:
        click.echo(click.style(f"  {points}", dim=True))
    parts = "  ".join(f"{name} {value:g}" for name, value in candidate.get("parts", {}).items())
    if parts:
        click.echo(click.style(columns.wrapped(parts, width, "  "), dim=True))
