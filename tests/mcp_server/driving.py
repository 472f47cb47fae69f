"""A client of the server over stdio that says exactly what a test wants, wrong or right."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from builders import Box

PATIENCE_SECONDS = 60
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
STATELESS = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}


class Driver:
    """A running server, and what it says."""

    def __init__(self, box: Box, *options: str, cwd: Path | None = None, **variables: str) -> None:
        command = [sys.executable, "-P", "-m", "recollect.faces.mcp", *options]
        self.process = subprocess.Popen(
            command, cwd=cwd or box.root, env={**box.env, **variables},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._read = b""
        self._number = 0
        self.heard: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def say(self, message: object) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def hear(self) -> dict[str, Any]:
        """The next message of the server."""
        assert self.process.stdout
        end = time.monotonic() + PATIENCE_SECONDS
        while b"\n" not in self._read:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            assert ready, "no answer"
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            assert chunk, "the server is gone"
            self._read += chunk
        line, _, self._read = self._read.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        self.heard.append(found)
        return found

    def answer(self, id: object) -> dict[str, Any]:
        while (found := self.hear()).get("id") != id or "method" in found:
            pass
        return found

    def request(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Send a request and do not wait; its id."""
        self._number += 1
        self.say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        return self._number

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.request(method, params))

    def start(self, version: str = "2025-11-25", **capabilities: Any) -> dict[str, Any]:
        client = {"name": "driver", "version": "1"}
        found = self.ask("initialize", {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client})
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = found["result"]
        return result

    def call(self, tool: str, meta: dict[str, Any] | None = None, /, **arguments: Any) -> tuple[str, bool]:
        """The text of a tool's result, and whether it is an error."""
        more = {"_meta": meta} if meta else {}
        result = self.ask("tools/call", {"name": tool, "arguments": arguments, **more})["result"]
        [content] = result["content"]
        assert content["type"] == "text"
        assert "structuredContent" not in result
        return content["text"], result["isError"]

    def says(self, tool: str, /, **arguments: Any) -> str:
        text, is_error = self.call(tool, **arguments)
        assert not is_error, text
        return text

    def fails(self, tool: str, /, **arguments: Any) -> str:
        text, is_error = self.call(tool, **arguments)
        assert is_error, text
        assert "Next step: " in text
        return text

    def end(self) -> int:
        """Close the input, as a client does; the server's exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def driving(box: Box, *options: str, cwd: Path | None = None, **variables: str) -> Iterator[Driver]:
    """A server that is gone after the test, and had nothing to log."""
    box.home.mkdir(0o700, exist_ok=True)
    box.rest()  # no worker outlives the test
    driver = Driver(box, *options, cwd=cwd, **variables)
    try:
        yield driver
        assert driver.process.poll() is None or driver.process.returncode == 0
    finally:
        driver.process.kill()
        driver.process.wait()
        for pipe in (driver.process.stdin, driver.process.stdout, driver.process.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
    log = box.home / "hook.log"
    assert not log.exists(), log.read_text()


def handle_of(text: str) -> str:
    """The handle in an answer of `remember`, or of the first line of `recall`."""
    if text.startswith(("created: ", "updated: ", "unchanged: ")):
        return text.split()[1]
    return handles_of(text)[0]


def handles_of(text: str) -> list[str]:
    """The handles of the lines of `recall`; a question mark before one says that it matches weakly."""
    return [line.removeprefix("- ").removeprefix("? ").split()[0] for line in text.splitlines() if line[:2] == "- "]
