"""Due work: which jobs there are, when each runs, what is recorded of it, and that one that fails stops no other."""

import contextlib
import json
import sqlite3
from typing import Any

import pytest
from builders import Box
from telling import Telling

from recollect.jobs import job_table
from recollect.jobs.job import NEVER, JobRun
from recollect.machine import lock
from recollect.pipeline import worker

NAMES = [job.name for job in job_table.JOBS]


@pytest.fixture
def has_git() -> bool:
    return False


def jobs(box: Box) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in box.run("jobs", "--json").json}


def drain_a_prompt(box: Box, number: int = 1) -> None:
    """Let a client send a prompt, and process it as the worker does."""
    box.rest()
    said = {"session_id": "s1", "cwd": str(box.root), "prompt": f"question {number}", "prompt_id": f"p{number}"}
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(said))
    box.wake()
    box.run("drain")


def setting(box: Box, name: str, value: str | None = None) -> str | None:
    """Read a setting of the store, or write it; None where it is not set."""
    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as store, store:
        if value is not None:
            store.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value))
        rows = store.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchall()
    return rows[0][0] if rows else None


def log(box: Box) -> str:
    place = box.home / "hook.log"
    return place.read_text("utf-8") if place.exists() else ""


# -- listing -----------------------------------------------------------------------------------------------------------


def test_every_job_is_listed_in_the_order_in_which_the_worker_runs_them(box):
    found = jobs(box)
    assert list(found) == NAMES
    daily = ["backup", "pruning", "expiry", "limits", "collection", "log-trim", "log-scan", "fullness"]
    assert [name for name, row in found.items() if row["is_due"]] == daily
    assert {row["last_run"] for row in found.values()} == {None}
    assert found["pruning"]["setting"] == "capture.ttl_days"


def test_the_list_fits_80_columns_before_and_after_a_run(box):
    box.settings["RECOLLECT_RECALL__VECTORS"] = "on"
    for _ in range(2):
        said = box.run("jobs").out
        assert max(len(line) for line in said.splitlines()) <= 80
        assert all(f"\n{name} " in f"\n{said}" for name in NAMES)
        box.settings["RECOLLECT_RECALL__VECTORS"] = "off"
        drain_a_prompt(box)


def test_the_list_says_when_a_job_ran_what_it_did_and_when_it_is_due_again(box):
    drain_a_prompt(box)
    said = box.run("jobs").out
    lines = dict(zip(NAMES, [line.split("  ") for line in said.splitlines() if line.split()[0] in NAMES], strict=True))
    assert [part.strip() for part in lines["backup"] if part] == [
        "backup", "every day", "2026-03-01 12:00", "2026-03-02 12:00",
    ]  # fmt: skip
    assert "\n  wrote backups/memory-2026-03-01.db\n" in said
    assert lines["reindex"][-1].strip() == "switched off"
    row = jobs(box)["backup"]
    assert (row["is_due"], row["next_due"], row["failed_at"]) == (False, "2026-03-02T12:00:00Z", None)


# -- when a job runs ---------------------------------------------------------------------------------------------------


def test_a_daily_job_runs_once_a_day(box):
    for number, moment in enumerate(("01T12:00:00Z", "02T11:59:59Z", "02T12:00:00Z")):
        box.now = f"2026-03-{moment}"
        drain_a_prompt(box, number)
        expected = "2026-03-02T12:00:00Z" if number == 2 else "2026-03-01T12:00:00Z"
        assert {jobs(box)[name]["last_run"] for name in ("backup", "expiry", "pruning")} == {expected}


def test_a_store_of_an_older_version_is_not_due_for_everything_again(box):
    setting(box, "worker:daily", "1772364000.0")  # 2026-03-01T11:20:00Z
    drain_a_prompt(box)
    assert not (box.home / "backups").exists()
    assert jobs(box)["backup"]["next_due"] == "2026-03-02T11:20:00Z"
    assert jobs(box)["backup"]["last_run"] == "2026-03-01T11:20:00Z"


def test_the_worker_goes_on_recording_when_it_ran(box):
    drain_a_prompt(box)
    assert float(setting(box, "worker:ran") or 0) == 1772366400.0  # 2026-03-01T12:00:00Z
    said = {row["name"]: row["says"] for row in box.run("doctor", "--json", code=None).json}
    assert said["worker"] == "last ran 0 seconds ago"


def test_term_statistics_are_renewed_when_the_store_has_grown(box):
    drain_a_prompt(box)
    assert jobs(box)["term-statistics"]["last_run"] is None
    box.bring(*({} for _ in range(60)))
    assert jobs(box)["term-statistics"]["is_due"]
    drain_a_prompt(box, 2)
    row = jobs(box)["term-statistics"]
    assert (row["is_due"], row["last_run"]) == (False, box.now)
    assert row["result"].startswith("counted the words of ")


def test_search_vectors_are_a_job_of_their_own_and_are_made_after_draining(box):
    box.settings["RECOLLECT_RECALL__VECTORS"] = "on"
    box.run("remember", "the harbour crane is yellow")
    assert jobs(box)["reindex"]["is_due"]
    drain_a_prompt(box)
    row = jobs(box)["reindex"]
    assert (row["is_due"], row["last_run"], row["result"]) == (False, box.now, "indexed 1 memories")


