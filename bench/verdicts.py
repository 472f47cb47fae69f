"""Measure verdicts on labelled histories: `make bench-verdicts` (seeds 100 to 109; `--tune` for 0 to 9).

`--files N` instead times one check of a repository with N files and 2,000 memories.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS)]

from validation.histories import REPORTED, TUNED  # noqa: E402
from validation.labelled import Figures, measured  # noqa: E402

import recollect  # noqa: E402
from recollect import Note  # noqa: E402

BAR = 0.95


def accuracy(seeds: range) -> bool:
    """Print the figures of each seed and of all; return whether the bar holds and nothing gone is FRESH."""
    total = Figures()
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            found = measured(Path(folder), seed, Path(folder) / "store")
        print(f"seed {seed}: {found.right} of {found.total} right")
        total.right, total.total = total.right + found.right, total.total + found.total
        total.wrong += found.wrong
        total.fresh_but_gone += found.fresh_but_gone
    print("\n".join(total.wrong))
    print(f"accuracy {total.accuracy:.4f} of {total.total}; FRESH though gone: {len(total.fresh_but_gone)}")
    return total.accuracy >= BAR and not total.fresh_but_gone


def timing(files: int, memories: int = 2_000) -> None:
    """Print how long one check takes in a large repository, beside a bare `git ls-files` and `git grep`."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        for number in range(files):
            place = root / f"src/part{number % 300}/file_{number}.py"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"def worker_{number}(job):\n    return job\n" * 5, "utf-8")
        for command in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
        ):
            subprocess.run(["git", *command], cwd=root, check=True, env={"PATH": os.environ["PATH"], "HOME": folder})
        with recollect.open(root, home=Path(folder) / "store") as space:
            space.remember_all(
                Note(f"`worker_{7 * number}` in src/part{7 * number % 300}/file_{7 * number}.py is slow, case {number}")
                for number in range(memories)
            )
            for name in ("first", "second"):
                started = time.monotonic()
                found = space.validate()
                print(f"{name} check: {time.monotonic() - started:.1f} s, {found.counts()} {found.problem}")
        started = time.monotonic()
        subprocess.run(["git", "grep", "-c", "worker_7"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        print(f"git grep for one word: {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--files", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.files:
        timing(chosen.files)
    else:
        sys.exit(0 if accuracy(TUNED if chosen.tune else REPORTED) else 1)
