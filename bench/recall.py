"""Measure the cost of recall as a store grows: `make bench-recall` (`--quick`: a tenth; `--million`: a million too)."""

import argparse
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hook import BARE, p95, payload, timed
from run import EMPTY_CLICK

import recollect
from recollect.jobs import reindex, word_vectors
from recollect.model import clock
from recollect.model.content import Text
from recollect.model.memory import Memory
from recollect.model.recall_values import RecallScope
from recollect.recall import search
from recollect.recall.question import Question
from recollect.setup.install import hook_words
from recollect.store.hook_reader.store_reader import open_store
from recollect.store.sqlite.store import SqliteStore

NOW = 1_790_000_000.0
BATCH = 2_000
OF_A_SESSION = 8


def sentences(number: int, seed: int = 7) -> list[str]:
    """Return texts of forty words with a natural distribution: a few words are common, most are rare."""
    words = word_vectors.load().common_words()
    shares = list(itertools.accumulate(1 / (rank + 20) for rank in range(len(words))))
    chance = random.Random(seed)
    return [" ".join(chance.choices(words, cum_weights=shares, k=40)) for _ in range(number)]


def fill(store: SqliteStore, project: str, said: list[str]) -> float:
    """Fill a store with that many indexed memories; return the seconds that indexing took."""
    for start in range(0, len(said), BATCH):
        with store.writing(durable=False):
            for n, text in enumerate(said[start : start + BATCH], start):
                at = clock.stamp(clock.fixed("2026-01-01T00:00:00Z")().replace(second=n % 60, minute=n // 60 % 60))
                made = Memory(
                    uid=f"m{n:08d}", slug=f"m{n:08d}", kind="note", title=" ".join(text.split()[:8]),
                    content=Text(text=text), project=project, session=f"s{n // OF_A_SESSION}", created_at=at,
                    updated_at=at,
                )  # fmt: skip
                store.put(made, made.revision())
    began = time.perf_counter()
    reindex.run(store, lambda _: None)
    return time.perf_counter() - began


def prompts(said: list[str], number: int) -> list[str]:
    return [
        f"why does the {' '.join(said[n * 37 % len(said)].split()[3:9])} fail in staging since we changed it?"
        for n in range(number)
    ]


def in_process(database: Path, project: str, asked: list[str]) -> float:
    """Return the median processor time of a query in a running process, in milliseconds."""
    source = open_store(str(database)).recall_source()
    times = []
    for text in asked:
        began = time.process_time()
        search.find(source, Question(text, RecallScope(project, NOW)))
        times.append(1000 * (time.process_time() - began))
    return statistics.median(times)


def hooks(repo: Path, asked: list[str]) -> tuple[float, float, float]:
    """Return the median of a bare interpreter start, and median and p95 of the prompt hook, measured in turns."""
    hook = [sys.executable, *hook_words(), "claude-code", "UserPromptSubmit"]
    bare, found = [], []
    for n, text in enumerate(asked):
        bare.append(timed(BARE, dict(os.environ), b""))
        found.append(timed(hook, dict(os.environ), payload("UserPromptSubmit", repo, n, prompt=text)))
    return statistics.median(bare), statistics.median(found), p95(found)


def cold(repo: Path, question: str, runs: int) -> float:
    """Return the time of `recollect recall` from a shell, as a multiple of an empty click program."""
    ours, empty = [], []
    for _ in range(runs):
        empty.append(timed([sys.executable, "-c", EMPTY_CLICK], dict(os.environ), b""))
        ours.append(
            timed(
                [
                    sys.executable,
                    "-c",
                    "import sys; from recollect.faces.cli import main; main()",
                    "-C",
                    str(repo),
                    "recall",
                    question,
                ],
                dict(os.environ),
                b"",
            )
        )
    return statistics.median(ours) / statistics.median(empty)


def measure(folder: Path, number: int, runs: int) -> float:
    repo = folder / f"of-{number}"
    repo.mkdir()
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    os.environ["RECOLLECT_HOME"] = str(folder / f"store-{number}")
    said = sentences(number)
    with recollect.open(repo) as space:
        space.remember("The gateway listens on 8080")
        seconds = fill(space.project_context.store, space.project, said)
        project, database = space.project, space.project_context.store.path
    size = database.stat().st_size / 1e6
    print(f"{number:,} memories: indexed in {seconds:.0f} s ({number / seconds:,.0f} a second), {size:,.0f} MB")
    asked = prompts(said, runs)
    query = in_process(database, project, asked)
    print(f"  a query in process: {query:.1f} ms")
    bare, middle, late = hooks(repo, asked)
    bars = {10_000: "  (bars 3.5x, 5x)", 100_000: "  (bar 6x)"}.get(number, "")
    print(f"  prompt hook: p50 {middle / bare:.2f}x, p95 {late / bare:.2f}x of a bare start of {bare:.1f} ms{bars}")
    if number <= 10_000:
        times = cold(repo, asked[0], max(5, runs // 5))
        print(f"  cold `recollect recall`: {times:.2f}x an empty click program  (bar 5x)")
    return query


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--million", action="store_true")
    chosen = parser.parse_args()
    sizes = [1_000, 10_000] if chosen.quick else [10_000, 100_000, *([1_000_000] if chosen.million else [])]
    with tempfile.TemporaryDirectory() as folder:
        kept = {"PATH": os.environ["PATH"], "HOME": folder}
        os.environ.clear()
        os.environ.update(kept, RECOLLECT_DEADLINE_MS="20000", RECOLLECT_INSIDE="")
        found = [measure(Path(folder), size, 20 if chosen.quick else 60) for size in sizes]
    for size, query in zip(sizes[1:], found[1:], strict=True):
        print(f"a query at {size:,}: {query / found[0]:.2f}x that at {sizes[0]:,}  (bar 5x for ten times as many)")


if __name__ == "__main__":
    main()
