"""Commands around hooks: hook, drain, run."""

import os
import sys
from collections.abc import Sequence

import click

from recollect import paths
from recollect.errors import StoreBusy
from recollect.faces.cli import output
from recollect.faces.cli.main import EXIT_CODES, json_option, main
from recollect.faces.cli.progress import progress
from recollect.failsafe import failsafe
from recollect.hooks import dispatch
from recollect.hooks.event import Reply
from recollect.interop import launcher
from recollect.library.open_workspace import open as open_workspace
from recollect.pipeline import worker
from recollect.pipeline.inbox_processor import drain as drain_inbox
from recollect.pipeline.inbox_processor import run_jobs_after_draining

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
    if reply.warning:
        click.echo(reply.warning, err=True, nl=False)
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
    with progress("Processing events:", as_json=as_json) as tick:
        done = drain_inbox(tick)
    os.close(holder)
    if done.done:
        failsafe(home, "jobs", run_jobs_after_draining)
    if as_json:
        output.print_json({"drained": done.done, "dropped": done.dropped, "aside": done.aside, "waiting": done.waiting})
        return
    counts = f"{len(done.dropped)} dropped, {len(done.waiting)} still waiting"
    click.echo(f"{output.number(done.done, 'event')} processed, {counts}")
    for name, reason in (*done.dropped.items(), *done.waiting.items()):
        click.echo(click.style(f"  {name}: {output.visible(reason)}", dim=True))
    for name in done.aside:
        click.echo(click.style(f"  {name} failed and was set aside; `recollect doctor` says more", fg="yellow"))


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
