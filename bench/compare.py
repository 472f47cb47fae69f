"""What hooks cost beside another checkout of recollect, by turns: `python bench/compare.py OTHER [-n 30]`.

OTHER is a checkout with its own `.venv`. Each version has a store of its own with the same memories. The figures are
ratios of medians, in CPU time (which a busy machine hardly changes) and in time on the clock.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run import texts

MEMORIES = 2_000
HOOK = """
import json
try:
    from recollect.setup.install import hook_words
except ImportError:  # before the folders were renamed
    from recollect.lifecycle.install import hook_words
print(json.dumps(hook_words()))
"""
BUILD = """
import json, sys, recollect
from recollect import Note
with recollect.open(".") as space:
    space.remember_all([Note(text) for text in json.load(sys.stdin)])
    space.reindex()
"""


class Version:
    """One checkout, its store and its hook command."""

    def __init__(self, checkout: Path, folder: Path, repo: Path, said: list[str]) -> None:
        self.python = str(checkout / ".venv" / "bin" / "python")
        home = {"RECOLLECT_HOME": str(folder / "store"), "HOME": str(folder), "RECOLLECT_INSIDE": ""}
        self.env = {"PATH": os.environ["PATH"], **home}
        folder.mkdir()
        self._run([self.python, "-c", BUILD], json.dumps(said).encode(), cwd=repo)
        words = json.loads(self._run([self.python, "-c", HOOK], b"", cwd=repo))
        self.command = [self.python, *words, "claude-code"]

    def _run(self, command: list[str], given: bytes, cwd: Path) -> bytes:
        return subprocess.run(command, input=given, env=self.env, cwd=cwd, check=True, capture_output=True).stdout

    def cost(self, event: str, said: bytes) -> tuple[float, float]:
        """CPU seconds and seconds on the clock of one hook."""
        began = time.perf_counter()
        process = subprocess.Popen(
            [*self.command, event],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.env,
        )
        assert process.stdin is not None
        process.stdin.write(said)
        process.stdin.close()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        return used.ru_utime + used.ru_stime, time.perf_counter() - began


def events(repo: Path, said: list[str], number: int) -> dict[str, bytes]:
    """Events as Claude Code sends them."""
    words = said[number * 37 % len(said)].split()
    output = {"stdout": "\n".join(said[:40]), "stderr": "", "interrupted": False}
    large = {"stdout": "\n".join(said * 4)[:1_000_000], "stderr": "", "interrupted": False}
    base = {"session_id": f"s{number}", "cwd": str(repo), "transcript_path": ""}
    shell = {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_use_id": f"t{number}"}
    made = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": f"why does {' '.join(words[3:9])} fail?", "prompt_id": f"p{number}"},
        "PreToolUse": shell,
        "PostToolUse": {**shell, "tool_response": output},
        "PostToolUse of 1 MB": {**shell, "tool_response": large},
    }
    return {
        name: json.dumps({**base, "hook_event_name": name.split()[0], **more}).encode() for name, more in made.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("-n", type=int, default=30, help="runs of each event")
    chosen = parser.parse_args()
    said = texts(MEMORIES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repo = folder / "repo"
        repo.mkdir()
        subprocess.run(["git", "init", "-q", str(repo)], check=True)
        here = Path(sys.prefix).parent
        versions = {
            where: Version(where, folder / f"home{n}", repo, said) for n, where in enumerate((here, chosen.other))
        }
        costs: dict[tuple[str, Path], list[tuple[float, float]]] = {}
        for number in range(chosen.n):
            for event, given in events(repo, said, number).items():
                for where, version in versions.items():
                    costs.setdefault((event, where), []).append(version.cost(event.split()[0], given))
    print(f"{'event':<22} {'CPU':>6} {'clock':>6}   this checkout over {chosen.other}")
    for event in events(repo, said, 0):
        mine, theirs = costs[event, here], costs[event, chosen.other]
        ratios = [statistics.median(c[k] for c in mine) / statistics.median(c[k] for c in theirs) for k in (0, 1)]
        print(f"{event:<22} {ratios[0]:>5.2f}x {ratios[1]:>5.2f}x")


if __name__ == "__main__":
    main()
