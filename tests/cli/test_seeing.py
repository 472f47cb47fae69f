"""What a person sees: lists in pages, one way to name a memory, the state of a project, and why a memory was told."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tables import each
from telling import Telling
from terminals import COMMAND, on_a_terminal

from recollect.faces.cli import columns
from recollect.faces.cli.memories.show_full import differences
from recollect.library.fast import fast_reader

SESSION = "1a2b3c4d-1111-2222-3333-444455556666"


@pytest.fixture
def has_git() -> bool:
    return False


def prompt(box, text: str, session: str = SESSION) -> None:
    asked = {"session_id": session, "cwd": str(box.root), "prompt_id": text, "prompt": text}
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(asked))
    box.run("drain")


# -- list -----------------------------------------------------------------------------------------------------------


def test_a_list_is_a_page_and_names_the_command_for_the_next_one(box):
    box.bring(*({"title": f"Memory {number}"} for number in range(25)))
    first = box.run("list", "--kind", "note")
    assert len(first.out.splitlines()) == 1 + 20
    assert "5 more of 25: `recollect list --page 2 --kind note`" in first.err
    second = box.run("list", "--page", "2", "--kind", "note")
    assert len(second.out.splitlines()) == 1 + 5
    assert second.err == ""
    assert not set(first.out.splitlines()[1:]) & set(second.out.splitlines()[1:])
    assert "First page: `recollect list`" in box.run("list", "--page", "9").err


def test_a_list_as_json_is_complete_and_has_short_ids(box):
    box.bring(*({"title": f"Memory {number}"} for number in range(25)))
    found = box.run("list", "--json").json
    assert len(found) == 25
    assert all(row["id"] == row["uid"][-8:] and row["content"]["text"] for row in found)
    assert len(box.run("list", "--json", "--limit", "10", "--page", "3").json) == 5


def test_a_line_has_the_id_the_kind_the_age_and_the_title(box):
    uid = box.run("remember", "Use pnpm", "--kind", "preference", "--why", "lockfile", "--json").json["memory"]["uid"]
    box.now = "2026-03-04T12:00:00Z"
    assert box.run("list").out.splitlines()[1].split() == [uid[-8:], "preference", "3d", "Use", "pnpm", "use-pnpm"]


def test_pending_pinned_and_stale_memories_are_marked_in_a_list(box):
    box.run("remember", "Not certain", "--tag", "pending")
    box.run("remember", "Never forgotten")
    box.run("pin", "never-forgotten")
    box.run("remember", "About a file", "--file", "src/gone.py")
    older = box.run("remember", "Deploy on Fridays", "--json").json["memory"]["uid"]
    box.bring({"title": "Deploy on Mondays", "links": [{"relation": "may_replace", "uid": older}]})
    lines = box.run("list").out.splitlines()
    titles = ("Not certain", "Never forgotten", "About a file", "Deploy on Fridays", "Deploy on Mondays")
    marks = {title: line for title in titles for line in lines if title in line}
    assert " pending " in marks["Not certain"]
    assert " pinned " in marks["Never forgotten"]
    assert " stale " in marks["About a file"]
    assert " stale " in marks["Deploy on Fridays"]
    assert " stale " not in marks["Deploy on Mondays"]


def test_turns_are_listed_only_if_they_are_asked_for(box):
    box.bring({"title": "What was said", "kind": "turn_summary"}, {"title": "What is known"})
    assert "What was said" not in box.run("list").out
    assert {row["title"] for row in box.run("list", "--json").json} == {"What is known", "What was said"}
    assert "What was said" in box.run("list", "--turns").out
    assert "What was said" in box.run("list", "--kind", "turn_summary").out


@pytest.mark.parametrize("command", [("list",), ("recall", "deploys"), ("remember", "Deploys go out at night")])
def test_a_wrong_kind_gets_the_nearest_one(box, command):
    said = box.run(*command, "--kind", "decisions", code=1).err
    assert "there is no such kind" in said
    assert "did you mean: decision\n" in said


def test_piped_lines_have_no_spaces_behind_them(box):
    box.run("remember", "Use pnpm, never npm")
    box.run("remember", "Yes")
    assert [line for line in box.run("list").out.splitlines() if line != line.rstrip()] == []


def test_a_kind_that_does_not_exist_is_an_error_in_a_list(box):
    assert "there is no such kind" in box.run("list", "--kind", "recipe", code=1).err
    assert "there is no such kind" in box.run("list", "--kind", "recipe", "--json", code=1).err


def test_ids_that_end_alike_are_printed_longer(box):
    box.bring({"uid": "aaaaaaaaaaaaaaaa1234abcd5678"}, {"uid": "aaaaaaaaaaaaaaaa9934abcd5678"})
    ids = [line.split()[0] for line in box.run("list").out.splitlines()[1:]]
    assert sorted(ids) == ["234abcd5678", "934abcd5678"]
    assert [box.run("show", short, "--json").json["id"] for short in ids] == ids


# -- names ----------------------------------------------------------------------------------------------------------

NAMES = (
    ("short id", lambda memory: memory["uid"][-8:]),
    ("uid", lambda memory: memory["uid"]),
    ("slug", lambda _: "use-pnpm-never-npm"),
    ("beginning of a slug", lambda _: "use-pn"),
    ("kind and beginning", lambda _: "note/use"),
    ("title", lambda _: "Use pnpm, never npm"),
    ("title in other letters", lambda _: "use PNPM, never npm"),
    ("title as it is cut on a screen", lambda _: "Use pnpm, nev…"),
)
COMMANDS = (("show",), ("edit", "--tag", "x"), ("pin",), ("why",), ("retire",), ("show", "--content"))


@each("what, name", NAMES)
def test_every_command_takes_every_name(box, what, name):
    assert what
    memory = box.run("remember", "Use pnpm, never npm", "--json").json["memory"]
    box.run("remember", "Deploys are slow")
    for command in COMMANDS:
        box.run(*command, name(memory))
        box.run("restore", memory["uid"]) if command == ("retire",) else None


def test_a_name_that_fits_many_memories_lists_ten_of_them(box):
    box.bring(*({"title": f"Memory {number}", "slug": f"memory-{number}"} for number in range(12)))
    said = box.run("show", "memory-", code=1).err
    assert (said.count("choice:"), "and: 2 more" in said) == (10, True)


@each(
    "wrong, suggested",
    (("use-pnmp", "use-pnpm-never-npm"), ("pnpm never", "use-pnpm-never-npm"), ("deploy slow", "deploys-are-slow")),
)
def test_a_wrong_name_gets_suggestions(box, wrong, suggested):
    box.run("remember", "Use pnpm, never npm")
    box.run("remember", "Deploys are slow")
    assert f"did you mean: {suggested}" in box.run("show", wrong, code=1).err


def test_a_wrong_command_gets_suggestions(box):
    assert "Did you mean recall" in box.run("recal", code=2).err


def test_the_memory_tool_takes_ids_and_no_beginnings_of_slugs(box):
    box.bring({"slug": "abcdef-and-more", "title": "abcdef and more"})
    request = json.dumps({"operation": "get_memory", "id": "abcdef"})
    assert box.run("memory", request, code=None).json["success"] is False


def test_sessions_are_named_as_session_tail_prints_them(box):
    box.run("remember", "the harbour crane is yellow")
    prompt(box, "which colour has the harbour crane?")
    prompt(box, "and the other crane?", "9f8e7d6c-1111-2222-3333-444455556666")
    printed = box.run("session", "tail", "--no-follow").out.split()
    assert SESSION[:8] in printed
    lines = box.run("session", "tail", "--no-follow", "--json", "--session", SESSION[:8]).out.splitlines()
    assert {json.loads(line)["session"] for line in lines} == {SESSION}
    assert box.run("timeline", "--session", SESSION[:8]).out == box.run("timeline", "--session", SESSION).out
    assert SESSION in box.run("off", "--session", SESSION[:8], "--json").json["off"]


def test_a_part_of_an_id_that_two_sessions_have_is_ambiguous(box):
    prompt(box, "one", "aaaa1111-0000-4000-8000-00000000000f")
    prompt(box, "two", "bbbb1111-0000-4000-8000-00000000000f")
    said = box.run("timeline", "--session", "0000000f", code=1).err
    assert "AMBIGUOUS" in said
    assert "aaaa1111-0000-4000-8000-00000000000f" in said


def test_session_tail_keeps_the_lines_of_an_error_apart(box):
    Telling(box).starts().asks("fix it").fails("npm test", "Exit code 1\n\nError: connect ECONNREFUSED").drained()
    assert "(Exit code 1 Error: connect ECONNREFUSED)" in box.run("session", "tail", "--no-follow").out


def test_session_tail_shows_waiting_events_of_this_project_alone(box, make_box):
    other = make_box("elsewhere")
    other.home = box.home
    other.run("remember", "known here")
    for place in (box, other):
        asked = {"session_id": f"of-{place.folder.name}", "cwd": str(place.root), "prompt_id": "p", "prompt": "x"}
        place.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(asked))
    assert "of-elsewhere" not in box.run("session", "tail", "--no-follow").out
    assert "of-elsewhere" in box.run("session", "tail", "--no-follow", "--all").out


# -- show and why ---------------------------------------------------------------------------------------------------


def test_show_has_the_text_first_and_then_where_it_comes_from(box):
    box.run("remember", "Use pnpm", "--kind", "preference", "--why", "the lockfile", "--title", "Package manager")
    lines = box.run("show", "package-manager").out.splitlines()
    assert lines[0] == "Package manager"
    assert lines.index("Use pnpm") < lines.index("  the lockfile") < lines.index("said by      you")


def test_show_names_linked_memories_in_both_directions(box):
    older = box.run("remember", "Deploy on Fridays", "--json").json["memory"]["uid"]
    (newer,) = box.bring({"title": "Deploy on Mondays", "links": [{"relation": "may_replace", "uid": older}]})
    assert f"may be replaced by  {newer[-8:]}  Deploy on Mondays" in box.run("show", older).out
    assert f"may replace  {older[-8:]}  Deploy on Fridays" in box.run("show", newer).out
    assert box.run("show", newer, "--json").json["linked"][0]["relation"] == "may replace"


def test_the_history_of_a_memory_shows_what_changed(box):
    box.run("remember", "Use npm", "--tag", "node")
    box.run("edit", "use-npm", "--title", "Use pnpm")
    box.run("retire", "use-npm", "--reason", "decided otherwise")
    said = box.run("show", "use-npm", "--history").out
    assert "- title: Use npm\n+ title: Use pnpm" in said
    assert "retired by cli: decided otherwise" in said
    assert said.index("retired by") < said.index("updated by") < said.index("created by")


def test_the_history_of_a_memory_begins_with_all_that_it_said(box):
    box.run("remember", "Deploys go through a canary", "--kind", "decision", "--why", "two outages in May")
    lines = box.run("show", "deploys", "--history").out.splitlines()
    assert lines[1:] == [
        "+ title: Deploys go through a canary",
        "+ status: accepted",
        "+ rationale: - two outages in May",
    ]


def test_the_story_of_a_session_fits_the_terminal(box):
    prompt(box, "Which colour has the harbour crane, and which one had it before it was painted in the spring?")
    shown = on_a_terminal(box, "timeline", "--session", SESSION[:8])
    assert "painted in the" in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []


def test_differences_leave_out_what_did_not_change():
    before = {"title": "A", "tags": ["x"], "content": {"text": "one\ntwo"}, "updated_at": "1"}
    after = {"title": "A", "tags": ["x"], "content": {"text": "one\nthree"}, "updated_at": "2"}
    assert list(differences(before, after)) == ["-text: two", "+text: three"]


def test_why_says_when_and_why_a_memory_was_told(box):
    uid = box.run("remember", "the harbour crane is yellow", "--json").json["memory"]["uid"]
    assert "not considered" in box.run("why", "the-harbour").out
    prompt(box, "which colour has the harbour crane?")
    said = box.run("why", uid[-8:]).out
    assert "considered 1 time, told 1 time" in said
    assert "matches" in said
    assert SESSION[:8] in said
    (occasion,) = box.run("why", "the-harbour", "--json").json
    assert (occasion["is_told"], occasion["session"]) == (True, SESSION)
    assert box.run("why", occasion["receipt"]).out == box.run("why").out


def test_why_begins_with_the_prompt_and_what_was_told(box):
    box.run("remember", "the harbour crane is yellow")
    prompt(box, "which colour has the harbour crane?")
    lines = box.run("why").out.splitlines()
    assert lines[0].split(maxsplit=1) == ["prompt", "which colour has the harbour crane?"]
    assert lines[1].startswith("told         1 of 1 considered")
    assert [line for line in lines if line.startswith("words")] == []
    assert [line for line in box.run("why", "--explain").out.splitlines() if line.startswith("words")]


def test_why_of_an_unknown_name_says_where_names_are(box):
    said = box.run("why", "nothing", code=1).err
    assert "no memory and no receipt has this name" in said
    assert "session tail" in said


def test_output_that_cannot_be_written_is_an_error_in_words(box):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "help"], env=box.env, cwd=box.root, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[:2] == [
        "DISK_ERROR", "message: the output cannot be written: No space left on device",
    ]  # fmt: skip


# -- the state of a project, and help -------------------------------------------------------------------------------


def test_without_a_command_the_state_of_the_project_is_shown(box):
    box.run("remember", "the harbour crane is yellow")
    box.run("remember", "Not certain", "--tag", "pending")
    prompt(box, "which colour has the harbour crane?")
    said = box.run().out
    assert "2 memories: 2 notes" in said
    assert "1 captured, not confirmed" in said
    assert "claude-code, 1 prompt" in said
    assert "just now: the harbour crane is yellow" in said
    assert said.count("\n  recollect ") == 5
    assert len(said.splitlines()) <= 16
    assert box.run("status", "--json").json["pending"] == 1


def test_a_folder_without_memories_says_how_to_start(make_box):
    said = make_box("new").run().out
    assert "This folder is new to recollect" in said
    assert "recollect install claude-code" in said


def test_memories_that_came_with_a_repository_are_in_its_state_until_they_are_trusted(make_box):
    alice = make_box()
    alice.run("init")
    alice.run("remember", "the harbour crane is yellow")
    bob = make_box("bob")
    shutil.copytree(alice.root / ".claude", bob.root / ".claude")
    assert "`recollect trust` shows them" in bob.run().out
    bob.run("list")
    assert bob.run("status", "--json").json["has_untrusted"]
    bob.accept()
    assert "`recollect trust`" not in bob.run().out
    assert "`recollect trust`" not in alice.run().out


def test_the_state_says_in_plain_words_that_memory_is_off(box):
    box.run("off")
    assert "agents have no memory here; `recollect on` switches it on" in box.run().out
    box.run("on")
    assert "recollect on" not in box.run().out


def test_the_state_of_a_damaged_store_says_what_to_do(box):
    (box.home / "memory.db").write_bytes(b"no database" * 500)
    assert "recollect doctor" in box.run().out


def test_help_has_five_groups_and_the_rest_behind_all(box):
    groups = ["Everyday:", "Review:", "Agents:", "Files and git:", "Repair:"]
    said = box.run("--help").out
    assert [line for line in said.splitlines() if line.endswith(":") and not line.startswith(" ")][1:] == groups
    assert "presearch" not in said
    assert all(len(line) <= 80 for line in said.splitlines())
    assert "presearch" in box.run("--help", "--all").out
    assert box.run("help").out == said
    assert box.run("help", "--all").out == box.run("--help", "--all").out
    assert "Usage: main session tail" in box.run("help", "session", "tail").out


def test_a_found_memory_says_each_thing_once(box):
    box.run("remember", "Use pnpm, never npm", "--kind", "preference", "--why", "the lockfile is pnpm's")
    lines = [line.strip() for line in box.run("recall", "pnpm").out.splitlines()]
    assert lines[1] == "the lockfile is pnpm's"
    box.run("edit", "use-pnpm", "--title", "Packages")
    assert "Use pnpm, never npm · the lockfile is pnpm's" in box.run("recall", "pnpm").out


def test_a_memory_that_replaces_another_says_so(box):
    box.run("remember", "Deploys go through a canary", "--kind", "decision", "--why", "two outages")
    new = ("Deploys go behind a flag", "--kind", "decision", "--why", "too slow")
    said = box.run("remember", *new, "--supersedes", "deploys-go-through")
    assert "retired decision/deploys-go-through-a-canary" in said.err


def test_a_tail_without_events_says_what_to_do(box):
    said = box.run("session", "tail")
    assert (said.out, "recollect doctor" in said.err) == ("", True)
    prompt(box, "which colour has the harbour crane?")
    assert box.run("session", "tail").err == ""


def test_undo_says_how_to_reject_what_was_captured(box):
    assert "recollect drop NAME" in box.run("undo", code=1).err


def test_the_log_of_a_day_does_not_slow_lists_down(make_box):
    box = make_box()
    box.run("remember", "the harbour crane is yellow")
    (box.root / "memory").mkdir()
    (box.root / "memory" / "2026-03-01.md").write_text("# Log\n", "utf-8")
    assert fast_reader.is_vault_unchanged(fast_reader.open_reader(box.env), box.root)
    (box.root / "memory" / "plan.md").write_text("# Plan\n", "utf-8")
    assert not fast_reader.is_vault_unchanged(fast_reader.open_reader(box.env), box.root)


def test_search_is_recall(box):
    box.run("remember", "the harbour crane is yellow")
    assert box.run("search", "harbour", "crane").out == box.run("recall", "harbour", "crane").out


# -- columns --------------------------------------------------------------------------------------------------------


def test_columns_fit_the_width_and_cut_the_title():
    rows = [["id1", "x" * 60, "name"], ["id2", "日本語" * 20, "another"]]
    for width in (30, 80):
        lines = list(columns.lines(["id", "title", "name"], rows, width=width, cuts=("title",), spare="name"))
        assert max(map(columns.width_of, lines)) <= width
        assert lines[1].startswith("id1  xxx")


def test_wrapped_text_keeps_list_items_together():
    text = "- one two three four five\nplain words that go on"
    assert columns.wrapped(text, 16) == "- one two three\n  four five\nplain words that\ngo on"
    assert columns.wrapped(text, None) == text
