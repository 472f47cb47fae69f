"""The worker: what clients sent is worked through in order and exactly once, whatever happens to it or the store."""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from builders import Box
from forking import Forked

from recollect.hooks import inbox, wiring
from recollect.pipeline import worker
from recollect.setup.install import hook_words
from recollect.store.sqlite import database

PATIENCE_SECONDS = 100.0
WORKER = (sys.executable, "-I", "-m", "recollect.pipeline.worker")


@pytest.fixture
def has_git() -> bool:
    return False


@pytest.fixture(autouse=True)
def nobody_lives_on(tmp_path: Path) -> Iterator[None]:
    """When a test is over, so is every process that was started for it."""
    yield
    try:
        wait_for(lambda: not alive(tmp_path))
    finally:
        for process in alive(tmp_path):
            os.kill(process, signal.SIGKILL)


def alive(folder: Path) -> dict[int, str]:
    """Processes of ours, by id, whose store lies below a folder."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile, or is another user's
            command = (place / "cmdline").read_bytes()
            if b"recollect" in command and f"RECOLLECT_HOME={folder}".encode() in (place / "environ").read_bytes():
                found[int(place.name)] = command.replace(b"\0", b" ").decode()
    return found


def wait_for(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


# -- events, as a client sends them ------------------------------------------------------------------------------------


def event(box: Box, native: str, session: str = "s1", **fields: Any) -> dict[str, Any]:
    return {"session_id": session, "cwd": str(box.root), "hook_event_name": native, **fields}


def prompt(box: Box, number: int, session: str = "s1", **fields: Any) -> dict[str, Any]:
    said = {"prompt": f"question {number} of {session}", "prompt_id": f"{session}-turn-{number}"}
    return event(box, "UserPromptSubmit", session, **{**said, **fields})


def tool(box: Box, number: int, session: str = "s1", **fields: Any) -> dict[str, Any]:
    said = {"tool_name": "Bash", "tool_input": {"command": f"make {number}"}, "tool_use_id": f"{session}-call-{number}"}
    return event(box, "PostToolUse", session, **{**said, **fields})


def stop(box: Box, number: int, session: str = "s1", **fields: Any) -> dict[str, Any]:
    said = {"last_assistant_message": f"answer {number} of {session}", "prompt_id": f"{session}-turn-{number}"}
    return event(box, "Stop", session, stop_hook_active=False, **{**said, **fields})


def note(box: Box, said: dict[str, Any], **how: Any) -> str:
    """Put an event into the inbox, as a hook does."""
    raw = json.dumps(said).encode()
    return inbox.put(str(box.home), "claude-code", said["hook_event_name"], raw, now=box.now or "", **how)


def start_hook(box: Box, said: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start the hook command as it is installed, with an event on its standard input."""
    command = [sys.executable, *hook_words(), "claude-code", said["hook_event_name"]]
    env = {**box.env, "RECOLLECT_DEADLINE_MS": "20000"}
    pipe = subprocess.PIPE
    started = subprocess.Popen(command, cwd=box.root, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
    assert started.stdin
    started.stdin.write(json.dumps(said).encode())
    started.stdin.close()
    started.stdin = None
    return started


def hook(box: Box, said: dict[str, Any]) -> bytes:
    """What the hook command answers."""
    started = start_hook(box, said)
    out, problem = started.communicate(timeout=PATIENCE_SECONDS)
    assert (started.returncode, problem) == (0, b"")
    return out


# -- workers -----------------------------------------------------------------------------------------------------------


def start_worker(box: Box, function: Callable[[], None] = worker.main, **how: Any) -> Forked:
    return box.fork(function=function, cwd="/", **how)


def impatient() -> None:
    """A worker that waits for a locked database a moment only."""
    database.BUSY_MS = 50
    worker.main()


def work(box: Box, function: Callable[[], None] = worker.main, **how: Any) -> int | None:
    """Run a worker to its end."""
    started = start_worker(box, function, **how)
    started.communicate(timeout=PATIENCE_SECONDS)
    return started.returncode


def start_busy_worker(box: Box) -> Forked:
    """Start a worker and let it begin with some events; it leaves a list of them, so that its successor knows."""
    before = _listed(box)
    started = start_worker(box)
    wait_for(lambda: _listed(box) not in (0, before) or started.poll() is not None)
    return started


def _listed(box: Box) -> int:
    with contextlib.suppress(FileNotFoundError):
        return (box.home / "draining").stat().st_mtime_ns
    return 0


def kill(process: Forked) -> None:
    process.kill()
    process.communicate()


def drain(box: Box) -> dict[str, Any]:
    """Work through what waits, in this process."""
    return box.run("drain", "--json").json


def waiting(box: Box) -> list[str]:
    return inbox.waiting(str(box.home))


def aside(box: Box) -> list[str]:
    place = box.home / "aside"
    return sorted(one.name for one in place.iterdir()) if place.is_dir() else []


def log(box: Box) -> str:
    place = box.home / "hook.log"
    return place.read_text("utf-8") if place.exists() else ""


def rows(box: Box, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """What the database says, past recollect."""
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as connection:
        return connection.execute(sql, values).fetchall()


def turns(box: Box) -> list[str]:
    """The turns that are kept, oldest first, whatever project they are of."""
    sql = "SELECT text FROM memories WHERE kind = 'turn_summary' AND status = 'active' ORDER BY created, id"
    return [text for (text,) in rows(box, sql)]


def keys(box: Box) -> list[str]:
    """The drained events in the order in which they were."""
    return [key for (key,) in rows(box, "SELECT key FROM events ORDER BY rowid")]


def checks(box: Box) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in box.run("doctor", "--json", code=None).json}


def assert_sound(box: Box) -> None:
    """Whatever was logged on the way, all is well now."""
    assert {name: one["says"] for name, one in checks(box).items() if name != "log" and not one["is_well"]} == {}


@contextlib.contextmanager
def held(box: Box) -> Iterator[None]:
    """Another program writes into the store and takes its time."""
    other = sqlite3.connect(box.home / "memory.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@pytest.fixture
def used(box: Box) -> Box:
    """A box that a worker has been at before: what is done once a day is done."""
    note(box, prompt(box, 0, "before"))
    drain(box)
    return box


def neighbour(box: Box, name: str) -> Box:
    """Another project of the same user."""
    other = replace(box, root=box.folder / name)
    other.root.mkdir()
    other.run("init")
    return other


# -- in order, exactly once --------------------------------------------------------------------------------------------


def test_events_are_drained_in_the_order_in_which_they_came(box):
    expected = []
    for number in range(60):
        for said in (prompt(box, number), tool(box, number), tool(box, 100 + number), stop(box, number)):
            note(box, said)
            expected.append(said.get("tool_use_id") or said["prompt_id"])
    assert work(box) == 0
    assert [key.split("/")[3] for key in keys(box)] == expected
    assert waiting(box) == aside(box) == []


def test_a_turn_without_an_id_belongs_to_the_prompt_before_it(box):
    for number in range(3):
        note(box, prompt(box, number, prompt_id=None))
        note(box, stop(box, number, prompt_id=None))
    drain(box)
    wanted = [f"Asked: question {number} of s1\n\nAnswered: answer {number} of s1" for number in range(3)]
    assert turns(box) == wanted


def test_an_event_that_is_noted_twice_has_one_effect(box):
    """A plugin and an install fire together."""
    for said in (prompt(box, 1), tool(box, 1), stop(box, 1)):
        note(box, said)
        note(box, said)
    done = drain(box)
    assert (done["drained"], list(done["dropped"].values())) == (3, ["duplicate event"] * 3)
    assert rows(box, "SELECT prompts, number FROM sessions") == [(1, 1)]
    assert turns(box) == ["Asked: question 1 of s1\n\nAnswered: answer 1 of s1"]
    assert len(keys(box)) == 3
    assert box.run("session").out == "1\n"


def test_an_event_that_is_noted_again_after_it_was_drained_has_no_effect(box):
    for said in (prompt(box, 1), tool(box, 1), stop(box, 1)):
        note(box, said)
    drain(box)
    before = rows(box, "SELECT uid, text FROM memories"), rows(box, "SELECT * FROM sessions"), keys(box)
    for said in (prompt(box, 1), tool(box, 1), stop(box, 1)):
        note(box, said)
    assert drain(box)["drained"] == 0
    assert (rows(box, "SELECT uid, text FROM memories"), rows(box, "SELECT * FROM sessions"), keys(box)) == before
    assert waiting(box) == []


def test_two_hooks_that_fire_together_count_one_session_and_keep_one_turn(box):
    for said in (prompt(box, 1), tool(box, 1), stop(box, 1)):
        for started in [start_hook(box, said), start_hook(box, said)]:
            started.communicate(timeout=PATIENCE_SECONDS)
    wait_for(lambda: not alive(box.home))
    drain(box)
    assert rows(box, "SELECT prompts, number FROM sessions") == [(1, 1)]
    assert len(turns(box)) == 1
    assert len(keys(box)) == 3


def test_equal_tool_calls_and_prompts_of_different_turns_are_all_kept(box):
    for number in range(3):
        note(box, prompt(box, number, prompt="again"))
        note(box, tool(box, number, tool_input={"command": "make"}))
        note(box, stop(box, number, last_assistant_message="done"))
    assert drain(box)["drained"] == 9
    assert turns(box) == ["Asked: again\n\nAnswered: done"] * 3


# -- kill -9 -----------------------------------------------------------------------------------------------------------


def life(box: Box, session: str, turns: int) -> list[dict[str, Any]]:
    """All that a client sends in a session."""
    said = [event(box, "SessionStart", session, source="startup")]
    for number in range(turns):
        said.append(prompt(box, number, session))
        said += [tool(box, number * 10 + each, session) for each in range(2)]
        path = str(box.root / f"{session}-{number}.py")
        said.append(tool(box, number * 10 + 2, session, tool_name="Write", tool_input={"file_path": path}))
        said.append(
            {**tool(box, number * 10 + 3, session, error="Exit code 3"), "hook_event_name": "PostToolUseFailure"}
        )
        said.append(stop(box, number, session))
    return [*said, event(box, "PreCompact", session, trigger="auto"), event(box, "SessionEnd", session, reason="other")]


def interleaved(rng: random.Random, lives: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Several sessions at once, each in its own order."""
    mixed, left = [], [list(reversed(one)) for one in lives]
    while any(left):
        mixed.append(rng.choice([one for one in left if one]).pop())
    return mixed


def work_and_die(rng: random.Random, box: Box) -> None:
    """A worker that is killed at any time, most often soon after it has begun with some events."""
    is_busy = rng.random() < 0.7
    process = start_busy_worker(box) if is_busy else start_worker(box)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=rng.uniform(0, 0.2 if is_busy else 1.5))
    kill(process)


@pytest.mark.parametrize("seed", [1])
def test_whenever_the_worker_is_killed_nothing_is_lost_and_nothing_doubled(box, seed):
    rng, other = random.Random(seed), neighbour(box, "other")
    homes = {f"session-{number}": box if number % 2 else other for number in range(6)}
    events = interleaved(rng, [life(home, session, 8) for session, home in homes.items()])
    assert len(events) > 300
    coming = list(events)
    for _ in range(20):
        for _ in range(min(len(coming), rng.randrange(40))):
            note(box, coming.pop(0))
        work_and_die(rng, box)
    for said in coming:
        note(box, said)
    assert work(box) == 0

    assert (waiting(box), aside(box)) == ([], []), log(box)
    names = {"UserPromptSubmit": "PromptSubmitted", "Stop": "TurnEnded", "PostToolUse": "ToolFinished"}
    names |= {"PostToolUseFailure": "ToolFailed", "SessionStart": "SessionStarted", "SessionEnd": "SessionEnded"}
    names |= {"PreCompact": "CompactionStarting"}
    sent = Counter((said["session_id"], names[said["hook_event_name"]]) for said in events)
    kept = rows(box, "SELECT session, name, count(*) FROM events GROUP BY session, name")
    assert {(session, name): number for session, name, number in kept} == sent
    wanted = [f"Asked: question {n} of {s}\n\nAnswered: answer {n} of {s}" for s in homes for n in range(8)]
    assert sorted(turns(box)) == sorted(wanted)
    assert rows(box, "SELECT count(*) FROM memories WHERE kind = 'compaction'") == [(6,)]
    counted = rows(box, "SELECT root, group_concat(number), min(prompts), max(prompts), count(ended) FROM "
                        "(SELECT * FROM sessions ORDER BY number) GROUP BY root ORDER BY root")  # fmt: skip
    assert counted == [(str(one.root), "1,2,3", 8, 8, 3) for one in (other, box)]
    assert (box.run("session").out, other.run("session").out) == ("3\n", "3\n")
    for one in (box, other):
        one.run("reconcile")  # a killed writer leaves the vault's lock behind (B48)
        assert_sound(one)


def test_events_over_which_a_worker_was_killed_again_and_again_are_drained_all_the_same(used):
    box = used
    for said in (prompt(box, 1), tool(box, 1), stop(box, 1)):
        note(box, said)
    with held(box):
        for _ in range(4):
            kill(start_busy_worker(box))
    assert work(box) == 0
    assert (waiting(box), aside(box)) == ([], []), log(box)
    assert len(turns(box)) == 1


def test_a_worker_that_was_killed_while_it_set_an_event_aside_is_no_hindrance(box):
    note(box, prompt(box, 1))
    (box.home / "draining").write_text("00000000000000000001-1-0001.event.tried")
    work(box)
    assert waiting(box) == []
    assert rows(box, "SELECT prompts FROM sessions") == [(1,)]


# -- one at a time -----------------------------------------------------------------------------------------------------


def test_a_second_worker_ends_at_once_and_drain_is_told_to_wait(used):
    box = used
    note(box, stop(box, 1))
    with held(box):
        first = start_busy_worker(box)
        assert work(box) == 0
        command = box.fork("drain")
        out, problem = command.communicate(timeout=PATIENCE_SECONDS)
        assert (command.returncode, out, problem.splitlines()[0]) == (1, "", "STORE_BUSY")
        assert first.poll() is None
        assert len(waiting(box)) == 1
    first.communicate(timeout=PATIENCE_SECONDS)
    assert (first.returncode, waiting(box), len(turns(box))) == (0, [], 1)


def test_an_event_that_comes_while_the_worker_puts_its_things_away_is_not_stranded(used):
    """It has looked for the last time but still holds the lock, so the worker of the new event has gone home."""
    box = used
    for day in count(1):
        box.now = f"{datetime(2026, 4, 1) + timedelta(days=day):%Y-%m-%dT%H:%M:%SZ}"
        note(box, prompt(box, day))
        first = subprocess.Popen(WORKER, cwd="/", env=box.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_for(lambda: list((box.home / "backups").glob(f"memory-{box.now[:10]}.*")))
        first.send_signal(signal.SIGSTOP)
        lock = worker.take_lock(str(box.home))
        if lock is None:
            break
        os.close(lock)  # it was gone already: try again on the next day
        first.send_signal(signal.SIGCONT)
        first.communicate(timeout=PATIENCE_SECONDS)
        assert day < 30
    note(box, stop(box, 1))
    assert work(box) == 0
    assert len(waiting(box)) == 1
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=PATIENCE_SECONDS)
    assert (first.returncode, waiting(box), len(turns(box))) == (0, [], 1)


# -- poison ------------------------------------------------------------------------------------------------------------

# What becomes of a noted event, given its header and what the client sent; a receipt may stand between them.
POISONS: dict[str, Callable[[bytes, bytes], bytes]] = {
    "nothing": lambda _, __: b"",
    "no header": lambda _, said: said,
    "half a header": lambda head, said: head[:8] + b"\n\n" + said,
    "half an event": lambda head, said: head + b"\n\n" + said[:50],
    "a list": lambda head, _: head + b"\n\n[1, 2]",
    "nested beyond reason": lambda head, _: head + b"\n\n" + b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a receipt that is no object": lambda head, said: head + b"\n[1]\n" + said,
    "a receipt without a number": lambda head, said: head + b'\n{"shown": []}\n' + said,
    "a receipt that cost many": lambda head, said: head + b'\n{"id": "r", "tokens": "many"}\n' + said,
    "an unknown client": lambda head, said: head.replace(b"claude-code", b"nobody") + b"\n\n" + said,
    "a client that is a path": lambda head, said: head.replace(b"claude-code", b"../../x") + b"\n\n" + said,
    "another part of ours": lambda head, said: head.replace(b"claude-code", b"base") + b"\n\n" + said,
}
TRIED_TWICE = ("a receipt without a number", "a receipt that cost many")


def poisoned(box: Box, poison: str) -> tuple[str, bytes]:
    """Spoil the second of three events of a session: what it is to be called, and what it holds."""
    note(box, prompt(box, 1, poison))
    bad = note(box, tool(box, 1, poison))
    head, _, said = (box.home / "inbox" / bad).read_bytes().split(b"\n", 2)
    (box.home / "inbox" / bad).write_bytes(POISONS[poison](head, said))
    note(box, stop(box, 1, poison))
    return f"{bad}.tried" if poison in TRIED_TWICE else bad, POISONS[poison](head, said)


def test_poisonous_events_are_set_aside_and_named_and_the_others_go_through(box):
    wanted = dict(poisoned(box, poison) for poison in POISONS)
    assert work(box) == 0
    assert work(box) == 0
    assert (waiting(box), aside(box)) == ([], sorted(wanted)), log(box)[-500:]
    assert {name: (box.home / "aside" / name).read_bytes() for name in wanted} == wanted
    assert len(turns(box)) == len(POISONS)
    assert len(keys(box)) == 2 * len(POISONS)
    assert [name for name in wanted if f"{name} is set aside: " not in log(box)] == []
    found = checks(box)["set aside"]
    assert not found["is_well"]
    assert f"{len(POISONS)} events" in found["says"]
    assert str(box.home / "aside") in found["fix"]


def test_what_only_one_handler_cannot_bear_is_tried_twice(box):
    bad = note(box, prompt(box, 1), receipt='{"shown": []}')
    note(box, prompt(box, 2))
    work(box)
    tried = [line for line in log(box).splitlines() if "KeyError" in line]
    assert len(tried) == 3  # with the others, alone, and once more
    assert aside(box) == [f"{bad}.tried"]


@pytest.mark.parametrize("name", ["foreign.event", "-.event", "a.event.tried"])
def test_a_file_that_is_not_ours_in_the_inbox_holds_nobody_up(box, name):
    box.now = None
    note(box, prompt(box, 1))
    (box.home / "inbox" / note(box, stop(box, 1))).rename(box.home / "inbox" / name)
    work(box)
    work(box)
    assert waiting(box) == []
    assert ("PromptSubmitted",) in rows(box, "SELECT name FROM events")


def test_a_folder_in_the_inbox_holds_nobody_up(box):
    name = note(box, prompt(box, 1))
    (box.home / "inbox" / f"0{name}").mkdir()
    work(box)
    assert waiting(box) == []
    assert len(keys(box)) == 1


def test_a_home_that_is_named_as_seen_from_the_working_folder_is_the_same_for_the_worker(box):
    note(box, prompt(box, 1))
    env = {**box.env, "RECOLLECT_HOME": box.home.name}
    done = subprocess.run(WORKER, cwd=box.folder, env=env, capture_output=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (waiting(box), len(keys(box))) == ([], 1)


def test_halves_of_events_are_not_looked_at(box):
    name = note(box, prompt(box, 1))
    half = box.home / "inbox" / f".{name}"
    half.write_bytes(b"claude-code St")
    drain(box)
    assert half.exists()
    assert (waiting(box), aside(box)) == ([], [])


# -- a store that is not well ------------------------------------------------------------------------------------------


def assert_waits(box: Box, names: list[str], function: Callable[[], None] = worker.main, **how: Any) -> None:
    work(box, function, **how)
    assert (waiting(box), aside(box)) == (names, [])


def assert_drained(box: Box) -> None:
    assert work(box) == 0
    assert (waiting(box), aside(box)) == ([], [])
    assert turns(box) == ["Asked: question 1 of s1\n\nAnswered: answer 1 of s1"]
    assert rows(box, "SELECT number, prompts FROM sessions WHERE id = 's1'")[0][1] == 1
    assert_sound(box)


@pytest.fixture
def full(used: Box) -> tuple[Box, list[str]]:
    """A box where a turn waits, and the names of its events."""
    used.run("remember", "what must not be lost")
    return used, [note(used, said) for said in (prompt(used, 1), tool(used, 1), stop(used, 1))]


def test_events_wait_while_another_program_holds_the_store(full):
    box, names = full
    with held(box):
        assert_waits(box, names, impatient)
        assert_waits(box, names, impatient)
    assert_drained(box)


def test_events_wait_while_the_store_is_damaged(full):
    box, names = full
    (box.home / "memory.db").write_bytes(random.Random(1).randbytes(50_000))
    assert_waits(box, names)
    assert_waits(box, names)
    assert "3 events wait: the database is damaged" in log(box)
    box.run("doctor", "--repair", code=None)
    assert_drained(box)
    assert "what must not be lost" in box.run("list").out


def test_events_wait_while_the_store_is_of_a_newer_version(full):
    box, names = full
    version = rows(box, "PRAGMA user_version")[0][0]
    rows(box, "PRAGMA user_version = 99")
    assert_waits(box, names)
    assert "3 events wait: a newer recollect wrote this database" in log(box)
    rows(box, f"PRAGMA user_version = {version}")
    assert_drained(box)


def test_a_store_that_is_missing_comes_back_from_its_journal_and_the_events_go_in(full):
    box, _ = full
    for left in box.home.glob("memory.db*"):
        left.unlink()
    assert_drained(box)
    assert "what must not be lost" in box.run("list").out


def test_events_that_came_before_there_was_a_store_go_into_the_first_one(make_box):
    box = make_box()
    for said in (prompt(box, 1), stop(box, 1)):
        hook(box, said)
    wait_for(lambda: not waiting(box) and not alive(box.home))
    assert_drained(box)


def test_events_wait_while_the_store_cannot_be_written(full):
    box, names = full
    database = box.home / "memory.db"
    box.home.chmod(0o500)
    database.chmod(0o400)
    try:
        assert_waits(box, names, is_unprivileged=True)
    finally:
        database.chmod(0o600)
        box.home.chmod(0o700)
    assert_drained(box)


def test_events_wait_while_the_disk_is_full(full):
    """No file can become larger than it is: the write-ahead log has no room."""
    box, names = full
    assert_waits(box, names, limit=4_096)
    assert_drained(box)


def test_the_events_of_a_project_with_broken_settings_wait_and_those_of_others_do_not(box):
    other = neighbour(box, "other")
    settings = other.root / ".recollect.toml"
    before = settings.read_text() if settings.exists() else ""
    settings.write_text("[inject\n")
    for number in (1, 2):
        note(box, prompt(box, number, "here"))
        note(box, prompt(other, number, "there"))
        note(box, stop(box, number, "here"))
        note(box, stop(other, number, "there"))
    work(box)
    assert len(waiting(box)) == 4
    assert aside(box) == []
    assert [text.endswith("of here") for text in turns(box)] == [True, True]
    assert "events wait" in log(box)
    settings.write_text(before)
    work(box)
    assert waiting(box) == aside(box) == []
    assert len(turns(box)) == 4
    assert rows(box, "SELECT id, prompts FROM sessions ORDER BY id") == [("here", 2), ("there", 2)]


# -- what is kept of what tools print ----------------------------------------------------------------------------------


def many_lines(number: int) -> str:
    return "".join(f"line {line} of zwiebel\n" for line in range(number))


def printed(box: Box, said: str, **fields: Any) -> dict[str, Any]:
    return tool(box, 1, tool_response={"stdout": said, "stderr": "", "interrupted": False}, **fields)


@pytest.mark.parametrize("most", [0, 1, 10, 200, 4_000])
def test_of_what_a_command_printed_no_more_is_kept_than_the_settings_say(box, most):
    box.settings["RECOLLECT_CAPTURE__TOOL_OUTPUT"] = str(most)
    note(box, printed(box, f"begin\n{many_lines(2_000)}end"))
    drain(box)
    ((detail, outcome),) = rows(box, "SELECT detail, outcome FROM events WHERE tool = 'Bash'")
    assert len(detail) <= most
    assert ("begin" in detail, "end" in detail) == (most >= 200, most >= 200)
    assert outcome == "done"


def test_without_a_setting_four_thousand_characters_are_kept(box):
    note(box, printed(box, many_lines(1_000)))
    drain(box)
    assert rows(box, "SELECT length(detail) FROM events WHERE tool = 'Bash'")[0][0] in range(3_900, 4_001)


def test_with_tool_output_off_a_failure_is_known_and_nothing_of_what_it_said(box):
    box.settings["RECOLLECT_CAPTURE__TOOL_OUTPUT"] = "0"
    failed = event(box, "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="c",
                   error="Exit code 2\nmake: zwiebel.c:4711: no such lauch")  # fmt: skip
    for said in (prompt(box, 1), failed, stop(box, 1), event(box, "SessionEnd", reason="exit")):
        note(box, said)
    drain(box)
    found = rows(box, "SELECT name, detail, outcome FROM events WHERE tool = 'Bash'")
    assert found == [("ToolFailed", "", "failed")]
    everything = str(rows(box, "SELECT image FROM memories")) + str(rows(box, "SELECT * FROM events"))
    assert "zwiebel" not in everything
    assert (waiting(box), aside(box)) == ([], [])


# -- once a day --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ttl", "kept"), [(90, 90), (3, 3), (0, 365)])
def test_events_that_were_set_aside_are_removed_when_their_time_is_over(box, ttl, kept):
    box.settings["RECOLLECT_CAPTURE__TTL_DAYS"] = str(ttl)
    place = box.home / "aside"
    place.mkdir()
    for name, days in (("old", kept + 1), ("young", kept - 1)):
        (place / f"{name}.event").write_text("claude-code Stop - -\n\nnot JSON")
        moment = time.time() - days * 86_400
        os.utime(place / f"{name}.event", (moment, moment))
    until = [datetime.fromtimestamp(time.time() + days * 86_400, UTC).date() for days in (-1, 1)]
    says = checks(box)["set aside"]["says"]
    assert says.startswith("2 events could not be processed")
    assert f"{until[0]} to {until[1]}" in says
    note(box, prompt(box, 1))
    drain(box)
    assert aside(box) == ["young.event"]
    assert f"1 events could not be processed; the worker removes them on {until[1]}" in str(checks(box))


def test_the_worker_keeps_a_backup_of_each_of_the_last_seven_days(box):
    for day in range(1, 11):
        for moment in ("09:00:00Z", "17:00:00Z"):
            box.now = f"2026-03-{day:02d}T{moment}"
            note(box, prompt(box, day, f"session-{day}"))
            drain(box)
    backups = sorted((box.home / "backups").iterdir())
    assert [place.name for place in backups] == [f"memory-2026-03-{day:02d}.db" for day in range(4, 11)]
    with contextlib.closing(sqlite3.connect(backups[-1])) as newest:
        assert newest.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert newest.execute("SELECT count(*) FROM sessions").fetchall() == [(10,)]


def test_a_clock_that_was_set_back_does_not_stop_the_backups(box):
    box.now = "2036-03-01T12:00:00Z"
    note(box, prompt(box, 1))
    drain(box)
    box.now = "2026-03-01T12:00:00Z"
    note(box, prompt(box, 2))
    drain(box)
    assert sorted(place.name for place in (box.home / "backups").iterdir()) == [
        "memory-2026-03-01.db",
        "memory-2036-03-01.db",
    ]


def test_a_backup_that_was_cut_short_is_taken_anew(box):
    folder = box.home / "backups"
    folder.mkdir(mode=0o700)
    (folder / "memory-2026-03-01.new").write_bytes(b"half a backup")
    note(box, prompt(box, 1))
    drain(box)
    assert [place.name for place in folder.iterdir()] == ["memory-2026-03-01.db"]


def test_old_events_and_receipts_are_forgotten_and_sessions_stay(box):
    box.settings = {"RECOLLECT_CAPTURE__TTL_DAYS": "30"}
    box.run("remember", "the harbour crane is painted yellow")
    hook(box, prompt(box, 1, prompt="which colour has the harbour crane"))
    drain(box)
    assert (len(keys(box)), rows(box, "SELECT count(*) FROM receipts")) == (1, [(1,)])
    box.now = "2026-04-15T12:00:00Z"
    note(box, prompt(box, 2, "s2"))
    drain(box)
    assert keys(box) == ["s2/PromptSubmitted//s2-turn-2/"]
    assert rows(box, "SELECT count(*) FROM receipts") == [(0,)]
    assert rows(box, "SELECT id FROM sessions ORDER BY id") == [("s1",), ("s2",)]


@pytest.mark.seed("A45")
def test_ledgers_of_sessions_that_never_said_good_bye_are_removed_after_a_week(box):
    runtime = box.home / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    for name, days in (("recalled-old", 8), ("recalled-young", 6), ("other-old", 8)):
        (runtime / name).write_text("s 1\n")
        os.utime(runtime / name, (time.time() - days * 86_400,) * 2)
    note(box, prompt(box, 1))
    drain(box)
    assert {place.name for place in runtime.iterdir()} >= {"recalled-young", "other-old"}
    assert not (runtime / "recalled-old").exists()


# -- secrets -----------------------------------------------------------------------------------------------------------

SECRETS = {
    "a token": "ghp_" + "a1B2c3D4" * 5,
    "an access key": "AKIA" + "Q7W3E5R1" * 2,
    "a password": "Tr0ub4dor" + "x9Kq2",
    "a bearer": "eyJ" + "hbGciOi9" * 10,
    "a password in an address": "s3cr3t" + "Pa55w0rd",
}
SAYING = (
    "use {a token} and {an access key}; password={a password}, Authorization: Bearer {a bearer}, "
    "postgres://app:{a password in an address}@db/shop"
).format_map(SECRETS)


def assert_free_of_secrets(*places: Path) -> None:
    for place in places:
        data = place.read_bytes()
        assert [name for name, value in SECRETS.items() if value.encode() in data] == [], place


@pytest.mark.seed("C14")
def test_secrets_reach_neither_the_inbox_nor_any_file_of_ours(box):
    hook(box, prompt(box, 1, prompt=SAYING))
    hook(box, tool(box, 1, tool_input={"command": f"curl {SAYING}"}, tool_response={"stdout": SAYING}))
    hook(box, {**tool(box, 2, error=SAYING), "hook_event_name": "PostToolUseFailure"})
    note_files = [box.home / "inbox" / name for name in waiting(box)]
    assert len(note_files) == 3
    assert_free_of_secrets(*note_files)
    hook(box, stop(box, 1, last_assistant_message=SAYING))
    wait_for(lambda: not alive(box.home))
    drain(box)
    assert len(keys(box)) == 4
    assert "redacted" in turns(box)[0]
    assert_free_of_secrets(*(place for place in box.folder.rglob("*") if place.is_file()))


def test_scrub_reaches_events_receipts_backups_and_what_waits_or_is_set_aside(box):
    value = "zanzibarxylophone"
    box.run("remember", f"the harbour crane belongs to {value}")
    hook(box, prompt(box, 1, prompt=f"who owns the harbour crane of {value}"))
    note(box, tool(box, 1, tool_input={"command": f"echo {value}"}))
    note(box, stop(box, 1, last_assistant_message=f"it is {value}"))
    bad = note(box, tool(box, 2))
    (box.home / "inbox" / bad).write_bytes(b"no header " + value.encode())
    drain(box)
    note(box, tool(box, 3, tool_input={"command": f"make {value}"}))
    places = [box.home / "inbox" / waiting(box)[0], box.home / "aside" / bad, *(box.home / "backups").iterdir()]
    assert all(value.encode() in place.read_bytes() for place in places)
    for table, column in (("events", "about"), ("receipts", "words"), ("receipts", "candidates"), ("memories", "text")):
        assert rows(box, f"SELECT 1 FROM {table} WHERE {column} LIKE ?", f"%{value}%"), (table, column)

    box.run("scrub", value, "--yes")

    files = [place for place in box.home.rglob("*") if place.is_file()]
    assert [place for place in files if value.encode() in place.read_bytes().lower()] == []
    assert drain(box)["drained"] == 1
    [about] = rows(box, "SELECT about FROM events WHERE key LIKE '%s1-call-3%'")
    assert about[0].startswith("make ")
    assert {name for name, one in checks(box).items() if not one["is_well"]} == {"log", "set aside"}


# -- when a worker is started ------------------------------------------------------------------------------------------


def test_a_tool_call_starts_a_worker_only_when_a_pile_waits(box):
    for number in range(wiring.MAX_WAITING_EVENTS - 1):
        note(box, tool(box, number))
    hook(box, tool(box, 1_000))
    assert len(waiting(box)) == wiring.MAX_WAITING_EVENTS
    assert (alive(box.home), (box.home / "worker.lock").exists()) == ({}, False)
    hook(box, tool(box, 1_001))
    wait_for(lambda: not waiting(box))
    assert len(keys(box)) == wiring.MAX_WAITING_EVENTS + 1


@pytest.mark.parametrize(
    "native", ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact"]
)
def test_most_events_start_no_worker(box, native):
    box.run("list")  # leaves its settings, so that hooks find nothing stale
    hook(box, event(box, native, prompt="hello", tool_name="Bash", tool_use_id="1", prompt_id="1", error="no"))
    assert (alive(box.home), (box.home / "worker.lock").exists()) == ({}, False)


@pytest.mark.parametrize("native", ["SessionStart", "Stop", "StopFailure", "SessionEnd"])
def test_the_ends_of_turns_and_sessions_start_a_worker_that_is_gone_when_it_is_done(box, native):
    hook(box, event(box, native, prompt_id="1", last_assistant_message="done", source="startup"))
    wait_for(lambda: not waiting(box))
    wait_for(lambda: not alive(box.home))
    assert len(keys(box)) == 1


# -- many at once ------------------------------------------------------------------------------------------------------

NOTER = """
import os, sys, time
from recollect.hooks import dispatch, inbox
name, number, folder, go = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
while not os.path.exists(go):
    time.sleep(0.002)
for at in range(number):
    raw = ('{"session_id":"%s","cwd":"%s","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"%s-%d"}'
           % (name, folder, name, at)).encode()
    if at % 2:
        assert dispatch.run("claude-code", "PostToolUse", raw, os.environ) == ""
    else:
        inbox.put(os.environ["RECOLLECT_HOME"], "claude-code", "PostToolUse", raw)
"""


def test_of_a_thousand_events_that_come_at_once_none_is_lost_and_none_doubled(box):
    go, each = box.folder / "go", 125
    noters = [
        subprocess.Popen(
            [sys.executable, "-c", NOTER, f"noter-{number}", str(each), str(box.root), str(go)], env=box.env
        )
        for number in range(8)
    ]
    hooks = [start_hook(box, tool(box, number, "hook")) for number in range(10)]
    go.touch()
    hooks += [start_hook(box, tool(box, number, "hook")) for number in range(10, 20)]
    assert [one.wait(PATIENCE_SECONDS) for one in noters] == [0] * 8
    assert [(*one.communicate(timeout=PATIENCE_SECONDS), one.returncode) for one in hooks] == [(b"", b"", 0)] * 20
    wait_for(lambda: not alive(box.home))
    assert work(box) == 0

    wanted = {f"noter-{number}-{at}" for number in range(8) for at in range(each)}
    wanted |= {f"hook-call-{number}" for number in range(20)}
    assert (waiting(box), aside(box), log(box)) == ([], [], "")
    assert sorted(key.split("/")[3] for key in keys(box)) == sorted(wanted)
    assert list((box.home / "inbox").iterdir()) == []
