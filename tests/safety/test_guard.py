"""What only a person may do is refused in an agent's shell; what merely mentions it is not."""

import json
import subprocess
import sys

import pytest
from builders import Box
from safety.agent_commands import ALLOWED, ALLOWED_HELD_OUT, REFUSED, REFUSED_HELD_OUT
from tables import each

from recollect import agent_shell
from recollect.clients import NAMES
from recollect.faces.cli.main import COMMANDS
from recollect.hooks.event import load_dialect
from recollect.hooks.guard import person_only, tool_guard
from recollect.setup.install import hook_words

SHELL_EVENTS = {
    "claude-code": ("PreToolUse", "Bash"),
    "codex": ("PreToolUse", "Bash"),
    "gemini": ("BeforeTool", "run_shell_command"),
    "cursor": ("preToolUse", "Shell"),
}


@pytest.fixture
def box(make_box) -> Box:
    """A user whose checkout is a foreign one: nothing was initialised or trusted."""
    made = make_box()
    made.run("list")
    return made


def asked(box: Box, command: str, client: str = "claude-code") -> str:
    """What a client is answered before its shell runs a command; empty where it may."""
    if client == "generic":
        native = "ToolStarting"
        said = {"event": native, "session": "s1", "folder": str(box.root), "tool": "shell", "command": command}
    else:
        native, tool = SHELL_EVENTS[client]
        said = {
            "session_id": "s1", "conversation_id": "s1", "cwd": str(box.root), "workspace_roots": [str(box.root)],
            "hook_event_name": native, "tool_name": tool, "tool_input": {"command": command},
        }  # fmt: skip
    return box.run("hook", client, native, stdin=json.dumps(said)).out


@each("command", REFUSED)
def test_a_call_that_needs_a_person_is_refused(box, command):
    assert "needs a person" in asked(box, command)


@each("command", ALLOWED)
def test_a_mention_is_not(box, command):
    assert asked(box, command) == ""


@pytest.mark.parametrize("client", [name for name in NAMES if name != "mcp"])
def test_every_client_is_told_in_its_own_language_what_to_type(box, client):
    assert {*SHELL_EVENTS, "generic", "mcp"} == set(NAMES)  # over MCP no shell is seen
    assert load_dialect(client).SHELLS
    said = asked(box, "recollect trust --yes", client)
    assert f"type this in their own terminal: cd {box.root} && recollect trust" in said
    assert "--yes" not in said
    assert asked(box, "recollect list", client) == ""


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("recollect purge decision/use-sqlite --yes --reason old", "recollect purge decision/use-sqlite --reason old"),
        ("recollect scrub hunter2", "recollect scrub"),
        ("recollect trust --accept 3fa9", "recollect trust"),
        ("recollect init --accept=3fa9 --layout json", "recollect init --layout json"),
        ("recollect -C /tmp/clone trust", "recollect -C /tmp/clone trust"),
        ("recollect purge 'a b'", "recollect purge 'a b'"),
    ],
)
def test_a_person_is_told_the_very_command_but_is_asked_again_and_types_no_secret(box, command, typed):
    said = json.loads(asked(box, command))["hookSpecificOutput"]["permissionDecisionReason"]
    assert said.endswith(f"own terminal: cd {box.root} && {typed}")
    assert "hunter2" not in said


def test_the_folder_to_type_it_in_is_the_one_where_it_would_have_run(box):
    said = json.loads(asked(box, "cd '/tmp/a clone' && recollect trust"))["hookSpecificOutput"]
    assert said["permissionDecisionReason"].endswith("cd '/tmp/a clone' && recollect trust")


def test_a_tool_that_runs_nothing_may_say_anything(box):
    said = {
        "session_id": "s1", "cwd": str(box.root), "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": str(box.root / "x.sh"), "content": "recollect trust"},
    }  # fmt: skip
    assert box.run("hook", "claude-code", "PreToolUse", stdin=json.dumps(said)).out == ""


def test_the_hook_that_is_installed_refuses_it_without_opening_the_store(box):
    for path in box.home.glob("memory.db*"):
        path.unlink()
    said = {"session_id": "s1", "cwd": str(box.root), "tool_name": "Bash", "tool_input": {"command": "recollect trust"}}
    done = subprocess.run(
        [sys.executable, *hook_words(), "claude-code", "PreToolUse"], input=json.dumps(said).encode(), cwd=box.root,
        env={**box.env, "RECOLLECT_DEADLINE_MS": "20000"}, capture_output=True, check=True,
    )  # fmt: skip
    assert b"needs a person" in done.stdout
    assert not list(box.home.glob("memory.db*"))


def test_the_quick_look_knows_every_command_that_always_needs_a_person():
    rows = person_only.PERSON_ONLY.items()
    always = {name.encode() for name, row in rows if not (row.refused_only_with or row.is_plain_word)}
    assert always == set(tool_guard.COMMANDS)
    assert set(person_only.PERSON_ONLY) <= set(COMMANDS)


# Written before the guard, and never a reason to change it. What cannot be seen is listed, so that nobody relies on it.
UNSEEN = ["parallel recollect ::: trust", "echo cmVjb2xsZWN0IHRydXN0 | base64 -d | sh"]


@each("command", [command for command in REFUSED_HELD_OUT if command not in UNSEEN])
def test_a_call_in_another_disguise_is_refused_too(box, command):
    assert "needs a person" in asked(box, command)


@each("command", ALLOWED_HELD_OUT)
def test_other_mentions_are_left_alone_too(box, command):
    assert asked(box, command) == ""


# -- the second line: the program knows where it runs ------------------------------------------------------------------


@pytest.mark.parametrize("variable", agent_shell.CLIENTS)
def test_in_an_agents_shell_the_program_itself_refuses_to_purge_and_to_scrub(box, variable):
    box.run("remember", "the harbour crane is painted yellow", "--title", "crane")
    box.settings[variable] = "1"
    for command in (["purge", "crane", "--yes"], ["scrub", "yellow", "--yes"], ["scrub", "yellow", "--yes", "--json"]):
        done = box.run(*command, code=1)
        assert "NEEDS_PERSON" in done.out + done.err
        assert agent_shell.CLIENTS[variable] in done.out + done.err
    assert "crane" in box.run("list").out
    assert "1 memory" in box.run("scrub", "yellow", "--dry-run").out
    box.settings[variable] = "0"
    box.run("purge", "crane", "--yes")


def test_a_person_is_no_agent():
    assert agent_shell.running_agent({"PATH": "/bin", "CLAUDECODE": "", "CLAUDE_CONFIG_DIR": "/x"}) == ""
