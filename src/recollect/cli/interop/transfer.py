"""Moving data in and out, and looking after it: import, export, health, gc, scrub, off, on."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from recollect.cli import output
from recollect.cli.face import command, confirm, refuse_agents
from recollect.interop import exporting
from recollect.interop.health import Health
from recollect.interop.importing import Imported
from recollect.interop.scrub import LAST_STEP, Scrubbed
from recollect.library.workspace import Workspace

SHOWN_PROBLEMS = 20


@command("import")
@click.argument("place", type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only tell what would be taken in.")
@click.option("--exact", is_flag=True, help="Keep origin, project, id, use and times as the file has them.")
def import_from(workspace: Workspace, as_json: bool, place: Path, dry_run: bool, exact: bool) -> None:
    """Take in memories from PLACE: a file or a folder.

    JSON lines (ours, or objects with a `text`), .claude/memory/, memory/*.md, MEMORY.md with daily files, LetsGo
    databases, and Claude's own MEMORY.md with its notes. What is known already is not taken in twice.

    Memories come into this project, are marked as imported, and are neither pinned nor strong: text, kind, tags and
    times are kept. Use --exact only for a copy of your own store: `export` and `import --exact` lose nothing.
    """
    label = "Reading" if dry_run else "Taking in"
    with output.progress(label, as_json=as_json) as tick:
        done = workspace.take_in(place, dry_run=dry_run, exact=exact, tick=tick)
    if as_json:
        output.print_json({name: getattr(done, name) for name in done.__slots__})
    else:
        _print_import(done, dry_run=dry_run)


def _print_import(done: Imported, *, dry_run: bool) -> None:
    kinds: dict[str, int] = {}
    for what in done.sources.values():
        kinds[what] = kinds.get(what, 0) + 1
    click.echo(", ".join(f"{number} x {what}" for what, number in kinds.items()))
    counts = ", ".join(f"{number} {what}" for what, number in done.counts.items()) or "nothing"
    click.echo(click.style(f"{'Would be' if dry_run else 'Done'}: {counts}", bold=True))
    for note, number in Counter(done.notes).most_common(SHOWN_PROBLEMS):
        click.echo(click.style(f"{number} x {output.visible(note)}", dim=True))
    for line in done.problems[:SHOWN_PROBLEMS]:
        click.echo(f"{click.style('look', fg='yellow')}  {output.visible(line)}")
    if len(done.problems) > SHOWN_PROBLEMS:
        click.echo(f"… and {len(done.problems) - SHOWN_PROBLEMS} more; --json lists them all")
    if done.set_aside:
        click.echo(f"What could not be read is set aside in {done.set_aside}")


@command("export")
@click.argument("place", type=click.Path(dir_okay=False, path_type=Path), default="-")
@click.option("--all-projects", is_flag=True, help="Of every project.")
@click.option("--everything", is_flag=True, help="Personal, private, secret and unclassified memories too.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
def export(workspace: Workspace, as_json: bool, place: Path, force: bool, **which: Any) -> None:  # noqa: ANN401
    """Write every memory and fact as JSON lines to PLACE, or to standard output.

    A new file is readable by you alone. A file that is there is replaced with --force only; a link never is.
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
        click.echo(f"{len(found.lines)} lines in {output.visible(str(place))}")
    if held:
        click.echo(f"Held back: {held}; --everything writes them too.", err=True)


@command("health")
def health(workspace: Workspace, as_json: bool) -> None:
    """How the memories of this project are doing."""
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
    for title, memories in (("Heavily revised", found.heavy), ("Retired in the last week", found.retired_lately)):
        for number, one in enumerate(memories):
            click.echo(click.style(f"\n{title}", bold=True)) if number == 0 else None
            why = f"{one.times_revised} revisions" if one.status == "active" else one.closed_reason or ""
            click.echo(f"  {one.kind}/{one.slug}: {output.visible(why)}")
    colour = "green" if found.verdict == "GOOD" else "yellow"
    click.echo(f"\nHealth: {click.style(found.verdict, fg=colour, bold=True)}")
    for issue in found.issues():
        click.echo(f"  - {output.visible(issue)}")


def _index(found: Health) -> str:
    if found.agreement is None:
        return "no index here"
    return "in sync with the files" if found.agreement.is_valid else "out of sync"


def _health_dict(found: Health) -> dict[str, object]:
    named = {name: [f"{one.kind}/{one.slug}" for one in getattr(found, name)] for name in ("heavy", "retired_lately")}
    return {
        "counts": {kind: dict(counts) for kind, counts in found.counts.items()},
        "growth": found.growth, **named, "expired": found.expired, "facts": found.facts, "index": _index(found),
        "health": found.verdict, "issues": found.issues(),
    }  # fmt: skip


@command("gc")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def gc(workspace: Workspace, as_json: bool, yes: bool) -> None:
    """Collect the files of memories retired longer than the grace period, and erase what has expired."""
    confirm("Collect what is retired for long and erase what has expired?", yes=yes)
    collected, erased = workspace.gc()
    if as_json:
        output.print_json({"collected": collected, "expired": erased})
    else:
        click.echo(f"{collected} files of retired memories collected, {erased} expired memories erased.")


@command("scrub")
@click.argument("value", required=False)
@click.option("--dry-run", is_flag=True, help="Only tell where it is.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def scrub(workspace: Workspace, as_json: bool, value: str | None, dry_run: bool, yes: bool) -> None:
    """Take a leaked VALUE out of everything that recollect keeps, and prove it by searching the raw files.

    It is found in any case and escaping: JSON (also inside JSON), percent-encoding, HTML, base64, shell quotes. Without
    VALUE, or with `-`, it is read from standard input, so that it stays out of the shell's history. This cannot be
    undone. What is not recollect's is named and left alone: transcripts of agents, git's history, backups of others.
    Exit code 1 when the value is still somewhere.
    """
    if not dry_run:
        refuse_agents("scrub")
    wanted = _value(value)
    found = workspace.scrub(wanted, dry_run=True)
    if not dry_run and (found.memories or found.files):
        confirm(f"Take it out of {len(found.memories)} memories and {len(found.files)} files, for good?", yes=yes)
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


def _print_scrubbed(done: Scrubbed, *, dry_run: bool) -> None:
    verb = "It stands in" if dry_run else "Taken out of"
    click.echo(f"{verb} {len(done.memories)} memories, {len(done.files)} files.")
    for name in (*done.memories, *done.files):
        click.echo(f"  {output.visible(name)}")
    if done.in_git:
        click.echo("git tracks some of these files: its history still holds the value. Change the credential.")
    for name in done.restored:
        click.echo(f"`recollect uninstall` puts {output.visible(name)} back with [scrubbed] in the value's place.")
    if not dry_run:
        gone = click.style("Gone: no file of recollect's holds it any more.", fg="green")
        left = click.style("Still in:", fg="red", bold=True) + " " + output.visible(", ".join(done.left))
        click.echo(left if done.left else gone)
    click.echo("Not looked at, because it is not recollect's to change:")
    for line in done.not_looked_at:
        click.echo(f"  {output.visible(line)}")
    click.echo(LAST_STEP)


@command("off")
@click.option("--session", help="Only in this session.")
def off(workspace: Workspace, as_json: bool, session: str | None) -> None:
    """Switch memory off for agents: in this folder and below it, or in a session. Your own commands go on working."""
    what = workspace.turn(on=False, session=session)
    output.print_json({"off": what}) if as_json else click.echo(f"Off: {what}")


@command("on")
@click.option("--session", help="Only in this session.")
def on(workspace: Workspace, as_json: bool, session: str | None) -> None:
    """Switch memory on again."""
    what = workspace.turn(on=True, session=session)
    still = workspace.off_because(session)
    output.print_json({"on": what, "still_off": still}) if as_json else click.echo(f"On: {what}")
    if still and not as_json:
        click.echo(f"But {still}.")
