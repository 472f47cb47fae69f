"""The vault is written through recollect alone: what tools would write is refused, what got in is looked at."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from builders import IN_GIT, Box, decision

from recollect.config import seeds
from recollect.formats import index_md, memory_folder
from recollect.hooks import wiring
from recollect.model.kinds import BUILT_IN

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


# -- a folder that is not ours ----------------------------------------------------------------------------------------

NOTES = {"MEMORY.md": "# Memory\n- [Tests](tests.md) - no mocks\n", "tests.md": "---\nname: tests\n---\nNo mocks.\n"}
INDEX = "# Memory Index\n\n<!-- Auto-generated. -->\n\n- [DECISION] Use SQLite -> .claude/memory/decisions/a.json\n"
CATEGORIES = ["sessions", "decisions", "runbooks", "constraints", "tech-debt", "preferences"]


@pytest.fixture
def foreign(make_box) -> Box:
    """A user in a project where Claude keeps its own notes, and nobody ran `init`."""
    box = make_box()
    box.run("list")
    box.vault.mkdir(parents=True)
    for name, text in NOTES.items():
        (box.vault / name).write_text(text)
    return box


@pytest.mark.parametrize(
    "command",
    [
        "cat > .claude/memory/MEMORY.md <<'EOF'\nx\nEOF",
        "echo '- no mocks' >> .claude/memory/tests.md",
        "mkdir -p .claude/memory/topics && echo x > .claude/memory/topics/a.md",
        "mkdir -p .claude/memory/decisions",
        "sed -i s/a/b/ .claude/memory/*.md",
        "mv .claude/memory/tests.md .claude/memory/testing.md",
        "rm .claude/memory/tests.md",
        "rm .claude/memory/*.md",
        "rm -rf .claude/memory",
        "rm -rf .claude",
        "mv .claude/memory notes",
        "git checkout -- .claude/memory/MEMORY.md",
        "git checkout -- .claude/memory",
        "echo '{}' > .claude/memory/state.json",
        "cp x.json .claude/memory/",
        "echo x > .claude/memory/decisions/notes.md",
        "touch .claude/memory/notes.txt",
        "echo x > .claude/memory/index.md",
        "cp -r /tmp/notes .claude/memory/",
        "ln -s ../../docs .claude/memory/docs",
    ],
)
def test_claudes_own_notes_are_written_freely(foreign, command):
    assert refusal(foreign, "Bash", {"command": command}) == ""


@pytest.mark.parametrize("tool", WRITERS)
@pytest.mark.parametrize("name", ["MEMORY.md", "tests.md", "index.md", "a/b.md", "x.json", "notes/x.json", "data.txt"])
def test_so_they_are_by_tools_and_nothing_is_renamed(foreign, tool, name):
    place = foreign.vault / name
    assert refusal(foreign, tool, {"file_path": str(place), "content": "x"}) == ""
    place.parent.mkdir(exist_ok=True)
    place.write_text("no memory")
    assert hook(foreign, "PostToolUse", tool, {"file_path": str(place)}) == {}
    assert place.read_text() == "no memory"


@pytest.mark.parametrize("folder", CATEGORIES)
def test_memories_of_the_six_categories_are_guarded_in_any_project(foreign, folder):
    place = foreign.vault / folder / "x.json"
    assert "recollect write" in refusal(foreign, "Write", {"file_path": str(place), "content": "{}"})
    place.parent.mkdir()
    place.write_text("{}")
    for command in (
        f"echo x > .claude/memory/{folder}/x.json",
        f"rm .claude/memory/{folder}/x.json",
        f"rm .claude/memory/{folder}/*",
        f"rm -rf .claude/memory/{folder}",
        f"cp /tmp/y.json .claude/memory/{folder}/",
        f"cp /tmp/*.json .claude/memory/{folder}",
        f"mv /tmp/y.json .claude/memory/{folder}",
        f"touch .claude/memory/{{{folder},other}}/x.json",
        "touch .claude/memory/*/x.json",
        "rm -rf .claude/memory",
        "rm -rf .claude",
        "rm -rf .claude/memory/*",
        "git checkout -- .claude/memory",
        "mv .claude/memory /tmp/elsewhere",
    ):
        assert refusal(foreign, "Bash", {"command": command}), command
    assert refusal(foreign, "Bash", {"command": f"cat .claude/memory/{folder}/*.json"}) == ""
    answer = hook(foreign, "PostToolUse", "Write", {"file_path": str(place)})
    assert "renamed" in answer["reason"]
    assert not place.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.md", INDEX),
        ("index.md", "# Memory Index\n\n<!-- Auto-generated by recollect. -->\n"),
        ("index.md", "# Memory Index\n- [TECH_DEBT] No cache -> .claude/memory/tech-debt/a.json #tags:cache\n"),
        ("memory-config.json", '{"retrieval": {"max_inject": 3}}'),
        ("memory-config.json", '{"categories": {}}'),
    ],
)
def test_a_folder_with_claude_memorys_index_or_settings_is_a_vault(foreign, name, text):
    (foreign.vault / name).write_text(text)
    for path in ("x.json", "notes/x.json", "data.txt", "index.md"):
        assert refusal(foreign, "Write", {"file_path": str(foreign.vault / path), "content": ""}), path
    for path in ("MEMORY.md", "tests.md", "topics/a.md", "memory-config.json"):
        assert refusal(foreign, "Write", {"file_path": str(foreign.vault / path), "content": ""}) == "", path
    assert refusal(foreign, "Bash", {"command": "rm -rf .claude/memory"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.md", "# Memory Index\n\n- [Tests](tests.md) - no mocks\n"),
        ("index.md", "# Index of my notes\n\n- [DECISION] x -> a.json\n"),
        ("index.md", "# Memory Index\n\n- [A] see b -> c.md\n"),
        ("index.md", ""),
        ("index.md", "<!-- Auto-generated -->\n# Memory Index\n"),
        ("memory-config.json", "{}"),
        ("memory-config.json", "[]"),
        ("memory-config.json", '{"embedding": "small"}'),
        ("memory-config.json", '{"half'),
    ],
)
def test_somebodys_own_index_or_settings_make_no_vault(foreign, name, text):
    (foreign.vault / name).write_text(text)
    assert refusal(foreign, "Write", {"file_path": str(foreign.vault / "x.json"), "content": ""}) == ""
    assert refusal(foreign, "Write", {"file_path": str(foreign.vault / "index.md"), "content": ""}) == ""


def test_an_index_that_is_no_regular_file_holds_nobody_up(foreign):
    (foreign.vault / "index.md").symlink_to("/dev/zero")
    os.mkfifo(foreign.vault / "memory-config.json")
    assert refusal(foreign, "Write", {"file_path": str(foreign.vault / "x.json"), "content": ""}) == ""
    place = foreign.vault / "decisions" / "x.json"
    place.parent.mkdir()
    place.symlink_to("/etc/hostname")
    assert hook(foreign, "PostToolUse", "Write", {"file_path": str(place)}) == {}
    assert place.is_symlink()


@pytest.mark.seed("B52", "B53")
def test_in_a_vault_of_ours_markdown_is_free_but_for_the_index(box):
    for path in ("MEMORY.md", "topics/a.md", "decisions/why.md", "topics/index.md", "README.markdown"):
        place = box.vault / path
        assert refusal(box, "Write", {"file_path": str(place), "content": ""}) == "", path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("text")
        assert hook(box, "PostToolUse", "Write", {"file_path": str(place)}) == {}
        assert place.read_text() == "text"
    assert refusal(box, "Bash", {"command": "sed -i s/a/b/ .claude/memory/topics/*.md"}) == ""
    assert refusal(box, "Bash", {"command": "mv .claude/memory/MEMORY.md .claude/memory/old.md"}) == ""
    for command in ("echo x > .claude/memory/index.md", "rm .claude/memory/*.md", "rm .claude/memory/topics/*"):
        assert refusal(box, "Bash", {"command": command}), command


@pytest.mark.seed("B53")
@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("decisions/a.json", "preference"),
        ("preferences/a.json", "decision"),
        ("decisions/a.json", "note"),
        ("tech-debt/a.json", "tech-debt"),
        ("notes/a.json", "decision"),
        ("a.json", "decision"),
        ("decisions/deep/a.json", "decision"),
        ("decisions/a.json", 5),
        ("sessions/a.json", None),
    ],
)
def test_a_record_whose_category_does_not_fit_its_folder_is_set_aside(box, path, category):
    place = box.vault / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(decision(category=category)))
    answer = hook(box, "PostToolUse", "Write", {"file_path": str(place)})
    assert "does not belong" in answer["reason"]
    assert not place.exists()
    assert len(list(place.parent.glob("a.json.invalid.*"))) == 1


def test_a_vault_is_guarded_from_init_on_though_its_folder_is_empty(make_box):
    box = make_box()
    box.run("list")
    path = str(box.vault / "x.txt")
    assert refusal(box, "Write", {"file_path": path, "content": ""}) == ""
    box.run("init")
    (box.vault / "index.md").unlink(missing_ok=True)
    assert refusal(box, "Write", {"file_path": path, "content": ""})


@IN_GIT
def test_a_clone_that_took_the_place_of_a_trusted_one_is_not_ours(make_box):
    box = make_box()
    box.run("init")
    path = str(box.vault / "x.txt")
    assert refusal(box, "Write", {"file_path": path, "content": ""})
    shutil.rmtree(box.root)
    box.root.mkdir()
    box.git("init", "-q")
    box.run("list")
    assert refusal(box, "Write", {"file_path": path, "content": ""}) == ""


def test_the_six_folders_are_those_of_the_kinds():
    assert {kind.folder: kind.name for kind in BUILT_IN if kind.capped} == memory_folder.CATEGORIES
    assert {row.key.partition(".")[0] for row in seeds.MEMORY_CONFIG} == memory_folder.CONFIG_KEYS
    assert memory_folder.is_index(index_md.encode([]))


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
    order = {(row.event, row.handler): row.priority for row in wiring.BINDINGS}
    assert order["PromptSubmitted", "hooks.injection.prompt.inject_memories"] == 50
    assert (
        order["ToolFinished", "hooks.guard.tool_guard.quarantine"]
        < order["ToolFinished", "pipeline.event_handlers.record_tool_event"]
        == 100
    )
    assert (
        order["SessionStarted", "hooks.ledger.reset_on_start"]
        < order["SessionStarted", "hooks.injection.session_start.inject_session_start"]
    )
    for event in {row.event for row in wiring.BINDINGS}:
        for where in (wiring.HOOK, wiring.WORKER):
            named = [row.handler for row in wiring.bindings(event, where)]
            assert named == sorted(named, key=lambda handler: order[event, handler])
