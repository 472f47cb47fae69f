"""Commands that set a project up: init, trust, reconcile, config."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from recollect.faces.cli import columns, output
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import command, confirm, refuse_agents
from recollect.identity.trust_preview import Preview
from recollect.library.workspace import Workspace
from recollect.vault.layouts import JSON_ROOT
from recollect.write.vault_sync import Report

NAMES_SHOWN, FILES_SHOWN = 5, 10
LAYOUTS = ("json", "markdown", "log")
accept_option = click.option(
    "--accept", metavar="HASH", default="", help="Accept exactly what `trust --dry-run` showed."
)
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")


def print_report(report: Report, *, as_json: bool) -> None:
    """Print the result of a vault scan, one file per line."""
    if as_json:
        output.print_json({name: getattr(report, name) for name in report.__slots__})
        return
    if report.waiting:
        click.echo(f"Not read yet: {report.waiting}.")
    for path in report.ensured:
        click.echo(f"Ensured metadata: {output.visible(path)}")
    if report.ensured:
        click.echo(f"Reconciled: {len(report.ensured)} files")
    for word, found in (
        ("read", report.taken_in),
        ("written", report.written),
        ("retired", report.retired),
        ("not in this checkout", report.absent),
    ):
        for path in found[:FILES_SHOWN]:
            click.echo(f"{word}: {_fitting(output.visible(path), len(word) + 2)}")
        if len(found) > FILES_SHOWN:
            click.echo(f"{word}: {len(found) - FILES_SHOWN:,} more")
    for path, problem in report.problems.items():
        click.echo(f"{click.style('not read', fg='yellow')}: {output.visible(path)}: {output.visible(problem)}")
    if report.index_renewed:
        click.echo(f"updated: {report.index}")


def _fitting(path: str, taken: int) -> str:
    """Return a path that is cut to what a terminal has left behind `taken` columns; whole when piped."""
    width = output.width()
    return path if width is None else columns.cut(path, max(columns.LEAST, width - taken))


@command("init")
@click.option(
    "--layout",
    "layouts",
    multiple=True,
    type=click.Choice(LAYOUTS),
    help="The layout of the files; default: json. Repeatable.",
)
@click.option("--root", default="", help="The folder of the json layout; default: .claude/memory.")
@click.option("--off", is_flag=True, help="Remove the files again; the memories stay in the store.")
@accept_option
@yes_option
def init(workspace: Workspace, *, as_json: bool, layouts: Any, accept: str, off: bool, yes: bool, root: str) -> None:  # noqa: ANN401
    """Keep this project's memories as files in the repository.

    The folder with these files is called the vault. Memory files that are there already are read. If they came with
    the repository, they are shown first and read only after you agree.
    """
    if off:
        _switch_off(workspace, as_json=as_json, yes=yes)
        return
    if accept:
        refuse_agents("init --accept")
    root = root or _other_root(workspace, as_json=as_json)
    accept = accept or _agreed(workspace, "init", as_json=as_json)
    with progress("Writing files", as_json=as_json):
        report = workspace.init(layouts, root=root, accept=accept)
    if not as_json:
        names = ", ".join(workspace.settings.config.vault.layouts)
        click.echo(f"Memories are now kept as files in {workspace.root} (layout {names}).")
        if workspace.settings.config.vault.layouts == ("markdown",):
            click.echo(
                "Kinds with fields (decision, runbook …) stay in the store; add --layout json to keep them as files."
            )
    print_report(report, as_json=as_json)


def _other_root(workspace: Workspace, *, as_json: bool) -> str:
    """Return another vault folder if Claude's own notes are in .claude/memory and the person agrees, else empty."""
    proposed = workspace.proposed_root()
    if as_json or proposed in (JSON_ROOT, workspace.settings.config.vault.root):
        return ""
    click.echo(f"Claude's own notes are in {JSON_ROOT}.")
    if sys.stdin.isatty():
        return proposed if click.confirm(f"Keep memories in {proposed} instead?", default=True) else ""
    click.echo(f"They are not changed. To keep memories in another folder: recollect init --root {proposed}")
    return ""


