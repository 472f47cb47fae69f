"""The real Claude Code: installed once, run offline with a HOME, a repository and a scripted model of its own."""

import contextlib
import json
import os
import re
import select
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from client.api import PATIENCE_SECONDS, Api, Turn
from client.person import Person, fetch, words_of

VERSION = "2.1.325"
PACKAGE = f"@anthropic-ai/claude-code@{VERSION}"
BINARY = "node_modules/@anthropic-ai/claude-code-*/claude"
TOOLS = "Bash,Write,Read,Edit"
OFFLINE = {
    "ANTHROPIC_API_KEY": "dummy",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
}


def program() -> Path:
    """The client's binary."""
    return fetch(PACKAGE, BINARY)


@dataclass(frozen=True)
class Run:
    """What one run of the client printed, and what it asked the model."""

    code: int
    events: list[dict[str, Any]]
    err: str
    requests: list[dict[str, Any]]

    @property
    def text(self) -> str:
        """The last answer."""
        return str([event["result"] for event in self.events if event["type"] == "result"][-1])

    @property
    def session(self) -> str:
        return str(self.events[0]["session_id"])

    @property
    def failed_hooks(self) -> list[dict[str, Any]]:
        """Hooks that did anything but answer or keep silent."""
        ended = [event for event in self.events if event.get("subtype") == "hook_response"]
        return [hook for hook in ended if hook["outcome"] != "success" or hook["exit_code"] or hook["stderr"]]

    def told_by(self, event: str) -> str:
        """The context that the hooks of an event gave to the model."""
        ended = [hook for hook in self.events if hook.get("subtype") == "hook_response"]
        answers = [json.loads(hook["stdout"]) for hook in ended if hook["hook_event"] == event and hook["stdout"]]
        return "\n".join(answer["hookSpecificOutput"].get("additionalContext", "") for answer in answers)

    def told(self, request: int = 0) -> str:
        """Everything that the model is told in a request; where context stands in it depends on the model."""
        return words_of(self.requests[request]["messages"])

    def result(self, request: int) -> str:
        """What the model learns of the tool call before a request."""
        *_, content = (
            message["content"] for message in self.requests[request]["messages"] if message["role"] == "user"
        )
        return "\n".join(words_of(block["content"]) for block in content if block["type"] == "tool_result")


@dataclass(frozen=True)
class Desk(Person):
    """A person with Claude Code."""

    client = "claude-code"

    @property
    def env(self) -> dict[str, str]:
        return {**super().env, **OFFLINE}

    @property
    def client_settings(self) -> Path:
        return self.home / ".claude" / "settings.json"

    def ask(self, prompt: str, *turns: Turn, flags: tuple[str, ...] = (), cwd: Path | None = None) -> Run:
        """Run the client on one prompt, without a terminal; the model follows the turns, no hook is in the way."""
        rights = ("--allowedTools", TOOLS, "--permission-mode", "acceptEdits")
        printed = ("--output-format", "stream-json", "--verbose", "--include-hook-events")
        with Api(turns) as api:
            done = subprocess.run(
                [self.binary, "-p", prompt, *rights, *printed, *flags],
                cwd=cwd or self.root,
                env={**self.env, "ANTHROPIC_BASE_URL": api.url},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
            )
        run = Run(done.returncode, list(map(json.loads, done.stdout.splitlines())), done.stderr, api.requests)
        assert (run.code, run.err, run.failed_hooks, api.unsaid) == (0, "", [], [])
        return run

    @contextlib.contextmanager
    def sit_down(self, *turns: Turn) -> "Iterator[tuple[Terminal, Api]]":
        """Start the client in a terminal, past its first-time questions; the model follows the turns."""
        seen = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
            "projects": {str(self.root): seen},
        }
        (self.home / ".claude.json").write_text(json.dumps(answers))
        with Api(turns) as api:
            env = {**self.env, "TERM": "xterm-256color", "ANTHROPIC_BASE_URL": api.url}
            with Terminal([str(self.binary)], self.root, env) as terminal:
                terminal.see(Terminal.READY)
                yield terminal, api
            assert not api.unsaid


class Terminal:
    """A program in a pseudo-terminal: what it shows is read, what it is to read is typed."""

    READY = "\u276f"  # stands before the line that one types
    IDLE = "✳ Claude Code"  # the window's title between turns

    def __init__(self, command: list[str], cwd: Path, env: dict[str, str]) -> None:
        self._master, slave = os.openpty()
        self._shown = b""
        self._process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)

    def see(self, *words: str) -> None:
        """Wait until all of these have been shown since a key was last pressed."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not all("".join(part.split()) in _plain(self._shown) for part in words):
            assert self._read(end), (words, _plain(self._shown))

    def type(self, keys: str) -> None:
        """Press keys."""
        self._shown = b""
        os.write(self._master, keys.encode())

    def submit(self, line: str) -> None:
        """Type a line, and Enter once it stands there: keys that come all at once would be taken for a paste."""
        self.type(line)
        self.see(line)
        self.type("\r")

    def leave(self) -> int:
        """Wait for the program's end; its exit code."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self._read(end):
            pass
        return self._process.wait(PATIENCE_SECONDS)

    def _read(self, end: float) -> bool:
        """Read what comes next; False when the time is up or nothing will come any more."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        try:
            found = os.read(self._master, 65536) if ready else b""
        except OSError:  # Linux's way to say that nobody holds the other end any more
            return False
        self._shown += found
        return bool(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)


def _plain(shown: bytes) -> str:
    """What a screen shows, titles included, without colours, movements and gaps."""
    text = shown.decode("utf-8", "ignore")
    text = re.sub(r"\x1b\]\d+;([^\x07]*)\x07", r"\1", text)
    return "".join(re.sub(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|.)", "", text).split())
