"""Setting up and looking after: init, trust, reconcile, config, doctor."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from recollect import config, paths
from recollect.cli import output
from recollect.cli.face import command, confirm, opened, refuse_agents
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.errors import ConfigError, DiskRefused, StoreError
from recollect.formats import json_file
from recollect.identity.trust_preview import Preview
from recollect.library import opening
from recollect.library.workspace import Workspace
from recollect.opening.opening import system_clock
from recollect.setup.doctor import inbox_checks
from recollect.setup.doctor.check import Check
from recollect.vault.layouts import JSON_ROOT
from recollect.write.vault_sync import Report

NAMES_SHOWN = 5
LAYOUTS = ("json", "markdown", "log")
accept_option = click.option("--accept", metavar="HASH", default="", help="Take in exactly what --dry-run showed.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def print_report(report: Report, *, as_json: bool) -> None:
    """What a scan found, a line each."""
    if as_json:
        output.print_json({name: getattr(report, name) for name in report.__slots__})
        return
    if report.waiting:
        click.echo(f"Waiting: {report.waiting}.")
    for path in report.ensured:
        click.echo(f"Ensured metadata: {output.visible(path)}")
    if report.ensured:
        click.echo(f"Reconciled: {len(report.ensured)} files")
    for word, found in (
        ("taken in", report.taken_in),
        ("written", report.written),
        ("retired", report.retired),
        ("absent here", report.absent),
    ):
        for path in found:
            click.echo(f"{word}: {output.visible(path)}")
    for path, problem in report.problems.items():
        click.echo(f"{click.style('not taken in', fg='yellow')}: {output.visible(path)}: {output.visible(problem)}")
    if report.index_renewed:
        click.echo(f"renewed: {report.index}")


@command("init")
@click.option(
    "--layout",
    "layouts",
    multiple=True,
    type=click.Choice(LAYOUTS),
    help="json (default), markdown, log; may be repeated.",
)
@click.option("--root", default="", help="Another folder than .claude/memory for the json layout.")
@click.option("--off", is_flag=True, help="Take the vault away again; the memories stay in the store.")
@accept_option
@yes_option
def init(workspace: Workspace, *, as_json: bool, layouts: Any, accept: str, off: bool, yes: bool, root: str) -> None:  # noqa: ANN401
    """Keep the memories of this project as files in the repository, and take in the ones that are there.

    Memories that came with the repository are shown first, and taken in when you agree.
    """
    if off:
        _switch_off(workspace, as_json=as_json, yes=yes)
        return
    if accept:
        refuse_agents("init --accept")
    root = root or _other_root(workspace, as_json=as_json)
    report = workspace.init(layouts, root=root, accept=accept or _agreed(workspace, "init", as_json=as_json))
    if not as_json:
        names = ", ".join(workspace.settings.config.vault.layouts)
        click.echo(f"The vault is on in {workspace.root} (layout {names}).")
        if workspace.settings.config.vault.layouts == ("markdown",):
            click.echo(
                "Kinds with fields (decision, runbook …) stay in the store; add --layout json to see them as files."
            )
    print_report(report, as_json=as_json)


def _other_root(workspace: Workspace, *, as_json: bool) -> str:
    """Propose another folder where Claude's own notes are in ours; return it if the person agrees."""
    proposed = workspace.proposed_root()
    if as_json or proposed in (JSON_ROOT, workspace.settings.config.vault.root):
        return ""
    click.echo(f"Claude's own notes are in {JSON_ROOT}.")
    if sys.stdin.isatty():
        return proposed if click.confirm(f"Keep memories in {proposed} instead?", default=True) else ""
    click.echo(f"They are left alone. To keep memories elsewhere: recollect init --root {proposed}")
    return ""


