"""`eval` of capture: sessions replayed, what was filed of them, and what the next session is told."""

import json
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from recollect.cli import output
from recollect.evaluation import sessions
from recollect.evaluation.sessions import Captured, Told

T = TypeVar("T")
SHARES = {"f1": "F1", "precision": "precision", "recall": "recall", "kind": "kind right"}
LATER_SHARES = {"duplicates": "duplicates", "splits": "splits", "gold_said": "gold said"}
HEADS = ["system", *SHARES.values(), "memories", "junk/session", *LATER_SHARES.values()]
CAPTURE_NOTE = """Per event: kept or not, against the labels; kind: of those kept rightly. Junk: a memory of nothing
that should be kept; a duplicate: one that says what another says already; a split: one of something that
another one is of too; gold said: those that say what they have to."""
TOLD_NOTE = (
    "Facts that a later prompt needs, in what its session is told: at the start or with the prompt, within the budget."
)


def replay(
    dataset: str, data: Path | None, half: str, results: Path | None, limit: int | None, *, as_json: bool
) -> None:
    """Replay the sessions of a half, or of a file, and print what came of it."""
    chosen = sessions.load(data, half)[:limit]
    title = f"{dataset} {'' if data else half}".strip()
    if dataset == "capture":
        _capture(title, _last(sessions.capture(chosen), len(chosen), as_json=as_json), results, as_json=as_json)
    else:
        _told(title, _last(sessions.told(chosen), len(chosen), as_json=as_json), results, as_json=as_json)


def _last(steps: Iterator[T], number: int, *, as_json: bool) -> T | None:
    """Go through the sessions, with a bar on a terminal; what they add up to."""
    if not sys.stderr.isatty() or as_json:
        return next(iter(deque(steps, maxlen=1)), None)
    with click.progressbar(steps, length=number, label="Replaying", file=sys.stderr, show_pos=True) as bar:
        return next(iter(deque(bar, maxlen=1)), None)


def _capture(title: str, found: dict[str, Captured] | None, results: Path | None, *, as_json: bool) -> None:
    systems = found or {}
    _write(results, [detail | {"system": name} for name, one in systems.items() for detail in one.details])
    if as_json:
        output.print_json(
            {"dataset": title, "systems": {name: _rounded(one.as_dict()) for name, one in systems.items()}}
        )
        return
    click.echo(click.style(title, bold=True))
    rows = []
    for name, one in systems.items():
        said = one.as_dict()
        counts = [f"{said['memories']:.0f}", f"{said['junk_per_session']:.2f}"]
        first, later = ([f"{100 * said[key]:.1f}" for key in names] for names in (SHARES, LATER_SHARES))
        rows.append([name, *first, *counts, *later])
    output.print_table(HEADS, rows)
    click.echo(click.style(f"\n{CAPTURE_NOTE}", dim=True))


def _told(title: str, found: Told | None, results: Path | None, *, as_json: bool) -> None:
    one = found or Told()
    _write(results, one.details)
    said = one.as_dict()
    if as_json:
        output.print_json({"dataset": title, **_rounded(said)})
        return
    click.echo(click.style(title, bold=True))
    row = [f"{said['prompts']:.0f}", f"{said['facts']:.0f}", f"{100 * said['told']:.1f}",
           f"{100 * said['told_with_prompt']:.1f}", f"{said['tokens']:.0f}"]  # fmt: skip
    output.print_table(["prompts", "facts", "told", "with the prompt", "tokens with a prompt"], [row])
    click.echo(click.style(f"\n{TOLD_NOTE}", dim=True))


def _write(results: Path | None, details: list[dict[str, Any]]) -> None:
    if results:
        results.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in details), "utf-8")


def _rounded(said: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in said.items()}
