"""`recollect doctor`: one screen, what is wrong first, and the findings of everyday use."""

import json
import sys

import pytest
from builders import IN_GIT


@pytest.fixture
def has_git():
    return False


def checks(box, name):
    return [check for check in box.run("doctor", "--json", code=None).json if check["name"] == name]


def test_a_project_in_order_needs_one_screen(box):
    said = box.run("doctor").out
    assert said.startswith("All is well\n")
    assert "--verbose shows all" in said
    assert "memory.store by" not in said
    assert len(said.splitlines()) <= 24
    assert "memory.store by" in box.run("doctor", "--verbose").out


def test_what_is_wrong_comes_first_with_the_command_that_mends_it(box):
    box.run("remember", "some words")
    (box.vault / "index.md").write_text("# Memory Index\n")
    lines = box.run("doctor", code=1).out.splitlines()
    assert lines[0] == "1 thing needs attention"
    assert lines[1].startswith("look  index")
    assert lines[2].strip() == "Run `recollect reconcile`."
    found = box.run("health", "--json").json
    assert found["doctor"] == ["index"]
    assert "`recollect doctor` finds 1 problem: index." in box.run("health").out


@pytest.mark.parametrize("verbose", [(), ("--verbose",)])
def test_no_line_is_longer_than_80_columns(box, verbose):
    box.settings["RECOLLECT_HOME"] = str(box.home)
    box.run("install", "claude-code")
    (box.vault / "notes").mkdir(exist_ok=True)
    (box.vault / "notes" / "broken.json").write_text("{")
    said = box.run("doctor", *verbose, code=None).out
    words = [word for line in said.splitlines() for word in line.split() if len(line) > 80]
    assert all(len(word) > 60 for word in words if "/" in word), "only a path may be too long"
    assert [line for line in said.splitlines() if len(line) > 80 and "/" not in line] == []


def test_a_value_that_cannot_be_used_is_named(box):
    (box.vault / "memory-config.json").write_text('{"retrieval": {"max_inject": "five"}}')
    (found,) = checks(box, "settings")
    assert not found["is_well"]
    assert "retrieval.max_inject is ignored" in found["says"]


@IN_GIT
def test_settings_that_nobody_trusts_are_named(make_box, has_git):
    box = make_box()
    (box.root / ".recollect.toml").write_text('[recall]\nprofile = "keyword"\n')
    (settings,) = checks(box, "settings")
    assert "not trusted" in settings["says"]
    assert settings["fix"] == "Run `recollect trust --settings` to use them."


def test_hooks_that_call_a_python_which_is_gone_are_named_whoever_wrote_them(box):
    box.run("install", "claude-code")
    settings = box.folder / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace(json.dumps(sys.executable), '"/gone/bin/python3.11"'))
    (found,) = checks(box, "hooks")
    assert found["says"] == "claude-code, user: its hooks call a Python that is gone: /gone/bin/python3.11"
    assert found["fix"] == "Run `recollect install claude-code`."
    (box.home / "installs.json").unlink()
    assert [check["is_well"] for check in checks(box, "hooks")] == [True, False]
