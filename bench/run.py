"""Compare writing and reading with plain SQLite, as ratios in one run: `make bench` (`--quick`: a tenth)."""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw

import recollect
from recollect import Note
from recollect.store.sqlite.migrations import MIGRATIONS

# Words as language has them: a few everywhere, most of them rare.
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
WORDS = [
    first + second + third for first in SYLLABLES for second in SYLLABLES[:20] for third in ("", "ter", "ning", "s")
]
SHARES = list(itertools.accumulate(1 / rank for rank in range(1, len(WORDS) + 1)))
EMPTY_CLICK = "import click\n@click.command()\ndef main(): pass\nmain()"


def texts(number: int, seed: int = 7) -> list[str]:
    chance = random.Random(seed)
    return [f"memory {n}: " + " ".join(chance.choices(WORDS, cum_weights=SHARES, k=60)) for n in range(number)]


def raw(folder: Path, said: list[str], batch: int) -> float:
    """Insert the same rows directly into SQLite with a full-text index; return the seconds."""
    db = apsw.Connection(str(folder / "raw.db"))
    db.execute("PRAGMA journal_mode=WAL; PRAGMA secure_delete=ON; PRAGMA synchronous=FULL")
    for _, script in MIGRATIONS:
        db.execute(script)
    with recollect.open(folder / "one", home=folder / "one") as space:
        made = space.remember(said[0], kind="change")
        row = list(space.project_context.store._rows("SELECT * FROM memories")[0])[1:]  # noqa: SLF001
    uid, revision = made.memory.uid, made.revision
    began = time.perf_counter()
    for start in range(0, len(said), batch):
        db.execute("BEGIN IMMEDIATE")
        for n, text in enumerate(said[start : start + batch], start):
            said_so = (f"slug-{n}", row[4], text[:80], text, row[7], f"{revision}{n}")
            values = (f"{uid[:-8]}{n:08d}", *row[1:3], *said_so, *row[9:13])
            db.execute(
                "INSERT INTO memories (uid, project, kind, slug, status, title, text, tags, digest, revision, created, "
                "expires, image) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                values,
            )
        db.execute("COMMIT")
    return (time.perf_counter() - began) / len(said)


def library(home: Path, said: list[str], batch: int, kind: str = "change") -> float:
    """Add the texts through the library, without a vault; return the seconds."""
    home.mkdir(exist_ok=True)
    with recollect.open(home, home=home) as space:
        space.remember("warm up", kind="change")
        began = time.perf_counter()
        for start in range(0, len(said), batch):
            space.remember_all([Note(text, kind=kind) for text in said[start : start + batch]])
        return (time.perf_counter() - began) / len(said)


