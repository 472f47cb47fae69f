"""`recollect serve --mcp`: the tools of MCP over HTTP, for tokens that were made for it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import anyio
import httpx2
import pytest
from builders import Box
from forking import Forked
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from serve.serving import Answer, Server, announce, make_box, started

import recollect
from recollect.faces.mcp.server import Server as Tools
from recollect.faces.serve import start
from recollect.faces.serve.mcp_http import MOST_SESSIONS
from recollect.faces.serve.server import Address

BOTH = "application/json, text/event-stream"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}}


def token(box: Box, name: str, *options: str) -> str:
    return box.run("serve", "token", "add", name, "--for", "mcp", *options).out.strip()


def run(folder: str) -> None:
    """In the server's process."""
    start.serve(folder, Address(), announce, mcp_tools=("default",))


@contextmanager
def serving_mcp(box: Box) -> Iterator[Server]:
    with started(Forked(run, (str(box.root),), env=box.env, cwd=box.root), box) as server:
        yield server


class Agent:
    """A client of revision 2025-11-25, by hand: one request a connection."""

    def __init__(self, server: Server, secret: str) -> None:
        self.server, self.secret, self.session, self.number = server, secret, "", 0

    def post(self, method: str, params: Any = None, **headers: str) -> Answer:
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}}
        own = {"Authorization": f"Bearer {self.secret}", "Mcp_Session_Id": self.session}
        sent = {"Accept": BOTH, "Content_Type": "application/json", **own, **headers}
        return self.server.ask("POST", "/mcp", json.dumps(message).encode(), **sent)

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """The result, or the error, of a request."""
        if not self.session:
            answer = self.post("initialize", HELLO)
            assert answer.status == 200, answer
            self.session = answer.headers["mcp-session-id"]
        answer = self.post(method, params)
        [line] = [line for line in answer.body.splitlines() if line.startswith("data: {")]
        found: dict[str, Any] = json.loads(line.removeprefix("data: "))
        return found

    def call(self, tool: str, **arguments: Any) -> str:
        """The text that a tool answers."""
        [content] = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]["content"]
        return str(content["text"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    box = make_box(tmp_path_factory.mktemp("mcp") / "user")
    token(box, "first", "--scope", "write")
    with serving_mcp(box) as running:
        yield running


def test_the_tools_are_those_of_stdio_and_what_is_stored_is_an_agents(server):
    agent = Agent(server, token(server.box, "writer", "--scope", "write"))
    listed = agent.ask("tools/list")["result"]["tools"]
    assert listed == Tools(("default",), {}).tools()
    stored = agent.call("remember", text="Deploys run on Tuesdays only, because of the audit")
    assert "deploys-run-on-tuesdays-only" in stored
    assert "Tuesdays" in agent.call("recall", question="When do deploys run?")
    [found] = server.box.run("recall", "when do deploys run", "--json").json
    with recollect.open(server.box.root, home=server.box.home) as workspace:
        memory = workspace.find(found["uid"]).memory
        assert (memory.origin, workspace.history(memory.uid)[0].actor) == ("assistant", "mcp")
    for name in ("purge", "scrub", "trust", "install", "approve"):
        assert "no tool is called" in agent.ask("tools/call", {"name": name, "arguments": {}})["error"]["message"]


def test_a_token_to_read_is_offered_and_given_the_tools_that_read(server):
    agent = Agent(server, token(server.box, "reader"))
    names = [tool["name"] for tool in agent.ask("tools/list")["result"]["tools"]]
    assert names == ["recall", "read", "why"]
    for tool, arguments in (("remember", {"text": "Never store this"}), ("retire", {"handle": "x", "reason": "y"})):
        answer = agent.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert (answer["isError"], "may read, not write" in answer["content"][0]["text"]) == (True, True)
    assert "Never store this" not in server.box.run("list", "--json").out


def test_without_a_token_for_mcp_nothing_is_answered(server):
    for_page = server.box.run("serve", "token", "add", "person", "--scope", "write").out.strip()
    for secret in ("", "wrong", for_page):
        answer = Agent(server, secret).post("initialize", HELLO)
        assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer"), secret
    cookie = server.ask("GET", f"/?token={server.secret}").headers["set-cookie"].partition(";")[0]
    assert Agent(server, "").post("initialize", HELLO, Cookie=cookie, Origin=server.origin).status == 401
    assert server.ask("GET", f"/mcp?token={server.secret}").status == 401


def test_names_and_origins_are_checked_before_anything_else(server):
    agent = Agent(server, token(server.box, "elsewhere"))
    assert agent.post("initialize", HELLO, Host="evil.example").status == 403
    assert agent.post("initialize", HELLO, Origin="http://evil.example").status == 403
    assert agent.post("initialize", HELLO, Origin="null").status == 403
    assert agent.post("initialize", HELLO, Origin=server.origin).status == 200
    assert agent.post("initialize", HELLO, Content_Length="1000000000").status == 413


def test_a_session_belongs_to_its_token_and_ends_with_it(server):
    one, other = (Agent(server, token(server.box, name)) for name in ("anna", "bert"))
    assert "result" in one.ask("ping")
    other.session = one.session
    assert other.post("ping").status == 404
    server.box.run("serve", "token", "revoke", "anna")
    assert one.post("ping").status == 401


def test_a_server_works_in_its_own_project_alone(server, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    server.box.run("remember", "The vault password rota is on the wiki", cwd=elsewhere)
    agent = Agent(server, token(server.box, "curious", "--scope", "write"))
    assert "another project" in agent.call("recall", question="password rota", project=str(elsewhere))
    assert "rota" not in agent.call("recall", question="vault password rota wiki")


def test_the_official_client_stores_and_finds_in_both_revisions(server):
    secret = token(server.box, "official", "--scope", "write")

    async def talk(mode: str, text: str) -> str:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}) as http,
            Client(streamable_http_client(f"{server.origin}/mcp", http_client=http), mode=mode) as client,
        ):
            await client.call_tool("remember", {"text": text})
            found = await client.call_tool("recall", {"question": text})
            resources = await client.list_resources()
            assert resources.resources
            assert (await client.get_prompt("search", {"question": "why"})).messages
            return f"{client.protocol_version} {found.content[0].text}"

    old = anyio.run(talk, "legacy", "Release notes are written in Danish")
    new = anyio.run(talk, "2026-07-28", "The nightly build starts at three")
    assert old.startswith("2025-11-25")
    assert "Danish" in old
    assert new.startswith("2026-07-28")
    assert "nightly" in new


