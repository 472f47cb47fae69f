"""The command `recollect health`: counts, growth and problems of a project's memories."""

from __future__ import annotations  # the types below load the whole library, and help needs none of it

from typing import TYPE_CHECKING

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.shared import command

if TYPE_CHECKING:
    from recollect.interop.health import Health
    from recollect.library.workspace import Workspace


@command("health")
def health(workspace: Workspace, as_json: bool) -> None:
    """Show counts, growth and problems of this project's memories."""
    found = workspace.health()
    if as_json:
        output.print_json(_health_dict(found) | {"doctor": _problems(workspace)})
        return
    click.echo(click.style("Memories by kind", bold=True))
    statuses = ("active", "retired", "archived")
    rows = [[kind, *(str(counts[status]) for status in statuses)] for kind, counts in sorted(found.counts.items())]
    output.print_table(["kind", *statuses], [*rows, ["all", *(str(found.total(status)) for status in statuses)]])
    growth = ", ".join(f"{number} in {days} {'day' if days == 1 else 'days'}" for days, number in found.growth.items())
    click.echo()
    output.print_pairs(
        {
            "new": growth,
            "facts": str(found.facts),
            "index": _index(found),
            "nearly full": "; ".join(found.limits),
            "off": workspace.off_because() or "",
        }
    )
    for title, memories in (
        ("Often revised", found.heavy),
        ("Retired in the last week", found.retired_lately),
    ):
        for number, memory in enumerate(memories):
            click.echo(click.style(f"\n{title}", bold=True)) if number == 0 else None
            detail = f"{memory.times_revised} revisions" if memory.status == "active" else memory.closed_reason or ""
            click.echo(columns.wrapped(f"{memory.kind}/{memory.slug}: {output.visible(detail)}", output.width(), "  "))
    colour = "green" if found.verdict == "GOOD" else "yellow"
    click.echo(f"\nHealth: {click.style(found.verdict, fg=colour, bold=True)}")
    for issue in found.issues():
        click.echo(f"  - {output.visible(issue)}")
    if names := _problems(workspace):
        click.echo(f"`recollect doctor` finds {output.number(len(names), 'problem')}: {', '.join(names)}.")


def _problems(workspace: Workspace) -> list[str]:
    """Return the names of the checks of `recollect doctor` that fail."""
    return [check.name for check in workspace.doctor() if not check.is_well]


def _index(found: Health) -> str:
    if found.agreement is None:
        return "no index here"
    return "in sync with the files" if found.agreement.is_valid else "out of sync"


def _health_dict(found: Health) -> dict[str, object]:
    lists = ("heavy", "retired_lately")
    named = {name: [f"{memory.kind}/{memory.slug}" for memory in getattr(found, name)] for name in lists}
    return {
        "counts": {kind: dict(counts) for kind, counts in found.counts.items()},
        "growth": found.growth, **named, "expired": found.expired, "facts": found.facts, "index": _index(found),
        "health": found.verdict, "issues": found.issues(), "limits": found.limits,
    }  # fmt: skip