def _switch_off(workspace: Workspace, *, as_json: bool, yes: bool) -> None:
    confirm(f"Remove the memory files from {workspace.root}? The memories stay in the store.", yes=yes)
    kept = workspace.switch_off()
    if as_json:
        output.print_json({"vault": "off", "kept": kept})
        return
    click.echo(
        f"The vault is off in {workspace.root}. The memories are in the store; `recollect init` writes them again."
    )
    for path in kept:
        click.echo(f"left in place, changed since it was taken in: {output.visible(path)}")
    if workspace.context.checkout.has_history:
        click.echo("If you commit the removal, the memories are retired for others who share this vault.")


@command("trust")
@click.option("--dry-run", is_flag=True, help="Show what would be taken in, and the hash for --accept.")
@click.option("--settings", "settings_only", is_flag=True, help="Trust the project's settings, not its memories.")
@accept_option
def trust(workspace: Workspace, as_json: bool, dry_run: bool, settings_only: bool, accept: str) -> None:
    """Trust the memories and settings that came with this clone, and the project that it says it is.

    Shows what would be taken in and asks. Without a terminal, memories that came with the clone need --accept with
    the hash that --dry-run prints. No file in the repository is written.
    """
    if dry_run:
        print_preview(workspace.trust_preview(), as_json=as_json)
        return
    refuse_agents("trust")
    if not settings_only:
        accept = accept or _agreed(workspace, "trust", as_json=as_json)
    report = workspace.trust(accept=accept, settings_only=settings_only)
    if not as_json:
        what = "settings of " if settings_only else ""
        click.echo(f"Trusted: {what}{workspace.root}")
    print_report(report, as_json=as_json)


def _agreed(workspace: Workspace, verb: str, *, as_json: bool) -> str:
    """Show a foreign vault and ask; return its hash if the person agrees, nothing where nobody can be asked."""
    if as_json or not sys.stdin.isatty() or not workspace.has_foreign_vault:
        return ""
    found = workspace.trust_preview()
    print_preview(found, as_json=False)
    click.confirm(f"Take them in with `{verb}`?", abort=True)
    return found.hash


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more


def print_preview(found: Preview, *, as_json: bool) -> None:
    """Print what trusting would take in."""
    if as_json:
        output.print_json({name: getattr(found, name) for name in found.__slots__})
        return
    kinds = ", ".join(f"{number} {kind}" for kind, number in found.kinds.items())
    click.echo(f"{found.memories} memories{f': {kinds}' if kinds else ''}")
    for line in found.strongest:
        click.echo(f"  {output.visible(line)}")
    left = found.always - len(found.strongest)
    rows = (
        (left > 0, f"and {left} more that would be told at every session start"),
        (found.claim, f"it says that it is {found.claim}: it would be told that project's memories"),
        (found.settings, f"settings: {_some(found.settings)}"),
        (found.told, f"told at session start: {_some(found.told)}"),
        (found.unreadable, f"{found.unreadable} files cannot be read"),
    )
    for is_there, line in rows:
        if is_there:
            click.echo(output.visible(line))
    click.echo(f"To accept this without a terminal: --accept {found.hash}")


@command("reconcile")
def reconcile(workspace: Workspace, as_json: bool) -> None:
    """Take in what changed in the vault, and put its index and tags in order; silent when all is well."""
    print_report(workspace.reconcile(), as_json=as_json)


@main.group("config", invoke_without_command=True, epilog=EXIT_CODES)
@json_option
@click.pass_context
def config_group(ctx: click.Context, as_json: bool) -> None:
    """Print every setting with its value and where it came from."""
    if ctx.invoked_subcommand:
        return
    with opened(as_json=as_json) as workspace:
        rows = list(_settings(workspace))
    if as_json:
        output.print_json([dict(zip(("setting", "value", "origin", "help"), row, strict=True)) for row in rows])
    else:
        output.print_table(["setting", "value", "origin", "help"], [[row[0], str(row[1]), *row[2:]] for row in rows])


