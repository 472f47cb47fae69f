"""Measure hooks as ratios to a bare interpreter start in the same run: `make bench-hook` (`--quick`: a tenth)."""

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run import texts

import recollect
from recollect import Note
from recollect.hooks import dispatch, inbox
from recollect.pipeline import inbox_processor, worker
from recollect.setup.install import hook_command

BARE = [sys.executable, "-I", "-S", "-E", "-c", "pass"]
BARS = {"prompt p50": 2.5, "prompt p95": 4.0, "tool note p50": 2.0, "session start p50": 4.0}


def payload(event: str, repo: Path, n: int, **more: object) -> bytes:
    """Return the JSON of an event as Claude Code sends it."""
    base = {"session_id": f"s{n}", "transcript_path": "", "cwd": str(repo), "hook_event_name": event}
    return json.dumps(base | {"prompt_id": f"p{n}"} | more).encode()


def timed(command: list[str], env: dict[str, str], said: bytes) -> float:
    began = time.perf_counter()
    subprocess.run(command, input=said, env=env, check=True, capture_output=True)
    return (time.perf_counter() - began) * 1000


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def build(repo: Path, number: int) -> list[str]:
    """Fill a store with that many memories; return their texts."""
    said = texts(number)
    with recollect.open(repo) as space:
        for start in range(0, number, 500):
            space.remember_all([Note(text) for text in said[start : start + 500]])
        for status in space.jobs():
            space.run_job(status.job.name)
    return said


def latency(repo: Path, said: list[str], runs: int) -> None:
    """Measure prompt, tool and session-start hooks in turns with a bare interpreter; print the ratios."""
    env = dict(os.environ)
    times: dict[str, list[float]] = {"bare": [], "prompt": [], "tool note": [], "session start": []}
    hook = [*hook_command(), "claude-code"]
    response = {"stdout": "\n".join(said[:40]), "stderr": "", "interrupted": False}
    for n in range(runs):
        words = said[n * 37 % len(said)].split()
        prompt = f"why does {' '.join(words[3:9])} fail when the {words[12]} changes?"
        tool = {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_response": response}
        times["bare"].append(timed(BARE, env, b""))
        asked = payload("UserPromptSubmit", repo, n, prompt=prompt)
        times["prompt"].append(timed([*hook, "UserPromptSubmit"], env, asked))
        noted = payload("PostToolUse", repo, n, tool_use_id=f"t{n}", **tool)
        times["tool note"].append(timed([*hook, "PostToolUse"], env, noted))
        started = payload("SessionStart", repo, n, source="startup")
        times["session start"].append(timed([*hook, "SessionStart"], env, started))
    bare = statistics.median(times["bare"])
    print(f"bare interpreter start: {bare:.1f} ms (median of {runs})")
    for name in ("prompt", "tool note", "session start"):
        for what, found in (("p50", statistics.median(times[name])), ("p95", p95(times[name]))):
            bar = BARS.get(f"{name} {what}")
            print(f"  {name} {what}: {found / bare:.2f}x" + (f"  (bar {bar:g}x)" if bar else ""))


def note(arguments: tuple[Path, int, int]) -> None:
    """Write a share of the events to the inbox, as a hook does, in one process."""
    repo, first, number = arguments
    for n in range(first, first + number):
        raw = payload("PostToolUse", repo, n, tool_use_id=f"c{n}", tool_name="Bash", tool_input={"command": "ls"})
        inbox.put(os.environ["RECOLLECT_HOME"], "claude-code", "PostToolUse", dispatch.redact(raw))


def crowd(repo: Path, number: int, real: int) -> None:
    """Let eight processes and real hooks write events at once; check that none is lost or doubled."""
    settle()
    with recollect.open(repo) as space:
        before = space.project_context.store._rows("SELECT count(*) FROM events")[0][0]  # noqa: SLF001
    share = number // 8
    hook = [*hook_command(), "claude-code", "PostToolUse"]
    began = time.perf_counter()
    with multiprocessing.Pool(8) as pool:
        noting = pool.map_async(note, [(repo, turn * share, share) for turn in range(8)])
        running: list[subprocess.Popen[bytes]] = []
        for n in range(real):
            said = payload(
                "PostToolUse", repo, n, tool_use_id=f"real{n}", tool_name="Read", tool_input={"file_path": "/a"}
            )
            process = subprocess.Popen(hook, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            process.stdin.write(said)
            process.stdin.close()
            running.append(process)
            if len(running) >= 8:
                running.pop(0).wait()
        for process in running:
            process.wait()
        noting.get()
    print(f"{number} events by 8 processes and {real} real hooks noted in {time.perf_counter() - began:.1f} s")
    settle()
    with recollect.open(repo) as space:
        kept = space.project_context.store._rows("SELECT count(*) FROM events")[0][0] - before  # noqa: SLF001
    print(f"  kept {kept} of {number + real}: {'none lost, none doubled' if kept == number + real else 'WRONG'}")


def drain_rate(repo: Path, number: int) -> None:
    """Measure events per second of one worker: mostly tool calls, a turn after every ten."""
    settle()
    holder = worker.take_lock(os.environ["RECOLLECT_HOME"])
    for n in range(number):
        turn = {"tool_use_id": f"d{n}", "tool_name": "Edit", "tool_input": {"file_path": f"{repo}/a{n}.py"}}
        what = ("PostToolUse", turn)
        if n % 10 == 0:
            what = ("UserPromptSubmit", {"prompt": f"question {n} about the orders"})
        elif n % 10 == 9:
            what = ("Stop", {"last_assistant_message": f"answer {n}: " + "word " * 60, "stop_hook_active": False})
        raw = payload(what[0], repo, n // 10, **what[1])
        inbox.put(os.environ["RECOLLECT_HOME"], "claude-code", what[0], raw)
    began = time.perf_counter()
    inbox_processor.drain()
    seconds = time.perf_counter() - began
    os.close(holder)
    print(
        f"{number} events processed in {seconds:.1f} s: {number / seconds:.0f} per second (bar 200), a tenth are turns"
    )


def settle() -> None:
    """Process events until none is waiting."""
    while inbox.waiting(os.environ["RECOLLECT_HOME"]):
        inbox_processor.drain()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--memories", type=int, default=10_000)
    quick = parser.parse_args().quick
    number = parser.parse_args().memories // (10 if quick else 1)
    with tempfile.TemporaryDirectory() as folder:
        repo = Path(folder) / "shop"
        repo.mkdir()
        kept = {"PATH": os.environ["PATH"], "HOME": folder, "RECOLLECT_HOME": f"{folder}/store"}
        os.environ.clear()
        os.environ.update(kept, RECOLLECT_DEADLINE_MS="5000")
        subprocess.run(["git", "init", "-q", str(repo)], check=True)
        said = build(repo, number)
        print(f"{number} memories")
        latency(repo, said, 20 if quick else 100)
        crowd(repo, 1_000 if quick else 10_000, 20 if quick else 200)
        drain_rate(repo, 500 if quick else 5_000)


if __name__ == "__main__":
    main()
