"""A whole turn of the real Claude Code, with hooks and without, by turns: `make bench-client`."""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS)]

from client.api import says, uses  # noqa: E402
from client.claude import Desk, program  # noqa: E402


def turn(desk: Desk, calls: int) -> float:
    """One prompt with some tool calls, from the start of the client to its end."""
    script = [uses("Bash", command=f"echo {n}") for n in range(calls)]
    began = time.perf_counter()
    desk.ask("Count for me, please", *script, says("Counted."))
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--calls", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(program(), Path(folder) / "home", Path(folder) / "shop")
        desk.home.mkdir()
        desk.root.mkdir()
        desk.git("init", "-q", "-b", "main")
        desk.recollect("init")
        times: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(options.runs):
            for is_on in (True, False):
                desk.recollect(*(("install", "claude-code") if is_on else ("uninstall",)), "--yes")
                times[is_on].append(turn(desk, options.calls))
                desk.settle()
        on, off = (statistics.median(times[is_on]) for is_on in (True, False))
        events = options.calls * 2 + 4
        print(
            f"a turn with {options.calls} tool calls: {off:.2f} s without hooks, {on:.2f} s with them: {on / off:.2f}x"
        )
        print(f"  about {(on - off) * 1000 / events:.0f} ms for each of the {events} hook calls")


if __name__ == "__main__":
    main()
