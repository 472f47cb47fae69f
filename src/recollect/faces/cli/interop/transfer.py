"""Commands that move, check and remove data: import, export, health, gc, scrub; and off, on."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from recollect.faces.cli import output
from recollect.faces.cli.shared import command, confirm, refuse_agents
from recollect.interop import exporting
from recollect.interop.health import Health
from recollect.interop.importing import Imported
from recollect.interop.scrub import LAST_STEP, Scrubbed
from recollect.library.workspace import Workspace

SHOWN_PROBLEMS = 20


@command("import")
@click.argument("place", metavar="PATH", type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@click.option("--exact", is_flag=True, help="Keep origin, project, id, usage and times of the file.")
def import_from(workspace: Workspace, as_json: bool, place: Path, dry_run: bool, exact: bool) -> None:
    """Import memories from a file or folder.

    PATH may hold JSON lines (from `recollect export`, or objects with a `text`), .claude/memory/, memory/*.md,
    MEMORY.md with daily files, a LetsGo database, or Claude's own MEMORY.md with its notes. A memory that is saved
    already is not imported twice.

    Imported memories belong to this project and are marked as imported. Text, kind, tags and times are kept; pins and
    strength are not. Use --exact only for a copy of your own store: `export` and `import --exact` lose nothing.
    """
    label = "Reading" if dry_run else "Importing"
    with output.progress(label, as_json=as_json) as tick:
        done = workspace.take_in(place, dry_run=dry_run, exact=exact, tick=tick)
    if as_json:
        output.print_json({name: getattr(done, name) for name in done.__slots__})
    else:
        _print_import(done, dry_run=dry_run)


def _print_import(done: Imported, *, dry_run: bool) -> None:
    kinds: dict[str, int] = {}
    for source in done.sources.values():
        kinds[source] = kinds.get(source, 0) + 1
    click.echo("Found: " + ", ".join(f"{number} x {source}" for source, number in kinds.items()))
    counts = ", ".join(f"{number} {action}" for action, number in done.counts.items()) or "nothing"
    click.echo(click.style(f"{'Would import' if dry_run else 'Imported'}: {counts}", bold=True))
    for note, number in Counter(done.notes).most_common(SHOWN_PROBLEMS):
        click.echo(click.style(f"{number} x {output.visible(note)}", dim=True))
    for line in done.problems[:SHOWN_PROBLEMS]:
        click.echo(f"{click.style('problem', fg='yellow')}  {output.visible(line)}")
    if len(done.problems) > SHOWN_PROBLEMS:
        click.echo(f"… and {len(done.problems) - SHOWN_PROBLEMS} more; --json lists all")
    if done.set_aside:
        click.echo(f"Records that could not be imported are set aside in {done.set_aside}")


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


@command("health")
def health(workspace: Workspace, as_json: bool) -> None:
    """Show counts, growth and problems of this project's memories."""
    found = workspace.health()
    if as_json:
        output.print_json(_health_dict(found))
        return
    click.echo(click.style("Memories by kind", bold=True))
    statuses = ("active", "retired", "archived")
    rows = [[kind, *(str(counts[status]) for status in statuses)] for kind, counts in sorted(found.counts.items())]
    output.print_table(["kind", *statuses], [*rows, ["all", *(str(found.total(status)) for status in statuses)]])
    growth = ", ".join(f"{number} in {days} {'day' if days == 1 else 'days'}" for days, number in found.growth.items())
    click.echo()
    output.print_pairs(
        {"new": growth, "facts": str(found.facts), "index": _index(found), "off": workspace.off_because() or ""}
    )
    for title, memories in (
        ("Often revised", found.heavy),
        ("Retired in the last week", found.retired_lately),
    ):
        for number, memory in enumerate(memories):
            click.echo(click.style(f"\n{title}", bold=True)) if number == 0 else None
            detail = f"{memory.times_revised} revisions" if memory.status == "active" else memory.closed_reason or ""
            click.echo(f"  {memory.kind}/{memory.slug}: {output.visible(detail)}")
    colour = "green" if found.verdict == "GOOD" else "yellow"
    click.echo(f"\nHealth: {click.style(found.verdict, fg=colour, bold=True)}")
    for issue in found.issues():
        click.echo(f"  - {output.visible(issue)}")


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
        "health": found.verdict, "issues": found.issues(),
    }  # fmt: skip


@command("gc")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def gc(workspace: Workspace, as_json: bool, yes: bool) -> None:
    """Delete files of long-retired memories, and expired memories.

    A retired memory keeps its file for forget.grace_days days.
    """
    confirm("Delete the files of long-retired memories, and erase expired memories?", yes=yes)
    collected, erased = workspace.gc()
    if as_json:
        output.print_json({"collected": collected, "expired": erased})
    else:
        click.echo(f"Deleted {output.number(collected, 'file')} of retired memories, erased {erased} expired.")


@command("scrub")
@click.argument("value", required=False)
@click.option("--dry-run", is_flag=True, help="Only show where it is.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def scrub(workspace: Workspace, as_json: bool, value: str | None, dry_run: bool, yes: bool) -> None:
    """Remove a leaked value from everything recollect has stored.

    This cannot be undone. Afterwards the raw files are searched again; exit code 1 if the value is still in one.

    The value is found in any case and in these encodings: JSON (also inside JSON), percent-encoding, HTML, base64,
    shell quotes. Without VALUE, or with `-`, it is read from standard input, so that it stays out of the shell's
    history. Files that are not recollect's are only listed: transcripts of agents, git's history, backups.
    """
    if not dry_run:
        refuse_agents("scrub")
    wanted = _value(value)
    found = workspace.scrub(wanted, dry_run=True)
    if not dry_run and (found.memories or found.files):
        confirm(f"Remove it from {_places(found)}? This cannot be undone.", yes=yes)
    done = found if dry_run else workspace.scrub(wanted)
    if as_json:
        output.print_json({name: getattr(done, name) for name in done.__slots__})
    else:
        _print_scrubbed(done, dry_run=dry_run)
    click.get_current_context().exit(0 if dry_run or not done.left else 1)


def _value(value: str | None) -> str:
    if value not in (None, "-"):
        return str(value)
    if sys.stdin.isatty():
        return str(click.prompt("Value", hide_input=True))
    return sys.stdin.buffer.read().decode("utf-8", "replace").strip("\r\n")


def _places(found: Scrubbed) -> str:
    return f"{output.number(len(found.memories), 'memory')} and {output.number(len(found.files), 'file')}"


def _print_scrubbed(done: Scrubbed, *, dry_run: bool) -> None:
    verb = "The value is in" if dry_run else "Removed from"
    click.echo(f"{verb} {_places(done)}.")
    for name in (*done.memories, *done.files):
        click.echo(f"  {output.visible(name)}")
    if done.in_git:
        click.echo("git tracks some of these files: the value is still in its history. Replace the credential.")
    for name in done.restored:
        click.echo(f"`recollect uninstall` will restore {output.visible(name)} with [scrubbed] in place of the value.")
    if not dry_run:
        gone = click.style("Done: no file of recollect contains the value any more.", fg="green")
        left = click.style("The value is still in:", fg="red", bold=True) + " " + output.visible(", ".join(done.left))
        click.echo(left if done.left else gone)
    click.echo("Not searched, because these are not recollect's files:")
    for line in done.not_looked_at:
        click.echo(f"  {output.visible(line)}")
    click.echo(LAST_STEP)


def _named(target: str) -> str:
    """Return "folder PATH" or "session ID" for `folder:PATH` or `session:ID`."""
    return output.visible(target.replace(":", " ", 1))


@command("off")
@click.option("--session", help="Only in this session.")
def off(workspace: Workspace, as_json: bool, session: str | None) -> None:
    """Switch memory off for agents in this folder or a session.

    In this folder and all below it, hooks record and inject nothing. The commands that you type still work. `recollect
    on` switches it on again.
    """
    what = workspace.turn(on=False, session=session)
    output.print_json({"off": what}) if as_json else click.echo(f"Memory is off for agents in {_named(what)}.")


@command("on")
@click.option("--session", help="Only in this session.")
def on(workspace: Workspace, as_json: bool, session: str | None) -> None:
    """Switch memory on again for agents in this folder or a session."""
    what = workspace.turn(on=True, session=session)
    still = workspace.off_because(session)
    output.print_json({"on": what, "still_off": still}) if as_json else click.echo(
        f"Memory is on for agents in {_named(what)}."
    )
    if still and not as_json:
        click.echo(f"But it is still off: {still}.")
