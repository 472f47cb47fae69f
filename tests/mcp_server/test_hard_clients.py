"""Clients that do everything wrong: the server answers, lives on, and leaves nothing half written."""

import json
import os
import time
from pathlib import Path

import pytest
from builders import Box
from mcp_server.driving import CAPABILITIES_KEY, STATELESS, driving, handle_of

from recollect.faces.mcp import connection, stdio
from recollect.faces.mcp.server import Server
from recollect.faces.mcp.session import Session

PAD = "x" * 1_000_000


@pytest.fixture
def has_git() -> bool:
    return False


@pytest.fixture
def box(make_box) -> Box:
    return make_box()


def test_malformed_messages_are_answered_by_their_codes_and_the_next_one_is_served(box):
    deep = b"[" * 200_000
    wrong = {
        b"this is not JSON": -32700,
        b'{"jsonrpc": "2.0", "id": 1, "method": ': -32700,
        b"\xff\xfe\x00": -32700,
        deep: -32700,
        b"5": -32600,
        b"[]": -32600,
        b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]': -32600,
        b'{"id": 1, "method": "ping"}': -32600,
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}': -32600,
        b'{"jsonrpc": "2.0", "id": 1, "method": 5}': -32600,
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}': -32600,
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}': -32600,
        b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}': -32600,
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}': -32602,
        b'{"jsonrpc": "2.0", "id": 1, "method": "no/such"}': -32601,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}': -32602,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "nope"}}': -32602,
        b'{"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "memory://x"}}': -32601,
    }
    with driving(box, "--project", str(box.root)) as agent:
        for message, code in wrong.items():
            agent.write(message + b"\n")
            assert agent.hear()["error"]["code"] == code, message[:80]
            assert agent.ask("ping")["result"] == {}
        # What needs no answer gets none: empty lines, unknown notifications, replies to nothing.
        for message in (
            b"", b"  \r", b'{"jsonrpc":"2.0","method":"notifications/nope"}', b'{"jsonrpc":"2.0","id":9,"result":{}}',
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}',
        ):  # fmt: skip
            agent.write(message + b"\n")
        assert agent.ask("ping")["result"] == {}
        result = agent.ask("tools/call", {"name": "recall", "arguments": ["x"]})["result"]
        assert result["isError"]
        assert agent.start("1999-01-01")["protocolVersion"] == "2025-11-25"  # what we speak, for the client to choose
        assert agent.start("2025-06-18")["protocolVersion"] == "2025-06-18"


