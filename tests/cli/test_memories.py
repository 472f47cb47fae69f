"""The verbs of the command line, as a person uses them."""

import json
import os
import re
import stat
from pathlib import Path

import pytest


def editor(box, script: str) -> str:
    """An $EDITOR that runs a Python script on the file."""
    path = box.folder / "editor"
    path.write_text(f"#!/usr/bin/env python3\nimport json, pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_what_is_remembered_is_listed(box):
    box.run("remember", "Use pnpm, never npm", "--tag", "pnpm")
    assert [one["title"] for one in box.run("list", "--json").json] == ["Use pnpm, never npm"]
    assert "Use pnpm, never npm" in box.run("list").out


def test_remember_reads_standard_input(box):
    box.run("remember", "-", stdin="first line\n\nand more\n")
    memory = box.run("show", "first-line", "--json").json
    assert memory["content"]["text"] == "first line\n\nand more"


def test_nothing_to_remember_is_refused_with_an_example(box):
    done = box.run("remember", "   ", code=1)
    assert "INPUT_ERROR" in done.err
    assert "recollect remember" in done.err


def test_a_kind_with_fields_names_the_flags_that_are_missing(box):
    done = box.run("remember", "Postgres for orders", "--kind", "decision", code=1)
    assert "VALIDATION_ERROR" in done.err
    assert "Add --why TEXT." in done.err
    box.run("remember", "Postgres for orders", "--kind", "decision", "--why", "transactions")
    assert box.file("decisions/postgres-for-orders.json")["content"]["rationale"] == ["transactions"]


def test_repeated_set_makes_a_list_and_json_is_understood(box):
    box.run(
        "remember", "CI is red", "--kind", "runbook", "--set", "steps=look", "--set", "steps=fix",
        "--set", "verification=green", "--set", 'symptoms=["red", "slow"]',
    )  # fmt: skip
    content = box.file("runbooks/ci-is-red.json")["content"]
    assert (content["steps"], content["symptoms"]) == (["look", "fix"], ["red", "slow"])


def test_list_filters_by_words_kind_status_and_tag(box):
    box.run("remember", "Deploys are slow", "--tag", "deploy")
    box.run("remember", "Use pnpm", "--kind", "preference", "--why", "lockfile")
    box.run("remember", "Old news")
    box.run("retire", "old-news")

    def titles(*flags: str) -> set[str]:
        return {one["title"] for one in box.run("list", *flags, "--json").json}

    assert titles() == {"Deploys are slow", "Use pnpm"}
    assert titles("deploy") == {"Deploys are slow"}  # stemmed
    assert titles("--kind", "preference") == {"Use pnpm"}
    assert titles("--status", "retired") == {"Old news"}
    assert titles("--all") == {"Deploys are slow", "Use pnpm", "Old news"}
    assert titles("--tag", "deploy") == {"Deploys are slow"}
    assert titles("--tag", "depl") == set()
    assert len(titles("--limit", "1")) == 1


def test_global_memories_are_seen_from_every_project(box, make_box):
    box.run("remember", "Call me Ann", "--global")
    other = make_box("elsewhere")
    other.home = box.home
    assert [one["title"] for one in other.run("list", "--json").json] == ["Call me Ann"]
    assert other.run("show", "call-me-ann", "--json").json["project"] == "global"


def test_edit_by_flags_changes_only_what_is_named(box):
    box.run("remember", "Use pnpm", "--kind", "preference", "--why", "lockfile", "--tag", "node", "--tag", "pnpm")
    box.run("edit", "use-pnpm", "--title", "pnpm only", "--untag", "node", "--tag", "tools", "--set", "strength=strong")
    record = box.file("preferences/use-pnpm.json")
    assert (record["title"], record["tags"], record["content"]["strength"]) == (
        "pnpm only",
        ["pnpm", "tools"],
        "strong",
    )
    assert (record["content"]["value"], record["times_updated"]) == ("Use pnpm", 1)


def test_edit_in_an_editor_changes_the_memory_and_its_file(box):
    box.run("remember", "Use pnpm")
    box.settings["EDITOR"] = editor(
        box, "record = json.loads(path.read_text()); record['title'] = 'By hand'; path.write_text(json.dumps(record))"
    )
    assert "updated" in box.run("edit", "use-pnpm").out
    assert box.file("notes/use-pnpm.json")["title"] == "By hand"


def test_an_edit_that_does_not_fit_says_every_mistake_and_changes_nothing(box):
    box.run("remember", "Use pnpm")
    before = (box.vault / "notes/use-pnpm.json").read_bytes()
    box.settings["EDITOR"] = editor(box, "path.write_text(path.read_text().replace('\"title\"', '\"titel\"'))")
    done = box.run("edit", "use-pnpm", code=1)
    assert "field: titel" in done.err
    kept = Path(re.search(r"saved in (\S+)\. ", done.err)[1])
    assert "titel" in kept.read_text()
    assert (box.vault / "notes/use-pnpm.json").read_bytes() == before


def test_leaving_the_editor_without_a_change_changes_nothing(box):
    box.run("remember", "Use pnpm")
    box.settings["EDITOR"] = "true"
    assert "unchanged" in box.run("edit", "use-pnpm").out


def test_pin_and_unpin(box):
    box.run("remember", "Use pnpm")
    box.run("pin", "use-pnpm")
    assert box.run("show", "use-pnpm", "--json").json["usage"]["pinned"] is True
    box.run("pin", "use-pnpm", "--off")
    assert box.run("show", "use-pnpm", "--json").json["usage"]["pinned"] is False


def test_a_memory_is_found_by_slug_kind_path_and_id(box):
    uid = box.run("remember", "Use pnpm", "--json").json["memory"]["uid"]
    path = ".claude/memory/notes/use-pnpm.json"
    for name in ("use-pnpm", "note/use-pnpm", uid, uid[:14], path, str(box.root / path), "./" + path):
        assert box.run("show", name, "--json").json["uid"] == uid


def test_a_name_of_two_memories_lists_the_choices(box):
    box.run("remember", "Use pnpm")
    box.run("remember", "Use pnpm", "--kind", "preference", "--why", "lockfile", "--title", "Use pnpm")
    done = box.run("show", "use-pnpm", code=1)
    assert "AMBIGUOUS" in done.err
    assert "preference/use-pnpm" in done.err
    assert "note/use-pnpm" in done.err


def test_errors_are_json_too(box):
    done = box.run("show", "nothing", "--json", code=1)
    error = json.loads(done.err)
    assert (error["error"], error["target"]) == ("NOT_FOUND", "nothing")
    assert error["fix"]


def test_show_prints_the_same_whether_it_had_to_look_closely_or_not(box):
    box.run("remember", "Use pnpm", "--kind", "preference", "--why", "lockfile", "--file", "package.json")
    place = box.vault / "preferences/use-pnpm.json"
    closely = box.run("show", "use-pnpm").out  # the file is too fresh to be trusted unread
    old = place.stat().st_mtime - 10
    os.utime(place, (old, old))
    box.run("reconcile")
    assert box.run("show", "use-pnpm").out == closely
    place.write_text(place.read_text().replace('"Use pnpm"', '"Use bun"'))
    assert "Use bun" in box.run("show", "use-pnpm").out


@pytest.mark.parametrize("command", ["retire", "archive", "purge"])
def test_closing_and_undoing_leaves_the_file_as_it_was(box, command):
    box.run("remember", "Use pnpm")
    before = (box.vault / "notes/use-pnpm.json").read_bytes()
    box.run(command, "use-pnpm", "--reason", "tried")
    assert box.index() == []
    box.run("undo")
    assert (box.vault / "notes/use-pnpm.json").read_bytes() == before
    assert len(box.index()) == 1


def test_every_command_works_from_a_folder_below(box):
    box.run("remember", "Use pnpm")
    below = box.root / "src" / "deep"
    below.mkdir(parents=True)
    assert box.run("list", "--json", cwd=below).json[0]["slug"] == "use-pnpm"
    box.run("retire", "use-pnpm", cwd=below)
    assert box.index() == []


def test_the_project_can_be_named(box, tmp_path: Path):
    box.run("-C", str(box.root), "remember", "From afar", cwd=tmp_path)
    assert box.index()[0].startswith("- [NOTE] From afar")


def test_a_name_that_is_nearly_right_is_suggested(box):
    box.run("remember", "Use pnpm")
    done = box.run("show", "use-pnmp", code=1)
    assert "did you mean: use-pnpm" in done.err


def test_a_fact_is_added_and_removed_in_plain_words(box):
    added = box.run("fact", "add", "shop", "uses", "pnpm").out
    assert added.startswith("added shop · uses · pnpm"), added
    assert box.run("fact", "rm", added.split()[-1]).out.startswith("removed shop · uses · pnpm")


def test_a_title_that_was_the_text_follows_a_corrected_text(box):
    box.run("remember", "Run make check before a commit", "--kind", "preference", "--why", "the gate")
    box.run("remember", "It is pnpm", "--title", "Package manager")
    box.run("edit", "run-make-check", "--text", "Run make test before a commit\n\nAlways.")
    box.run("edit", "package-manager", "--text", "It is bun")
    titles = {memory["title"]: memory["content"] for memory in box.run("list", "--json").json}
    assert titles["Run make test before a commit"]["topic"] == "Run make test before a commit"
    assert titles["Package manager"]["text"] == "It is bun"
    box.run("undo")
    box.run("undo")
    assert "Run make check before a commit" in box.run("list").out
