"""Commands around hooks: hook, drain, why, run."""

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from recollect import paths
from recollect.errors import BadInput, StoreBusy
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.shared import command
from recollect.failsafe import failsafe
from recollect.hooks import dispatch
from recollect.hooks.event import Reply
from recollect.interop import launcher
from recollect.library.open_workspace import open as open_workspace
from recollect.library.workspace import Workspace
from recollect.pipeline import worker
from recollect.pipeline.inbox_processor import catch_up
from recollect.pipeline.inbox_processor import drain as drain_inbox

BLOCKS = " Also 2: the agent should not stop yet; the reason is on standard error."


@main.command("hook", epilog=f"{EXIT_CODES}{BLOCKS}")
@click.argument("client", default="claude-code")
@click.argument("event", default="")
def hook(client: str, event: str) -> None:
    """Answer one hook event of a client.

    Reads the event's JSON from standard input and writes the answer to standard output. For scripts and other clients;
    `recollect install` sets up a faster way to do the same.
    """
    raw = sys.stdin.buffer.read()
    home = paths.home(os.environ)
    failsafe(home, "hook", _freshen)
    reply = Reply()
    answer = failsafe(home, event or "hook", dispatch.run, client, event, raw, os.environ, reply)
    click.echo(answer or "", nl=bool(answer))
    if answer is not None and reply.block:
        click.echo(reply.block, err=True, nl=False)
        raise SystemExit(dispatch.BLOCKED)


def _freshen() -> None:
    """Open the workspace once, which saves the current settings where hooks read them."""
    if not any(os.environ.get(name) for name in dispatch.RECURSION):
        open_workspace(click.get_current_context().obj, actor="hook", warn=lambda _: None).close()


@main.command("drain", epilog=EXIT_CODES)
@json_option
def drain(as_json: bool) -> None:
    """Process waiting hook events now.

    The background worker does this by itself after each turn.
    """
    home = paths.home(os.environ)
    holder = worker.take_lock(home)
    if holder is None:
        raise StoreBusy("a worker is already processing the events", target=home, fix="Wait until it is done.")
    with output.progress("Processing events:", as_json=as_json) as tick:
        done = drain_inbox(tick)
    os.close(holder)
    if done.done:
        failsafe(home, "reindex", catch_up)
    if as_json:
        output.print_json({"drained": done.done, "dropped": done.dropped, "aside": done.aside, "waiting": done.waiting})
        return
    counts = f"{len(done.dropped)} dropped, {len(done.waiting)} still waiting"
    click.echo(f"{output.number(done.done, 'event')} processed, {counts}")
    for name, reason in (*done.dropped.items(), *done.waiting.items()):
        click.echo(click.style(f"  {name}: {output.visible(reason)}", dim=True))
    for name in done.aside:
        click.echo(click.style(f"  {name} failed and was set aside; `recollect doctor` says more", fg="yellow"))


@command("why")
@click.argument("receipt", default="last")
def why(workspace: Workspace, as_json: bool, receipt: str) -> None:
    """Show which memories were injected, which were not, and why.

    RECEIPT is the id of one injection; default: the last one. It is in the <memory-context> block of the prompt, and
    in `recollect session tail`.
    """
    found = workspace.receipt(None if receipt == "last" else receipt)
    if found is None and receipt == "last":
        fix = "Run `recollect doctor` to check the hooks, and `recollect drain` to process waiting events."
        raise BadInput("nothing has been injected in this project yet", target=receipt, fix=fix)
    if found is None:
        fix = "`recollect session tail --no-follow` lists receipts; `recollect drain` processes waiting events."
        raise BadInput("there is no receipt with this id", target=receipt, fix=fix)
    if as_json:
        output.print_json(asdict(found))
        return
    when = datetime.fromtimestamp(found.at, UTC)
    pairs = {
        "receipt": found.id,
        "time": f"{when:%Y-%m-%d %H:%M:%S} UTC",
        "event": found.event,
        "session": found.session,
        "recall": f"{found.profile} {found.state}".strip(),
        "words": ", ".join(f"{word} {worth:.1f}" for word, worth in found.words.items()),
        "injected": f"{len(found.shown)} of {len(found.candidates)} considered, about {found.tokens} tokens",
    }
    output.print_pairs(pairs)
    for candidate in found.candidates:
        _print_candidate(candidate)


def _print_candidate(candidate: dict[str, Any]) -> None:
    """Print one memory of a receipt: injected or left out with the reason, its scores, and their parts."""
    is_injected = candidate["verdict"] == "shown"
    mark = click.style("+", fg="green") if is_injected else click.style("-", dim=True)
    about = click.style(f"{candidate['kind']}  {candidate['uid']}", dim=True)
    result = "injected" if is_injected else f"left out: {output.visible(candidate['verdict'])}"
    share = f"covers {candidate['coverage']:.0%} of the question"
    points = f"score {candidate['score']:.2f}  evidence {candidate['evidence']:.1f}  {share}"
    click.echo(f"{mark} {output.visible(candidate['title'])}  {about}")
    click.echo(f"  {result}")
    if candidate["score"]:
        click.echo(click.style(f"  {points}", dim=True))
    parts = "  ".join(f"{name} {value:g}" for name, value in candidate.get("parts", {}).items())
    if parts:
        click.echo(click.style(f"  {parts}", dim=True))


@main.command(
    "run", epilog=EXIT_CODES, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_obj
def run(folder: str, program: Sequence[str]) -> None:
    """Start a coding agent: `recollect run -- claude …`.

    Before it starts, changed vault files are read and the number of the session is shown. After it ends, the temporary
    files of its sessions are removed.
    """
    home, found = paths.home(os.environ), launcher.find(program[0], os.environ)
    number = failsafe(home, "run", _prepare, folder)
    env = {**os.environ, "AGENT_HOOK_ID": os.urandom(4).hex(), "AGENT_TERMINAL_PID": str(os.getppid())}
    if number is not None:
        click.echo(click.style(f"recollect: session {number + 1}", dim=True), err=True)
        launcher.announce(f"session {number + 1}", env)
    raise SystemExit(launcher.run([found, *program[1:]], env, home))


def _prepare(folder: str) -> int:
    """Read changed vault files; return the number of the last session."""
    with open_workspace(folder, actor="run", warn=lambda _: None) as workspace:
        if workspace.standing.uses_vault:
            workspace.reconcile()
        return workspace.session_number
