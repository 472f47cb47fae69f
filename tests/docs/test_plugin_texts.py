"""The plugin's texts are true: every command in them runs, every name in them is one that the program knows."""

import json
import os
import re
import shlex
from pathlib import Path

import pytest
from builders import Box, decision

import recollect
from recollect.config.seeds import CATEGORIES, MEMORY_CONFIG
from recollect.formats import json_file
from recollect.model.kinds import BUILT_IN

ROOT = Path(__file__).parent.parent.parent
PLUGIN = ROOT / "plugins" / "claude-code"
SKILL = PLUGIN / "skills" / "memory-management" / "SKILL.md"
TEXTS = sorted(PLUGIN.rglob("*.md"))
FREE = {  # placeholders that mean the same wherever they stand
    "category": "decision",
    "folder": "decisions",
    "summary": "Use a queue for mail",
    "question": "which storage do we use",
    "text": "Use a queue for mail",
    "why": "it was reversed",
    "tag": "mail",
    "words": "sqlite",
    "step": "restart it",
    "check": "it answers",
}
DRAFT = f"/tmp/.memory-draft-decision-{os.getpid()}.json"
NOT_RUN = "recollect install"  # the readme names it; it is no step of the agent's


def body(path: Path) -> str:
    return path.read_text("utf-8").split("---\n", 2)[-1]


def commands(path: Path) -> list[str]:
    """Every line or span of code that begins with the program's name."""
    text = body(path)
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("recollect ")]
    spans = re.findall(r"`(recollect [^`]+)`", text)
    return [" ".join(found.split()) for found in dict.fromkeys(lines + spans) if not found.startswith(NOT_RUN)]


def filled(line: str, box: Box, number: int) -> list[str]:
    """The command with a memory of its own to work on, in the status that it needs."""
    slug, path = f"sqlite-{number}", f".claude/memory/decisions/sqlite-{number}.json"
    if "--action create" not in line:
        box.run("write", "--action", "create", "--category", "decision", "--target", path,
                "--input", box.draft(decision(id=slug, title=f"Use SQLite for storage {number}")))  # fmt: skip
    if " restore " in line:
        box.run("retire", slug)
    is_update = "--action update" in line
    changes = {"changes": [{"date": "2026-03-01T12:00:00Z", "summary": "Asked again"}]}
    Path(DRAFT).write_text(json.dumps(box.file(f"decisions/{slug}.json") | changes if is_update else decision()))
    revision = box.run("show", slug, "--json").json["revision"] if is_update else ""
    values = FREE | {"slug": slug, "path": path, "draft": DRAFT, "revision": revision}
    return shlex.split(re.sub(r"<([a-z]+)>", lambda found: values[found[1]], line))[1:]


@pytest.mark.seed("B55", "B56")
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_command_of_a_text_runs(box, path):
    box.run("remember", "the harbour crane is yellow")
    asked = {
        "session_id": "s1",
        "cwd": str(box.root),
        "prompt_id": "p1",
        "prompt": "which colour has the harbour crane?",
    }
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(asked))
    box.run("drain")
    found = commands(path)
    assert found or path.stem in ("verifier", "README")
    for number, line in enumerate(found):
        args = filled(line, box, number)
        box.run(*args, code=None if args[0] == "doctor" else 0)
    Path(DRAFT).unlink(missing_ok=True)


@pytest.mark.seed("B55")
def test_the_commands_without_a_vault_are_enough_to_keep_and_correct(make_box):
    box = make_box()
    assert "not a folder" in box.run("candidate", "--category", "decision", "--new-info", "x", code=1).err
    section = body(SKILL).partition("### Without a vault")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("recollect ")]
    assert len(lines) == 4
    values = FREE | {"slug": "use-a-queue-for-mail"}
    for line in [lines[1], lines[0], *lines[2:]]:
        box.run(*shlex.split(re.sub(r"<([a-z]+)>", lambda found: values[found[1]], line))[1:])
    assert not box.vault.exists()
    assert [one["status"] for one in box.run("list", "--all", "--json").json] == ["retired"]


def test_the_skill_names_every_key_of_the_settings_file_and_no_other():
    named = set(re.findall(r"^\| `([a-z_.<>]+)` \|", body(SKILL).partition("## Settings")[2], re.MULTILINE))
    assert named == {row.key.replace("{}", "<category>") for row in MEMORY_CONFIG}


def test_the_skill_and_the_drafter_name_the_fields_of_every_category():
    kinds = {kind.name: kind for kind in BUILT_IN}
    drafter = body(PLUGIN / "agents" / "drafter.md").partition("`content` by category")[2]
    for name in CATEGORIES:
        row = re.search(rf"^\| `{name}` \| (.*\[\].*|.*strength.*) \|$", body(SKILL), re.MULTILINE)[1]
        item = re.search(rf"^   - {name}: (.*?)^(   - |6)", drafter, re.MULTILINE | re.DOTALL)[1]
        for field, info in kinds[name].content.model_fields.items():
            mark = "" if info.is_required() or field == "expires" else "?"
            for said in (row, item):
                assert re.search(rf"\b{field}(\[\])?{re.escape(mark)}", said), (name, field)


def test_the_example_of_a_memory_is_one():
    example = json.loads(re.search(r"```json\n(.*?)```", body(SKILL), re.DOTALL)[1])
    kind = next(kind for kind in BUILT_IN if kind.name == example["category"])
    json_file.validate(example, kind, target="the skill")


@pytest.mark.seed("B34", "B55")
def test_the_table_has_a_row_for_everything_that_the_program_and_a_drafter_can_say():
    rows = re.findall(
        r"^\| ([A-Z_]+|anything|veto) \| ([A-Za-z ]+) \| ([A-Za-z ]+) \| .* \|$", body(SKILL), re.MULTILINE
    )
    table = {(program, drafter): done for program, drafter, done in rows}
    for program in ("CREATE", "UPDATE", "UPDATE_OR_DELETE"):
        for drafter in ("CREATE", "UPDATE", "DELETE"):
            assert (program, drafter) in table
    assert table["UPDATE", "DELETE"] == "UPDATE"  # the veto forbids the action that it names; UPDATE proceeds
    assert table["CREATE", "DELETE"] == table["NOOP", "anything"] == table["anything", "NOOP"] == "NOOP"
    assert table["veto", "the vetoed action"] == "not done"


def test_nobody_is_let_to_start_any_program_unasked():
    for path in TEXTS:
        head = path.read_text("utf-8").split("---\n", 2)
        rights = re.findall(r"Bash\(([^)]*)\)", head[1]) if len(head) == 3 else []
        for right in rights:
            words = right.removesuffix(":*").split()
            assert words[0] == "recollect", (path, right)
            assert len(words) > 1, (path, right)
            assert words[1] not in ("run", "hook", "eval", "purge", "scrub", "export", "import"), (path, right)


def test_plugin_marketplace_and_program_agree():
    plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert plugin["version"] == recollect.__version__
    [offered] = market["plugins"]
    assert (ROOT / offered["source"]).resolve() == PLUGIN
    assert {key: plugin[key] for key in ("name", "description")} == {
        key: offered[key] for key in ("name", "description")
    }
