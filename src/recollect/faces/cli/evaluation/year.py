"""`recollect eval --dataset year`: play a simulated year with upkeep and without, and print how they differ."""

from pathlib import Path

import click

from recollect.evaluation.year import material, plot, scenario, simulation
from recollect.evaluation.year.figures import Figures
from recollect.faces.cli import output
from recollect.faces.cli.evaluation import result_file
from recollect.faces.cli.progress import progress

WITH, WITHOUT = "with upkeep", "without"
NOTE = """active: without turns, expired ones and duplicates by digest; recall@5: the tune half
of `coding`, inside the store; a summary answers for the memories that it was made of.
The year is a simulation that was written for this measure: see docs/measuring.md."""


def measure(days: int, seed: int, picture: Path | None, limit: int | None, *, as_json: bool) -> None:
    """Play the year twice, print the figures of both, and write the plot if a file is given."""
    with progress("Reading sessions", as_json=as_json) as tick:
        lessons = []
        for taught in material.collect(limit):
            lessons.append(taught)
            tick(1)
    runs = {}
    for name in (WITH, WITHOUT):
        with progress(f"A year {name}", as_json=as_json, total=days * scenario.SESSIONS_PER_DAY) as tick:
            runs[name] = simulation.run(lessons, seed=seed, days=days, is_upkept=name == WITH, tick=tick)
    if picture:
        result_file.write(picture, plot.draw(runs))
    if as_json:
        about = {"dataset": "year", "days": days, "seed": seed}
        output.print_json({**about, **{name.replace(" ", "_"): run.as_dict() for name, run in runs.items()}})
    else:
        _print(runs, days, seed)


def _print(runs: dict[str, Figures], days: int, seed: int) -> None:
    kept, all_of_it = runs[WITH], runs[WITHOUT]
    click.echo(f"{days} days, {days * scenario.SESSIONS_PER_DAY} sessions, seed {seed}\n")
    rows = [[name, *_cells(run)] for name, run in runs.items()]
    output.print_table(["", "active", "recall@5", "over cap", "pins lost", "used lost", "superseded shown"], rows)
    fewer = 1 - kept.active / all_of_it.active if all_of_it.active else 0.0
    click.echo(f"\n{100 * fewer:.1f} % fewer active memories with upkeep")
    click.echo(f"recall@5 with upkeep: {100 * (kept.recall - all_of_it.recall):+.1f} points")
    if kept.undo_restores is not None:
        click.echo(f"undo of the last job restores every byte: {'yes' if kept.undo_restores else 'NO'}")
    click.echo(f"\n{NOTE}")


def _cells(run: Figures) -> list[str]:
    return [
        str(run.active), f"{100 * run.recall:.1f}", str(len(run.over_cap)), str(run.lost_pins), str(run.lost_recent),
        str(run.superseded_shown),
    ]  # fmt: skip
