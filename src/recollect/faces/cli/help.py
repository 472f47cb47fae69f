"""`recollect help`: the same pages as `--help`."""

import click

from recollect.faces.cli.main import ALL, EXIT_CODES, main


@main.command("help", epilog=EXIT_CODES)
@click.argument("command", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Also list commands that agents and other programs call.")
@click.pass_context
def show_help(ctx: click.Context, command: tuple[str, ...], everything: bool) -> None:
    """List the commands, or explain one: `recollect help show`."""
    top = ctx.find_root()
    found: click.Command = main
    place = top
    for name in command:
        child = found.get_command(place, name) if isinstance(found, click.Group) else None
        if child is None:
            known = found.list_commands(place) if isinstance(found, click.Group) else []
            raise click.UsageError(f"there is no command {' '.join(command)!r}. Known: {', '.join(known)}.")
        place, found = click.Context(child, info_name=name, parent=place), child
    top.meta[ALL] = everything
    click.echo(found.get_help(place))
