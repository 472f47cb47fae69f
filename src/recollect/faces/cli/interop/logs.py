"""`recollect log`: the project log in MEMORY.md and daily files, as CursorClaw has it."""

from dataclasses import replace
from typing import Any

import click

from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, main
from recollect.faces.cli.memories.commands import SENSITIVITIES, read_text
from recollect.faces.cli.shared import command
from recollect.formats import memory_log
from recollect.jobs.log.compact import LogPlan
from recollect.library.workspace import Workspace
from recollect.model.memory import SHAREABLE, Memory


@main.group("log", epilog=EXIT_CODES)
def log() -> None:
    """Read and write the project log: MEMORY.md and daily files."""


def _level(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    return "personal" if value == "private-user" else value


@command("append", log)
@click.argument("text", required=False)
@click.option("--session", required=True, help="The session of the record.")
@click.option(
    "--category", default="note", show_default=True, help="For example note, learned, user-preference, or your own."
)
@click.option(
    "--sensitivity",
    type=click.Choice((*SENSITIVITIES, "private-user")),
    callback=_level,
    help="Who may see it; default: decided from the text.",
)
def append(workspace: Workspace, as_json: bool, text: str | None, **about: Any) -> None:  # noqa: ANN401
    """Append a record to MEMORY.md and today's file.

    Without TEXT, or with `-`, the text is read from standard input. A personal, private or secret record is kept in
    the store only.
    """
    outcome = workspace.log(read_text(text), **about)
    is_written = outcome.memory.sensitivity in SHAREABLE
    output.print_outcome(replace(outcome, path="MEMORY.md" if is_written else None), as_json=as_json)


@command("list", log)
@click.option("--session", help="Only records of this session.")
@click.option("--secret", "allow_secret", is_flag=True, help="Include secret records.")
def list_records(workspace: Workspace, as_json: bool, **filters: Any) -> None:  # noqa: ANN401
    """List records, oldest first."""
    found = workspace.records(**filters)
    if as_json:
        output.print_json([memory_log.record(memory) for memory in found])
        return
    rows = [[memory.created_at, memory.session or "", memory_log.category(memory), _line(memory)] for memory in found]
    if rows:
        output.print_table(["time", "session", "category", "text"], rows)
    else:
        click.echo(click.style("No records found.", dim=True))


def _line(record: Memory) -> str:
    return output.visible(" ".join(record.text.split()))


@command("flush", log)
@click.option("--session", required=True, help="The session that is about to be compacted.")
def flush(workspace: Workspace, as_json: bool, session: str) -> None:
    """Save a checkpoint before a session is compacted."""
    output.print_outcome(workspace.checkpoint(session), as_json=as_json)


@command("trim", log)
@click.option("--max-records", type=click.IntRange(min=0), default=0, help="Keep at most this many records.")
@click.option("--max-chars", type=click.IntRange(min=0), default=0, help="Keep at most this many characters.")
@click.option("--archive", default="", help="Append the removed lines to this file of the project.")
def trim(workspace: Workspace, as_json: bool, max_records: int, max_chars: int, archive: str) -> None:
    """Remove the oldest records from MEMORY.md.

    The newest record is never removed. All records stay in the store.
    """
    if not max_records and not max_chars:
        raise click.UsageError("Give --max-records or --max-chars.")
    gone = workspace.trim_log(max_records=max_records, max_chars=max_chars, archive=archive)
    if as_json:
        output.print_json({"trimmed": len(gone), "archive": archive or None})
    else:
        click.echo(f"Trimmed {output.number(len(gone), 'record')}{f' to {archive}' if gone and archive else ''}.")


@command("compact", log)
@click.option("--min-age-days", type=click.IntRange(0, 36_500), help="Merge records older than this; default 7.")
@click.option("--max-records", type=click.IntRange(min=0), help="Only if MEMORY.md has more records than this.")
@click.option("--max-chars", type=click.IntRange(min=0), help="Only if MEMORY.md has more characters than this.")
@click.option("--dry-run", is_flag=True, help="Only show what would be merged.")
def compact(workspace: Workspace, as_json: bool, dry_run: bool, **limits: Any) -> None:  # noqa: ANN401
    """Merge old turn summaries and notes into one record.

    Their text goes to the first record of MEMORY.md and to LONGMEMORY.md. Learned records, preferences, decisions,
    recent, private and secret ones stay as they are. The original lines stay in the daily files, in the store and, if
    `log.archive` is set, in that file. `recollect undo` takes it back.
    """
    if dry_run:
        _print_plan(workspace.plan_log_compaction(**limits), as_json=as_json)
        return
    done = workspace.compact_log(**limits)
    if as_json:
        output.print_json(done.as_json())
    else:
        click.echo(f"{str(done)[:1].upper()}{str(done)[1:]}.")


def _print_plan(planned: LogPlan, *, as_json: bool) -> None:
    merged = [line.memory for line in planned.chosen if line.memory]
    text = planned.record.text if planned.record else ""
    if as_json:
        shown = {"wouldMerge": [memory_log.record(memory) for memory in merged], "text": text}
        output.print_json({**planned.result.as_json(), "dryRun": True, **shown})
        return
    if not merged:
        click.echo(f"Nothing would be merged: {planned.result.reason}.")
        return
    click.echo(f"Would merge {output.number(len(merged), 'record')}:")
    output.print_table(
        ["time", "category", "text"],
        [[memory.created_at, memory_log.category(memory), _line(memory)] for memory in merged],
    )
    click.echo(f"\nThe merged record would have {len(text):,} characters:\n")
    click.echo(output.redact(text))


@command("scan", log)
def scan(workspace: Workspace, as_json: bool) -> None:
    """Find records that contradict an earlier one, and old records."""
    found = workspace.scan_log()
    if as_json:
        findings = [{"id": row.uid, "category": row.category, "message": row.says} for row in found.findings]
        output.print_json({"records": found.records, "findings": findings, "stray_lines": found.stray})
        return
    for finding in found.findings:
        click.echo(f"{finding.uid}: {output.visible(finding.says)}")
    for number in found.stray:
        click.echo(click.style(f"MEMORY.md:{number}: looks like a record but is not a valid one; ignored", dim=True))
    click.echo(f"{output.number(found.records, 'record')}, {output.number(len(found.findings), 'finding')}.")
