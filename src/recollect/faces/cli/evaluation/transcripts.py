"""`recollect eval --dataset transcripts`: replay real sessions and print what was kept and told, beside labels."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from recollect.evaluation.transcripts import figures, replay, review_page
from recollect.evaluation.transcripts.figures import Figure
from recollect.evaluation.transcripts.labels import Labelled, Labels
from recollect.evaluation.transcripts.replay import Replayed
from recollect.faces.cli import output
from recollect.faces.cli.evaluation import result_file
from recollect.interop.transcript_files import SessionFile

HEADS = ("session", "began", "events", "prompts", "told", "tokens", "at start", "captures", "retired", "seconds")
SHOWN_ERRORS = 5
NOTE = """told: prompts that were told something; tokens: told with all prompts of the session
at start: tokens told at the session's starts; retired: captures that are not active at the end
A figure counts once 95 % of what it is about is labelled; until then it says how much is."""


def measure(
    data: Path, labels: Path | None, results: Path | None, review: Path | None, limit: int | None, *, as_json: bool
) -> None:
    """Replay the sessions of a folder, compare them with the labels, and print and write what came out."""
    chosen = replay.load(data)[:limit]
    known = Labels([*([labels] if labels else []), data])
    run = _replayed(chosen, as_json=as_json)
    labelled = known.compare(run)
    if results:
        rows = figures.details(run, labelled)
        result_file.write(results, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
    if review:
        result_file.write(review, review_page.page(run, labelled))
    if as_json:
        output.print_json(_report(run, labelled))
    else:
        _print(data.name, run, labelled, review)


def _replayed(chosen: Sequence[SessionFile], *, as_json: bool) -> Replayed:
    steps, run = replay.replay(chosen), Replayed()
    if as_json or not sys.stderr.isatty():
        for step in steps:
            run = step
        return run
    with click.progressbar(steps, length=len(chosen), label="Replaying", file=sys.stderr, show_pos=True) as bar:
        for step in bar:
            run = step
    return run


def _report(run: Replayed, labelled: Labelled) -> dict[str, Any]:
    rows = [figures.session_row(run, session) for session in run.sessions]
    return {
        "dataset": "transcripts",
        "totals": figures.totals(rows, run),
        "figures": {figure.name: figure.as_dict() for figure in figures.figures(run, labelled)},
        "unlabelled": _unlabelled(labelled),
        "sessions": rows,
    }


def _unlabelled(labelled: Labelled) -> dict[str, int]:
    return {
        "captures": sum(found.label is None for found in labelled.captures),
        "prompts": sum(found.label is None for found in labelled.prompts),
        "should_be_known": sum(not row.recall for row in labelled.expected),
    }


def _print(name: str, run: Replayed, labelled: Labelled, review: Path | None) -> None:
    rows = [figures.session_row(run, session) for session in run.sessions]
    sums = figures.totals(rows, run)
    output.print_table(HEADS, [*map(_session_cells, rows), _session_cells({**sums, "session": "all", "started": ""})])
    click.echo()
    click.echo(click.style(f"transcripts {name}", bold=True) + f": {_summary(sums)}")
    output.print_table(("", "figure", "bar"), [_figure_cells(figure) for figure in figures.figures(run, labelled)])
    waiting = ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in _unlabelled(labelled).items())
    click.echo(f"\nUnlabelled: {waiting}. {_where_to_label(review)}")
    for line in [line for session in run.sessions for line in session.errors][:SHOWN_ERRORS]:
        click.echo(f"{click.style('error', fg='red')}  {output.visible(line)}")
    click.echo(click.style(f"\n{NOTE}", dim=True))


def _where_to_label(review: Path | None) -> str:
    return f"The review page is {output.visible(str(review))}." if review else "--review FILE.html writes a page."


def _summary(sums: dict[str, Any]) -> str:
    told = f"{sums['prompts_told']} of {sums['prompts']} prompts told"
    also = f"{sums['failures_told']} failures and {sums['calls_told']} tool calls told"
    size = f"{sums['store_bytes'] / 1e6:.1f} MB in the store"
    return f"{sums['captures']} captures, {told}, {also}, {sums['seconds']:.0f} s, {size}"


def _session_cells(row: dict[str, Any]) -> list[str]:
    named = ("events", "prompts", "prompts_told", "tokens_with_prompts", "tokens_at_start", "captures", "retired")
    numbers = [str(row[name]) for name in named]
    return [row["session"][:8], row["started"][:10], *numbers, f"{row['seconds']:.1f}"]


def _figure_cells(figure: Figure) -> list[str]:
    if figure.counts and figure.share is not None:
        said = f"{100 * figure.share:.1f} % ({figure.yes} of {figure.labelled})"
    else:
        said = f"{figure.labelled} of {figure.all} labelled" if figure.all else "none"
    return [figure.name, said, figure.bar]
