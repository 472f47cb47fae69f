"""Measure how long light commands take beside an empty click program: `make bench-start` (`--quick`: fewer runs).

Processor time of the process is measured, in turns, so that other work on the machine counts as little as possible.
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

from run import EMPTY_CLICK, texts

import recollect
from recollect import Note

PROGRAM = str(Path(sys.executable).parent / "recollect")
STARTING, LOOKING, OPENING = 2.0, 2.5, None
# Command → the most that it may take, as a multiple of an empty click program. Those without a bar open the whole
# project, because they write, check everything or read the table of settings: they load pydantic, which takes 3.4 times
# as long as an empty click program with a single model of one field.
COMMANDS: dict[str, float | None] = {
    "--version": STARTING,
    "--help": STARTING,
    "remember --help": STARTING,
    "completion bash": STARTING,
    "session": STARTING,
    "list": LOOKING,
    "show the-harbour-crane-is-yellow": LOOKING,
    "show always-use-pnpm-never-npm": LOOKING,
    "recall which colour has the harbour crane": LOOKING,
    "why": LOOKING,
    "why the-harbour-crane-is-yellow": LOOKING,
    "project": LOOKING,
    "project list": LOOKING,
    "": LOOKING,
    "config get recall.profile": OPENING,
    "jobs": OPENING,
    "pin the-harbour-crane-is-yellow": OPENING,
    "undo --dry-run": OPENING,
    "review": OPENING,
    "doctor": OPENING,
}


def cpu_ms(command: list[str], env: dict[str, str], cwd: Path) -> float:
    """Return the processor time of a command, in milliseconds."""
    nothing = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1, 2)]
    os.chdir(cwd)
    process = os.posix_spawn(command[0], command, env, file_actions=nothing)
    _, _, used = os.wait4(process, 0)
    return (used.ru_utime + used.ru_stime) * 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--memories", type=int, default=20_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "shop"
        root.mkdir()
        env = {"PATH": os.environ["PATH"], "HOME": folder, "RECOLLECT_HOME": f"{folder}/store"}
        build(root, Path(folder) / "store", chosen.memories)
        measure(root, env, runs=7 if chosen.quick else 25)


def build(root: Path, home: Path, number: int) -> None:
    """Fill a store with that many indexed memories."""
    said = texts(number)
    with recollect.open(root, home=home) as space:
        for start in range(0, number, 1_000):
            space.remember_all([Note(text) for text in said[start : start + 1_000]])
        space.remember("The harbour crane is yellow")
        space.remember("Always use pnpm, never npm", kind="preference", why="the lockfile is pnpm's")
        space.reindex()
        space.context("which colour has the harbour crane?", session="s1")
        space.observe({"event": "TurnEnded", "session": "s1", "answer": "yellow"})
        space.reindex()


def measure(root: Path, env: dict[str, str], runs: int) -> None:
    """Run every command in turns with an empty click program, and print the ratios of the medians."""
    empty: list[float] = []
    times: dict[str, list[float]] = {command: [] for command in COMMANDS}
    for _ in range(runs):
        empty.append(cpu_ms([sys.executable, "-c", EMPTY_CLICK], env, root))
        for command, found in times.items():
            found.append(cpu_ms([PROGRAM, *command.split()], env, root))
    base = statistics.median(empty)
    print(f"an empty click program: {base:.1f} ms of processor time (median of {runs})")
    for command, found in times.items():
        ratio, bar = statistics.median(found) / base, COMMANDS[command]
        verdict = "opens the project" if bar is None else f"(bar {bar:g}x)  {'ok' if ratio <= bar else 'OVER'}"
        print(f"  recollect {command:<45} {ratio:5.2f}x  {verdict}")


if __name__ == "__main__":
    main()
