"""Commands of LetsGo's memory tool: memory, fact."""

import json
import sys
from typing import Any

import click

from recollect.errors import RecollectError
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import command
from recollect.library.open_workspace import open as open_workspace
from recollect.library.workspace import Workspace
from recollect.policy.memories.requests import OPERATIONS


@main.command("memory", epilog=f"Operations: {', '.join(OPERATIONS)}.\n{EXIT_CODES}")
@click.argument("request", required=False)
@json_option
@click.pass_context
def memory(ctx: click.Context, request: str | None, as_json: bool) -> None:
    """Run one request of the memory tool: JSON in, JSON out.

    REQUEST is a JSON object such as {"operation": "store_memory", "content": …}. Without it, or with `-`, it is read
    from standard input. Prints {"success": true, "output": …} on one line, or {"success": false, "error":
    {"message": …}} and exit code 1.
    """
    source = sys.stdin.buffer.read().decode("utf-8-sig", "replace") if request in (None, "-") else str(request)
    try:
        parsed = json.loads(source)
    except (ValueError, RecursionError) as error:
        reply: dict[str, Any] = {"success": False, "error": {"message": f"the request is not JSON: {error}"}}
    else:
        reply = _answer(ctx.obj, parsed)
    click.echo(json.dumps(reply, ensure_ascii=False, indent=2 if as_json else None))
    ctx.exit(0 if reply["success"] else 1)


def _answer(folder: str, request: object) -> dict[str, Any]:
    """Return the tool's reply; an error becomes a reply too, because an agent reads only standard output."""
    try:
        with open_workspace(folder, actor="agent") as workspace:
            return workspace.memory(request)
    except RecollectError as error:
        return {"success": False, "error": {"message": error.message, "code": error.code, "fix": error.fix}}


@main.group("fact", epilog=EXIT_CODES)
def fact() -> None:
    """Add, list and remove facts: subject, predicate, object."""


@command("add", fact)
@click.argument("subject")
@click.argument("predicate")
@click.argument("object")
@click.option("--confidence", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="How certain it is.")
@click.option("--source", help="The memory that the fact comes from: its name or id.")
def add(workspace: Workspace, as_json: bool, **parts: Any) -> None:  # noqa: ANN401
    """Add a fact, or update the confidence of an existing one."""
    outcome = workspace.add_fact(**parts)
    output.print_facts([outcome.fact], as_json=as_json, action=outcome.action)


@command("list", fact)
@click.option("--subject", help="Only with this subject.")
@click.option("--predicate", help="Only with this predicate.")
@click.option("--object", help="Only with this object.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), default=0.0, help="Only with at least this confidence.")
@click.option("--limit", "-n", type=click.IntRange(1, 1_000_000), help="Show at most this many.")
def list_facts(workspace: Workspace, as_json: bool, **filters: Any) -> None:  # noqa: ANN401
    """List facts, newest first."""
    output.print_facts(workspace.facts(**filters), as_json=as_json)


@command("rm", fact)
@click.argument("uid", metavar="ID")
@click.option("--reason", "-r", default="No reason provided", help="The reason, kept in its history.")
def remove(workspace: Workspace, as_json: bool, uid: str, reason: str) -> None:
    """Remove a fact; `undo` brings it back."""
    outcome = workspace.remove_fact(uid, reason)
    output.print_facts([outcome.fact], as_json=as_json, action=outcome.action)
