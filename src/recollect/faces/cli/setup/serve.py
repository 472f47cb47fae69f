"""The commands that serve the page: open, serve, and the tokens of `serve`."""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import click

from recollect.errors import ExtraMissing
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import command, refuse_agents
from recollect.faces.mcp.tool_table import SETS
from recollect.lazy import load
from recollect.library.tokens import Face, Scope
from recollect.library.workspace import Workspace

IDLE_MINUTES = 30
PORT = 8765


@main.command("open", epilog=EXIT_CODES)
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="Use this port, not any free one.")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.option(
    "--idle-minutes", type=click.FloatRange(0), default=IDLE_MINUTES, show_default=True,
    help="End after this long without a request; 0: never.",
)  # fmt: skip
@json_option
@click.pass_context
def open_(ctx: click.Context, /, port: int, no_browser: bool, idle_minutes: float, as_json: bool) -> None:
    """Open the page of this project in your browser.

    It is served to this machine alone, and ends when nobody has looked at it for a while. The link works once. Where
    there is no browser, it is printed.
    """
    refuse_agents("open")

    def announce(started: Any) -> None:  # noqa: ANN401 - the server's types need the extra
        is_shown = not no_browser and _server().open_browser(started.link)
        _print_link(started, as_json=as_json, is_shown=is_shown)

    _serve(ctx.obj, announce, idle_minutes, port=port)


@main.group("serve", invoke_without_command=True, epilog=EXIT_CODES)
@click.option("--bind", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The IP address to serve on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0: any free port.")
@click.option("--host", "names", metavar="NAME", multiple=True, help="A further name of this machine in the network.")
@click.option("--tls-cert", "certificate", metavar="FILE", default="", help="The certificate, in PEM format.")
@click.option("--tls-key", "key", metavar="FILE", default="", help="The key of the certificate, in PEM format.")
@click.option(
    "--idle-minutes", type=click.FloatRange(0), default=0, show_default=True,
    help="End after this long without a request; 0: never.",
)  # fmt: skip
@click.option("--mcp", is_flag=True, help="Also serve this project's memory to agents, over MCP at /mcp.")
@click.option("--tools", type=click.Choice(sorted(SETS)), multiple=True, help="With --mcp: which tools; several times.")
@json_option
@click.pass_context
def serve(ctx: click.Context, /, idle_minutes: float, as_json: bool, **address: Any) -> None:  # noqa: ANN401
    """Serve the page, and with --mcp memory to agents.

    Ctrl-C ends it.     Other machines can connect only with --bind, and that needs a certificate and at least one token
    (`recollect serve token add`).
    """
    if ctx.invoked_subcommand:
        return
    refuse_agents("serve")
    has_mcp, sets = address.pop("mcp"), address.pop("tools")
    if sets and not has_mcp:
        raise click.UsageError("--tools needs --mcp.")
    tools = (sets or ("default",)) if has_mcp else ()
    _serve(ctx.obj, lambda started: _print_link(started, as_json=as_json), idle_minutes, tools, **address)


def _serve(
    folder: str, announce: Callable[[Any], None], idle_minutes: float, mcp_tools: Sequence[str] = (), **address: Any  # noqa: ANN401
) -> None:  # fmt: skip
    where, start = _server().Address(**address), _extra("recollect.faces.serve.start")
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how a person ends it
        start.serve(folder, where, announce, idle_seconds=idle_minutes * 60, mcp_tools=mcp_tools)


def _server() -> Any:  # noqa: ANN401 - a module
    return _extra("recollect.faces.serve.server")


def _extra(module: str) -> Any:  # noqa: ANN401 - a module
    """Load a module that needs the extra; raises ExtraMissing where it is not installed."""
    try:
        return load(module)
    except ModuleNotFoundError as error:
        raise ExtraMissing.of("page", error.name) from None


def _print_link(started: Any, *, as_json: bool, is_shown: bool = False) -> None:  # noqa: ANN401
    """Print where the page is. Where a browser shows it, the link is used already, so only the address is printed."""
    if as_json:  # as it is: the link's secret is the point
        places = {"page": started.page, "link": started.link, "mcp": started.mcp}
        click.echo(json.dumps({**places, "is_shown": is_shown}))
        return
    if is_shown:
        click.echo(f"The page is open in your browser: {started.page}")
        click.echo("If no window came, run `recollect open --no-browser`; it prints a link.")
    else:
        click.echo(f"Open this link within ten minutes; it works once:\n{started.link}")
    if started.mcp:
        click.echo(f"MCP, with a token that was made with `--for mcp`: {started.mcp}")
    click.echo("Ctrl-C ends it.")


@serve.group("token", invoke_without_command=True, epilog=EXIT_CODES)
@json_option
@click.pass_context
def token(ctx: click.Context, as_json: bool) -> None:
    """Add, list and revoke the tokens with which others sign in; without a command, list them."""
    if not ctx.invoked_subcommand:
        ctx.invoke(list_, as_json=as_json)


@command("add", parent=token)
@click.argument("name")
@click.option(
    "--scope", type=click.Choice(["read", "write"]), default="read", show_default=True, help="What it allows."
)
@click.option(
    "--for", "face", type=click.Choice(["page", "mcp"]), default="page", show_default=True,
    help="What it opens: the page, or MCP over HTTP.",
)  # fmt: skip
def add(workspace: Workspace, as_json: bool, name: str, scope: Scope, face: Face) -> None:
    """Make a token and print it, this once.

    The store keeps only its hash.
    """
    refuse_agents("serve token add")
    made = workspace.add_token(name, scope=scope, face=face)
    if as_json:  # not through `output`, which would redact the secret
        click.echo(json.dumps({**asdict(made.token), "secret": made.secret}, indent=2))
        return
    click.echo(f"{click.style('added', fg='green', bold=True)} {name}: may {scope}, for {face}", err=True)
    click.echo("It is shown this once:", err=True)
    click.echo(made.secret)


@command("list", parent=token)
def list_(workspace: Workspace, as_json: bool) -> None:
    """List the tokens: what each allows, when it was made and last used."""
    found = workspace.tokens()
    if as_json:
        output.print_json([asdict(row) for row in found])
        return
    rows = [[row.name, row.scope, row.face, row.created_at, row.used_at or "never"] for row in found]
    output.print_table(["name", "scope", "for", "added", "used"], rows)


@command("revoke", parent=token)
@click.argument("name")
def revoke(workspace: Workspace, as_json: bool, name: str) -> None:
    """Delete a token; a running server refuses it from the next request on."""
    refuse_agents("serve token revoke")
    gone = workspace.revoke_token(name)
    if as_json:
        output.print_json({"revoked": asdict(gone)})
        return
    click.echo(f"{click.style('revoked', fg='yellow', bold=True)} {output.visible(gone.name)}")
