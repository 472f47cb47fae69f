"""CursorClaw's surface: the log in MEMORY.md."""

from dataclasses import replace
from typing import Any

import click

from recollect.cli import output
from recollect.cli.face import command
from recollect.cli.main import EXIT_CODES, main
from recollect.cli.memories.commands import SENSITIVITIES, read_text
from recollect.formats import memory_log
from recollect.library.workspace import Workspace
from recollect.model.memory import SHAREABLE, Memory


@main.group("log", epilog=EXIT_CODES)
def log() -> None:
    """The log of a project: MEMORY.md and one file per day."""


def _level(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    return "personal" if value == "private-user" else value


@command("append", log)
@click.argument("text", required=False)
@click.option("--session", required=True, help="The session that it belongs to.")
@click.option("--category", default="note", show_default=True, help="note, learned, user-preference … or your own.")
@click.option(
    "--sensitivity",
    type=click.Choice((*SENSITIVITIES, "private-user")),
    callback=_level,
    help="Who may see it; without it, what the text holds decides.",
)
def append(workspace: Workspace, as_json: bool, text: str | None, **about: Any) -> None:  # noqa: ANN401
    """Append a record to MEMORY.md and today's file. TEXT may be `-` to read standard input.

    What is personal, private or secret stays in the store alone.
    """
    outcome = workspace.log(read_text(text), **about)
    is_written = outcome.memory.sensitivity in SHAREABLE
    output.print_outcome(replace(outcome, path="MEMORY.md" if is_written else None), as_json=as_json)


@command("list", log)
@click.option("--session", help="Only of this session.")
@click.option("--secret", "allow_secret", is_flag=True, help="Secret records too.")
def list_records(workspace: Workspace, as_json: bool, **filters: Any) -> None:  # noqa: ANN401
    """List records, oldest first."""
    found = workspace.records(**filters)
    if as_json:
        output.print_json([memory_log.record(one) for one in found])
        return
    rows = [[one.created_at, one.session or "", memory_log.category(one), _line(one)] for one in found]
    if rows:
        output.print_table(["when", "session", "category", "text"], rows)
    else:
        click.echo(click.style("No records.", dim=True))


def _line(record: Memory) -> str:
    return output.visible(" ".join(record.text.split()))


@command("flush", log)
@click.option("--session", required=True, help="The session that is about to be compacted.")
def flush(workspace: Workspace, as_json: bool, session: str) -> None:
    """Leave a checkpoint before a session is compacted."""
    output.print_outcome(workspace.flush(session), as_json=as_json)


@command("trim", log)
@click.option("--max-records", type=click.IntRange(min=0), default=0, help="Keep at most that many records.")
@click.option("--max-chars", type=click.IntRange(min=0), default=0, help="Keep MEMORY.md within that many characters.")
@click.option("--archive", default="", help="A file of the project that the trimmed lines are appended to.")
def trim(workspace: Workspace, as_json: bool, max_records: int, max_chars: int, archive: str) -> None:
    """Take the oldest records out of MEMORY.md; the newest one always stays, and so does the store."""
    if not max_records and not max_chars:
        raise click.UsageError("--max-records or --max-chars is needed")
    gone = workspace.trim_log(max_records=max_records, max_chars=max_chars, archive=archive)
    if as_json:
        output.print_json({"trimmed": len(gone), "archive": archive or None})
    else:
        click.echo(f"Trimmed {len(gone)} records{f' to {archive}' if gone and archive else ''}.")


@command("scan", log)
def scan(workspace: Workspace, as_json: bool) -> None:
    """Look for records that contradict an earlier one of their session, and for old ones."""
    found = workspace.scan_log()
    if as_json:
        findings = [{"id": one.uid, "category": one.category, "message": one.says} for one in found.findings]
        output.print_json({"records": found.records, "findings": findings, "stray_lines": found.stray})
        return
    for finding in found.findings:
        click.echo(f"{finding.uid}: {output.visible(finding.says)}")
    for number in found.stray:
        click.echo(click.style(f"MEMORY.md:{number} looks like a record, but is none; it is left alone", dim=True))
    click.echo(f"{found.records} records, {len(found.findings)} findings.")
