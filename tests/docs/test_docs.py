"""The documentation is true: generated pages are current, examples run, settings have readers."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest

from recollect.config import Config
from recollect.faces.cli.main import ALIASES, COMMANDS, OTHERS, SECTIONS, main

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "recollect"
README_ORDER = ("Persistent memory", "uv tool install", "recollect install", "picture.svg", "make demo", "make test")
PYTHON = r"^```python\n(.*?)^```"


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_reference_pages_are_what_the_program_says():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "reference.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_python_examples_run(page, make_box, monkeypatch):
    """The examples of a section belong together; each section starts with nothing."""
    sections = re.split(r"^## ", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE)
    codes = ["".join(re.findall(PYTHON, section, re.DOTALL | re.MULTILINE)) for section in sections]
    assert any("recollect.open" in code for code in codes)
    for number, code in enumerate(codes):
        box = make_box(name=f"user{number}")
        monkeypatch.chdir(box.root)
        box.settings["RECOLLECT_RECALL__VECTORS"] = "on"  # as it is at a user's
        for name, value in box.env.items():
            monkeypatch.setenv(name, value)
        exec(compile(code, page, "exec"), {})  # noqa: S102


def test_the_commands_of_the_readme_work(make_box):
    box = make_box()
    lines = [line for block in blocks("README.md", "console") for line in block.splitlines()]
    commands = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("recollect ")]
    assert len(commands) >= 15
    box.settings["EDITOR"] = "true"
    (box.folder / "old-project").mkdir()
    (box.folder / "old-project" / "notes.jsonl").write_text('{"text": "The build needs node 20"}\n', "utf-8")
    program = box.folder / "claude"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    box.settings["PATH"] = f"{box.folder}:{os.environ['PATH']}"
    asked = {
        "session_id": "s1",
        "cwd": str(box.root),
        "prompt_id": "p1",
        "prompt": "which colour has the harbour crane?",
    }
    box.run("remember", "the harbour crane is yellow")
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(asked))
    box.run("drain")
    for command in commands:
        box.run(*[part.replace("~", str(box.folder)) for part in command], stdin="a value that leaked\n")


def test_the_readme_names_recipes_that_exist():
    recipes = (ROOT / "Makefile").read_text("utf-8")
    named = re.findall(r"^make ([a-z]+)", "".join(blocks("README.md", "console")), re.MULTILINE)
    assert named == ["demo", "test"]
    assert all(re.search(rf"^{name}:", recipes, re.MULTILINE) for name in named)
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_picture_of_the_readme_is_what_the_program_prints():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "picture.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    drawing = ET.parse(ROOT / "docs" / "picture.svg").getroot()  # noqa: S314 - we have drawn it
    assert "recollect install claude-code" in " ".join(drawing.itertext())
    assert "(docs/picture.svg)" in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_begins_with_what_it_is_how_to_install_it_and_the_two_recipes():
    top = (ROOT / "README.md").read_text("utf-8").splitlines()[:40]
    first = [next(number for number, line in enumerate(top) if word in line) for word in README_ORDER]
    assert first == sorted(first)


def test_every_setting_is_read_somewhere():
    """Or says that its reader is still to come, and then nobody reads it."""
    code = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py") if path.parent.name != "config")
    for section, info in Config.model_fields.items():
        if section != "kinds":
            for name, field in type(info.default).model_fields.items():
                is_later = bool((field.json_schema_extra or {}).get("later"))
                assert is_later or re.search(rf"\.{name}\b", code), f"nobody reads {section}.{name}"
                assert not re.search(rf"config\.{section}\.{name}\b", code) or not is_later, f"{section}.{name} is read"


# `hook` and `mcp` answer in the client's own language; `run` lets another program speak; `help` is prose.
SPEAK_FOR_OTHERS = ("hook", "mcp", "run", "help")


def test_every_command_has_help_exit_codes_and_json():
    assert len(COMMANDS) > 15
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        below = list(command.commands.values()) if isinstance(command, click.Group) else []
        for one in [command, *below]:
            assert one.help, name
            assert "Exit codes" in one.epilog, name
        for one in [] if name in SPEAK_FOR_OTHERS else below or [command]:
            assert any("--json" in option.opts for option in one.params), name


def test_every_command_is_in_one_section_of_the_help_with_a_short_sentence():
    listed = [name for names in (*SECTIONS.values(), OTHERS) for name in names]
    assert sorted([*listed, *ALIASES]) == sorted(COMMANDS)
    assert all(len(says) <= 60 for names in (*SECTIONS.values(), OTHERS) for says in names.values())
    for name in COMMANDS:
        assert not main.get_command(click.Context(main), name).get_short_help_str(62).endswith("..."), name


def test_the_links_between_pages_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "packages").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_decisions_are_numbered_records_with_context_decision_consequence_and_code():
    records = re.split(r"^### ", (ROOT / "docs" / "decisions.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert [int(record.partition(".")[0]) for record in records] == list(range(1, len(records) + 1))
    for record in records:
        parts = re.findall(r"^- \*\*(\w+):\*\* ", record, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequence", "Code"], record.splitlines()[0]
        assert "`" in record.rpartition("**Code:**")[2], record.splitlines()[0]


def test_the_rulebook_is_short_and_claude_reads_the_same_one():
    assert len((ROOT / "AGENTS.md").read_text("utf-8").splitlines()) <= 120
    assert (ROOT / "CLAUDE.md").read_text("utf-8") == "@AGENTS.md\n"


TERMS = """store vault inbox ledger receipt wiring kind cue journal sighting standing episode story card governor batch
binding boundary capture certainty channel claim client code concepts coverage dialect draft drain evidence
fact filing foreign guard handler image job lineage memorability mirror origin outcome pending profile quoted revision
seed session signature singular slug snapshot stem surface tombstone triage turn verdict view workspace"""


def test_the_glossary_explains_the_terms_of_art():
    glossary = (ROOT / "AGENTS.md").read_text("utf-8").partition("## Glossary")[2]
    missing = [term for term in TERMS.split() if not re.search(rf"\*{term}\*", glossary)]
    assert missing == []
