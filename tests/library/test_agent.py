"""An agent that is written in Python: what it is told, what is captured, and how the workspace behaves around it."""

import asyncio
import os
import re
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest
from builders import Box
from tables import each

import recollect
from recollect import Memory, Note, Outcome, RecollectError, Workspace, machine
from recollect.errors import BadInput, Closed, DiskRefused
from recollect.hooks import inbox
from recollect.jobs import reindex
from recollect.library.agents.agent_verbs import Answer
from recollect.pipeline import worker

ERROR = "E   sqlalchemy.exc.OperationalError: could not connect to the harbour database on port 6543"


@pytest.fixture
def user(make_box, monkeypatch) -> Box:
    """A user in a project without a vault, as this process."""
    box = make_box()
    monkeypatch.chdir(box.root)
    for name, value in box.env.items():
        monkeypatch.setenv(name, value)
    return box


# -- what an agent is told and what it did -----------------------------------------------------------------------------


def test_a_prompt_gets_what_a_hook_would_inject(user):
    with recollect.open() as space:
        space.remember("The harbour crane is painted yellow", kind="decision", why="fog")
        told = space.context("which colour has the harbour crane?", session="s1")
        assert "painted yellow" in told
        assert told.startswith("<memory-context")
        assert space.context("which colour has the harbour crane?", session="s1") == ""  # once a session
        assert "painted yellow" in space.context("which colour has the harbour crane?", session="s2")


def test_a_session_starts_with_what_a_hook_would_inject(user):
    with recollect.open() as space:
        assert space.started(session="s1") == ""
        space.remember("Always run `make check` before a commit", kind="preference", why="the gate")
        assert "make check" in space.started(session="s2")


def test_a_turn_is_captured_in_this_process(user):
    with recollect.open() as space:
        space.started(session="s1")
        space.context("From now on we always use ruff and never black in this repository.", session="s1")
        space.observe({"event": "TurnEnded", "session": "s1", "answer": "Understood, ruff it is."})
        space.observe({"event": "SessionEnded", "session": "s1"})
        kinds = {memory.kind: memory for memory in space.list(turns=True)}
        assert "ruff" in kinds["preference"].title
        assert "Understood, ruff it is." in kinds["turn_summary"].text
        assert inbox.waiting(str(user.home)) == []
        assert [line.event for line in space.tail(session="s1") if line.state == "noted"] == [
            "SessionStarted", "PromptSubmitted", "TurnEnded", "SessionEnded",
        ]  # fmt: skip
    assert user.workers_asked_for == 0


def test_a_memory_comes_from_its_own_turn_where_turns_have_no_names(user):
    with recollect.open() as space:
        for said in ("Always run make lint before you commit.", "From now on we always use yarn in this repository."):
            space.context(said, session="s1")
            space.observe({"event": "TurnEnded", "session": "s1", "answer": "Understood."})
        made = next(memory for memory in space.list() if "yarn" in memory.title)
        turns = {memory.uid: memory.text for memory in space.list(turns=True) if memory.kind == "turn_summary"}
        own = [turns[uid] for uid in made.derived_from if uid in turns]
    assert len(turns) == 2
    assert len(own) == 1
    assert "yarn" in own[0]


def test_a_failure_gets_the_fix_that_is_known(user):
    with recollect.open() as space:
        fields = {"trigger": ERROR, "symptoms": [ERROR], "steps": ["start the tunnel"], "verification": "ok"}
        space.remember("Start the tunnel first", kind="runbook", title="Harbour database", fields=fields)
        call = {"session": "s1", "tool": "shell", "command": "pytest", "call": "c1"}
        assert "start the tunnel" in space.observe({"event": "ToolFailed", "error": ERROR, **call}).context


def test_a_tool_call_that_would_write_into_the_vault_is_refused(user):
    with recollect.open() as space:
        space.init()
        path = str(user.vault / "decisions" / "x.json")
        answer = space.observe({"event": "ToolStarting", "session": "s1", "tool": "write", "call": "c1", "path": path})
        assert "memory vault" in answer.refusal


def test_an_event_is_on_disk_when_observe_returns(user):
    with recollect.open() as space:
        space.observe({"event": "ToolFinished", "session": "s1", "tool": "shell", "command": "make", "call": "c1"})
        [name] = inbox.waiting(str(user.home))
    assert b'"make"' in (user.home / "inbox" / name).read_bytes()


def test_an_event_that_cannot_be_written_raises(user):
    with recollect.open() as space:
        (user.home / "inbox").write_text("a file where the folder should be")
        with pytest.raises(DiskRefused):
            space.observe({"event": "ToolFinished", "session": "s1", "tool": "shell", "command": "make"})


def test_events_wait_where_a_worker_is_at_work(user):
    with recollect.open() as space:
        holder = worker.take_lock(str(user.home))
        space.observe({"event": "TurnEnded", "session": "s1", "answer": "done"})
        assert len(inbox.waiting(str(user.home))) == 1
        os.close(holder)
        space.observe({"event": "TurnEnded", "session": "s1", "answer": "done again"})
        assert inbox.waiting(str(user.home)) == []


def test_nothing_is_told_or_kept_where_memory_is_off(user):
    with recollect.open() as space:
        space.remember("The harbour crane is painted yellow")
        space.switch(on=False)
        assert space.context("which colour has the harbour crane?", session="s1") == ""
        assert inbox.waiting(str(user.home)) == []


def test_secrets_of_an_event_do_not_reach_the_disk(user):
    with recollect.open() as space:
        space.context("log in with DB_PASSWORD=Wachturm-2291!", session="s1")
        space.observe({"event": "TurnEnded", "session": "s1", "answer": "used DB_PASSWORD=Wachturm-2291!"})
    kept = b"".join(path.read_bytes() for path in user.home.rglob("*") if path.is_file())
    assert b"Wachturm" not in kept


