"""Upkeep of memories from end to end: weigh, compress, forget; by hand and by the worker, undone, stopped, killed."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import Box
from safety import worker as roles
from telling import Telling

import recollect
from recollect.machine import lock

LONG_AGO, NOW = "2026-02-01T12:00:00Z", "2026-03-01T12:00:00Z"
SAYS = "Deploys of the billing service need the staging flag. Run {} took long."


@pytest.fixture
def has_git() -> bool:
    return False


def deploys(box: Box, number: int = 4, first: int = 0, **fields: Any) -> list[str]:
    """Memories that say nearly the same, of a month ago."""
    places = range(first, first + number)
    one = [{"title": f"Deploy {n}", "content": {"text": SAYS.format(n)}, **fields} for n in places]
    return box.bring(*one, at=LONG_AGO)


def rows(box: Box) -> dict[str, dict[str, Any]]:
    """Every memory as the store has it: its image, revision and columns that upkeep changes."""
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store:
        found = store.execute("SELECT uid, image, revision, importance, status FROM memories ORDER BY uid").fetchall()
    return {row[0]: {"image": row[1], "revision": row[2], "importance": row[3], "status": row[4]} for row in found}


def files(box: Box) -> dict[str, bytes]:
    found = (path for path in box.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(box.root).as_posix(): path.read_bytes() for path in found}


def state(box: Box) -> tuple[Any, Any]:
    return rows(box), files(box)


def job(box: Box, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in box.run("jobs", "--json").json if row["name"] == name)
    return found


def set_usage(box: Box, uid: str, **usage: Any) -> None:
    """Edit the counters of a memory by hand, past recollect."""
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store, store:
        for name, value in usage.items():
            sql = f"UPDATE memories SET image = json_set(image, '$.usage.{name}', ?) WHERE uid = ?"
            store.execute(sql, (value, uid))


@contextlib.contextmanager
def another_at_the_jobs(box: Box) -> Iterator[None]:
    """Hold what another process holds while it runs jobs."""
    with lock(box.home / "jobs.lock", timeout_seconds=1.0):
        yield


# -- weigh -------------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D41")
def test_a_use_counts_once_in_the_weighing_after_its_session_and_nothing_looks_edited(box):
    box.run("remember", "The walrus server needs a restart on mondays")
    uid = box.run("list", "--json").json[0]["uid"]
    before, edited = files(box), json.loads(rows(box)[uid]["image"])["updated_at"]
    box.rest()
    for number in range(2):
        said = {"session_id": f"session-number-{number}", "cwd": str(box.root), "prompt_id": f"p{number}"}
        asked = json.dumps({**said, "prompt": "when does the walrus server need a restart?"})
        assert "walrus" in box.run("hook", "claude-code", "UserPromptSubmit", stdin=asked).out
        box.run("hook", "claude-code", "SessionEnd", stdin=json.dumps({**said, "reason": "exit"}))
    box.wake()
    box.run("drain")
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store:
        uses = store.execute("SELECT count(*), sum(weighed) FROM accesses").fetchone()
    assert job(box, "weigh")["last_run"] == box.now
    expected = 0.5 + uses[0] * 0.03 * 0.6931471805599453
    assert uses == (2, 2)
    assert rows(box)[uid]["importance"] == pytest.approx(expected)
    box.run("consolidate", "--only", "weigh")
    assert rows(box)[uid]["importance"] == pytest.approx(expected)
    assert json.loads(rows(box)[uid]["image"])["updated_at"] == edited
    assert files(box) == before
    box.run("undo")
    assert box.run("list", "--json").json == [], "undo takes back what a person did, not the worker's weighing"


@pytest.mark.seed("D42")
def test_weighing_twice_a_day_is_weighing_once_and_a_dry_run_changes_nothing(box):
    (uid,) = box.bring({"title": "Crane is yellow"}, at="2026-02-25T12:00:00Z")
    before = state(box)
    (plan,) = box.run("consolidate", "--only", "weigh", "--dry-run", "--json").json
    (step,) = plan["steps"]
    assert (step["uid"], step["before"], round(step["after"], 3), step["action"]) == (uid, 0.5, 0.3, "weigh")
    assert plan["run"] is None
    assert state(box) == before
    for _ in range(2):
        box.run("consolidate", "--only", "weigh")
        assert rows(box)[uid]["importance"] == pytest.approx(0.3)
    box.now = "2026-03-02T01:00:00Z"
    box.run("consolidate", "--only", "weigh")
    assert rows(box)[uid]["importance"] == pytest.approx(0.25)
    box.run("undo")
    assert rows(box)[uid]["importance"] == pytest.approx(0.3)
    box.run("undo")
    assert state(box) == before, "byte for byte"


def test_an_undo_of_something_else_keeps_what_weighing_did_since(box):
    (uid,) = box.bring({"title": "Crane is yellow"}, at="2026-02-25T12:00:00Z")
    box.run("retire", uid, "--reason", "old")
    box.run("restore", uid)
    box.now = "2026-03-05T12:00:00Z"
    box.run("consolidate", "--only", "weigh")
    weighed = rows(box)[uid]["importance"]
    assert weighed < 0.5
    box.run("edit", uid, "--title", "Crane is blue")
    box.run("undo")
    assert rows(box)[uid]["importance"] == weighed


def test_a_database_that_is_rebuilt_from_the_journal_has_the_importance_too(box):
    (uid,) = box.bring({"title": "Crane is yellow"}, at="2026-02-25T12:00:00Z")
    box.run("consolidate", "--only", "weigh")
    for place in box.home.glob("memory.db*"):
        place.unlink()
    box.run("list")
    assert rows(box)[uid]["importance"] == pytest.approx(0.3)


@pytest.mark.seed("D40")
def test_an_old_observation_is_archived_and_a_curated_memory_never(box):
    at = "2025-11-01T12:00:00Z"
    seen, note = box.bring({"kind": "discovery", "title": "Seen"}, {"kind": "note", "title": "Noted"}, at=at)
    box.run("consolidate", "--only", "weigh")
    assert [rows(box)[uid]["status"] for uid in (seen, note)] == ["archived", "active"]
    assert rows(box)[note]["importance"] == 0
    box.run("restore", seen)
    assert rows(box)[seen]["status"] == "active"


# -- compress ----------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D43", "D44")
@pytest.mark.parametrize("layout", ["json", "markdown"])
def test_memories_that_say_the_same_become_one_summary_and_one_undo_brings_them_back(make_box, layout):
    box = make_box()
    box.run("init", "--layout", layout)
    uids = [uid for number in range(4) for uid in deploys(box, 1, number, tags=[f"t{number}"])]
    box.bring({"title": "Deploy of today", "content": {"text": SAYS.format(9)}})
    box.bring({"title": "Other", "content": {"text": "The harbour crane is yellow"}}, at=LONG_AGO)
    with box.living(), recollect.open(box.root) as space:
        space.add_fact("billing", "needs", "flag", source=uids[0])
    before = state(box)
    box.run("consolidate", "--only", "compress", "--dry-run")
    assert state(box) == before
    box.run("consolidate", "--only", "compress")
    (summary,) = [one for one in box.run("list", "--json").json if one["kind"] == "compressed_summary"]
    assert summary["content"]["text"].splitlines() == [
        "Deploys of the billing service need the staging flag.", *(f"Run {n} took long." for n in range(4)),
    ]  # fmt: skip
    assert set(summary["derived_from"]) == set(uids)
    assert set(summary["tags"]) >= {"t0", "t1", "t2", "t3"}
    assert [rows(box)[uid]["status"] for uid in uids] == ["archived"] * 4
    assert "Deploy of today" in {one["title"] for one in box.run("list", "--json").json}, "too young"
    with box.living(), recollect.open(box.root) as space:
        assert [fact.source for fact in space.facts()] == [summary["uid"]]
    found = box.run("recall", "staging flag of the billing service", "--json").json
    assert summary["uid"] in json.dumps(found)
    box.run("undo")
    assert state(box) == before, "byte for byte, files included"
    box.run("consolidate", "--only", "compress")
    box.run("restore", uids[0])
    assert rows(box)[uids[0]]["status"] == "active"


@pytest.mark.seed("D44")
def test_pinned_rules_and_pending_memories_are_never_compressed_and_secrets_stay_apart(box):
    deploys(box, kind="decision", content={"decision": SAYS, "status": "accepted", "context": "", "rationale": ["x"]})
    deploys(
        box,
        kind="constraint",
        content={"rule": SAYS, "kind": "technical", "impact": ["x"], "severity": "low", "active": True},
    )
    deploys(box, 3, usage={"pinned": True})
    deploys(box, 3, tags=["pending"])
    deploys(box, 2, sensitivity="secret")
    assert box.run("consolidate", "--only", "compress", "--json").json[0]["steps"] == []


def test_memories_that_were_made_from_each_other_in_a_circle_hang_nothing(box):
    one, two, three = deploys(box, 3)
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store, store:
        for uid, source in ((one, two), (two, three), (three, one)):
            sql = "UPDATE memories SET image = json_set(image, '$.derived_from', json_array(?)) WHERE uid = ?"
            store.execute(sql, (source, uid))
    box.run("session", "--set", "400")
    box.run("show", one)
    box.run("consolidate")
    box.run("forget", "--force")
    assert [rows(box)[uid]["status"] for uid in (one, two, three)] == ["archived"] * 3


# -- forget ------------------------------------------------------------------------------------------------------------


@pytest.mark.seed("A38", "A40")
def test_candidates_are_listed_and_without_a_counter_that_is_an_error(box):
    box.bring({"slug": "b"}, {"slug": "a"}, {"slug": "loved", "usage": {"appreciation": 2}})
    refused = box.run("forget", "--candidates", code=1)
    assert refused.out == ""
    assert "no session was counted yet" in refused.err
    box.run("session", "--set", "49")
    assert box.run("forget", "--candidates").out == ""
    box.run("session", "--set", "50")
    lines = [
        "0.0000  a  freq=0 last=0 appr=0",
        "0.0000  b  freq=0 last=0 appr=0",
        "2.0000  loved  freq=0 last=0 appr=2",
    ]
    assert box.run("forget", "--candidates").out.splitlines() == lines
    assert box.run("forget", "--candidates", "1").out.splitlines() == lines[:1]
    assert box.run("forget").out == "forget: not due before session 200\n"


@pytest.mark.seed("A37", "A40")
def test_each_reviewed_candidate_ends_archived_or_appreciated_and_moves_to_cold_storage(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.run("remember", "Nobody ever asks for this", "--title", "Unused")
    box.run(
        "remember",
        "Use pnpm",
        "--kind",
        "preference",
        "--set",
        "strength=strong",
        "--set",
        "topic=npm",
        "--why",
        "fast",
    )
    (box.root / "memory" / "broken.md").write_bytes(b"<memory-metadata>\n{ no json\n</memory-metadata>\n\xff")
    box.run("remember", "Of which the file will be damaged", "--title", "Damaged")
    (box.root / "memory" / "damaged.md").write_bytes(b"\xff\xfe no text")
    box.run("session", "--set", "400")
    box.run("reconcile", code=None)
    before = files(box)
    done = box.run("forget", "--force", "--json").json
    assert done["run"]["result"] == "archived 1, appreciated 1 of 2 candidates"
    assert (box.root / "memory-cold" / "unused.md").exists()
    assert not (box.root / "memory" / "unused.md").exists()
    (kept,) = [one for one in box.run("list", "--json").json if one["kind"] == "preference"]
    assert kept["usage"]["appreciation"] == 1
    box.run("undo")
    assert files(box) == before


def drained_session(box: Box, number: int) -> None:
    box.run("session", "--set", str(number - 1))
    Telling(box, session=f"session-{number}-abcdefgh").asks("what is new?").answers().drained()


@pytest.mark.seed("A39")
def test_the_first_due_session_only_begins_and_a_due_run_stays_owed_until_it_succeeds(box):
    box.bring({"slug": "unused"})
    for number in (199, 200, 201):
        drained_session(box, number)
        assert (job(box, "forget")["last_run"], job(box, "forget")["is_due"]) == (None, False)
    box.settings["RECOLLECT_FORGET__CANDIDATES"] = "1"
    with another_at_the_jobs(box):
        drained_session(box, 400)
        drained_session(box, 401)
    assert job(box, "forget")["is_due"], "also when the number has moved on"
    drained_session(box, 402)
    done = job(box, "forget")
    assert (done["last_run"], done["failed_at"], done["is_due"], done["next_session"]) == (box.now, None, False, 600)
    assert done["result"].startswith("archived 1")


@pytest.mark.seed("A39", "A37")
def test_a_count_that_begins_at_zero_makes_session_200_the_first_review_which_goes_on_in_the_next(box):
    captured = {"origin": "tool", "confidence": 0.8, "usage": {"created_session": 3, "last_session": 3}}
    uids = box.bring(*({"slug": f"met-{n}", **captured} for n in range(3)), {"slug": "by-hand", "origin": "user"})
    box.settings |= {"RECOLLECT_FORGET__CANDIDATES": "0", "RECOLLECT_FORGET__SHARE": "0.5"}

    def gone() -> list[int]:
        now = rows(box)
        return [number for number, uid in enumerate(uids) if now[uid]["status"] == "archived"]

    drained_session(box, 1)
    before = rows(box)
    drained_session(box, 200)
    assert gone() == [0, 1]
    drained_session(box, 201)
    done = job(box, "forget")
    assert (done["result"], done["is_due"]) == ("archived 1, appreciated 0 of 1 candidates", False)
    drained_session(box, 202)
    assert job(box, "forget") == done
    assert gone() == [0, 1, 2], "nothing that somebody saved by hand"
    for _ in range(2):
        box.run("undo", "--yes")
    assert {uid: rows(box)[uid] for uid in uids} == {uid: before[uid] for uid in uids}


@pytest.mark.seed("A41")
def test_somebody_who_watches_is_told_that_forgetting_began(box):
    programs = box.folder / "programs"
    programs.mkdir()
    said = box.folder / "said"
    (programs / "notify-send").write_text(f'#!/bin/sh\necho "$@" >> {said}.new && mv {said}.new {said}\n')
    (programs / "notify-send").chmod(0o755)
    box.settings["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    box.bring({"slug": "unused"})
    drained_session(box, 200)
    drained_session(box, 400)
    assert not said.exists()
    drained_session(box, 600)
    box.settings["AGENT_TERMINAL_PID"] = "1"
    drained_session(box, 800)
    roles.wait_for(said.exists)
    assert said.read_text("utf-8") == "--expire-time=45000 -- recollect Memory forgetting started\n"


# -- when something is wrong -------------------------------------------------------------------------------------------


def test_a_clock_that_jumps_a_year_retires_nothing_at_once_and_a_clock_set_back_does_nothing(box):
    uids = box.bring(*({"kind": "discovery", "title": f"Seen {n}"} for n in range(30)))
    before = rows(box)
    box.now = "2027-03-01T12:00:00Z"
    Telling(box).asks("hello").answers().ends().drained()
    stopped = job(box, "weigh")
    assert stopped["stopped_at"] == box.now
    assert stopped["is_due"]
    assert "stopped: it would close 30 of 3" in stopped["result"]
    assert {uid: rows(box)[uid] for uid in uids} == {uid: before[uid] for uid in uids}
    says = {row["name"]: row["says"] for row in box.run("doctor", "--json", code=None).json}
    assert "--even-so" in says["job weigh"]
    assert "stopped weigh" in box.run("consolidate", "--only", "weigh").out
    box.now = NOW
    box.run("jobs", "run", "weigh")
    assert {uid: rows(box)[uid] for uid in uids} == {uid: before[uid] for uid in uids}
    box.now = "2027-03-01T12:00:00Z"
    box.run("jobs", "run", "weigh", "--even-so")
    assert {rows(box)[uid]["status"] for uid in uids} == {"archived"}
    box.run("undo", "--yes")
    assert {uid: rows(box)[uid] for uid in uids} == {uid: before[uid] for uid in uids}
    box.now = "2025-03-01T12:00:00Z"
    assert box.run("jobs", "run", "weigh", "--json").json["result"] == "nothing to do"


def test_counters_that_somebody_edited_stop_nothing(box):
    one, two, three = box.bring({"slug": "a"}, {"slug": "b"}, {"slug": "c"}, at=LONG_AGO)
    set_usage(box, one, hits=-7, last_session=10**9, created_session=-5)
    set_usage(box, two, last_hit_at="no time at all", appreciation=-3)
    set_usage(box, three, last_hit_at="9999-12-31T23:59:59Z")
    box.run("session", "--set", "400")
    box.run("consolidate")
    assert rows(box)[three]["importance"] == 0.5, "a use in the future is no reason to sink"
    assert box.run("forget", "--force").out
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store, store:
        store.execute("UPDATE settings SET value = 'many' WHERE name LIKE 'session:%'")
    assert "no session was counted yet" in box.run("forget", "--force", code=1).err
    assert box.run("jobs").out


def test_a_schedule_that_names_no_session_says_so(box):
    box.settings["RECOLLECT_FORGET__SCHEDULE"] = "5/3"
    assert "never" in next(line for line in box.run("jobs").out.splitlines() if line.startswith("forget"))[60:]


def test_a_job_that_is_owed_to_a_folder_that_is_gone_is_skipped_with_a_note(box, make_box):
    other = make_box("other")
    other.home = box.home
    with another_at_the_jobs(box):
        Telling(box).asks("hello").answers().ends().drained()
    shutil.move(box.root, box.folder / "moved")
    Telling(other, session="another-session").asks("hello").answers().drained()
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store:
        named = "SELECT value FROM settings WHERE name = ?"
        (said,) = store.execute(named, (f"job:weigh@path:{box.root}",)).fetchone()
        assert store.execute(named, (f"owed:weigh@path:{box.root}",)).fetchone()
    assert json.loads(said)["result"] == f"skipped: the folder {box.root} is gone"


def killed(step: str, kind: str, *args: str) -> None:
    """The command line, killed at the n-th statement or at the n-th file that it writes."""
    from recollect.faces.cli import main
    from recollect.store.sqlite.database import Database
    from recollect.vault.files import Writing

    owner, name = (Database, "_rows") if kind == "statement" else (Writing, "write")
    whole, left = getattr(owner, name), [int(step)]

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(self, *given, **more)

    setattr(owner, name, counted)
    main(list(args))


@pytest.mark.parametrize(
    "command", [("consolidate", "--only", "weigh"), ("consolidate", "--only", "compress"), ("forget", "--force", "3")]
)
def test_a_job_that_is_killed_at_any_step_leaves_the_state_before_or_after_and_runs_again(box, command):
    deploys(box)
    box.bring({"kind": "discovery", "title": "Seen"}, at="2025-11-01T12:00:00Z")
    box.run("session", "--set", "400")
    saved, before = box.folder / "saved", state(box)
    shutil.copytree(box.home, saved / "home")
    shutil.copytree(box.root, saved / "root")
    box.run(*command)
    after = [image["status"] for image in rows(box).values()]
    steps = [(str(number), "statement") for number in (5, 20, 40, 60, 80, 100, 125, 150)]
    for step, kind in [*steps, ("1", "file"), ("2", "file"), ("4", "file")]:
        for place, copy in ((box.home, saved / "home"), (box.root, saved / "root")):
            shutil.rmtree(place)
            shutil.copytree(copy, place)
        child = box.fork(step, kind, *command, function=killed)
        child.communicate(timeout=60)
        box.run("list")  # takes in what a killed process left
        now = [image["status"] for image in rows(box).values()]
        if sum(status == "archived" for status in now) == 0 and len(now) == len(before[0]):
            box.run(*command)
            now = [image["status"] for image in rows(box).values()]
        assert sorted(now) == sorted(after), (step, kind)


def test_two_workers_at_once_make_one_summary(box):
    deploys(box)
    go = box.folder / "go"
    ends = roles.at_once([box, box], [["jobs", "run", "compress"], ["jobs", "run", "compress"]], go)
    assert {code for code, _, _ in ends} == {0}
    kinds = [one["kind"] for one in box.run("list", "--json").json]
    assert kinds == ["compressed_summary"]


def test_a_full_disk_and_a_vault_that_cannot_be_written_leave_everything_as_it_was(box):
    deploys(box)
    before = state(box)
    child = box.fork("jobs", "run", "compress", limit=20_000)
    child.communicate(timeout=60)
    assert child.returncode != 0
    assert state(box) == before
    (box.vault / "notes").chmod(0o500)
    child = box.fork("jobs", "run", "compress", is_unprivileged=True)
    _, said = child.communicate(timeout=60)
    (box.vault / "notes").chmod(0o700)
    assert child.returncode == 1, said
    assert state(box) == before
    box.run("jobs", "run", "compress")
    assert [one["kind"] for one in box.run("list", "--json").json] == ["compressed_summary"]


# -- limits ------------------------------------------------------------------------------------------------------------


def test_limits_that_were_lowered_are_kept_by_a_job_and_the_log_too(make_box):
    box = make_box()
    box.run("init", "--layout", "json", "--layout", "log")
    for number in range(6):
        box.run("log", "append", "--session", "s1", "--category", "note", f"record {number}")
    box.bring(*({"kind": "runbook", "content": {"text": f"r{n}"}} for n in range(8)))
    box.settings |= {"RECOLLECT_SAVE__MAX_PER_KIND": "5", "RECOLLECT_LOG__MAX_RECORDS": "4"}
    assert box.run("jobs", "run", "limits", "--json").json["result"] == "retired 3 memories beyond a limit"
    before = state(box)
    shown = box.run("jobs", "run", "log-trim", "--dry-run").out
    assert "record 0" in shown
    assert "removed 10 lines from MEMORY.md" in shown
    assert state(box) == before
    assert box.run("jobs", "run", "log-trim", "--json").json["result"] == "removed 10 lines from MEMORY.md"
    assert box.run("jobs", "run", "log-trim", "--json").json["result"] == "nothing to do"
    box.settings["RECOLLECT_LOG__ARCHIVE"] = "old.md"
    box.settings["RECOLLECT_LOG__MAX_RECORDS"] = "2"
    box.run("jobs", "run", "log-trim")
    assert len((box.root / "old.md").read_text().splitlines()) == 2
    box.run("undo", "--yes")
    assert not (box.root / "old.md").exists()
    box.run("undo", "--yes")
    assert state(box) == before
    box.run("undo", "--yes")
    assert len(box.run("list", "--kind", "runbook", "--json").json) == 8


def test_expired_records_of_a_log_come_back_to_the_lines_where_they_were(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    for number in range(9):
        fields = {"expires_at": "2026-02-20T00:00:00Z"} if number % 3 == 1 else {}
        box.bring({"title": f"Record {number}", **fields}, at=LONG_AGO)
    before = state(box)
    box.run("jobs", "run", "expiry")
    assert "Record 4" not in (box.root / "MEMORY.md").read_text()
    box.run("undo", "--yes")
    assert state(box) == before
    box.run("jobs", "run", "expiry")
    with (box.root / "MEMORY.md").open("ab") as log:
        log.write(b"A line of mine.\n")
    box.run("undo", "--yes")
    found = state(box)
    assert found[0] == before[0]
    assert found[1]["MEMORY.md"] == before[1]["MEMORY.md"] + b"A line of mine.\n"


def test_a_pinned_memory_does_not_expire_until_it_is_unpinned(box):
    fields = {"kind": "discovery", "title": "The importer needs a lock", "expires_at": "2026-03-10T00:00:00Z"}
    uid, *_ = box.bring(fields)
    assert "2026-03-10" in box.run("show", uid).out
    box.run("pin", uid)
    assert "2026-03-10" not in box.run("show", uid).out
    box.now = "2026-06-01T12:00:00Z"
    assert box.run("gc", "--yes", "--json").json["expired"] == 0
    assert "importer needs a lock" in box.run("recall", "which lock does the importer need?").out
    box.run("pin", uid, "--off")
    assert "importer" not in box.run("list").out
    assert box.run("gc", "--yes", "--json").json["expired"] == 1


def test_consolidating_and_collecting_are_each_taken_back_by_one_undo(box):
    deploys(box)
    box.bring({"kind": "discovery", "title": "Seen"}, at="2025-11-01T12:00:00Z")
    before = state(box)
    weighed, compressed = box.run("consolidate", "--json").json
    assert (weighed["closing"], compressed["closing"]) == (1, 4)
    assert len(rows(box)) == 6
    box.run("undo")
    assert state(box) == before, "byte for byte"
    box.run("remember", "old news", "--title", "Old news")
    box.run("remember", "news of today", "--title", "News", "--ttl-days", "1")
    box.run("retire", "old-news")
    box.now = "2026-05-01T12:00:00Z"
    before = state(box)
    assert box.run("gc", "--json").json.items() >= {"collected": 1, "expired": 1}.items()
    assert len(rows(box)) == len(before[0]) - 1
    box.run("undo")
    assert state(box) == before, "byte for byte"


def test_a_memory_that_was_used_within_thirty_days_is_not_compressed_and_later_it_is(box):
    uids = deploys(box)
    for uid in uids:
        set_usage(box, uid, last_hit_at="2026-02-20T12:00:00Z", hits=1)
    command = ("consolidate", "--only", "compress", "--json")
    assert box.run(*command).json[0]["result"] == "nothing to do"
    box.now = "2026-03-23T12:00:00Z"
    assert box.run(*command).json[0]["result"] == "compressed 4 memories to 1"


def test_memories_that_weighing_archives_are_not_compressed_in_the_same_run(box):
    box.bring(
        *({"kind": "discovery", "title": f"Seen {n}", "content": {"text": SAYS.format(n)}} for n in range(4)),
        at="2025-11-01T12:00:00Z",
    )
    dry = box.run("consolidate", "--dry-run", "--json").json
    assert [len(plan["steps"]) for plan in dry] == [8, 0]
    done = box.run("consolidate", "--json").json
    assert [plan["steps"] for plan in done] == [plan["steps"] for plan in dry]
    assert {row["status"] for row in rows(box).values()} == {"archived"}


def test_gc_shows_first_what_it_would_delete(box):
    box.run("remember", "old news", "--title", "Old news")
    box.run("retire", "old-news")
    box.now = "2026-05-01T12:00:00Z"
    assert "Would delete 1 file of retired memories, and erase 0 expired." in box.run("gc", "--dry-run").out
    assert Path(box.vault / "notes" / "old-news.json").exists()
    assert box.run("gc", "--json").json.items() >= {"collected": 1, "expired": 0}.items()
