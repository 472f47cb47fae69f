"""The real Gemini CLI: installed once, run offline with a HOME, a repository and a scripted model of its own."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from client.api import PATIENCE_SECONDS, GenerateContent, Turn
from client.person import Person, fetch, words_of

VERSION = "0.61.0"
PACKAGE = f"@google/gemini-cli@{VERSION}"
SCRIPT = "node_modules/@google/gemini-cli/bundle/gemini.js"
SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False},
}


def program() -> Path:
    """The client's script."""
    return fetch(PACKAGE, SCRIPT)


@dataclass(frozen=True)
class Run:
    """What one run of the client printed, and what it asked the model."""

    events: list[dict[str, Any]]
    err: str
    requests: list[dict[str, Any]]

    @property
    def session(self) -> str:
        return str(self.events[0]["session_id"])

    @property
    def text(self) -> str:
        """What was answered."""
        said = [event for event in self.events if event["type"] == "message" and event["role"] == "assistant"]
        return "".join(event["content"] for event in said)

    def told(self, request: int = 0) -> str:
        """Everything that the model is told in a request."""
        return words_of(self.requests[request]["contents"])

    def result(self, request: int) -> str:
        """What the model learns of the tool call before a request."""
        return words_of(self.requests[request]["contents"][-1]["parts"])


@dataclass(frozen=True)
class Desk(Person):
    """A person with Gemini CLI, whose settings say how to work without a network."""

    client = "gemini"

    @property
    def env(self) -> dict[str, str]:
        return {**super().env, "GEMINI_API_KEY": "dummy", "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    @property
    def client_settings(self) -> Path:
        return self.home / ".gemini" / "settings.json"

    def set_up(self) -> bytes:
        """Write the client's settings; what they hold."""
        self.client_settings.parent.mkdir()
        self.client_settings.write_text(json.dumps(SETTINGS, indent=4))
        return self.client_settings.read_bytes()

    def ask(self, prompt: str, *turns: Turn) -> Run:
        """Run the client on one prompt, without a terminal; the model follows the turns."""
        node = shutil.which("node")
        if node is None:
            pytest.skip("node, which runs Gemini CLI, is not on this machine")
        how = ("-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--output-format", "stream-json")
        with GenerateContent(turns) as api:
            done = subprocess.run(
                [node, self.binary, *how, "-p", prompt],
                cwd=self.root,
                env={**self.env, "GOOGLE_GEMINI_BASE_URL": api.url},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=2 * PATIENCE_SECONDS,  # it takes seconds to start, and many of them on a busy machine
            )
        assert (done.returncode, api.unsaid) == (0, []), (done.stdout, done.stderr)
        assert "hook" not in done.stderr.lower(), done.stderr
        return Run(list(map(json.loads, done.stdout.splitlines())), done.stderr, api.requests)
