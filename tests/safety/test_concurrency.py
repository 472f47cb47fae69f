"""Many writers at once, some of them killed: nothing acknowledged is lost, nothing is left behind."""

import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from safety import worker

import recollect

SEED = 20260301
PROCESSES, WRITES = 8, 40
VICTIMS, KILLS = 4, 3
MEMORY_DISK = Path("/dev/shm")


@pytest.fixture
def busy_box(box: Any) -> Iterator[Any]:
    """A box without caps, in memory where the system can: kill -9 tests our order of writing, not the disk."""
    if not os.access(MEMORY_DISK, os.W_OK):
        box.settings["RECOLLECT_SAVE__MAX_PER_KIND"] = "0"
        yield box
        return
    folder = Path(tempfile.mkdtemp(dir=MEMORY_DISK, prefix="recollect-test-"))
    try:
        fast = type(box)(folder, folder / "store", folder / "project")
        fast.settings["RECOLLECT_SAVE__MAX_PER_KIND"] = "0"
        fast.root.mkdir()
        fast.run("init")
        yield fast
    finally:
        shutil.rmtree(folder)


def work(box: Any, name: str, kills: list[int]) -> list[dict[str, Any]]:
    """One worker's life: after so many lines it is killed, and another one takes over where it stopped."""
    lines: list[dict[str, Any]] = []
    for stop in [*kills, WRITES]:
        left = WRITES - len(lines)
        process = box.fork(str(box.root), name, str(SEED), str(len(lines)), str(left), function=worker.mixed)
        for line in process.stdout:
            if line.endswith("\n"):
                lines.append(json.loads(line))
            if len(lines) == stop < WRITES:
                process.send_signal(signal.SIGKILL)
        problem = process.stderr.read()
        assert process.wait() == (-signal.SIGKILL if stop < WRITES else 0), problem
        process.stdout.close()
        process.stderr.close()
        if len(lines) == WRITES:
            break
    return lines


def test_every_acknowledged_write_of_eight_processes_survives_kill_9(busy_box: Any):
    box, rng = busy_box, random.Random(SEED)
    for number in range(4):
        box.run("remember", f"everybody edits this {number}", "--tag", worker.SHARED_TAG)
    names = [f"worker-{number}" for number in range(PROCESSES)]
    kills = {name: sorted(rng.sample(range(5, WRITES - 5), KILLS)) for name in names[:VICTIMS]}
    with ThreadPoolExecutor(PROCESSES) as pool:
        said = dict(zip(names, pool.map(lambda name: work(box, name, kills.get(name, [])), names), strict=True))

    box.run("reconcile")

    worker.assert_all_is_well(box)
    journal = worker.rows(box, "SELECT uid, revision, action, actor, after, reason, seq FROM journal ORDER BY seq")
    in_mirror = {(line["uid"], line["revision"], line["action"], line["seq"]) for line in worker.mirror(box)}
    stored = {row["uid"] for row in worker.rows(box, "SELECT uid FROM memories")}
    for name, lines in said.items():
        acknowledged = [line for line in lines if "uid" in line]
        assert len(acknowledged) >= WRITES * 0.8
        for line in acknowledged:
            matching = [
                entry
                for entry in journal
                if (entry["uid"], entry["revision"], entry["action"]) == (line["uid"], line["revision"], line["action"])
                and line["token"] in f"{entry['after']} {entry['reason']}"
                and entry["actor"] == name
            ]
            assert matching, f"{name}: {line} is not in the journal"
            assert line["uid"] in stored
            assert (line["uid"], line["revision"], line["action"], matching[0]["seq"]) in in_mirror
    assert {entry["actor"] for entry in journal} >= set(names)
    assert_nobody_wrote_after_the_last_word(journal, said, victims=set(kills))


def assert_nobody_wrote_after_the_last_word(journal: Any, said: Any, victims: set[str]) -> None:
    """A worker that was never killed acknowledged everything that stands in the journal about its own memories."""
    last = {entry["uid"]: entry for entry in journal}
    for name in said.keys() - victims:
        own = {line["uid"]: line for line in said[name] if "uid" in line}
        created = {line["uid"] for line in said[name] if line.get("action") == "created"}
        for uid in created:
            assert last[uid]["revision"] == own[uid]["revision"]


def test_one_of_eight_updates_with_the_same_hash_wins(box: Any, tmp_path: Path):
    target = box.vault / "decisions" / "use-sqlite.json"
    record = {
        "title": "Use SQLite",
        "tags": ["storage"],
        "content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]},
    }
    create = ("write", "--action", "create", "--category", "decision", "--target", str(target), "--input")
    box.run(*create, box.draft(record))
    revision = hashlib.md5(target.read_bytes(), usedforsecurity=False).hexdigest()
    commands = []
    for number in range(8):
        changed = {**record, "content": {**record["content"], "decision": f"decided by {number}"}}
        source = box.draft(changed, f"draft-{number}.json")
        commands.append(["write", "--action", "update", "--target", str(target), "--input", source, "--hash", revision])

    ends = worker.at_once([box] * 8, commands, tmp_path / "go")

    assert Counter((code, out.split("\n")[0] if code else "updated") for code, out, _ in ends) == {
        (0, "updated"): 1,
        (1, "OCC_CONFLICT"): 7,
    }
    winner = next(number for number, (code, _, _) in enumerate(ends) if code == 0)
    assert json.loads(target.read_text())["content"]["decision"] == f"decided by {winner}"
    worker.assert_all_is_well(box)


