"""The command `recollect doctor`: check the store, the vault and the hooks."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from recollect import paths
from recollect.errors import ConfigError, StoreError
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.progress import progress
from recollect.faces.cli.shared import opened
from recollect.library import open_workspace
from recollect.opening.open_checkout import system_clock
from recollect.setup.doctor import inbox_checks
from recollect.setup.doctor.check import Check

SUMMARY = ("store", "project", "vault", "hooks", "recall", "repair", "rescan")
"""The checks of which a line is shown although all is well."""
NAME_WIDTH = 14


@main.command("doctor", epilog=EXIT_CODES)
@click.option("--repair", is_flag=True, help="Set a damaged database aside; rebuild it from journal and vaults.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check, with its details.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, repair: bool, verbose: bool, as_json: bool) -> None:
    """Check the store, the vault and the hooks, and suggest fixes.

    What is wrong comes first, each with the command that mends it, then what you may want to know. Exit code 1 if a
    check fails.
    """
    try:
        with progress("Checking", as_json=as_json):
            checks = open_workspace.repair(ctx.obj) if repair else []
            with opened(as_json=as_json) as workspace:
                checks += workspace.doctor()
    except ConfigError as error:
        settings = ", ".join(str(value) for key, value in error.details if key != "expected") or error.target
        checks = [Check("settings", is_well=False, says=f"{error.message}: {settings}", fix=error.fix)]
    except StoreError as error:  # the events that wait can be counted without the store
        failed = Check("store", is_well=False, says=error.message, fix=error.fix)
        checks = [failed, *inbox_checks.check_inbox(Path(paths.home(os.environ)), system_clock(os.environ)())]
    if as_json:
        output.print_json([{name: getattr(check, name) for name in check.__slots__} for check in checks])
    else:
        _print_checks(checks, verbose=verbose)
    ctx.exit(0 if all(check.is_well for check in checks) else 1)


def _print_checks(checks: Sequence[Check], *, verbose: bool) -> None:
    """Print what is wrong, then notes with a next step, then the rest: in full, or the main lines and the names."""
    problems = [check for check in checks if not check.is_well]
    notes = [check for check in checks if check.is_well and check.fix]
    rest = [check for check in checks if check.is_well and not check.fix]
    if problems:
        verb = "needs" if len(problems) == 1 else "need"
        click.echo(click.style(f"{output.number(len(problems), 'thing')} {verb} attention", bold=True))
    else:
        click.echo(click.style("All is well", fg="green", bold=True))
    for check in (*problems, *notes):
        _print_check(check, verbose=verbose)
    shown = [check for check in rest if verbose or check.name in SUMMARY]
    for check in shown:
        _print_check(check, verbose=verbose)
    names = ", ".join(dict.fromkeys(check.name for check in rest if check not in shown))
    if names:
        click.echo(click.style(output.prose(f"Also well: {names}. --verbose shows all."), dim=True))


def _print_check(check: Check, *, verbose: bool) -> None:
    mark = click.style("ok  ", fg="green") if check.is_well else click.style("look", fg="yellow")
    indent = " " * (6 + NAME_WIDTH)
    most_lines = 100 if verbose or not check.is_well else 2
    says = output.prose(output.visible(check.says), indent, most_lines).removeprefix(indent)
    click.echo(f"{mark}  {check.name.ljust(NAME_WIDTH)}{says}")
    for detail in check.details if verbose else ():
        click.echo(click.style(output.prose(output.visible(detail), indent), dim=True))
    if check.fix:
        click.echo(click.style(output.prose(check.fix, indent), bold=True))
