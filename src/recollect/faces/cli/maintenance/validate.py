"""The command `recollect validate`: check memories that name code against the checkout, and show the evidence."""

from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.memories.show import NAME_HELP
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command
from recollect.jobs.validation.validate import Validation
from recollect.library.workspace import Workspace
from recollect.model.memory import Memory
from recollect.model.verdict import FRESH, STALE, CheckedVerdict, Verdict

FROM_SETTING = -1
"""The value of `--force` without a number."""
COLOURS = {"FRESH": "green", "MOVED": "yellow", "STALE": "red", "UNVERIFIABLE": None}
VALIDATE_HELP = f"""Check whether the code that memories name is still there.

Paths, symbols, commands and versions are compared with this checkout and its history; nothing is run or fetched. Each
memory gets a verdict: FRESH, MOVED (with the new place), STALE (with what is gone), or UNVERIFIABLE. Without a NAME all
memories of the project are checked, and those with something to say are listed. {NAME_HELP}
"""


@command("validate", help=VALIDATE_HELP)
@click.argument("names", nargs=-1)
@click.option(
    "--force", is_flag=False, flag_value=FROM_SETTING, type=click.IntRange(min=FROM_SETTING), metavar="[N]",
    help="Do the scheduled check now: N random memories (default: validation.amount; 0: all), and a log of them.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Show the verdicts without keeping them.")
@click.option("--all", "-a", "everything", is_flag=True, help="Also list what is FRESH or UNVERIFIABLE.")
def validate(
    workspace: Workspace, /, *, as_json: bool, names: tuple[str, ...], force: int | None, dry_run: bool,
    everything: bool,
) -> None:  # fmt: skip
    """Check whether the code that memories name is still there."""
    amount = None if force in (None, FROM_SETTING) else force
    with progress("Checking memories", as_json=as_json):
        found = workspace.validate(names, force=force is not None, amount=amount, dry_run=dry_run)
    ids = workspace.short_ids(list(found.memories))
    if as_json:
        output.print_json(_as_dict(found, ids))
    elif found.problem:
        click.echo(f"Nothing was checked: {found.problem}.")
    else:
        _print(found, ids, shows_all=everything or bool(names) or force is not None)


def _as_dict(found: Validation, ids: dict[str, str]) -> dict[str, Any]:
    return {
        "checked": len(found.memories),
        "counts": found.counts(),
        "problem": found.problem,
        "log": str(found.log) if found.log else None,
        "memories": [
            {"uid": uid, "id": ids[uid], "title": memory.title, "verdict": _verdict(found, uid)}
            for uid, memory in found.memories.items()
        ],
    }


def _verdict(found: Validation, uid: str) -> dict[str, Any] | None:
    checked = next((checked for checked in found.verdicts if checked.uid == uid), None)
    return verdict_dict(checked) if checked else None


def verdict_dict(checked: CheckedVerdict) -> dict[str, Any]:
    """Return a verdict and its evidence for `--json`."""
    return {
        "state": checked.verdict.state, "says": checked.verdict.says, "doubts": list(checked.verdict.doubts),
        "branch": checked.branch, "commit": checked.head, "checked_at": checked.at,
        "findings": [
            {"kind": finding.kind, "name": finding.name, "state": finding.state, "says": finding.says,
             "place": finding.place}
            for finding in checked.verdict.findings
        ],
    }  # fmt: skip


def _print(found: Validation, ids: dict[str, str], *, shows_all: bool) -> None:
    listed = [checked for checked in found.verdicts if shows_all or _is_telling(checked.verdict)]
    for checked in listed:
        _print_memory(found.memories[checked.uid], checked.verdict, ids[checked.uid])
    counts = ", ".join(f"{number:,} {state}" for state, number in found.counts().items())
    silent = f"{output.number(found.silent, 'memory')} without code"
    click.echo(click.style(f"{counts}; {silent}", bold=not listed))
    if any(checked.verdict.state == STALE for checked in listed):
        click.echo(click.style("`recollect edit ID` corrects a memory, `recollect retire ID` puts it away.", dim=True))
    if found.log:
        click.echo(click.style(f"log: {found.log}", dim=True))


def _is_telling(verdict: Verdict) -> bool:
    return bool(verdict.says or verdict.doubts)


def _print_memory(memory: Memory, verdict: Verdict, short_id: str) -> None:
    """Print a memory, its verdict, and the evidence below."""
    width, head = output.width(), f"{verdict.state}  {short_id}  "
    title = output.visible(memory.title)
    title = title if width is None else columns.cut(title, max(columns.LEAST, width - len(head)))
    state = click.style(verdict.state, fg=COLOURS[verdict.state], bold=True)
    click.echo(f"{state}  {click.style(short_id, dim=True)}  {title}")
    for line in evidence_lines(verdict):
        click.echo(columns.wrapped(output.visible(line), width, "  "))


def evidence_lines(verdict: Verdict) -> list[str]:
    """Return the doubts and the evidence of a verdict, what is wrong first."""
    ordered = sorted(verdict.findings, key=lambda finding: finding.state == FRESH)
    return [*verdict.doubts, *(f"{finding.kind}: {finding.says}" for finding in ordered)]
