"""LetsGo's surface: memory, and the facts and the timeline of a project."""

import json
import sys
from typing import Any

import click

from recollect.cli import output
from recollect.cli.face import command
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.errors import RecollectError
from recollect.library.opening import open as open_workspace
from recollect.library.workspace import Workspace
from recollect.policy.memories.requests import OPERATIONS


@main.command("memory", epilog=f"Operations: {', '.join(OPERATIONS)}.\n{EXIT_CODES}")
@click.argument("request", required=False)
@json_option
@click.pass_context
def memory(ctx: click.Context, request: str | None, as_json: bool) -> None:
    """The memory tool of an agent: one JSON object in, one out.

    REQUEST is {"operation": "store_memory", "content": …} and the like; `-` or nothing reads standard input. Prints
    {"success": true, "output": …} on one line, or {"success": false, "error": {"message": …}} and exit code 1.
    """
    source = sys.stdin.buffer.read().decode("utf-8-sig", "replace") if request in (None, "-") else str(request)
    try:
        asked = json.loads(source)
    except (ValueError, RecursionError) as error:
        reply: dict[str, Any] = {"success": False, "error": {"message": f"the request is not JSON: {error}"}}
    else:
        reply = _answer(ctx.obj, asked)
    click.echo(json.dumps(reply, ensure_ascii=False, indent=2 if as_json else None))
    ctx.exit(0 if reply["success"] else 1)


def _answer(folder: str, asked: object) -> dict[str, Any]:
    """An agent reads standard output: what stops the program is an answer too."""
    try:
        with open_workspace(folder, actor="agent") as workspace:
            return workspace.memory(asked)
    except RecollectError as error:
        return {"success": False, "error": {"message": error.message, "code": error.code, "fix": error.fix}}


@main.group("fact", epilog=EXIT_CODES)
def fact() -> None:
    """Facts: subject, predicate and object, with how sure they are."""


@command("add", fact)
@click.argument("subject")
@click.argument("predicate")
@click.argument("object")
@click.option("--confidence", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="How sure it is.")
@click.option("--source", help="The memory that it was learnt from: its name or id.")
def add(workspace: Workspace, as_json: bool, **parts: Any) -> None:  # noqa: ANN401
    """State a fact; the same one again refreshes how sure it is."""
    outcome = workspace.state(**parts)
    output.print_facts([outcome.fact], as_json=as_json, action=outcome.action)


@command("list", fact)
@click.option("--subject", help="Only with this subject.")
@click.option("--predicate", help="Only with this predicate.")
@click.option("--object", help="Only with this object.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), default=0.0, help="Only as sure as this.")
@click.option("--limit", "-n", type=click.IntRange(1, 1_000_000), help="At most that many, newest first.")
def list_facts(workspace: Workspace, as_json: bool, **filters: Any) -> None:  # noqa: ANN401
    """List facts, newest first."""
    output.print_facts(workspace.facts(**filters), as_json=as_json)


@command("rm", fact)
@click.argument("uid", metavar="ID")
@click.option("--reason", "-r", default="No reason provided", help="Why.")
def remove(workspace: Workspace, as_json: bool, uid: str, reason: str) -> None:
    """Take a fact back; `undo` states it again."""
    outcome = workspace.retract(uid, reason)
    output.print_facts([outcome.fact], as_json=as_json, action=outcome.action)


@command("timeline")
@click.option("--session", help="Only of this session.")
@click.option("--since", help="Only from this time on: 2026-01-31, or with a time of day.")
@click.option("--until", help="Only before this time.")
@click.option(
    "--limit", "-n", type=click.IntRange(1, 1_000_000), default=50, show_default=True, help="The last so many."
)
def timeline(workspace: Workspace, as_json: bool, **filters: Any) -> None:  # noqa: ANN401
    """What was learnt, in the order in which it came; of one session, its whole story."""
    found = workspace.timeline(**filters)
    story = workspace.story(str(filters["session"])) if filters["session"] and not as_json else []
    if story:
        output.print_story(story)
    elif as_json:
        output.print_json([output.as_dict(one) for one in found])
    else:
        output.print_timeline(found)