def test_mcp_needs_a_token_of_its_own_and_its_extra(tmp_path):
    box = make_box(tmp_path / "user")
    assert "needs a token of its own" in box.run("serve", "--mcp", "--port", "0", code=1).err
    box.run("serve", "token", "add", "page-only", "--scope", "write")
    assert "needs a token of its own" in box.run("serve", "--mcp", "--port", "0", code=1).err
    assert "--tools needs --mcp" in box.run("serve", "--tools", "letsgo", code=2).err
    token(box, "agent")
    script = "import sys; sys.modules['mcp'] = None\nfrom recollect.faces.cli import main\nmain(sys.argv[1:])"
    command = [sys.executable, "-c", script, "serve", "--mcp", "--port", "0"]
    missing = subprocess.run(command, cwd=box.root, env=box.env, capture_output=True, text=True)
    assert (missing.returncode, "pip install '.[mcp]'" in missing.stderr) == (1, True), missing


def test_twenty_clients_at_once_are_all_answered(server):
    secret = token(server.box, "many", "--scope", "write")

    def work(number: int) -> str:
        agent = Agent(server, secret)
        agent.call("remember", text=f"Machine number {number} is called host-{number:03}")
        return agent.call("recall", question=f"host-{number:03}")

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(work, range(20)))
    assert [number for number, answer in enumerate(answers) if f"host-{number:03}" not in answer] == []


def test_sessions_that_nobody_ends_keep_nobody_out(server):
    greedy, steady = (Agent(server, token(server.box, name)) for name in ("greedy", "steady"))
    assert "result" in steady.ask("ping")
    first = greedy.post("initialize", HELLO).headers["mcp-session-id"]
    opened = {greedy.post("initialize", HELLO).status for _ in range(2 * MOST_SESSIONS + 1)}
    assert opened == {200}
    assert "result" in steady.ask("ping")
    greedy.session = first
    assert greedy.post("ping").status == 404
    assert "result" in Agent(server, token(server.box, "late")).ask("ping")


def test_bodies_of_any_kind_are_refused_and_the_session_lives(server):
    agent = Agent(server, token(server.box, "rough", "--scope", "write"))
    assert "result" in agent.ask("ping")
    own = {"Authorization": f"Bearer {agent.secret}", "Mcp_Session_Id": agent.session}
    head = {"Accept": BOTH, "Content_Type": "application/json", **own}
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"text":"%s"}}}'
    for body, status in (
        (b"{", 400), (b"", 400), (b"\xff\xfe", 400), (b"[" * 100_000, 400), (call % b"\\ud800", 400),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400), (call % (b"x" * 3_000_000), 413),
    ):  # fmt: skip
        assert server.ask("POST", "/mcp", body, **head).status == status, body[:60]
    assert "at most 20,000 are taken" in agent.call("remember", text="x" * 1_000_000)
    missing = agent.ask("resources/read", {"uri": "memory://" + "x" * 1_000_000})["error"]
    assert len(json.dumps(missing)) < 5_000
    assert agent.ask("no/such")["error"]["code"] == -32601
    assert "result" in agent.ask("ping")


def test_clients_that_cancel_or_hang_up_in_mid_call_leave_whole_memories_and_a_server_that_answers(server):
    secret = token(server.box, "hasty", "--scope", "write")
    agent = Agent(server, secret)
    assert "result" in agent.ask("ping")
    for number in range(8):
        arguments = {"text": f"Buoy number {number} is painted green"}
        params = {"name": "remember", "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": f"b{number}", "method": "tools/call", "params": params}).encode()
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: {server.host}\r\nAccept: {BOTH}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {secret}\r\nMcp-Session-Id: {agent.session}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        with server.connect() as connection:
            connection.sendall(head + (body if number % 4 else body[:-9]))  # every fourth is not even asked
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": f"b{number}"}}
        own = {"Accept": BOTH, "Content_Type": "application/json", "Authorization": f"Bearer {secret}"}
        said = server.ask("POST", "/mcp", json.dumps(cancelled).encode(), Mcp_Session_Id=agent.session, **own)
        assert said.status == 202
    assert "Buoy number 9" in agent.call("recall", question=agent.call("remember", text="Buoy number 9 is red"))
    kept = [one for one in server.box.run("list", "--json", "--limit", "50").json if "Buoy" in one["title"]]
    assert {one["content"]["text"] for one in kept} <= {
        "Buoy number 9 is red", *(f"Buoy number {number} is painted green" for number in range(8) if number % 4)
    }  # fmt: skip
    assert not (server.box.home / "hook.log").exists()
