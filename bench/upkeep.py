"""Measure what upkeep costs: weigh, compress and forget, as ratios to reading every memory once through the store.

Each size runs in a process of its own, so that its memory can be told. The clusters of near duplicates are a tenth.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from recollect.library.open_workspace import open as open_workspace
from recollect.library.workspace import Workspace
from recollect.model import clock, text
from recollect.model.content import Text
from recollect.model.memory import Memory
from recollect.model.query import Query

SIZES = (2_000, 20_000)
MOST_READS, MOST_MEGABYTES, MOST_GROWTH = 3.0, 200, 14.0
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
WORDS = 30_000
"""Different words; as in real texts, the n-th is used about 1/n as often as the first."""


def memories(number: int, project: str) -> list[Memory]:
    """Return memories of several kinds and ages; every tenth repeats an earlier one with other numbers."""
    rng = random.Random(7)
    words = [f"{rng.choice('bcdfghklmnprst')}{rng.choice('aeiou')}{number:x}" for number in range(WORDS)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(WORDS)))
    made: list[Memory] = []
    for place in range(number):
        if place % 10 == 9 and len(made) > 20:
            said = f"{made[-rng.randrange(1, 20)].text} Seen again in run {place}."
        else:
            said = (
                ". ".join(" ".join(rng.choices(words, cum_weights=weights, k=12)).capitalize() for _ in range(5)) + "."
            )
        moment = NOW - timedelta(days=rng.randrange(2, 365), seconds=place)
        stamp = clock.stamp(moment)
        made.append(
            Memory(
                uid=text.new_uid(moment),
                slug=f"m{place}",
                kind=rng.choice(["note", "bugfix", "change", "learned"]),
                title=said[:60],
                content=Text(text=said),
                project=project,
                created_at=stamp,
                updated_at=stamp,
            )
        )
    return made


def measured(call: Callable[[], object]) -> float:
    """Return the seconds of processor time that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def run(number: int) -> dict[str, float]:
    """Return what a store of so many memories costs: seconds of reading and of each job, and megabytes.

    `first plan` and `first` are the first time, when everything is weighed and compared, and `archived` of them are
    written; the others are a day later.
    """
    day = [NOW - timedelta(days=1)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        with open_workspace(root, home=Path(folder) / "store", now=lambda: day[0]) as space:
            _fill(space, number)
            space.set_session_number(400)
            store, query = space.project_context.store, Query(project=space.project)
            read = min(measured(lambda: store.find(query)) for _ in range(2))
            planned: list[int] = []
            first_plan = measured(lambda: planned.extend(one.plan.closing for one in space.consolidate(dry_run=True)))
            first = measured(lambda: (space.consolidate(even_so=True), space.forget(force=True, even_so=True)))
            day[0] = NOW
            found = {
                "weigh": measured(lambda: space.run_job("weigh")),
                "compress": measured(lambda: space.run_job("compress")),
                "forget": measured(lambda: space.run_job("forget")),
            }
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures = {"read": read, "first plan": first_plan, "first": first, "archived": sum(planned)}
    return {**figures, **found, "megabytes": peak / 1_024}


def _fill(space: Workspace, number: int) -> None:
    store = space.project_context.store
    with store.writing():
        for memory in memories(number, space.project):
            store.put(memory, memory.revision())


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(run(int(sys.argv[1]))))
        return
    totals, is_good = [], True
    for size in SIZES:
        said = subprocess.run([sys.executable, __file__, str(size)], check=True, capture_output=True, text=True)
        found = json.loads(said.stdout)
        jobs = {name: found[name] for name in ("weigh", "compress", "forget")}
        totals.append(sum(jobs.values()))
        ratio = totals[-1] / found["read"]
        parts = ", ".join(f"{name} {seconds / found['read']:.2f}" for name, seconds in jobs.items())
        print(f"{size:>6,} memories: {ratio:.2f} times reading each once ({parts}), {found['megabytes']:.0f} MB")
        planning, whole = (found[name] / found["read"] for name in ("first plan", "first"))
        done = f"with the writing of {found['archived']:,.0f} archived memories {whole:.2f} times"
        print(f"        the first run compares all with all: planning takes {planning:.2f} times, {done}")
        is_good &= ratio <= MOST_READS and found["megabytes"] <= MOST_MEGABYTES
    growth = totals[-1] / totals[0]
    print(f"{SIZES[-1]:,} take {growth:.1f} times the time of {SIZES[0]:,} (at most {MOST_GROWTH:g})")
    is_good &= growth <= MOST_GROWTH
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    main()