def test_an_event_has_the_time_of_the_callers_clock(user):
    moment = "2026-03-04T05:06:07Z"
    with recollect.open(now=recollect_clock(moment)) as space:
        space.context("how are the cranes?", session="s1")
        space.observe({"event": "TurnEnded", "session": "s1", "answer": "fine"})
        [turn] = space.list(kinds=["turn_summary"])
    assert turn.created_at == moment


def recollect_clock(moment: str):
    from recollect.model import clock

    return clock.fixed(moment)


@each(
    ("event", "target"),
    [
        ({}, None),
        ({"event": "Nothing", "session": "s1"}, "Nothing"),
        ({"event": "TurnEnded"}, "TurnEnded"),
        ({"event": "TurnEnded", "session": ""}, "TurnEnded"),
        ({"event": "TurnEnded", "session": "s1", "anwser": "x"}, "anwser"),
        ({"event": "TurnEnded", "session": "s1", "answer": 5}, "answer"),
    ],
)
def test_an_event_that_cannot_be_used_raises_and_says_what_is_wrong(user, event, target):
    with recollect.open() as space, pytest.raises(BadInput) as raised:
        space.observe(event)
    assert raised.value.target == target
    assert raised.value.fix


def test_an_agent_that_we_started_ourselves_is_not_observed(user, monkeypatch):
    monkeypatch.setenv("RECOLLECT_INSIDE", "1")
    with recollect.open() as space:
        assert space.observe({"event": "TurnEnded", "session": "s1", "answer": "x"}) == Answer()
        assert inbox.waiting(str(user.home)) == []


# -- recall without a reindex ------------------------------------------------------------------------------------------


def test_recall_compares_meanings_without_a_reindex_as_the_command_line_does(make_box, monkeypatch):
    box = make_box()
    box.settings["RECOLLECT_RECALL__VECTORS"] = "on"
    monkeypatch.chdir(box.root)
    for name, value in box.env.items():
        monkeypatch.setenv(name, value)
    with recollect.open() as space:
        space.remember("Refresh tokens live for 30 days", kind="decision", why="people complained", tags=["auth"])
        space.remember("The harbour crane is painted yellow")
        found = space.recall("how long does a login last?")
    assert found[0].memory.title == "Refresh tokens live for 30 days"
    assert [hit["name"] for hit in box.run("recall", "how long does a login last?", "--json").json] == [
        f"{hit.memory.kind}/{hit.memory.slug}" for hit in found
    ]


def test_recall_and_context_go_by_words_while_another_process_builds_search_vectors(user, monkeypatch):
    monkeypatch.setenv("RECOLLECT_RECALL__VECTORS", "on")
    with recollect.open() as space:
        space.remember("The harbour crane is painted yellow")
        with machine.lock(user.home / reindex.LOCK, timeout_seconds=0):
            assert [hit.memory.title for hit in space.recall("harbour crane")] == [
                "The harbour crane is painted yellow"
            ]
            assert "painted yellow" in space.context("which colour has the harbour crane?", session="s1")


# -- opening, closing, threads -----------------------------------------------------------------------------------------


def test_open_of_a_folder_that_is_not_there_raises(user):
    with pytest.raises(RecollectError) as raised:
        recollect.open(user.root / "nowhere")
    assert raised.value.target == str(user.root / "nowhere")
    assert not user.home.exists()
    shown = "".join(traceback.format_exception(raised.value))
    assert f"target: {user.root / 'nowhere'}\nfix: Name a folder that exists." in shown


def test_every_verb_raises_after_close(user):
    space = recollect.open()
    space.close()
    space.close()
    for call in (
        space.list,
        lambda: space.remember("x"),
        lambda: space.context("x", session="s1"),
        lambda: space.recall("x"),
        lambda: space.project,
        space.undo,
        space.doctor,
    ):
        with pytest.raises(Closed):
            call()


def test_a_workspace_is_used_from_many_threads(user):
    with recollect.open() as space:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: space.remember(f"Crane number {number} is painted yellow"), range(40)))
            told = list(
                pool.map(lambda number: space.context("which crane is yellow?", session=f"s{number}"), range(8))
            )
        assert len(space.list()) == 40
        assert all("painted yellow" in text for text in told)


def test_events_of_many_threads_are_all_processed(user):
    with recollect.open() as space:
        threads = [
            threading.Thread(
                target=space.observe, args=({"event": "TurnEnded", "session": f"s{number}", "answer": "done"},)
            )
            for number in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        space.observe({"event": "SessionEnded", "session": "s0"})
        assert inbox.waiting(str(user.home)) == []
        assert len([line for line in space.tail(limit=50) if line.event == "TurnEnded"]) == 8


def test_an_async_program_hands_its_calls_to_threads(user):
    async def play(space: Workspace) -> list[str]:
        await asyncio.to_thread(space.remember, "The harbour crane is painted yellow")
        asks = [asyncio.to_thread(space.context, "which colour has the crane?", session=f"s{n}") for n in range(4)]
        return list(await asyncio.gather(*asks))

    with recollect.open() as space:
        assert all("painted yellow" in text for text in asyncio.run(play(space)))


# -- what a reader of the surface sees ---------------------------------------------------------------------------------


@each("public", [recollect.open, Workspace, Memory, Note, Outcome, RecollectError])
def test_the_docstrings_of_the_surface_have_no_behaviour_codes(public):
    members = [getattr(public, name) for name in dir(public) if not name.startswith("_")]
    docs = [member.__doc__ or "" for member in (public, *members)]
    assert public.__doc__
    assert [text for text in docs if re.search(r"\b[ABCD]\d{1,2}\b|\bseed\b", text)] == []
