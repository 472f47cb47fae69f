"""Dialects on events as the clients send them: which event it is, what is in it, how it went, what is answered."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from tables import each

from recollect import clients
from recollect.clients.base import Dialect
from recollect.hooks.event import load_dialect
from recollect.store.hook_reader import event_json

HERE = Path(__file__).parent
RECORDED = sorted(path for path in HERE.glob("*/*.json"))
SILENT = ("PreCompress",)  # comes before every request, compressed or not
FAILED = {
    "codex/PostToolUse-shell-failed": 'Exit code 3\nexit_code":0',
    "codex/PostToolUse-shell-not-found": "Exit code 127\n/bin/bash: line 1: nosuchcmd: command not found",
    "gemini/AfterTool-edit-failed": "Could not find an exact match for 'old_string' in 'orders.py'. If previous edits"
    " modified the file or you are modifying lines outside your recent read window, please use ReadFile to inspect the"
    " target lines before retrying with an exact 'old_string'.",
    "gemini/AfterTool-read-failed": "File not found: /home/dev/project/missing.py",
    "gemini/AfterTool-server-failed": "MCP tool 'fail' reported tool error for function call:"
    ' {"name":"fail","args":{"query":"x"}} with response: [{"functionResponse":{"name":"fail","response":'
    '{"content":[{"type":"text","text":"no such thing"}],"isError":true}}}]',
    "gemini/AfterTool-shell-failed": "Exit code 3\nbad",
    "gemini/AfterTool-shell-failed-silent": "Exit code 2\nCommand exited with code: 2",
    "gemini/AfterTool-shell-killed": "Signal: 9",
    "gemini/AfterTool-web-failed": "All requested URLs were skipped: [Blocked Host] http://127.0.0.1:9/x",
    "cursor/postToolUse-shell-failed": 'Exit code 1\n{"exitCode":1,"stdout":"1 failed"}',
    "cursor/postToolUseFailure": "Command timed out after 30s",
}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def dialect_of(path: Path) -> Dialect:
    return load_dialect(path.parent.name)


def fields_of(name: str) -> dict[str, str]:
    """Our fields of a recorded event that are not empty, but for those that every event has."""
    path = HERE / f"{name}.json"
    found = event_json.fields(path.read_bytes(), dialect_of(path))
    return {field: text for field, text in found.items() if text and field not in ("event", "session", "transcript")}


@each("name", clients.NAMES)
def test_a_dialect_says_all_that_one_has_to_say(name):
    dialect = load_dialect(name)
    members = [member for member in vars(Dialect) if not member.startswith("_")]
    assert [member for member in members if not hasattr(dialect, member)] == []
    assert name == dialect.NAME
    assert dialect.FIELDS.keys() == load_dialect("claude-code").FIELDS.keys()
    assert dialect.DETAILS.keys() == load_dialect("claude-code").DETAILS.keys()
    assert set(dialect.HOOKED) <= set(dialect.EVENTS)
    assert {*dialect.LISTENS, *dialect.BLOCKS} <= set(dialect.EVENTS)


@each("path", RECORDED)
def test_a_recorded_event_is_known_with_its_session_and_folder(path):
    dialect, said = dialect_of(path), event_json.fields(path.read_bytes(), dialect_of(path))
    if said["event"] in SILENT:
        assert said["event"] not in dialect.EVENTS
        return
    assert said["event"] == path.stem.partition("-")[0]
    assert dialect.EVENTS[said["event"]]
    assert said["event"] in dialect.HOOKED
    assert said["session"] == "0f0e0d0c-0000-4000-8000-000000000001"
    assert said["folder"] == "/home/dev/project"


@each(
    ("name", "expected"),
    [
        ("codex/UserPromptSubmit", {"prompt": "do it"}),
        ("codex/Stop", {"answer": "done"}),
        ("codex/SessionStart-compact", {"source": "compact"}),
        ("gemini/AfterAgent", {"answer": "done"}),
        ("gemini/AfterTool-write", {"tool": "write_file", "path": "orders.py"}),
        ("gemini/AfterTool-shell", {"tool": "run_shell_command", "command": "echo hi; echo err >&2"}),
        ("gemini/SessionEnd", {"source": "exit"}),
        ("cursor/beforeSubmitPrompt", {"prompt": "do it"}),
        ("cursor/afterAgentResponse", {"answer": "done"}),
        ("cursor/preToolUse-write", {"tool": "Write", "path": "/home/dev/project/orders.py", "call": "call-1"}),
        ("cursor/postToolUse-shell", {"tool": "Shell", "command": "pytest", "call": "call-2"}),
    ],
)
def test_fields_are_found_under_the_clients_names(name, expected):
    assert expected.items() <= fields_of(name).items()


@pytest.mark.parametrize("path", RECORDED, ids=name_of)
def test_a_call_that_failed_is_known_as_failed_and_no_other_is(path, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    rollout = tmp_path / "rollout.jsonl"
    rollout.write_bytes((HERE / "codex" / "rollout.jsonl").read_bytes())
    said = json.loads(path.read_text())
    if path.parent.name == "codex":
        said["transcript_path"] = str(rollout)
    assert dialect_of(path).failure(said["hook_event_name"], said) == FAILED.get(name_of(path), "")


def codex_failure(**changed: Any) -> str:
    said = json.loads((HERE / "codex" / "PostToolUse-shell-failed.json").read_text())
    return load_dialect("codex").failure("PostToolUse", {**said, **changed})


def test_codex_transcripts_are_read_in_the_users_own_folders_alone(tmp_path, monkeypatch):
    rollout = tmp_path / "rollout.jsonl"
    rollout.write_bytes((HERE / "codex" / "rollout.jsonl").read_bytes())
    monkeypatch.setenv("HOME", str(tmp_path))
    with tempfile.TemporaryDirectory(dir="/var/tmp") as elsewhere:
        shutil.copy(rollout, elsewhere)
        assert codex_failure(transcript_path=f"{elsewhere}/rollout.jsonl") == ""
        (tmp_path / "link.jsonl").symlink_to(f"{elsewhere}/rollout.jsonl")
        assert codex_failure(transcript_path=str(tmp_path / "link.jsonl")) == ""
    assert codex_failure(transcript_path=str(rollout)).startswith("Exit code 3\n")
    for missing in ("", "/nowhere", str(HERE), 7, None):
        assert codex_failure(transcript_path=missing) == ""
    for strange in ("", "call_unknown", 'call"\\', None):
        assert codex_failure(transcript_path=str(rollout), tool_use_id=strange) == ""


@each("name", clients.NAMES)
@each("strange", [{}, {"tool_response": 7}, {"error": 7}, {"tool_response": {"error": 7}}])
def test_an_event_that_lacks_what_it_should_have_is_no_error(name, strange):
    dialect = load_dialect(name)
    for native, event in dialect.EVENTS.items():
        assert bool(dialect.failure(native, strange)) is (event == "ToolFailed")


def test_a_patch_names_the_files_that_it_changes():
    codex = load_dialect("codex")
    patch = json.loads((HERE / "codex" / "PreToolUse-patch-move.json").read_text())["tool_input"]["command"]
    assert codex.targets("apply_patch", "", patch) == ["orders.py", "src/orders.py", "old.py"]
    assert codex.targets("Bash", "", patch) == []
    assert load_dialect("gemini").targets("write_file", "orders.py", "") == ["orders.py"]


@each(
    ("client", "native", "answer", "expected"),
    [
        ("codex", "SessionStart", {"context": "x"},
         {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}}),
        ("codex", "PreToolUse", {"refusal": "no"},
         {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                                 "permissionDecisionReason": "no"}}),
        ("codex", "PostToolUse", {"complaint": "x"},
         {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "x"}}),
        ("codex", "Stop", {"block": "go on"}, {"decision": "block", "reason": "go on"}),
        ("gemini", "BeforeAgent", {"context": 'a "b"\n'},
         {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": 'a "b"\n'}}),
        ("gemini", "BeforeTool", {"refusal": "no"}, {"decision": "deny", "reason": "no"}),
        ("gemini", "AfterTool", {"complaint": "x"},
         {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "x"}}),
        ("gemini", "AfterAgent", {"block": "go on"},
         {"decision": "deny", "reason": "<memory-request>go on</memory-request>"}),
        ("cursor", "sessionStart", {"context": "x"}, {"additional_context": "x"}),
        ("cursor", "preToolUse", {"refusal": "no"},
         {"permission": "deny", "user_message": "no", "agent_message": "no"}),
        ("cursor", "postToolUse", {"complaint": "x"}, {"additional_context": "x"}),
        ("cursor", "stop", {"block": "go on"}, {"followup_message": "<memory-request>go on</memory-request>"}),
        ("claude-code", "Stop", {"block": "go on"}, {"decision": "block", "reason": "go on"}),
        ("generic", "TurnEnded", {"block": "go on"}, {"block": "go on"}),
    ],
)  # fmt: skip
def test_answers_are_spelt_as_the_client_reads_them(client, native, answer, expected):
    assert json.loads(load_dialect(client).reply(native, **answer)) == expected


@each("name", clients.NAMES)
def test_nothing_to_say_is_nothing(name):
    dialect = load_dialect(name)
    assert {dialect.reply(native) for native in dialect.EVENTS} == {""}


@each("native", ["beforeSubmitPrompt", "afterAgentResponse", "sessionEnd"])
def test_cursor_is_not_told_what_it_would_not_hear(native):
    cursor = load_dialect("cursor")
    assert cursor.reply(native, context="x") == cursor.reply(native, block="x") == ""


@each("name", ["gemini", "cursor"])
def test_what_we_ask_for_at_the_end_of_a_turn_is_not_taken_for_a_prompt(name):
    dialect = load_dialect(name)
    [native] = dialect.BLOCKS
    [asked] = [text for text in json.loads(dialect.reply(native, block="save it")).values() if "save it" in text]
    assert asked.startswith(dialect.MACHINE_PROMPTS)
