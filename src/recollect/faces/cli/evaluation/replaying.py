"""`recollect eval` of capture: replay sessions, compare the saved memories, and what the next session gets."""

import json
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from recollect.evaluation import sessions
from recollect.evaluation.sessions import Captured, Injected
from recollect.faces.cli import output

T = TypeVar("T")
SHARES = {"f1": "F1", "precision": "precision", "recall": "recall", "kind": "kind right"}
LATER_SHARES = {"duplicates": "duplicates", "splits": "splits", "gold_said": "gold found"}
HEADS = ["system", *SHARES.values(), "memories", "junk/session", *LATER_SHARES.values()]
CAPTURE_NOTE = """Percentages, but for memories and junk/session.
F1, precision, recall: saved events, compared with their labels
kind right: correctly saved events that also have the right kind
junk/session: memories that belong to no labelled memory, per session
duplicates: memories that repeat the content of another
splits: memories that belong to the same labelled memory, duplicates included
gold found: labelled memories whose content was saved"""
INJECTED_NOTE = """told: facts that a prompt needs and its session got, in percent
with prompt: those that came with the prompt, not at the session's start
tokens/prompt: told with a prompt, on average"""


def replay(
    dataset: str, data: Path | None, half: str, results: Path | None, limit: int | None, *, as_json: bool
) -> None:
    """Replay the sessions of a half, or of a file, and print the measures."""
    chosen = sessions.load(data, half)[:limit]
    title = f"{dataset} {'' if data else half}".strip()
    if dataset == "capture":
        _capture(title, last(sessions.capture(chosen), len(chosen), as_json=as_json), results, as_json=as_json)
    else:
        _injected(title, last(sessions.injected(chosen), len(chosen), as_json=as_json), results, as_json=as_json)


def last(steps: Iterator[T], number: int, *, as_json: bool) -> T | None:
    """Run all steps, with a progress bar on a terminal; return the last total, None if there is no step."""
    if not sys.stderr.isatty() or as_json:
        return next(iter(deque(steps, maxlen=1)), None)
    with click.progressbar(steps, length=number, label="Replaying", file=sys.stderr, show_pos=True) as bar:
        return next(iter(deque(bar, maxlen=1)), None)


def _capture(title: str, found: dict[str, Captured] | None, results: Path | None, *, as_json: bool) -> None:
    systems = found or {}
    write(results, [detail | {"system": name} for name, totals in systems.items() for detail in totals.details])
    if as_json:
        output.print_json(
            {"dataset": title, "systems": {name: rounded(totals.as_dict()) for name, totals in systems.items()}}
        )
        return
    click.echo(click.style(title, bold=True))
    rows = []
    for name, totals in systems.items():
        measured = totals.as_dict()
        counts = [f"{measured['memories']:.0f}", f"{measured['junk_per_session']:.2f}"]
        first, later = ([f"{100 * measured[key]:.1f}" for key in names] for names in (SHARES, LATER_SHARES))
        rows.append([name, *first, *counts, *later])
    output.print_table(HEADS, rows)
    click.echo(click.style(f"\n{CAPTURE_NOTE}", dim=True))


def _injected(title: str, found: Injected | None, results: Path | None, *, as_json: bool) -> None:
    totals = found or Injected()
    write(results, totals.details)
    measured = totals.as_dict()
    if as_json:
        output.print_json({"dataset": title, **rounded(measured)})
        return
    click.echo(click.style(title, bold=True))
    row = [f"{measured['prompts']:.0f}", f"{measured['facts']:.0f}", f"{100 * measured['told']:.1f}",
           f"{100 * measured['told_with_prompt']:.1f}", f"{measured['tokens']:.0f}"]  # fmt: skip
    output.print_table(["prompts", "facts", "told", "with prompt", "tokens/prompt"], [row])
    click.echo(click.style(f"\n{INJECTED_NOTE}", dim=True))


def write(results: Path | None, details: list[dict[str, Any]]) -> None:
    """Write the details to a file, as JSON lines, if there is one."""
    if results:
        results.write_text("".join(json.dumps(detail, ensure_ascii=False) + "\n" for detail in details), "utf-8")


def rounded(measured: dict[str, float]) -> dict[str, float]:
    """Return measures as they are printed with --json."""
    return {name: round(value, 4) for name, value in measured.items()}
