"""What a job would do or has done, for people and as JSON."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from recollect.faces.cli import columns, output
from recollect.model import clock
from recollect.model.change import Reweigh

if TYPE_CHECKING:
    from recollect.jobs.job import JobRun
    from recollect.jobs.plan import Plan, Step
    from recollect.library.jobs import JobReport

SHOWN, PREVIEW_LINES = 20, 12
"""So many steps of a plan are printed, and lines of a text that would be written; JSON has all of them."""
VERBS = {
    "Archive": "archive", "Create": "create", "Purge": "erase", "Retire": "retire", "Revise": "revise",
    "Reweigh": "weigh", "Splice": "rewrite", "Weigh": "appreciate",
}  # fmt: skip


def print_report(report: JobReport, *, as_json: bool) -> None:
    """Print what a job planned or did."""
    if as_json:
        output.print_json(report_dict(report))
        return
    print_plan(report.plan, shows_texts=report.run is None)
    if report.run is None and not report.plan.steps:
        click.echo(f"{report.name}: {report.plan.result}")
    elif report.run is None:
        click.echo(f"{click.style('dry run of', fg='yellow', bold=True)} {report.name}: {report.plan.result}")
    else:
        print_run(report.name, report.run)


def print_run(name: str, run: JobRun) -> None:
    """Print what a job did, or that it stopped."""
    word, colour = ("stopped", "red") if run.stopped_at else ("ran", "green")
    says = run.result.removeprefix("stopped: ")
    click.echo(f"{click.style(word, fg=colour, bold=True)} {name} ({run.seconds:.1f} s): {says}")


def print_plan(plan: Plan, *, shows_texts: bool = True) -> None:
    """Print the steps of a plan: what and why, then the memories, their scores before and after, and new texts."""
    steps, width = _told(plan), output.width()
    groups: dict[tuple[str, str], list[Step]] = {}
    for step in steps[:SHOWN]:
        groups.setdefault((_verb(step), output.visible(step.reason)), []).append(step)
    for (verb, reason), members in groups.items():
        click.echo(columns.wrapped(f"{click.style(verb, bold=True)}: {reason}", width))
        for step in members:
            _print_step(step, width, shows_text=shows_texts)
    if len(steps) > SHOWN:
        click.echo(f"… and {len(steps) - SHOWN:,} more; --json lists them all")


def _print_step(step: Step, width: int | None, *, shows_text: bool) -> None:
    line = f"  {_scores(step)}{output.visible(step.title or step.name)}"
    click.echo(line if width is None else columns.cut(line, width))
    if step.preview and shows_text:
        text = "\n".join(output.visible(line) for line in step.preview.splitlines())
        click.echo(click.style(columns.wrapped(text, width, "  | ", most_lines=PREVIEW_LINES), dim=True))


def _told(plan: Plan) -> list[Step]:
    """Return the steps for people: new memories first, then what is put away; a weight of the latter says no more."""
    closed = plan.closed
    steps = [step for step in plan.steps if not (isinstance(step.change, Reweigh) and step.change.uid in closed)]
    return sorted(steps, key=lambda step: (not step.preview, not step.closes))


def _verb(step: Step) -> str:
    return VERBS.get(type(step.change).__name__, "change")


def _scores(step: Step) -> str:
    """Return the score before and after, and a gap; empty where no score is involved."""
    found = [f"{score:.2f}" for score in (step.before, step.after) if score is not None]
    return f"{' → '.join(found)}  " if found else ""


def report_dict(report: JobReport) -> dict[str, Any]:
    """Return a report as JSON has it."""
    run = run_dict(report.run) if report.run else None
    return {"name": report.name, **plan_dict(report.plan), "run": run}


def plan_dict(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON has it."""
    steps = [
        {
            "action": _verb(step), "uid": _uid(step), "memory": step.name, "title": step.title, "reason": step.reason,
            "before": step.before, "after": step.after, "preview": step.preview or None,
        }
        for step in plan.steps
    ]  # fmt: skip
    return {"result": plan.result, "considered": plan.considered, "closing": plan.closing, "steps": steps}


def _uid(step: Step) -> str:
    about = getattr(step.change, "memory", step.change)
    return str(getattr(about, "uid", ""))


def run_dict(run: JobRun) -> dict[str, Any]:
    """Return a run as JSON has it."""
    return {
        "last_run": stamp(run.at),
        "seconds": run.seconds,
        "result": run.result,
        "failed_at": stamp(run.failed_at),
        "stopped_at": stamp(run.stopped_at),
    }


def stamp(at: float | None) -> str | None:
    """Return a time as memories record it; None without one."""
    return clock.stamp(datetime.fromtimestamp(at, UTC)) if at is not None else None