def _settings(workspace: Workspace) -> list[tuple[str, Any, str, str]]:
    rows = []
    for section in config.Config.model_fields:
        values = getattr(workspace.settings.config, section)
        if section == "kinds":
            found = [(f"kinds.{name}", own.folder, own.says) for name, own in values.items()]
        else:
            fields = type(values).model_fields
            found = [(f"{section}.{name}", _plain(getattr(values, name)), _help(fields[name])) for name in fields]
        rows += [(name, value, workspace.settings.origins.get(name, "default"), says) for name, value, says in found]
    return rows


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump()
    return list(value) if isinstance(value, tuple) else value


def _help(field: FieldInfo) -> str:
    """Its sentence; a setting that no part of the program reads yet says so."""
    later = field.json_schema_extra.get("later") if isinstance(field.json_schema_extra, dict) else None
    return f"{field.description or ''}{' (not used yet)' if later else ''}"


def _is_json(ctx: click.Context) -> bool:
    return bool(ctx.parent and ctx.parent.params.get("as_json"))  # `config --json kinds` is meant as well


@config_group.command("kinds", epilog=EXIT_CODES)
@json_option
@click.pass_context
def config_kinds(ctx: click.Context, as_json: bool) -> None:
    """List the kinds of memories, and the fields of each."""
    as_json = as_json or _is_json(ctx)
    with opened(as_json=as_json) as workspace:
        rows = [
            [kind.name, kind.folder or "", ", ".join(kind.content.model_fields), kind.says]
            for kind in workspace.kinds.values()
        ]
    heads = ["kind", "folder", "fields", "says"]
    if as_json:
        output.print_json([dict(zip(heads, row, strict=True)) for row in rows])
    else:
        output.print_table(heads, rows)


@config_group.command("schemas", epilog=EXIT_CODES)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@json_option
@click.pass_context
def config_schemas(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Write the JSON Schema of every kind that has files, and of their common fields, to FOLDER."""
    as_json = as_json or _is_json(ctx)
    with opened(as_json=as_json) as workspace:
        base = json_file.base_schema(workspace.kinds.values())
        schemas = {
            kind.name.replace("_", "-"): json_file.schema(kind) for kind in workspace.kinds.values() if kind.folder
        }
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskRefused(f"the folder cannot be made: {error.strerror}", target=folder) from None
    for name, schema in {"base": base, **schemas}.items():
        place = folder / f"{name}.schema.json"
        place.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", "utf-8")
        written.append(str(place))
    output.print_json(written) if as_json else click.echo("\n".join(written))


@main.command("doctor", epilog=EXIT_CODES)
@click.option(
    "--repair", is_flag=True, help="Set a damaged database aside and rebuild it from the journal and the vaults."
)
@json_option
@click.pass_context
def doctor(ctx: click.Context, repair: bool, as_json: bool) -> None:
    """Look at store, journal, vault and index, and say what to do; exit code 1 when something is wrong."""
    try:
        checks = opening.repair(ctx.obj) if repair else []
        with opened(as_json=as_json) as workspace:
            checks += workspace.doctor()
    except ConfigError as error:
        wrong = ", ".join(str(value) for key, value in error.details if key != "expected") or error.target
        checks = [Check("settings", is_well=False, says=f"{error.message}: {wrong}", fix=error.fix)]
    except StoreError as error:  # what waits for a better day can be told without it
        lost = Check("store", is_well=False, says=error.message, fix=error.fix)
        checks = [lost, *inbox_checks.check_inbox(paths.home(os.environ), system_clock(os.environ)())]
    if as_json:
        output.print_json([{name: getattr(check, name) for name in check.__slots__} for check in checks])
    else:
        for check in checks:
            mark = click.style("ok  ", fg="green") if check.is_well else click.style("look", fg="yellow")
            click.echo(f"{mark}  {check.name.ljust(12)} {output.visible(check.says)}")
            for detail in check.details:
                click.echo(click.style(f"      {'':12} {output.visible(detail)}", dim=True))
            if check.fix:
                click.echo(f"      {'':12} {click.style(check.fix, bold=True)}")
    ctx.exit(0 if all(check.is_well for check in checks) else 1)