def test_twenty_megabytes_of_arguments_are_refused_and_nothing_is_saved(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        assert "at most 20,000 are taken" in agent.fails("remember", text=PAD * 20)
        head = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"remember","arguments":{"text":"'
        agent.write(head)
        for _ in range(stdio.MOST_LINE_BYTES // len(PAD) + 1):
            agent.write(PAD.encode())
        agent.write(b'"}}}\n')
        refused = agent.hear()
        assert refused["id"] is None
        assert "32,000,000 bytes" in refused["error"]["message"]
        assert handle_of(agent.says("remember", text="small"))
        assert agent.end() == 0
    assert len(box.run("list", "--json").json) == 1


def test_a_client_that_never_reads_does_not_fill_the_server_and_its_end_is_noticed(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        os.set_blocking(agent.process.stdin.fileno(), False)
        line = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "tools/list"}).encode() + b"\n"
        written = 0
        while written < 50_000_000:  # until the pipes are full: the server stops to read
            try:
                written += os.write(agent.process.stdin.fileno(), line * 100)
            except BlockingIOError:
                break
        assert written < 50_000_000
        memory = Path(f"/proc/{agent.process.pid}/status").read_text().split("VmRSS:")[1].split()[0]
        assert int(memory) < 200_000
        agent.process.stdout.close()  # the client dies
        agent.process.stdin.close()
        assert agent.process.wait(30) == 0


def test_a_cancelled_call_is_not_answered_and_a_closed_input_ends_calls_whole(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        texts = [{"text": f"note {number}", "kind": "learned"} for number in range(12)]
        # More than there are threads, the first of which still open the project.
        ids = [agent.request("tools/call", {"name": "remember", "arguments": text}) for text in texts]
        last = ids[-1]
        agent.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": last}})
        assert agent.ask("ping")["result"] == {}
        for id in ids[:-1]:
            if id not in [message.get("id") for message in agent.heard]:
                agent.answer(id)
        assert agent.ask("ping")["result"] == {}
        assert last not in [message.get("id") for message in agent.heard]
        # Closed in mid-call: what was asked is done as a whole, or not at all.
        agent.request("tools/call", {"name": "remember", "arguments": {"text": "the last words", "kind": "learned"}})
        assert agent.end() == 0
    assert box.run("doctor", code=None).code == 0
    listed = [memory["title"] for memory in box.run("list", "--json", "--limit", "50").json]
    assert "the last words" in listed
    assert len(listed) in (12, 13)


def test_odd_characters_and_numbers_in_arguments_are_taken_as_they_can_be(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        odd = "a crane \ud800 with \0 and \u202e signs \U0001f6a2"
        handle = handle_of(agent.says("remember", text=odd, tags=["\udfff"], kind="learned"))
        assert handle in agent.says("recall", question=f'{odd} " AND NOT *', limit=5.0)
        assert agent.says("recall", question="\0\ud800") == "No memory of this project matches."
        for value in (float("inf"), 10**30, -1, 1.5, True, "5", [5]):
            assert "limit" in agent.fails("recall", question="x", limit=value)
        assert "no memory of this project" in agent.fails("read", handles=["../../etc/passwd", "x" * 300])


def test_roots_and_parameters_of_any_shape_are_answered_and_none_is_an_error_of_the_server(box):
    bad_roots = [{"uri": "file://["}, {"uri": "file:///%00"}, {"uri": "file:///\ud800"}, {"uri": 5}, 5]
    able = {**STATELESS, CAPABILITIES_KEY: {"roots": {}}}
    with driving(box, cwd=Path("/")) as agent:
        agent.start(roots={})
        while (asked := agent.hear()).get("method") != "roots/list":
            pass
        agent.say({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": bad_roots}})
        assert "no project is known" in agent.fails("recall", question="x")
        call = {"name": "recall", "arguments": {"question": "x"}, "_meta": able}
        for given in (5, [], {"roots": 5}, {"roots": {"roots": bad_roots}}):
            result = agent.ask("tools/call", {**call, "inputResponses": given})["result"]
            assert "no project is known" in result["content"][0]["text"]
        assert agent.ask("tools/call", {**call, "inputResponses": None})["result"]["resultType"] == "input_required"
        arguments = {"question": "x", "project": str(box.root)}
        meta = {"x-codex-turn-metadata": {"session_id": "../\ud800"}, "progressToken": {}}
        assert "result" in agent.ask("tools/call", {"name": "recall", "arguments": arguments, "_meta": meta})
        deep = b'{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"read","arguments":{"handles":'
        agent.write(deep + b"[" * 900 + b"]" * 900 + b"}}}\n")
        assert "Next step" in agent.answer("deep")["result"]["content"][0]["text"]


def test_calls_before_initialize_are_served_and_an_id_that_is_in_use_is_refused(box):
    with driving(box, "--project", str(box.root)) as agent:
        call = {"name": "remember", "arguments": {"text": "The first crane", "kind": "learned"}}
        for _ in range(2):  # the first one opens the project meanwhile
            agent.say({"jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": call})
        refused, answered = agent.answer("same"), agent.answer("same")
        assert refused["error"]["code"] == -32600
        assert "created: " in answered["result"]["content"][0]["text"]
        assert "known: " in agent.says("remember", text="The first crane", kind="learned")
    assert len(box.run("list", "--json").json) == 1


def test_names_and_prompts_that_are_too_long_are_not_repeated(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        for method, params in (
            ("resources/read", {"uri": "memory://" + PAD}), ("tools/call", {"name": PAD}),
            ("prompts/get", {"name": PAD}), ("prompts/get", {"name": "search", "arguments": {"question": PAD}}),
            (PAD, {}),
        ):  # fmt: skip
            error = agent.ask(method, params)["error"]
            assert len(json.dumps(error)) < 500


def test_a_client_that_does_not_tell_its_roots_is_waited_for_once(box, monkeypatch):
    monkeypatch.setattr(connection, "ROOTS_SECONDS", 0.01)
    sent: list[dict] = []
    server = Server(env=box.env)
    client = connection.Connection(server, Session("s1"), send=sent.append, run=lambda call: call(), env=box.env)
    hello = {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}}
    client.receive(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode())
    client.receive(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    call = {"name": "recall", "arguments": {"question": "x"}}
    client.receive(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).encode())
    assert "no project is known" in sent[-1]["result"]["content"][0]["text"]
    monkeypatch.setattr(connection, "ROOTS_SECONDS", 60.0)
    began = time.monotonic()
    client.receive(json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}).encode())
    assert time.monotonic() - began < 50


def test_progress_is_told_where_it_is_asked_for(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        agent.call("recall", {"progressToken": "p1"}, question="x")
        told = [message["params"] for message in agent.heard if message.get("method") == "notifications/progress"]
        assert [params["progressToken"] for params in told] == ["p1", "p1"]
        assert [params["progress"] for params in told] == sorted(params["progress"] for params in told)
        assert told[0]["message"] == "opening the project"


def test_a_server_is_killed_in_mid_call_and_the_next_one_finds_whole_memories(box):
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        agent.says("remember", text="the first crane", kind="learned")
        for number in range(20):
            agent.request("tools/call", {"name": "remember", "arguments": {"text": f"crane number {number}"}})
        agent.process.kill()
        agent.process.wait()
        agent.process.returncode = 0
    assert box.run("doctor", code=None).code == 0
    with driving(box, "--project", str(box.root)) as agent:
        agent.start()
        assert "the first crane" in agent.says("recall", question="the first crane")