def test_a_job_that_is_switched_off_never_runs_by_itself(box):
    box.run("remember", "the harbour crane is yellow")
    drain_a_prompt(box)
    row = jobs(box)["reindex"]
    assert (row["is_on"], row["is_due"], row["last_run"]) == (False, False, None)


# -- when a job fails --------------------------------------------------------------------------------------------------


def test_a_job_that_fails_stops_no_other_and_is_due_again(box):
    (box.home / "backups").write_text("a file where the folder should be")
    drain_a_prompt(box)
    found = jobs(box)
    assert found["backup"]["is_due"]
    assert (found["backup"]["last_run"], found["backup"]["failed_at"]) == (None, box.now)
    assert "\n  failed; hook.log says why\n" in box.run("jobs").out
    assert [found[name]["last_run"] for name in ("expiry", "pruning")] == [box.now] * 2
    assert [line.split()[1] for line in log(box).splitlines()] == ["backup:"]
    (box.home / "backups").unlink()
    drain_a_prompt(box, 2)
    assert (jobs(box)["backup"]["is_due"], jobs(box)["backup"]["failed_at"]) == (False, None)


@pytest.mark.parametrize("recorded", ["", "no JSON", "[]", "1", '{"unknown": 1}'])
def test_a_record_that_cannot_be_read_counts_as_none(box, recorded):
    setting(box, "job:backup", recorded)
    assert jobs(box)["backup"]["is_due"]
    drain_a_prompt(box)
    assert jobs(box)["backup"]["last_run"] == box.now


# -- running one now ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_job_runs_when_asked_for_due_or_not(box, name):
    for _ in range(2):
        assert box.run("jobs", "run", name).out.startswith(f"ran {name} (")
    done = box.run("jobs", "run", name, "--json").json
    assert (done["name"], done["last_run"], done["failed_at"]) == (name, box.now, None)
    assert jobs(box)[name]["result"] == done["result"]


def test_every_job_shows_first_what_it_would_do_and_leaves_no_trace(box):
    before = box.run("jobs", "--json").json
    for job in job_table.JOBS:
        said = box.run("jobs", "run", job.name, "--dry-run").out
        assert said.startswith(f"{job.name}: "), said
        assert job.plan or said == f"{job.name}: it changes no memories. {job.does}\n"
    assert box.run("jobs", "--json").json == before
    assert box.run("undo", "--dry-run", code=1).err.startswith("UNDO_ERROR")


def test_the_job_expiry_erases_what_has_expired_in_every_project(box):
    box.bring({"title": "Old news", "expires_at": "2026-03-02T00:00:00Z"}, {"project": "global"})
    box.now = "2026-03-03T00:00:00Z"
    assert box.run("jobs", "run", "expiry", "--json").json["result"] == "erased 1 expired memory"
    assert len(box.run("list", "--json").json) == 1


def test_an_unknown_name_is_refused_with_the_names_that_exist(box):
    refused = box.run("jobs", "run", "backups", code=1)
    assert "there is no job of this name" in refused.err
    assert all(name in refused.err for name in NAMES)


def test_a_job_does_not_run_beside_a_worker(box, monkeypatch):
    monkeypatch.setattr("recollect.library.jobs.LOCK_SECONDS", 0.01)
    box.rest()
    assert "STORE_BUSY" in box.run("jobs", "run", "backup", code=1).err
    box.wake()
    box.run("jobs", "run", "backup")
    assert worker.take_lock(str(box.home)) is not None


# -- the table ---------------------------------------------------------------------------------------------------------


def test_each_row_has_a_name_of_its_own_and_says_when_it_is_due():
    assert len(set(NAMES)) == len(NAMES)
    for job in job_table.JOBS:
        assert job.every_seconds or job.is_behind or job.after_session or job.schedule, job.name
        assert (job.run is None) != (job.plan is None) or job.name == "compact-log", job.name
        assert not job.plan or job.scope == "project", job.name
        assert job.does.endswith("."), job.name
        assert job.needs, job.name


def test_the_end_of_a_session_makes_just_those_jobs_due_whose_rows_say_so(make_box):
    box = make_box()
    box.run("init", "--layout", "json", "--layout", "log")
    box.settings |= {"RECOLLECT_LOG__COMPACT": "on", "RECOLLECT_CONSOLIDATE__EXPERIENCES": "on"}
    Telling(box, session="first-session").asks("hello").answers().ends().drained()
    assert not any(row["is_due"] for row in box.run("jobs", "--json").json)
    with lock(box.home / "jobs.lock", timeout_seconds=1.0):
        Telling(box, session="second-session").asks("hello again").answers().ends().drained()
    rows = box.run("jobs", "--json").json
    assert {row["name"] for row in rows if row["is_due"]} == {row["name"] for row in rows if row["after_session"]}
    assert len([row for row in rows if row["after_session"]]) == 5


def test_an_interval_counts_from_the_last_success_and_a_clock_set_back_makes_a_job_due():
    backup = job_table.find("backup")
    cases = {0.0: False, 86_399.0: False, 86_400.0: True, -1.0: True}
    for later, expected in cases.items():
        assert backup.is_due(JobRun(1e9, failed_at=1e9), None, 1e9 + later) is expected, later
    assert backup.is_due(NEVER, None, 1e9)
