"""The real Codex: installed once, run offline with a HOME, a repository and a scripted model of its own."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.api import PATIENCE_SECONDS, Responses, Turn
from client.person import Person, fetch, words_of

VERSION = "0.166.0"
PACKAGE = f"@openai/codex@{VERSION}"
BINARY = "node_modules/@openai/codex-*/vendor/*/bin/codex"
MODEL = "gpt-5.5"  # one of the few that call their tools one by one; to the others they are functions of a script
CONFIG = """
model = "{model}"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
"""
# A person would look at the hooks and trust them in the client's own dialog, which a run without a terminal has not.
TRUST = "--dangerously-bypass-hook-trust"
RIGHTS = "--dangerously-bypass-approvals-and-sandbox"


def program() -> Path:
    """The client's binary."""
    return fetch(PACKAGE, BINARY)


@dataclass(frozen=True)
class Run:
    """What one run of the client printed, and what it asked the model."""

    events: list[dict[str, Any]]
    requests: list[dict[str, Any]]

    @property
    def session(self) -> str:
        return str(self.events[0]["thread_id"])

    @property
    def text(self) -> str:
        """The last answer."""
        said = [event["item"] for event in self.events if event["type"] == "item.completed"]
        return str([item["text"] for item in said if item["type"] == "agent_message"][-1])

    def told(self, request: int = 0) -> str:
        """What hooks, and the user, told the model until a request."""
        said = [item for item in self.requests[request]["input"] if item.get("role") in ("developer", "user")]
        return words_of([item["content"] for item in said])

    def result(self, request: int) -> str:
        """What the model learns of the tool call before a request."""
        return words_of([item["output"] for item in self.requests[request]["input"] if "output" in item][-1])


@dataclass(frozen=True)
class Desk(Person):
    """A person with Codex."""

    client = "codex"

    @property
    def env(self) -> dict[str, str]:
        return {**super().env, "SCRIPTED_KEY": "dummy"}

    @property
    def client_settings(self) -> Path:
        return self.home / ".codex" / "hooks.json"

    def ask(self, prompt: str, *turns: Turn, model: str = MODEL, trust: tuple[str, ...] = (TRUST,)) -> Run:
        """Run the client on one prompt, without a terminal; the model follows the turns."""
        with Responses(turns) as api:
            self.client_settings.parent.mkdir(exist_ok=True)
            config = self.client_settings.with_name("config.toml")
            servers = config.read_text().partition("[mcp_servers.")[1:] if config.exists() else ()
            config.write_text(CONFIG.format(model=model, url=api.url) + "".join(servers))
            done = subprocess.run(
                [self.binary, "exec", "--json", *trust, RIGHTS, prompt],
                cwd=self.root,
                env=self.env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
            )
        assert (done.returncode, api.unsaid) == (0, []), (done.stdout, done.stderr)
        events = list(map(json.loads, done.stdout.splitlines()))
        complaints = [event["item"]["message"] for event in events if event.get("item", {}).get("type") == "error"]
        assert [said for said in complaints if TRUST not in said] == []
        return Run(events, api.requests)
