"""Run an agent for `recollect run`: start it, show a desktop notification, and clean up after its session (A45)."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from recollect import paths
from recollect.errors import BadInput
from recollect.hooks import ledger, spawn

PID = "agent-{}.pid"


def find(program: str, env: Mapping[str, str]) -> str:
    """Return the path of a program; raises BadInput where there is none."""
    found = shutil.which(program, path=env.get("PATH"))
    if found is None:
        raise BadInput("there is no such program", target=program, fix="Install it, or put it on PATH.")
    return found


def run(program: Sequence[str], env: Mapping[str, str], home: str) -> int:
    """Run a program to its end, and clean up after its session; return its exit code."""
    runtime = Path(paths.runtime(home))
    runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
    prune(runtime)
    hook_id = env["AGENT_HOOK_ID"]
    mark = runtime / PID.format(hook_id)
    child = subprocess.Popen(program, env=dict(env))
    mark.write_text(str(child.pid), "utf-8")
    with _ignoring_interrupts():
        code = child.wait()
    mark.unlink(missing_ok=True)
    ledger.remove(home, hook_id)
    return code if code >= 0 else 128 - code


@contextlib.contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C: the agent handles it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def prune(runtime: Path) -> None:
    """Remove the files of sessions whose process is gone (A45)."""
    for mark in runtime.glob(PID.format("*")):
        with contextlib.suppress(ValueError, OSError):
            if not _is_alive(int(mark.read_text("utf-8"))):
                hook_id = mark.name.removeprefix("agent-").removesuffix(".pid")
                (runtime / f"recalled-{hook_id}").unlink(missing_ok=True)
                mark.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def announce(says: str, env: Mapping[str, str], *, seconds: int = 0) -> None:
    """Show a desktop notification, where a notifier exists; for so many seconds, or as long as the desktop likes."""
    notifier = shutil.which("notify-send", path=env.get("PATH"))
    if notifier:
        lasting = [f"--expire-time={seconds * 1_000}"] if seconds else []
        spawn.detached([notifier, *lasting, "--", "recollect", says], env)


def is_watched(env: Mapping[str, str]) -> bool:
    """Whether a launcher said that somebody watches this session (A32, A41)."""
    return bool(env.get("AGENT_TERMINAL_PID"))
