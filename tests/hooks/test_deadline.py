"""Deadlines of hooks: two settings, known before the database is open; what is missed is noted and shown."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import Box
from tables import each

from recollect import paths
from recollect.config.sections import HooksSection
from recollect.hooks import deadline, inbox
from recollect.setup.install import hook_words

SHORT = {"RECOLLECT_HOOKS__DEADLINE_MS": "400"}


def event(box: Box, native: str) -> bytes:
    said = {
        "session_id": "s1", "cwd": str(box.root), "hook_event_name": native, "prompt": "which colour is the crane?",
        "tool_name": "Write", "tool_input": {"file_path": str(box.vault / "decisions" / "x.json")}, "tool_use_id": "t1",
        "tool_response": {"stdout": "done"},
    }  # fmt: skip
    return json.dumps(said).encode()


def run_hook(box: Box, native: str, **env: str) -> bytes:
    words = [sys.executable, *hook_words(), "claude-code", native]
    done = subprocess.run(words, input=event(box, native), env=box.env | env, cwd=box.root, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def block(box: Box, name: str) -> None:
    """Put a pipe that nobody writes to in the place of a runtime file: a handler that reads it waits forever."""
    place = box.home / "runtime" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)


def test_the_defaults_of_the_hook_are_those_of_the_settings():
    assert (deadline.ANSWER_MS, deadline.NOTE_MS) == (1_000, 150)
    assert (HooksSection().deadline_ms, HooksSection().note_deadline_ms) == (deadline.ANSWER_MS, deadline.NOTE_MS)


@each(
    ("native", "allowed"),
    [
        ("SessionStart", 1_000),
        ("UserPromptSubmit", 1_000),
        ("PreToolUse", 1_000),
        ("PostToolUseFailure", 1_000),
        ("Stop", 1_000),
        ("", 1_000),
        ("PostToolUse", 150),
        ("PreCompact", 150),
        ("SessionEnd", 150),
    ],
)
def test_answers_and_notes_have_deadlines_of_their_own(box, native, allowed):
    assert deadline.allowed_ms("claude-code", native, box.env) == allowed


def test_an_unknown_client_has_the_deadline_of_an_answer(box):
    assert deadline.allowed_ms("nobody", "x", box.env) == 1_000


def test_the_users_settings_reach_the_hook_without_a_database(box):
    (box.folder / "config.toml").write_text("[hooks]\ndeadline_ms = 2500\nnote_deadline_ms = 300\n")
    box.run("health")
    (box.home / "memory.db").unlink()
    assert deadline.allowed_ms("claude-code", "UserPromptSubmit", box.env) == 2_500
    assert deadline.allowed_ms("gemini", "AfterTool", box.env) == 300


@each("text", ["", "soon 150", "99999999 150", "-1 -1", "²  ²", "\x00" * 200])
def test_a_damaged_file_of_deadlines_means_the_defaults(box, text):
    box.run("health")
    (box.home / "runtime" / "deadlines").write_text(text)
    assert deadline.allowed_ms("claude-code", "UserPromptSubmit", box.env) == 1_000
    assert deadline.allowed_ms("claude-code", "PostToolUse", box.env) == 150


def test_the_environment_comes_before_the_settings_and_the_old_variable_sets_both(box):
    own = box.env | {"RECOLLECT_HOOKS__DEADLINE_MS": "700", "RECOLLECT_HOOKS__NOTE_DEADLINE_MS": "70"}
    assert deadline.allowed_ms("claude-code", "UserPromptSubmit", own) == 700
    assert deadline.allowed_ms("claude-code", "PostToolUse", own) == 70
    old = box.env | {"RECOLLECT_DEADLINE_MS": "500"}
    assert deadline.allowed_ms("claude-code", "UserPromptSubmit", old) == 500
    assert deadline.allowed_ms("claude-code", "PostToolUse", old) == 500


def test_a_project_cannot_set_the_deadlines(box):
    (box.root / ".recollect.toml").write_text("[hooks]\ndeadline_ms = 51\n")
    assert "[hooks]" in box.run("health").err
    assert deadline.allowed_ms("claude-code", "UserPromptSubmit", box.env) == 1_000


@pytest.mark.parametrize(
    ("native", "blocked", "shown"),
    [("UserPromptSubmit", "rules", "PromptSubmitted"), ("PreToolUse", "vaults", "ToolStarting")],
)
def test_a_missed_deadline_is_kept_and_shown_with_the_time_that_it_took(box, native, blocked, shown):
    block(box, blocked)
    assert run_hook(box, native, **SHORT) == b""
    [name] = inbox.waiting(str(box.home))
    assert (
        "no answer within 400 ms" in json.loads(inbox.parse((box.home / "inbox" / name).read_bytes()).receipt)["state"]
    )
    (box.home / "runtime" / blocked).unlink()
    box.run("drain")
    lines = [json.loads(line) for line in box.run("session", "tail", "--no-follow", "--json").out.splitlines()]
    [late] = [line for line in lines if line["state"] == "late"]
    assert late["event"] == shown
    assert 400 <= deadline.taken_ms(late["says"].partition(", receipt")[0]) < 5_000
    assert f"1 {native}" in box.run("doctor", code=None).out
    assert "no answer within 400 ms" in box.run("why").out


def test_a_tool_call_that_the_guard_did_not_check_in_time_says_so(box):
    block(box, "vaults")
    run_hook(box, "PreToolUse", **SHORT)
    (box.home / "runtime" / "vaults").unlink()
    box.run("drain")
    assert "not checked: no answer in time" in box.run("session", "tail", "--no-follow").out


def test_a_note_is_on_disk_before_anything_else_is_done_with_it(box):
    block(box, "vaults")  # which the check after a write reads
    run_hook(box, "PostToolUse", RECOLLECT_HOOKS__NOTE_DEADLINE_MS="400")
    [name] = inbox.waiting(str(box.home))
    assert inbox.parse((box.home / "inbox" / name).read_bytes()).receipt == ""


def test_doctor_asks_for_more_time_once_deadlines_are_missed_often(box):
    line = f"{box.now} UserPromptSubmit: no answer within 1,000 ms: ended after {{}} ms\n"
    log = box.home / "hook.log"
    log.write_text(line.format("1,001"))
    [found] = [check for check in box.run("doctor", "--json", code=None).json if check["name"] == "deadlines"]
    assert found["is_well"]
    log.write_text("".join(line.format(time) for time in ("1,001", "1,730", "1,004")))
    [found] = [check for check in box.run("doctor", "--json", code=1).json if check["name"] == "deadlines"]
    assert not found["is_well"]
    assert "3 UserPromptSubmit" in found["says"]
    assert "1,730 ms" in found["says"]
    assert "hooks.deadline_ms" in found["fix"]


def test_the_file_of_deadlines_is_written_when_a_project_is_opened(box):
    box.run("health")
    assert Path(paths.deadlines(str(box.home))).read_text() == "1000 150\n"