def _switch_off(workspace: Workspace, *, as_json: bool, yes: bool) -> None:
    confirm(f"Remove the memory files from {workspace.root}? The memories stay in the store.", yes=yes)
    kept = workspace.switch_off()
    if as_json:
        output.print_json({"vault": "off", "kept": kept})
        return
    click.echo(f"Memories are no longer kept as files in {workspace.root}.")
    click.echo("They are in the store; `recollect init` writes the files again.")
    for path in kept:
        click.echo(f"not removed, because it was edited: {output.visible(path)}")
    if workspace.project_context.checkout.has_history:
        click.echo("If you commit the removal, these memories are retired for everyone who shares this repository.")


@command("trust")
@click.option("--dry-run", is_flag=True, help="Only show what would be trusted, and the hash for --accept.")
@click.option("--settings", "settings_only", is_flag=True, help="Trust only the settings, not the memories.")
@accept_option
def trust(workspace: Workspace, as_json: bool, dry_run: bool, settings_only: bool, accept: str) -> None:
    """Trust the memories and settings that came with this clone.

    Until then they are not used. Trusting also accepts the project name that the clone claims, so that it shares the
    memories of that project. Shows what would be trusted and asks. Without a terminal, memories need --accept with the
    hash that --dry-run prints. No file in the repository is changed.
    """
    if dry_run:
        found = workspace.trust_preview()
        print_preview(found, as_json=as_json)
        if not as_json:
            click.echo(f"To accept exactly this: recollect trust --accept {found.hash}")
        return
    refuse_agents("trust")
    if not settings_only:
        accept = accept or _agreed(workspace, "trust", as_json=as_json)
    with progress("Reading files", as_json=as_json):
        report = workspace.trust(accept=accept, settings_only=settings_only)
    if not as_json:
        subject = "settings of " if settings_only else ""
        click.echo(f"Trusted: {subject}{workspace.root}")
    print_report(report, as_json=as_json)


def _agreed(workspace: Workspace, verb: str, *, as_json: bool) -> str:
    """Show the untrusted vault and ask; return its hash if the person agrees, empty if nobody can be asked."""
    if as_json or not sys.stdin.isatty() or not workspace.has_foreign_vault:
        return ""
    found = workspace.trust_preview()
    print_preview(found, as_json=False)
    also = "" if verb == "trust" else ", and keep yours as files here too"
    click.confirm(f"Trust these memories{also}?", abort=True)
    return found.hash


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more


def print_preview(found: Preview, *, as_json: bool) -> None:
    """Print the memories and settings that trusting would accept."""
    if as_json:
        output.print_json({name: getattr(found, name) for name in found.__slots__})
        return
    kinds = ", ".join(output.number(number, kind.replace("_", " ")) for kind, number in found.kinds.items())
    width = output.width()
    click.echo(columns.wrapped(f"{output.number(found.memories, 'memory')}{f': {kinds}' if kinds else ''}", width))
    for line in found.strongest:
        click.echo(columns.wrapped(f"- {output.visible(line)}", width, "  "))
    left, rest = found.always - len(found.strongest), found.memories - max(found.always, len(found.strongest))
    rows = (
        (left > 0, f"and {left} more that agents would be told at every session start"),
        (rest > 0, f"and {rest} more that agents would be told with prompts that they fit"),
        (found.claim, f"project: this clone claims to be {found.claim} and would get the memories of that project"),
        (found.settings, f"settings: {_some(found.settings)}"),
        (found.told, f"files that agents are told at session start: {_some(found.told)}"),
        (found.unreadable, f"files that cannot be read: {found.unreadable}"),
    )
    for is_there, line in rows:
        if is_there:
            click.echo(columns.wrapped(output.visible(line), width))


@command("reconcile")
def reconcile(workspace: Workspace, as_json: bool) -> None:
    """Read changed vault files, and update index and tags.

    Prints nothing if nothing changed. Other commands read changed files too; this one also repairs the index.
    """
    with progress("Reading files", as_json=as_json):
        report = workspace.reconcile()
    print_report(report, as_json=as_json)
