"""The vault is written through recollect alone: what tools would write is refused, what got in is looked at."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import Box, decision

from recollect.hot import wiring

WRITERS = ("Write", "Edit", "MultiEdit")


def hook(box: Box, native: str, tool: str, given: dict[str, Any], cwd: Path | None = None) -> dict[str, Any]:
    """What a client is answered before or after a tool call; empty where it is silent."""
    said = {
        "session_id": "s1", "cwd": str(cwd or box.root), "hook_event_name": native, "prompt_id": "p1",
        "tool_name": tool, "tool_input": given, "tool_use_id": "t1", "tool_response": {},
    }  # fmt: skip
    out = box.run("hook", "claude-code", native, stdin=json.dumps(said)).out
    return json.loads(out) if out else {}


def refusal(box: Box, tool: str, given: dict[str, Any], cwd: Path | None = None) -> str:
    answer = hook(box, "PreToolUse", tool, given, cwd)
    return answer["hookSpecificOutput"]["permissionDecisionReason"] if answer else ""


@pytest.mark.seed("B52")
@pytest.mark.parametrize("tool", WRITERS)
def test_a_tool_may_not_write_into_the_vault(box, tool):
    said = refusal(box, tool, {"file_path": str(box.vault / "decisions" / "x.json"), "content": "{}"})
    assert "recollect write" in said
    assert "recollect remember" in said
    assert "reading" in said


@pytest.mark.seed("B52")
def test_a_notebook_tool_may_not_either(box):
    assert refusal(box, "NotebookEdit", {"notebook_path": str(box.vault / "x.ipynb"), "new_source": ""})


@pytest.mark.seed("B52")
@pytest.mark.parametrize("path", [".claude/memory", "./.claude/../.claude/memory/a/b.json", "src/../.claude/memory/x"])
def test_however_the_path_is_spelt(box, path):
    assert refusal(box, "Write", {"file_path": path, "content": ""})
    assert refusal(box, "Write", {"file_path": str(box.root / path), "content": ""})


@pytest.mark.seed("B52")
def test_also_by_a_link_and_by_the_tilde(box):
    link = box.root / "shortcut"
    link.symlink_to(box.vault)
    assert refusal(box, "Write", {"file_path": str(link / "x.json"), "content": ""})
    box.settings["HOME"] = str(box.root)
    assert refusal(box, "Write", {"file_path": "~/.claude/memory/x.json", "content": ""})


@pytest.mark.seed("B52")
@pytest.mark.parametrize(
    "command",
    [
        "echo hi > .claude/memory/x",
        "cat a | tee -a .claude/memory/notes/a.json",
        "sed -i s/a/b/ .claude/memory/notes/a.json",
        "mv .claude/memory /tmp/elsewhere",
        "cp x.json .claude/memory/notes/",
        "rm -rf .claude/memory",
        "rm -rf .claude",
        "git checkout HEAD~1 -- .claude/memory",
        "cd .claude && echo hi > memory/x",
    ],
)
def test_a_shell_command_may_not_write_into_the_vault(box, command):
    assert "recollect write" in refusal(box, "Bash", {"command": command})


@pytest.mark.seed("B52")
@pytest.mark.parametrize(
    "command",
    [
        "cat .claude/memory/index.md",
        "grep -r sqlite .claude/memory | head",
        "cp .claude/memory/index.md /tmp/copy.md",
        "git log -- .claude/memory",
        "git add .claude/memory && git commit -m memories",
        "recollect write --action create --category decision --target .claude/memory/decisions/x.json --input /tmp/d",
        "echo 'rm -rf .claude/memory'",
        "python3 -c 'print(open(\".claude/memory/index.md\").read())'",
    ],
)
def test_reading_is_never_refused(box, command):
    assert refusal(box, "Bash", {"command": command}) == ""


@pytest.mark.seed("B52")
def test_reading_tools_and_files_beside_the_vault_are_left_alone(box):
    assert refusal(box, "Read", {"file_path": str(box.vault / "index.md")}) == ""
    assert refusal(box, "Write", {"file_path": str(box.root / ".claude" / "memories.txt"), "content": ""}) == ""
    assert refusal(box, "Write", {"file_path": str(box.root / "memory.py"), "content": ""}) == ""
    assert refusal(box, "Write", {"file_path": str(box.vault / "memory-config.json"), "content": "{}"}) == ""
    assert refusal(box, "Write", {"file_path": str(box.vault / "notes" / "memory-config.json"), "content": "{}"})


@pytest.mark.seed("B52")
def test_a_vault_with_a_name_of_its_own_is_guarded_too(box):
    (box.root / ".recollect.toml").write_text('[vault]\nroot = "knowledge"\n')
    box.run("list")
    assert refusal(box, "Write", {"file_path": str(box.root / "knowledge" / "notes" / "x.json"), "content": ""})
    assert refusal(box, "Bash", {"command": "echo hi > knowledge/x"})
    assert refusal(box, "Bash", {"command": "cat knowledge/index.md"}) == ""


@pytest.mark.seed("B53")
def test_a_file_that_is_no_memory_is_renamed_after_the_tool_wrote_it(box):
    place = box.vault / "notes" / "bad.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    for text in ("not json", "[]", '{"title": "x"}'):
        place.write_text(text)
        answer = hook(box, "PostToolUse", "Write", {"file_path": str(place)})
        assert answer["decision"] == "block"
        assert "recollect" in answer["reason"]
        assert not place.exists()
        [aside] = place.parent.glob("bad.json.invalid.*")
        assert aside.read_text() == text
        assert aside.name.rpartition(".")[2].isdigit()
        aside.unlink()


@pytest.mark.seed("B53")
def test_a_file_that_could_be_a_memory_stays_and_is_only_remarked_upon(box):
    place = box.vault / "decisions" / "use-sqlite.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(decision()))
    answer = hook(box, "PostToolUse", "Write", {"file_path": str(place)})
    assert "written past recollect" in answer["reason"]
    assert place.exists()
    assert "use-sqlite" in box.run("list").out


@pytest.mark.seed("B53")
def test_files_elsewhere_and_files_of_the_vault_itself_are_no_concern(box):
    assert hook(box, "PostToolUse", "Write", {"file_path": str(box.root / "memory.txt")}) == {}
    (box.vault / "index.md").parent.mkdir(parents=True, exist_ok=True)
    (box.vault / "index.md").write_text("x")
    assert hook(box, "PostToolUse", "Edit", {"file_path": str(box.vault / "index.md")}) == {}


@pytest.mark.seed("B54")
def test_a_refusal_names_the_event_and_a_complaint_blocks_with_a_reason(box):
    answer = hook(box, "PreToolUse", "Write", {"file_path": str(box.vault / "x.json"), "content": ""})
    said = answer["hookSpecificOutput"]
    assert (said["hookEventName"], said["permissionDecision"]) == ("PreToolUse", "deny")
    (box.vault / "x.txt").parent.mkdir(parents=True, exist_ok=True)
    (box.vault / "x.txt").write_text("x")
    answer = hook(box, "PostToolUse", "Write", {"file_path": str(box.vault / "x.txt")})
    assert sorted(answer) == ["decision", "reason"]


@pytest.mark.seed("D49")
def test_handlers_run_in_the_order_of_the_table():
    order = {(row[0], row[3]): row[1] for row in wiring.BINDINGS}
    assert order["PromptSubmitted", "inject.relevant"] == 50
    assert order["ToolFinished", "guard.quarantine"] < order["ToolFinished", "drain.observe"] == 100
    assert order["SessionStarted", "session.reset_ledger"] < order["SessionStarted", "start.session_memory"]
    for event in {row[0] for row in wiring.BINDINGS}:
        for where in (wiring.HOOK, wiring.WORKER):
            named = [handler for handler, _ in wiring.handlers(event, where)]
            assert named == sorted(named, key=lambda handler: order[event, handler])
