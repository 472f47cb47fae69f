"""What redaction costs: ratios against another checkout (`--against PATH`), and growth with the size of hostile input.

Both checkouts run by turns in processes of their own, so that noise strikes them alike; the median of `--runs` counts.
`python bench/redact.py --against ../before` prints a line for each input; the bar is 1.10.
"""

import argparse
import json
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

SIZE = 1_000_000
TOKEN = "ghp_" + "q7Zx2Lm9Kd4Rv8Tn3Wc6Hb5Yj0Fs1GpAbC2d"[:36]
CHILD = """
import sys, time
sys.path.insert(0, sys.argv[1])
from recollect.hooks.redaction import redact as hot
detectors = {"hot": hot}
if "full" in sys.argv[2:]:
    from recollect.policy.secrets import detector
    detectors["full"] = lambda data: detector.redact(data.decode("utf-8", "replace"))
for line in sys.stdin:
    name, place = line.split()
    data = open(place, "rb").read()
    began = time.process_time()
    detectors[name](data)
    print(time.process_time() - began, flush=True)
"""
HOSTILE = {
    "quotes": '"\\"' * 400_000,
    "equals": "a=" * 500_000,
    "dashes": " --p -p" * 150_000,
    "base64 soup": "QUJDRGVm0Kpw+key/" * 60_000,
    "names": "password token key secret " * 40_000,
    "assignments": 'password="token=' * 60_000,
    "table heads": "id,password\n" * 80_000,
    "columns": "| token | key |\n" * 60_000,
    "colours": "\x1b[0mpassword\x1b[1m=" * 50_000,
    "inserts": "(token) values (" * 60_000,
    "urls": "://a:b@" * 140_000,
    "pem": "-----BEGIN PRIVATE KEY-----\n" * 35_000,
    "env": "cat .env\nA=b\n" * 70_000,
    "backslashes": "\\" * 1_000_000,
    "secrets": f"TOKEN={TOKEN}\n" * 20_000,
}


def source() -> str:
    """Ordinary text: the sources of Python's library."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    parts, size = [], 0
    for path in sorted(folder.glob("*.py")):
        parts.append(path.read_text("utf-8", "replace"))
        size += len(parts[-1])
        if size > SIZE:
            break
    return "".join(parts)[:SIZE]


def inputs() -> dict[str, bytes]:
    """What is redacted: an event around ordinary text, the same with secrets, a log, and a small event."""
    text = source()
    lines = text.splitlines()
    log = "\n".join(f"2026-01-05T10:11:{n % 60:02d}Z INFO worker {n} took {n * 37 % 911} ms" for n in range(20_000))
    mixed = "\n".join(f"{line}\nAPI_TOKEN={TOKEN}" if n % 4_000 == 0 else line for n, line in enumerate(lines))
    small = "\n".join(lines[:60])
    return {
        name: event(said)
        for name, said in (("source", text), ("source with secrets", mixed), ("log", log), ("small", small))
    }


def event(said: str) -> bytes:
    """An event of a tool as a client sends it."""
    told = {"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": {"stdout": said}}
    return json.dumps(told).encode()


def child(checkout: Path, *which: str) -> "subprocess.Popen[str]":
    words = [sys.executable, "-c", CHILD, str(checkout / "src"), *which]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(process: "subprocess.Popen[str]", name: str, place: Path) -> float:
    """One measurement, in seconds of processor time."""
    process.stdin.write(f"{name} {place}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def compare(against: Path, runs: int, which: list[str], folder: Path) -> None:
    """Ratios of this checkout to another one, by input."""
    ours, theirs = child(Path(__file__).parent.parent, *which), child(against, *which)
    for name, data in inputs().items():
        place = folder / name.replace(" ", "-")
        place.write_bytes(data)
        for detector in which:
            number = runs if detector == "hot" else max(3, runs // 5)
            pairs = [(ask(theirs, detector, place), ask(ours, detector, place)) for _ in range(number)]
            before, now = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
            print(f"{detector} {name} ({len(data) // 1000} kB): {before:.1f} -> {now:.1f} ms, {now / before:.2f}x")
    ours.kill()
    theirs.kill()


def grow(which: list[str], folder: Path) -> None:
    """How much longer twice as much hostile input takes; 2 is linear."""
    ours = child(Path(__file__).parent.parent, *which)
    for name, text in HOSTILE.items():
        for detector in which:
            times = []
            for size in (len(text) // 2, len(text)):
                place = folder / "hostile"
                place.write_bytes(event(text[:size]))
                times.append(min(ask(ours, detector, place) for _ in range(3)))
            print(
                f"{detector} {name}: {times[1] * 1000:.0f} ms for 1 MB, twice the size takes {times[1] / times[0]:.1f}x"
            )
    ours.kill()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=Path)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--full", action="store_true", help="measure the full detector as well")
    parser.add_argument("--hostile", action="store_true", help="measure growth with hostile input")
    asked = parser.parse_args()
    which = ["hot", "full"] if asked.full else ["hot"]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        if asked.against:
            compare(asked.against, asked.runs, which, Path(folder))
        if asked.hostile:
            grow(which, Path(folder))
    print(f"took {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
