"""Commands that move data: import, export."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command
from recollect.interop import exporting
from recollect.interop.importing import Imported
from recollect.library.workspace import Workspace
from recollect.pipeline.transcript_import import NEW

SHOWN_PROBLEMS = 20
NOT_READ = "not read"
COUNTED = {"known": "known already"}
"""What an import calls a count → what people read."""


@command("import")
@click.argument("place", metavar="[PATH]", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@click.option("--exact", is_flag=True, help="Keep origin, project, id, usage and times of the file.")
@click.option("--transcripts", is_flag=True, help="Import past sessions: those of PATH, or all of this project.")
def import_from(
    workspace: Workspace, *, as_json: bool, place: Path | None, dry_run: bool, exact: bool, transcripts: bool
) -> None:
    """Import memories from a file or folder, or past sessions.

    PATH may hold JSON lines (from `recollect export`, or objects with a `text`), .claude/memory/, memory/*.md,
    MEMORY.md with daily files, a LetsGo database, or Claude's own MEMORY.md with its notes. A memory that is saved
    already is not imported twice.

    Imported memories belong to this project and are marked as imported. Text, kind, tags and times are kept; pins and
    strength are not. Use --exact only for a copy of your own store: `export` and `import --exact` lose nothing.

    With --transcripts, sessions that Claude Code, Codex and Gemini CLI recorded before recollect was installed are
    read as if they happened now, but with their own times. Without PATH these are the sessions of this project that
    the clients still keep. An import that was interrupted goes on where it stopped; no session is imported twice.
    """
    if transcripts:
        if exact:
            raise click.UsageError("--exact cannot be used with --transcripts.")
        _import_transcripts(workspace, place, as_json=as_json, dry_run=dry_run)
        return
    if place is None:
        raise click.UsageError("Missing argument 'PATH'.")
    label = "Reading" if dry_run else "Importing"
    with progress(label, as_json=as_json) as tick:
        done = workspace.import_from(place, dry_run=dry_run, exact=exact, tick=tick)
    if as_json:
        output.print_json({name: getattr(done, name) for name in done.__slots__})
    else:
        _print_import(done, dry_run=dry_run)


def _import_transcripts(workspace: Workspace, place: Path | None, *, as_json: bool, dry_run: bool) -> None:
    with progress("Importing events:", as_json=as_json) as tick:
        done = workspace.import_sessions(place, dry_run=dry_run, tick=tick)
    if as_json:
        rows = [asdict(session) for session in done.sessions]
        output.print_json({"counts": done.counts(), "sessions": rows, "problems": done.problems})
        return
    rows_new = [session for session in done.sessions if session.outcome == NEW]
    cells = [[row.started[:16].replace("T", " "), row.client, row.session[:8], str(row.prompts), str(row.memories)]
             for row in rows_new]  # fmt: skip
    if cells:
        output.print_table(["began", "client", "session", "prompts", "memories"], cells)
    counts = ", ".join(f"{number} {outcome}" for outcome, number in done.counts().items() if outcome != NEW)
    said = f"{'Would import' if dry_run else 'Imported'}: {output.number(len(rows_new), 'session')}"
    click.echo(click.style(said, bold=True) + (f" ({counts})" if counts else ""))
    if not done.sessions and not done.problems:
        click.echo("The agents keep no sessions of this project.")
    _print_problems(done.problems)


def _print_import(done: Imported, *, dry_run: bool) -> None:
    kinds: dict[str, int] = {}
    for source in done.sources.values():
        kinds[source] = kinds.get(source, 0) + 1
    click.echo("Found: " + ", ".join(f"{number} x {source}" for source, number in kinds.items()))
    counts = ", ".join(f"{number} {COUNTED.get(action, action)}" for action, number in _read_first(done.counts))
    nothing = "" if done.counts.keys() - {"known", NOT_READ} else "nothing; " if counts else "nothing"
    click.echo(click.style(f"{'Would import' if dry_run else 'Imported'}: {nothing}{counts}", bold=True))
    for note, number in Counter(done.notes).most_common(SHOWN_PROBLEMS):
        click.echo(click.style(f"{number} x {output.visible(note)}", dim=True))
    _print_problems(done.problems)
    if done.set_aside:
        click.echo(f"Records that could not be imported are set aside in\n  {done.set_aside}")


def _read_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the counts of an import, what could not be read last."""
    return sorted(counts.items(), key=lambda count: count[0] == NOT_READ)


def _print_problems(problems: list[str]) -> None:
    for line in problems[:SHOWN_PROBLEMS]:
        says = columns.wrapped(f"problem  {output.visible(line)}", output.width())
        click.echo(click.style("problem", fg="yellow") + says.removeprefix("problem"))
    if len(problems) > SHOWN_PROBLEMS:
        click.echo(f"… and {len(problems) - SHOWN_PROBLEMS} more; --json lists all")


@command("export")
@click.argument("place", metavar="[FILE]", type=click.Path(dir_okay=False, path_type=Path), default="-")
@click.option("--all-projects", is_flag=True, help="Export every project.")
@click.option("--everything", is_flag=True, help="Include personal, private, secret and unclassified memories.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
def export(workspace: Workspace, as_json: bool, place: Path, force: bool, **which: Any) -> None:  # noqa: ANN401
    """Write all memories and facts as JSON lines.

    Writes to FILE, or to standard output without one. Only you can read a new file. An existing file is replaced only
    with --force, a symbolic link never. `recollect import` reads the file again.
    """
    with progress("Reading memories", as_json=as_json):
        found = workspace.export(**which)
    if str(place) == "-":
        for line in found.lines:
            click.echo(line)
    else:
        exporting.write(place, found.lines, force=force)
    held = ", ".join(f"{number} {level}" for level, number in found.held_back.items())
    if as_json and str(place) != "-":
        output.print_json({"lines": len(found.lines), "held_back": found.held_back, "path": str(place)})
    elif str(place) != "-":
        click.echo(f"Wrote {output.number(len(found.lines), 'line')} to {output.visible(str(place))}")
    if held:
        click.echo(f"Not exported: {held}. --everything includes them.", err=True)
