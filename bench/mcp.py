"""Measure the MCP server over stdio: `make bench-mcp` (`--memories 10000 100000`: the stores; `--clients 20`).

Prints the start until `initialize` is answered, as a ratio to a bare interpreter; a warm recall, as a ratio to the same
call through the library in the same run; the memory of an idle server; and many clients at once. Each bar is beside it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from recall import fill, prompts, sentences

import recollect

SERVER = [sys.executable, "-P", "-m", "recollect.faces.mcp"]
BARE = [sys.executable, "-c", "pass"]
READY, WARM, IDLE_MB = 3.0, 1.5, 80
PORTS = ("8080", "9443")
"""What each project's own memory names, which the other project's clients must not see."""
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Client:
    """A server and the requests to it."""

    def __init__(self, root: Path) -> None:
        env = {**os.environ, "RECOLLECT_MCP__CACHE_ANSWERS": "off"}
        self.process = subprocess.Popen(
            [*SERVER, "--project", str(root)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0

    def ask(self, method: str, params: dict) -> dict:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            found = json.loads(self.process.stdout.readline())
            if found.get("id") == self._number:
                return found["result"]

    def recall(self, question: str) -> str:
        return self.ask("tools/call", {"name": "recall", "arguments": {"question": question}})["content"][0]["text"]

    def rss_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1_000

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def ready(root: Path, runs: int) -> None:
    """Print how long a server takes until it has answered `initialize`, beside a bare interpreter."""
    bare, ours = [], []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(BARE, check=True)
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        client = Client(root)
        client.ask("initialize", HELLO)
        ours.append(time.perf_counter() - began)
        client.end()
    ratio = statistics.median(ours) / statistics.median(bare)
    print(f"ready: {ratio:.2f} x a bare interpreter ({statistics.median(ours) * 1000:.0f} ms), at most {READY}")


def warm(root: Path, asked: list[str]) -> None:
    """Print a warm recall over MCP beside the library's, asked in turns, and the memory of the server."""
    client = Client(root)
    client.ask("initialize", HELLO)
    start = client.rss_mb()
    ours, library = [], []
    with recollect.open(root) as space:
        for question in asked[:5]:
            client.recall(question), space.recall(question)
        own_cpu, their_cpu = time.process_time(), client.cpu_seconds()
        for question in asked:
            began = time.perf_counter()
            client.recall(question)
            between = time.perf_counter()
            space.recall(question)
            ours.append(between - began)
            library.append(time.perf_counter() - between)
        own_cpu, their_cpu = time.process_time() - own_cpu, client.cpu_seconds() - their_cpu
    ratio = statistics.median(ours) / statistics.median(library)
    times = f"{statistics.median(ours) * 1000:.1f} ms, library {statistics.median(library) * 1000:.1f} ms"
    print(
        f"warm recall: {ratio:.2f} x the library ({times}), at most {WARM}; of its CPU time {their_cpu / own_cpu:.2f} x"
    )
    print(f"memory: {start:.0f} MB before the first call, {client.rss_mb():.0f} MB idle after, at most {IDLE_MB}")
    client.end()


def at_once(roots: list[Path], asked: list[str], number: int) -> None:
    """Print how long each of many clients waits for ten answers, when all ask at once, each in its own project."""
    waits: list[float] = []
    strays: list[str] = []

    def work(place: int) -> None:
        client = Client(roots[place % len(roots)])
        client.ask("initialize", HELLO)
        client.recall(asked[place])  # opens the project
        began = time.perf_counter()
        for question in asked[place : place + 10]:
            assert client.recall(question)
        waits.append(time.perf_counter() - began)
        for at, port in enumerate(PORTS[: len(roots)]):
            if (f"on {port}" in client.recall(f"The gateway listens on {port}")) != (at == place % len(roots)):
                strays.append(str(place))
        client.end()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    slowest = f"the slowest {max(waits):.1f} s ({max(waits) / statistics.median(waits):.2f} x the median)"
    print(f"{number} clients in {len(roots)} projects at once: {len(waits)} answered ten questions each;")
    print(f"  the quickest took {min(waits):.1f} s, {slowest}; {len(strays)} missed their own memory or saw another's")


def project(root: Path, port: str, said: list[str]) -> None:
    """Make a repository with memories, one of which only its own clients may see."""
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with recollect.open(root) as space:
        space.remember(f"The gateway listens on {port}")
        fill(space.project_context.store, space.project, said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--runs", type=int, default=15)
    chosen = parser.parse_args()
    for number in chosen.memories:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a worker may still write
            root, other = Path(folder) / "shop", Path(folder) / "bank"
            os.environ["RECOLLECT_HOME"] = f"{folder}/store"
            said = sentences(number)
            project(root, PORTS[0], said)
            project(other, PORTS[1], said[:1_000])
            print(f"-- {number:,} memories")
            ready(root, chosen.runs)
            warm(root, prompts(said, 60))
            at_once([root, other], prompts(said, 60), chosen.clients)


if __name__ == "__main__":
    main()
