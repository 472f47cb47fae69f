"""The command `recollect doctor`: check the store, the vault and the hooks."""

import os
from pathlib import Path

import click

from recollect import paths
from recollect.errors import ConfigError, StoreError
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import opened
from recollect.library import open_workspace
from recollect.opening.open_checkout import system_clock
from recollect.setup.doctor import inbox_checks
from recollect.setup.doctor.check import Check


@main.command("doctor", epilog=EXIT_CODES)
@click.option("--repair", is_flag=True, help="Set a damaged database aside; rebuild it from journal and vaults.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, repair: bool, as_json: bool) -> None:
    """Check the store, the vault and the hooks, and suggest fixes.

    Each line is `ok` or `look`, which needs attention; the line below it says what to do. Exit code 1 if a check fails.
    """
    try:
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
        for check in checks:
            mark = click.style("ok  ", fg="green") if check.is_well else click.style("look", fg="yellow")
            click.echo(f"{mark}  {check.name.ljust(12)} {output.visible(check.says)}")
            for detail in check.details:
                click.echo(click.style(f"      {'':12} {output.visible(detail)}", dim=True))
            if check.fix:
                click.echo(f"      {'':12} {click.style(check.fix, bold=True)}")
    ctx.exit(0 if all(check.is_well for check in checks) else 1)