def test_twenty_creates_at_once_make_twenty_files_and_twenty_index_lines(box: Any, tmp_path: Path):
    commands = []
    for number in range(20):
        record = {"title": f"Memory {number}", "tags": ["t"], "content": {"text": f"text {number}"}}
        target = box.vault / "notes" / f"memory-{number}.json"
        source = box.draft(record, f"draft-{number}.json")
        commands.append(
            ["write", "--action", "create", "--category", "note", "--target", str(target), "--input", source]
        )

    ends = worker.at_once([box] * 20, commands, tmp_path / "go")

    assert [code for code, _, _ in ends] == [0] * 20, ends
    assert sorted(worker.vault_files(box)) == sorted(f"notes/memory-{number}.json" for number in range(20))
    assert len(box.index()) == 20
    worker.assert_all_is_well(box)


def test_one_of_twenty_creates_of_the_same_target_wins(box: Any, tmp_path: Path):
    target = box.vault / "notes" / "contested.json"
    commands = []
    for number in range(20):
        source = box.draft({"title": "Contested", "tags": ["t"], "content": {"text": f"by {number}"}}, f"{number}.json")
        commands.append(
            ["write", "--action", "create", "--category", "note", "--target", str(target), "--input", source]
        )

    ends = worker.at_once([box] * 20, commands, tmp_path / "go")

    assert Counter((code, out.split("\n")[0] if code else "created") for code, out, _ in ends) == {
        (0, "created"): 1,
        (1, "CREATE_ERROR"): 19,
    }
    winner = next(number for number, (code, _, _) in enumerate(ends) if code == 0)
    assert json.loads(target.read_text())["content"]["text"] == f"by {winner}"
    worker.assert_all_is_well(box)


def test_the_same_text_remembered_by_eight_processes_at_once_is_one_memory(box: Any, tmp_path: Path):
    commands = [["remember", "Use pnpm, never npm", "--tag", f"tag-{number}"] for number in range(8)]

    ends = worker.at_once([box] * 8, commands, tmp_path / "go")

    assert [code for code, _, _ in ends] == [0] * 8, ends
    found = box.run("list", "--all", "--json").json
    assert len(found) == 1
    assert sorted(found[0]["tags"]) == [f"tag-{number}" for number in range(8)]
    worker.assert_all_is_well(box)


def test_one_workspace_serves_eight_threads(box: Any, monkeypatch: pytest.MonkeyPatch):
    for name, value in box.env.items():
        monkeypatch.setenv(name, value)
    begin = threading.Barrier(8)
    with recollect.open(box.root) as space:

        def write(number: int) -> list[str]:
            begin.wait()
            made = [space.remember(f"thread {number} says {turn}").memory.uid for turn in range(5)]
            space.edit(made[0], text=f"thread {number} changed its mind")
            space.retire(made[1], "no longer true")
            assert f"thread {number} changed its mind" in [memory.text for memory in space.list()]
            return made

        with ThreadPoolExecutor(8) as pool:
            made = [uid for uids in pool.map(write, range(8)) for uid in uids]

        assert len(set(made)) == 40
        assert len(space.list()) == 32
    worker.assert_all_is_well(box)


def test_two_users_in_one_folder_lose_neither_file_nor_index_line(make_box: Any, tmp_path: Path):
    ann = make_box("ann")
    bob = make_box("bob", root=ann.root)
    ann.run("init")
    bob.run("init")
    for user in (ann, bob):
        user.settings["RECOLLECT_SAVE__MAX_PER_KIND"] = "0"
    processes = [
        user.fork(str(user.root), name, str(SEED), "0", "25", function=worker.mixed)
        for user, name in ((ann, "ann-1"), (bob, "bob-1"), (ann, "ann-2"), (bob, "bob-2"))
    ]
    ends = [process.communicate(timeout=worker.WAIT_SECONDS) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, ends

    ann.run("reconcile")
    bob.run("reconcile")
    ann.run("reconcile")

    files = {json.loads(data)["id"] for data in worker.vault_files(ann).values()}
    for user in (ann, bob):
        known = user.run("list", "--all", "--json").json
        assert {memory["slug"] for memory in known} == files
    created = [json.loads(line) for out, _ in ends for line in out.splitlines() if '"created"' in line]
    assert len(files) >= len(created)
    worker.assert_all_is_well(ann)
    worker.assert_all_is_well(bob)


def test_a_reader_does_not_wait_for_a_writer(box: Any):
    box.run("remember", "something to read")
    os.utime(box.vault / "notes" / "something-to-read.json", (1_700_000_000, 1_700_000_000))
    box.run("show", "something-to-read")  # notes how the file looks now: nothing is left to write down
    writer = sqlite3.connect(box.home / "memory.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    try:
        reading = box.fork("50", "show", "something-to-read", function=worker.impatient)
        out, problem = reading.communicate(timeout=worker.WAIT_SECONDS)
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    assert reading.returncode == 0, problem
    assert "something to read" in out
