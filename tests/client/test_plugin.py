"""The Claude Code plugin: the script that finds the program, who stands back, and what the real client makes of it."""

import ast
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from client.api import Api, Turn, says, uses
from client.claude import Desk

from recollect.clients import claude_code
from recollect.formats import client_settings
from recollect.hooks import plugin
from recollect.setup import manifest
from recollect.setup.install import hook_words

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugins" / "claude-code"
SCRIPT = PLUGIN / "hooks" / "recollect.sh"
POSTGRES = ("remember", "Postgres for orders", "--kind", "decision", "--why", "we need transactions")
MAGIC = "The magic word is xylophone-42 for the deploy"
BLOCK = "<memory-context"
SKILL = "memory:memory-management"
COMMANDS = {"memory:memory", "memory:config", "memory:search", "memory:save"}


# -- the script -------------------------------------------------------------------------------------------------------


def call(event: str, said: str = "{}", **env: str) -> tuple[int, str]:
    done = subprocess.run(
        [SCRIPT, event], input=said, env={"PATH": "/usr/bin:/bin", **env}, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def program(folder: Path, name: str = "recollect", code: int = 0) -> Path:
    """A program that prints its name and arguments, then what it reads."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "{name}" "$@"\ncat\nexit {code}\n')
    path.chmod(0o755)
    return path


def note(home: Path, command: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "hook-command").write_text(command)


def test_the_plugin_listens_to_what_an_install_listens_to():
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    handler = {"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/hooks/recollect.sh"}
    assert hooks == {
        event: [
            {**({"matcher": matcher} if matcher else {}), "hooks": [{**handler, "args": [event], "timeout": seconds}]}
        ]
        for event, (matcher, seconds) in claude_code.HOOKED.items()
    }
    assert SCRIPT.stat().st_mode & 0o111 == 0o111


def test_a_command_of_the_environment_comes_first(tmp_path):
    own = program(tmp_path / "it's here", "own")
    note(tmp_path / "home", shlex.join([str(program(tmp_path, "noted"))]))
    said = call(
        "Stop", "the event", RECOLLECT_HOOK=shlex.join([str(own), "a b"]), RECOLLECT_HOME=str(tmp_path / "home")
    )
    assert said == (0, "own a b claude-code Stop\nthe event")


@pytest.mark.parametrize(
    ("folder", "env"),
    [
        ("chosen", {"RECOLLECT_HOME": "{tmp}/chosen"}),
        ("chosen", {"RECOLLECT_HOME": "~/chosen"}),
        ("letsgo", {"LETSGO_HOME": "{tmp}/letsgo"}),
        ("data/recollect", {"XDG_DATA_HOME": "{tmp}/data"}),
        (".local/share/recollect", {}),
        ("Library/Application Support/recollect", {}),
    ],
    ids=["RECOLLECT_HOME", "a tilde", "LETSGO_HOME", "XDG_DATA_HOME", "Linux", "macOS"],
)
def test_the_command_that_recollect_left_is_found(tmp_path, folder, env):
    command = shlex.join([str(program(tmp_path / "a 'b'", "noted")), "two\nlines", "$HOME `id`"])
    note(tmp_path / folder, command)
    chosen = {name: value.format(tmp=tmp_path) for name, value in env.items()}
    assert call("Stop", "x", HOME=str(tmp_path), **chosen) == (0, "noted two\nlines $HOME `id` claude-code Stop\nx")


def test_the_command_that_an_install_uses_answers_through_the_script(box):
    box.run(*POSTGRES)
    note(box.home, shlex.join([sys.executable, *hook_words()]))
    event = {"session_id": "s1", "cwd": str(box.root), "hook_event_name": "SessionStart", "source": "startup"}
    code, said = call("SessionStart", json.dumps(event), **{**box.env, "RECOLLECT_DEADLINE_MS": "20000"})
    assert code == 0
    assert "Postgres for orders" in json.loads(said)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize(
    "left", ["/gone/python -c x", "'half a quote", "", "\n"], ids=["gone", "broken", "empty", "blank"]
)
def test_without_a_command_that_works_the_program_on_the_path_is_asked(tmp_path, left):
    program(tmp_path / "bin")
    note(tmp_path / "home", left)
    env = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "RECOLLECT_HOME": str(tmp_path / "home")}
    code, said = call("PreToolUse", "x", **env)
    # A shell may end where it cannot read a command: silently, and the event is lost, but the client goes on.
    assert (code, said) in [(0, "recollect hook claude-code PreToolUse\nx"), (0, "")]
    assert said or "'" in left


def test_only_the_end_of_a_turn_can_be_refused(tmp_path):
    stops = program(tmp_path / "bin", code=2)
    env = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin"}
    assert call("Stop", "", **env)[0] == 2
    assert call("UserPromptSubmit", "", **env)[0] == 0
    note(tmp_path / "home", str(stops))
    assert call("Stop", "", RECOLLECT_HOME=str(tmp_path / "home"))[0] == 2


def test_without_the_program_a_session_is_told_how_to_install_it_and_all_else_is_silent(tmp_path):
    code, said = call("SessionStart", HOME=str(tmp_path))
    told = json.loads(said)["hookSpecificOutput"]
    assert (code, said.count("\n"), told["hookEventName"]) == (0, 1, "SessionStart")
    assert "`pipx install recollect` or `uv tool install recollect`" in told["additionalContext"]
    for event in [*claude_code.HOOKED, ""]:
        if event != "SessionStart":
            assert call(event, HOME=str(tmp_path)) == (0, "")


# -- who stands back --------------------------------------------------------------------------------------------------


def test_the_plugin_stands_back_where_the_users_settings_call_us(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    env = {"CLAUDE_PLUGIN_ROOT": str(PLUGIN), "CLAUDE_PROJECT_DIR": str(tmp_path / "project")}
    path = tmp_path / "home/.claude/settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {}}')
    assert not plugin.yields(str(tmp_path), env)
    path.write_bytes(client_settings.hooked(None, {"Stop": {"hooks": [{"args": hook_words()}]}}, path))
    assert plugin.yields(str(tmp_path), env)
    assert plugin.yields(str(tmp_path), {"CLAUDE_PLUGIN_ROOT": str(PLUGIN)})


@pytest.mark.parametrize("scope", ["project", "local"])
def test_the_plugin_stands_back_where_an_install_in_the_project_calls_us(box, monkeypatch, scope):
    monkeypatch.setenv("HOME", str(box.folder))
    env = {"CLAUDE_PLUGIN_ROOT": str(PLUGIN), "RECOLLECT_HOME": str(box.home), "CLAUDE_PROJECT_DIR": str(box.root)}
    without_project = {name: value for name, value in env.items() if name != "CLAUDE_PROJECT_DIR"}
    assert not plugin.yields(".", env)
    box.run("install", "claude-code", "--scope", scope)
    assert plugin.yields(".", env)
    assert plugin.yields(str(box.root), without_project)
    assert not plugin.yields(str(box.folder), without_project)
    box.run("uninstall")
    assert not plugin.yields(".", env)


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_clone_that_names_us_in_its_settings_does_not_silence_the_plugin(box, name):
    foreign = box.folder / "clone"
    (foreign / ".claude").mkdir(parents=True)
    (foreign / ".claude" / name).write_bytes(plugin.MARKS[0])
    box.run("install", "claude-code", "--scope", "project")
    box.settings |= {"CLAUDE_PLUGIN_ROOT": str(PLUGIN), "CLAUDE_PROJECT_DIR": str(foreign)}
    said = {
        "session_id": "s1", "cwd": str(foreign), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "recollect trust"},
    }  # fmt: skip
    answer = box.run("hook", "claude-code", "PreToolUse", stdin=json.dumps(said)).json
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_settings_that_never_end_hold_no_hook_up(box):
    (box.root / ".claude").mkdir(exist_ok=True)
    (box.root / ".claude" / "settings.json").symlink_to("/dev/zero")
    os.mkfifo(box.root / ".claude" / "settings.local.json")
    env = {"CLAUDE_PLUGIN_ROOT": str(PLUGIN), "RECOLLECT_HOME": str(box.home), "CLAUDE_PROJECT_DIR": str(box.root)}
    assert not plugin.yields(".", {**env, "CLAUDE_CONFIG_DIR": str(box.folder)})


def test_the_users_settings_may_lie_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "settings.json").write_bytes(plugin.MARKS[0])
    env = {"CLAUDE_PLUGIN_ROOT": str(PLUGIN), "CLAUDE_PROJECT_DIR": str(tmp_path)}
    assert plugin.yields(".", {**env, "CLAUDE_CONFIG_DIR": str(tmp_path)})
    assert not plugin.yields(".", {**env, "CLAUDE_CONFIG_DIR": str(tmp_path / "other")})


def test_a_hook_that_is_not_the_plugins_never_stands_back(tmp_path):
    # A client that another plugin's hook started hands that plugin's root on to the hooks of its settings.
    (tmp_path / "settings.json").write_bytes(plugin.MARKS[0])
    env = {"CLAUDE_CONFIG_DIR": str(tmp_path)}
    assert not plugin.yields(str(tmp_path), env)
    assert not plugin.yields(str(tmp_path), {**env, "CLAUDE_PLUGIN_ROOT": str(tmp_path)})


def test_asking_costs_little():
    tree = ast.parse(Path(plugin.__file__).read_text("utf-8"))
    assert [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names] == ["os"]
    assert tuple(mark.decode() for mark in plugin.MARKS) == client_settings.MARKS
    assert plugin.INSTALLS == manifest.NAME


# -- in the real client -----------------------------------------------------------------------------------------------


def claude(desk: Desk, *args: str) -> str:
    """Run a `plugin` command of the client; it may ask nobody, and would wait long for somebody far away."""
    done = subprocess.run(
        [desk.binary, "plugin", *args],
        cwd=desk.root,
        env={**desk.env, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (args, done.stdout, done.stderr)
    return done.stdout


def plug_in(desk: Desk) -> None:
    claude(desk, "marketplace", "add", str(ROOT))
    claude(desk, "install", "memory@recollect")


def events(desk: Desk, session: str) -> list[dict[str, str]]:
    """What came in from a session, in order."""
    desk.settle()
    lines = desk.recollect("session", "tail", "--no-follow", "--json").out.splitlines()
    return [one for one in map(json.loads, lines) if one["session"] == session]


@pytest.mark.seed("B56")
def test_the_client_finds_nothing_wrong_and_offers_the_commands_by_the_plugins_name(bare: Desk):
    assert "Validation passed" in claude(bare, "validate", str(PLUGIN), "--strict")
    assert "Validation passed" in claude(bare, "validate", str(ROOT), "--strict")
    plug_in(bare)
    details = claude(bare, "details", "memory")
    assert "Skills (5)  config, memory, memory-management, save, search" in details
    assert "Agents (2)" in details
    assert f"Hooks ({len(claude_code.HOOKED)})" in details
    run = bare.ask("/memory:memory --list-archived", says("Nothing is archived."))
    assert "Arguments: --list-archived" in run.told()
    assert "recollect list --status archived" in run.told()
    _, requests = print_only(bare, "/memory")
    assert requests == []  # that one is the client's own


def test_with_the_plugin_alone_sessions_are_told_and_kept(bare: Desk):
    bare.recollect("init")
    bare.recollect(*POSTGRES)
    plug_in(bare)
    first = bare.ask(MAGIC, uses("Bash", command="echo working"), says("I will keep that in mind."))
    assert "Postgres for orders" in first.told_by("SessionStart")
    assert first.told_by("SessionStart") in first.told()
    offered = json.dumps(first.requests[0])
    assert all(name in offered for name in (SKILL, "memory:drafter", "memory:verifier", *COMMANDS))
    noted = [one["event"] for one in events(bare, first.session) if one["state"] == "noted"]
    assert noted == ["SessionStarted", "PromptSubmitted", "ToolFinished", "TurnEnded", "SessionEnded"]
    second = bare.ask("What was the magic word for the deploy?", says("It was xylophone-42."))
    assert "xylophone-42" in second.told_by("UserPromptSubmit")
    claude(bare, "uninstall", "memory@recollect")
    claude(bare, "marketplace", "remove", "recollect")
    assert "recollect" not in bare.client_settings.read_text()
    last = bare.ask("What was the magic word for the deploy?", says("I do not know."))
    assert BLOCK not in last.told()
    assert SKILL not in json.dumps(last.requests)
    assert not [event for event in last.events if event.get("subtype") == "hook_response"]


def test_beside_an_install_nothing_happens_twice(desk: Desk):
    desk.recollect(*POSTGRES)
    plug_in(desk)
    desk.ask(MAGIC, says("I will keep that in mind."))
    desk.settle()
    run = desk.ask(
        "What was the magic word for the deploy?", uses("Bash", command="echo a"), says("It was xylophone-42.")
    )
    hooks = [event["hook_event"] for event in run.events if event.get("subtype") == "hook_response"]
    assert hooks.count("UserPromptSubmit") == 2  # both are there, and one of them stands back
    assert run.told_by("SessionStart").count(BLOCK) == run.told_by("UserPromptSubmit").count(BLOCK) == 1
    assert run.told().count(BLOCK) == 2
    found = events(desk, run.session)
    assert [one for one in found if one["state"] == "dropped"] == []
    noted = [one["event"] for one in found if one["state"] == "noted"]
    assert noted == ["SessionStarted", "PromptSubmitted", "ToolFinished", "TurnEnded", "SessionEnded"]
    assert [one["event"] for one in found if one["key"].startswith("receipt")] == ["SessionStarted", "PromptSubmitted"]


def print_only(desk: Desk, prompt: str, *turns: Turn, flags: tuple[str, ...] = ()) -> tuple[list[Turn], list[Any]]:
    """Run the client with the rights that it has by itself; what the model did not get to say, and the requests."""
    with Api(turns) as api:
        subprocess.run(
            [desk.binary, "-p", prompt, *flags],
            cwd=desk.root,
            env={**desk.env, "ANTHROPIC_BASE_URL": api.url},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )
    return api.unsaid, api.requests


@pytest.mark.seed("B55")
def test_whoever_lets_the_skill_run_is_not_asked_about_each_of_its_steps(bare: Desk):
    bare.recollect("init")
    place = bare.store.parent / "runtime" / ".memory-draft-decision-1.json"
    content = {"status": "accepted", "context": "shipping", "decision": "pnpm it is", "rationale": ["fast"]}
    record = {"category": "decision", "title": "Ship with pnpm", "tags": ["pnpm"], "content": content}
    target = ".claude/memory/decisions/ship-with-pnpm.json"
    asked = "recollect candidate --category decision --new-info 'pnpm for shipping'"
    write = f"recollect write --action create --category decision --target {target} --input {shlex.quote(str(place))}"
    turns = (
        uses("Skill", skill=SKILL),
        uses("Agent", description="Draft", prompt="DRAFT", subagent_type="memory:drafter", run_in_background=False),
        uses("Bash", command=asked, when="DRAFT"),
        uses("Write", file_path=str(place), content=json.dumps(record)),
        says("CREATE"),
        uses("Bash", command=write),
        uses("Bash", command="recollect run -- id"),
        says("Saved."),
    )
    flags = ("--plugin-dir", str(PLUGIN), "--allowedTools", f"Skill({SKILL})")
    unsaid, requests = print_only(bare, "Save it", *turns, flags=flags)
    assert unsaid == []
    assert ".memory-draft-<category>-" in json.dumps(requests[-1])
    assert "${CLAUDE_SESSION_ID}" not in json.dumps(requests[-1])  # the client fills it in
    assert json.loads((bare.root / target).read_text())["content"]["decision"] == "pnpm it is"
    assert not place.exists()
    assert "requires approval" in json.dumps(requests[-1])  # what may start any program is nothing of the skill's


def test_without_the_program_the_client_works_on_and_the_model_is_told(bare: Desk):
    alone = Lonely(bare.binary, bare.home, bare.root)
    big = bare.root / "big.txt"
    run = alone.ask(
        "Write much",
        uses("Write", file_path=str(big), content="much!" * 200_000),
        says("Written."),
        flags=("--plugin-dir", str(PLUGIN)),
    )
    assert "pipx install recollect" in run.told()
    assert big.stat().st_size == 1_000_000


class Lonely(Desk):
    """A person who has the plugin, but not the program."""

    @property
    def env(self) -> dict[str, str]:
        return {**super().env, "PATH": "/usr/bin:/bin"}