def cold(command: list[str], env: dict[str, str], runs: int) -> float:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(command, env=env, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def line(name: str, ours: float, theirs: float, bar: float) -> None:
    ratio = ours / theirs
    verdict = "ok" if ratio <= bar else "OVER"
    print(f"{name:<58} {ours * 1e3:9.3f} ms {theirs * 1e3:9.3f} ms  {ratio:5.2f}x  (bar {bar}x) {verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    share = 10 if parser.parse_args().quick else 1
    print(f"{'':<58} {'ours':>12} {'reference':>12}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "one").mkdir()
        said = texts(4000 // share)
        for batch, bar, name in ((100, 4, "add in batches of 100"), (1, 6, "add one at a time")):
            part = said if batch > 1 else said[: 1000 // share]
            (folder / f"raw{batch}").mkdir()
            (folder / f"raw{batch}" / "one").mkdir()
            line(
                f"{name} / raw inserts with FTS",
                library(folder / f"lib{batch}", part, batch),
                raw(folder / f"raw{batch}", part, batch),
                bar,
            )
        tool(folder, said[: 800 // share])
        lines(folder, share)
        growth(folder, share)
        everyday(folder, share)


def stored(home: Path, said: list[str]) -> float:
    """Add the texts through the memory tool, one request each; return the seconds."""
    home.mkdir(exist_ok=True)
    with recollect.open(home, home=home) as space:
        space.memory({"operation": "store_memory", "content": "warm up"})
        began = time.perf_counter()
        for text in said:
            space.memory({"operation": "store_memory", "content": text, "type": "change", "tags": ["bench"]})
        return (time.perf_counter() - began) / len(said)


def by_turns(
    folder: Path, name: str, ours: Callable[[Path], float], theirs: Callable[[Path], float], bar: float
) -> None:
    """Run both in turns, five times; print the medians, so that noise of the machine affects both."""
    times = [(ours(folder / f"{name}-a{n}"), theirs(folder / f"{name}-b{n}")) for n in range(5)]
    line(name, statistics.median(a for a, _ in times), statistics.median(b for _, b in times), bar)


def tool(folder: Path, said: list[str]) -> None:
    by_turns(folder, "memory store, add one", lambda home: stored(home, said), lambda home: library(home, said, 1), 1.5)


def lines(folder: Path, share: int) -> None:
    said = texts(10_000 // share, seed=5)
    source = folder / "lines.jsonl"
    source.write_text("".join(json.dumps({"text": text, "tags": ["bench"]}) + "\n" for text in said), "utf-8")

    def imported(home: Path) -> float:
        home.mkdir(exist_ok=True)
        with recollect.open(home, home=home) as space:
            began = time.perf_counter()
            space.import_from(source)
            return (time.perf_counter() - began) / len(said)

    name = f"import {len(said):,} lines, add in batches of 500"
    by_turns(folder, name, imported, lambda home: library(home, said, 500, kind="note"), 2)


def growth(folder: Path, share: int) -> None:
    """Add the same texts in turns to a small store, new each time, and to a large one; print the ratio."""
    library(folder / "large", texts(100_000 // share, seed=2), 1000)
    at_small, at_large = [], []
    for number in range(5):
        probe = texts(1000 // share, seed=10 + number)
        library(folder / f"small-{number}", texts(1000 // share, seed=3), 1000)
        at_small.append(library(folder / f"small-{number}", probe, 100))
        at_large.append(library(folder / "large", probe, 100))
    name = f"add at {100_000 // share:,} memories / at {1000 // share:,}"
    line(name, statistics.median(at_large), statistics.median(at_small), 1.5)


def everyday(folder: Path, share: int) -> None:
    """Start the commands of every day cold on a large store, in turns with an empty click program."""
    number, home, place = 20_000 // share, folder / "cold", folder / "cold-project"
    place.mkdir()
    library_of(home, place, texts(number, seed=4))
    env = {**os.environ, "RECOLLECT_HOME": str(home), "HOME": str(home)}
    program = [str(Path(sys.executable).parent / "recollect"), "-C", str(place)]
    commands = {
        "list": (["list"], 2.5),
        "show": (["show", "memory-7-"], 2.5),
        "recall": (["recall", "where", "is", "bababa"], 2.5),
        "status": ([], 2.5),
        "--help": (["--help"], 2.0),
    }
    empty: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(max(5, 20 // share)):
        empty.append(cold([sys.executable, "-c", EMPTY_CLICK], env, 1))
        for name, (words, _) in commands.items():
            times[name].append(cold([*program, *words], env, 1))
    for name, (_, bar) in commands.items():
        label = f"{name} at {number:,} memories, cold / an empty click program"
        line(label, statistics.median(times[name]), statistics.median(empty), bar)


def library_of(home: Path, place: Path, said: list[str]) -> None:
    """Fill the store of a home with memories of a project, search vectors included."""
    with recollect.open(place, home=home) as space:
        for start in range(0, len(said), 1000):
            space.remember_all([Note(text) for text in said[start : start + 1000]])
        space.reindex()


if __name__ == "__main__":
    main()
