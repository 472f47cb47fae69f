"""What clients call, and what shows a person what they were told: hook, drain, why, run."""

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from recollect import folders
from recollect.cli import output
from recollect.cli.face import command
from recollect.cli.main import EXIT_CODES, json_option, main
from recollect.errors import BadInput, StoreBusy
from recollect.hooks import dispatch
from recollect.hooks.event import Reply
from recollect.interop import launcher
from recollect.library.opening import open as open_workspace
from recollect.library.workspace import Workspace
from recollect.pipeline import worker
from recollect.pipeline.inbox_processor import catch_up
from recollect.pipeline.inbox_processor import drain as drain_inbox

BLOCKS = " Also 2: the turn is not to end yet, for the reason on standard error."


@main.command("hook", epilog=f"{EXIT_CODES}{BLOCKS}")
@click.argument("client", default="claude-code")
@click.argument("event", default="")
def hook(client: str, event: str) -> None:
    """Answer a client's event: its JSON on standard input, the answer on standard output.

    `recollect install` wires a faster way to the same; this one is for scripts and other clients.
    """
    raw = sys.stdin.buffer.read()
    home = folders.home(os.environ)
    dispatch.failsafe(home, "hook", _freshen)
    reply = Reply()
    answer = dispatch.failsafe(home, event or "hook", dispatch.run, client, event, raw, os.environ, reply)
    click.echo(answer or "", nl=bool(answer))
    if answer is not None and reply.block:
        click.echo(reply.block, err=True, nl=False)
        raise SystemExit(dispatch.BLOCKED)


def _freshen() -> None:
    """Let the settings of today hold: opening leaves them where hooks look."""
    if not any(os.environ.get(name) for name in dispatch.RECURSION):
        open_workspace(click.get_current_context().obj, actor="hook", warn=lambda _: None).close()


@main.command("drain", epilog=EXIT_CODES)
@json_option
def drain(as_json: bool) -> None:
    """Work through the events that wait, now; a worker does it by itself after each turn."""
    home = folders.home(os.environ)
    holder = worker.take_lock(home)
    if holder is None:
        raise StoreBusy("a worker is at it already", target=home, fix="Wait a moment.")
    with output.progress("draining", as_json=as_json) as tick:
        done = drain_inbox(tick)
    os.close(holder)
    if done.done:
        dispatch.failsafe(home, "reindex", catch_up)
    if as_json:
        output.print_json({"drained": done.done, "dropped": done.dropped, "aside": done.aside, "waiting": done.waiting})
        return
    click.echo(f"{done.done} events drained, {len(done.dropped)} dropped, {len(done.waiting)} waiting")
    for name, why in (*done.dropped.items(), *done.waiting.items()):
        click.echo(click.style(f"  {name}: {output.visible(why)}", dim=True))
    for name in done.aside:
        click.echo(click.style(f"  {name} was set aside", fg="yellow"))


@command("why")
@click.argument("receipt", default="last")
def why(workspace: Workspace, as_json: bool, receipt: str) -> None:
    """What an agent was told, out of what, and why: the last time, or by a receipt's number.

    A receipt's number stands in a prompt's <memory-context> block, in `session tail`, and in `why --json`.
    """
    found = workspace.receipt(None if receipt == "last" else receipt)
    if found is None and receipt == "last":
        fix = "`recollect doctor` says whether hooks are called; `recollect drain` takes in what waits."
        raise BadInput("no agent has been told anything here yet", target=receipt, fix=fix)
    if found is None:
        fix = "`recollect session tail --no-follow` lists what there is; `recollect drain` takes in what waits."
        raise BadInput("there is no such receipt", target=receipt, fix=fix)
    if as_json:
        output.print_json(asdict(found))
        return
    when = datetime.fromtimestamp(found.at, UTC)
    pairs = {
        "receipt": found.id,
        "when": f"{when:%Y-%m-%d %H:%M:%S} UTC",
        "event": found.event,
        "session": found.session,
        "recall": f"{found.profile} {found.state}".strip(),
        "looked for": ", ".join(f"{word} {worth:.1f}" for word, worth in found.words.items()),
        "shown": f"{len(found.shown)} of {len(found.candidates)} weighed, about {found.tokens} tokens",
    }
    output.print_pairs(pairs)
    for weighed in found.candidates:
        _print_weighed(weighed)


def _print_weighed(weighed: dict[str, Any]) -> None:
    is_shown = weighed["verdict"] == "shown"
    mark = click.style("shown  " if is_shown else "left   ", fg="green" if is_shown else None, dim=not is_shown)
    points = f"score {weighed['score']:.2f}  evidence {weighed['evidence']:.1f}  covers {weighed['coverage']:.0%}"
    parts = "  ".join(f"{name} {value:g}" for name, value in weighed.get("parts", {}).items())
    reason = "" if is_shown else f"  {weighed['verdict']}"
    uid = click.style(str(weighed["uid"]), dim=True)
    click.echo(f"{mark}{output.visible(weighed['title'])}  {uid}")
    click.echo(click.style(f"       {weighed['kind']}  {points if weighed['score'] else ''}{reason}", dim=True))
    if parts:
        click.echo(click.style(f"       {parts}", dim=True))


@main.command(
    "run", epilog=EXIT_CODES, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_obj
def run(folder: str, program: Sequence[str]) -> None:
    """Start an agent with a session of its own: `recollect run -- claude …`.

    The vault is put in order, the session's number is announced, and what the session leaves behind is cleaned up.
    """
    home, found = folders.home(os.environ), launcher.find(program[0], os.environ)
    number = dispatch.failsafe(home, "run", _prepare, folder)
    env = {**os.environ, "AGENT_HOOK_ID": os.urandom(4).hex(), "AGENT_TERMINAL_PID": str(os.getppid())}
    if number is not None:
        click.echo(click.style(f"recollect: session {number + 1}", dim=True), err=True)
        launcher.announce(f"session {number + 1}", env)
    raise SystemExit(launcher.run([found, *program[1:]], env, home))


def _prepare(folder: str) -> int:
    """Put the vault in order; the number of the last session."""
    with open_workspace(folder, actor="run", warn=lambda _: None) as workspace:
        if workspace.standing.uses_vault:
            workspace.reconcile()
        return workspace.session_number
