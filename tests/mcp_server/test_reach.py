"""What no agent reaches over MCP, in no set of tools: the user's words, decisions, erased texts, other projects."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from builders import Box

from recollect.faces.mcp.server import Server
from recollect.faces.mcp.session import Session

CRANE = "The harbour crane is painted yellow"
KEPT = ("title", "content", "kind", "tags", "cue", "sensitivity", "confidence", "importance", "status", "expires_at")
DEFAULT = ("recall", "read", "remember", "retire", "why")
Call = Callable[..., str]


@pytest.fixture
def has_git() -> bool:
    return False


@pytest.fixture
def box(make_box) -> Box:
    return make_box()


@pytest.fixture
def agent(box: Box) -> Iterator[Call]:
    """Calls a tool; the text of its result, which is an error where it has a next step."""
    server, session = Server(("default", "letsgo", "cursorclaw"), env=box.env), Session("s1", folder=str(box.root))

    def call(tool: str, **arguments: object) -> str:
        name, more = (tool, {}) if tool in DEFAULT else ("memory", {"operation": tool})
        result = server.call(name, {**more, **arguments}, session=session)
        text = str(result["content"][0]["text"])
        assert result["isError"] == ("Next step: " in text)
        return text

    with box.living():
        yield call
        server.close()


def said(box: Box, text: str, *options: str) -> str:
    """Save something as the user; its uid."""
    box.run("remember", text, *options)
    return next(memory["uid"] for memory in box.run("list", "--json").json if memory["title"] == text)


def state(box: Box, uid: str) -> dict:
    memory = box.run("show", uid, "--json").json
    return {name: memory[name] for name in KEPT}


def test_no_part_of_what_the_user_said_is_changed(box, agent):
    uid = said(box, CRANE, "--kind", "learned")
    before = state(box, uid)
    for change in (
        {"content": "The crane is blue"}, {"title": "Blue"}, {"subtitle": "crane"}, {"sensitivity": "secret"},
        {"importance": 0.0}, {"confidence": 0.0}, {"tags": ["pending"]}, {"category": "x"}, {"type": "turn_summary"},
        {"ttl_days": 0.001}, {"files_read": ["x.py"]}, {"concepts": "gotcha"},
    ):  # fmt: skip
        assert "what the user said" in agent("update_memory", id=uid, **change)
        assert state(box, uid) == before


def test_the_same_words_again_do_not_hide_what_the_user_said(box, agent):
    uid = said(box, CRANE, "--kind", "learned")
    before = state(box, uid)
    hiding = {"sensitivity": "secret", "confidence": 0.0, "tags": ["pending"], "subtitle": "cmd: never", "ttl_days": 1}
    agent("store_memory", content=CRANE, type="learned", title="Another", importance=0.0, **hiding)
    assert state(box, uid) == before
    agent("remember", text=CRANE, kind="learned", title="Another", tags=["pending", "harbour"])
    assert state(box, uid) == {**before, "tags": ["harbour"]}
    secret = said(box, "The admiral is ill", "--sensitivity", "private")
    before = state(box, secret)
    agent("remember", text="The admiral is ill", tags=["harbour"])
    assert state(box, secret) == before


def test_what_the_user_said_is_not_merged_into_a_summary(box, agent):
    texts = [f"The {colour} crane lifts" for colour in ("red", "blue", "green", "black", "white", "grey")]
    for origin in ("user", "assistant"):
        box.bring(
            *({"title": f"{text}, says {origin}", "kind": "change", "origin": origin} for text in texts),
            at="2026-01-01T12:00:00Z",
        )
    assert json.loads(agent("summarize_old", days=1))["memories_summarized"] == len(texts)
    active = [memory["title"] for memory in box.run("list", "--json").json if memory["status"] == "active"]
    assert sorted(title for title in active if "says" in title) == sorted(f"{text}, says user" for text in texts)


def test_an_agent_that_retires_what_the_user_said_is_told_to_tell_them(box, agent):
    for retire, name in (("retire", "handle"), ("delete_memory", "id")):
        uid = said(box, f"{CRANE}, {retire}")
        own = json.loads(agent("store_memory", content=f"The rope is old, {retire}", type="learned"))["id"]
        reason = {"reason": "it was painted anew"} if retire == "retire" else {}
        assert "tell them" in agent(retire, **{name: uid}, **reason)
        assert "tell them" not in agent(retire, **{name: own}, **reason)
        assert state(box, uid)["status"] == "retired"


def test_a_fact_that_a_person_stated_stays(box, agent):
    box.run("fact", "add", "crane", "is", "yellow")
    [fact] = box.run("fact", "list", "--json").json
    assert json.loads(agent("store_fact", subject="crane", predicate="is", object="yellow", confidence=0.0)) == {
        **json.loads(agent("query_facts"))["facts"][0], "action": "known",
    }  # fmt: skip
    assert "the user stated" in agent("delete_fact", id=fact["uid"])
    assert box.run("fact", "list", "--json").json == [fact]
    own = json.loads(agent("store_fact", subject="crane", predicate="has", object="two hooks"))
    assert json.loads(agent("delete_fact", id=own["id"]))["deleted"]
    sourced = said(box, CRANE)
    stated = json.loads(agent("store_fact", subject="a", predicate="b", object="c", source_memory_id=sourced))
    assert "the user stated" in agent("delete_fact", id=stated["id"])


def test_an_agent_approves_nothing_that_waits_for_the_user(box, agent):
    text = "Perhaps we moor at pier 4"
    [uid] = box.bring({"title": text, "tags": ["pending"], "channel": "claude-code:statement", "confidence": 0.4,
                       "origin": "assistant", "content": {"text": text}})  # fmt: skip
    assert "waits for the user" in agent("update_memory", id=uid, tags=["harbour"])
    agent("store_memory", content=text, type="note", confidence=1.0, tags=["harbour"])
    agent("remember", text=text)
    assert "pending" in state(box, uid)["tags"]


def test_a_text_that_a_person_purged_does_not_come_back_by_an_agent(box, agent):
    uid = said(box, CRANE)
    box.run("purge", uid, "--yes")
    assert "a person took this text out" in agent("remember", text=CRANE)
    assert "a person took this text out" in agent("store_memory", content=CRANE)
    assert box.run("list", "--json").json == []
    said(box, CRANE)  # the user may
    assert "known" in agent("remember", text=CRANE)


def test_a_receipt_does_not_tell_what_the_user_hid_or_erased_since(box, agent):
    hidden, erased = said(box, CRANE), said(box, "The harbour crane has two hooks")
    agent("recall", question="harbour crane")
    box.wake()
    assert CRANE in agent("why")
    box.run("edit", hidden, "--sensitivity", "secret")
    box.run("purge", erased, "--yes")
    told = agent("why")
    assert told.count("not shown to agents any more") == 2
    assert "yellow" not in told
    assert "two hooks" not in told


def test_a_memory_for_all_projects_tells_nothing_of_the_project_that_it_is_from(box, agent, make_box):
    other = make_box("other")
    other.home = box.home
    source = said(other, "The lighthouse keeper is called Ada")
    link = {"relation": "exception_to", "uid": source}
    [uid] = box.bring({"title": "Always use tabs", "project": "global", "kind": "preference", "origin": "user",
                       "derived_from": [source], "links": [link]})  # fmt: skip
    other.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(
        {"session_id": "s2", "cwd": str(other.root), "prompt": "Does the lighthouse always use tabs?"}
    ))  # fmt: skip
    for text in (
        agent("recall", question="always use tabs", detail="full"), agent("recall", question="always use tabs"),
        agent("read", handles=[uid], evidence=True, history=True), agent("why", what=uid),
    ):  # fmt: skip
        assert "Always use tabs" in text
        assert "Ada" not in text
        assert "lighthouse" not in text


def test_twenty_clients_at_once_are_all_answered_from_their_own_project(box, make_box):
    other = make_box("other")
    other.home = box.home
    places = {"harbour": box.root, "airport": other.root}
    for name, root in places.items():
        box.run("remember", f"The keeper of the {name} is called {name[::-1]}", cwd=root)
    server = Server(env=box.env)

    def work(number: int) -> list[str]:
        name = list(places)[number % 2]
        session = Session(f"s{number}", folder=str(places[name]))
        asked = {"question": "how is the keeper called?"}  # the same words, so that a kept answer would serve both
        told = [server.call("recall", asked, session=session) for _ in range(5)]
        return ["".join(who for who in ("ruobrah", "tropria") if who in str(one)) for one in told]

    with box.living(), ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(work, range(20)))
        server.close()
    assert answers == [["ruobrah"] * 5, ["tropria"] * 5] * 10
