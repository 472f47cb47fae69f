"""The journal and its mirror, undo, and what happens when the same thing is said twice."""

import json
from itertools import pairwise

import pytest
from terminals import on_a_terminal


def titles(box, *flags):
    return sorted(one["title"] for one in box.run("list", "--json", *flags).json)


def shown(box, name):
    return box.run("show", name, "--json").json


def files(box):
    """Every file of the project, with its bytes."""
    found = (path for path in box.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(box.root).as_posix(): path.read_bytes() for path in found}


def mirror(box):
    return [json.loads(line) for line in (box.home / "journal.jsonl").read_text("utf-8").splitlines()]


def summary(box, number):
    box.now = f"2026-03-01T12:00:0{number}Z"
    box.run("remember", f"Goal {number}", "--kind", "session_summary", "--set", "completed=[]")


# -- undo -------------------------------------------------------------------------------------------------------------


def test_undo_of_remember_takes_memory_file_and_index_line_away(box):
    box.run("remember", "Tabs not spaces")
    before = files(box)
    box.run("remember", "Use pnpm", "--kind", "decision", "--why", "fast")
    box.run("undo")
    assert titles(box, "--all") == ["Tabs not spaces"]
    assert files(box) == before
    box.run("remember", "Use pnpm", "--kind", "decision", "--why", "fast")
    assert box.run("reconcile").out == "", "undo leaves no tombstone"
    assert titles(box) == ["Tabs not spaces", "Use pnpm"]


@pytest.mark.parametrize(
    "command",
    [
        ("edit", "use-pnpm", "--title", "Use pnpm 9", "--text", "another text", "--tag", "js"),
        ("retire", "use-pnpm", "--reason", "old"),
        ("archive", "use-pnpm"),
        ("purge", "use-pnpm"),
        ("pin", "use-pnpm"),
    ],
)
@pytest.mark.parametrize("layout", ["json", "markdown"])
def test_undo_puts_memory_and_file_back_as_they_were(make_box, command, layout):
    box = make_box()
    box.run("init", "--layout", layout)
    box.run("remember", "Use pnpm", "--tag", "build")
    before, memory = files(box), shown(box, "use-pnpm")
    box.now = "2026-03-02T12:00:00Z"
    box.run(*command)
    changed = box.run("list", "--json", "--all").json
    assert [{**one, "revision": memory["revision"], "path": memory["path"]} for one in changed] != [memory]
    box.run("undo")
    assert shown(box, "use-pnpm") == memory
    assert files(box) == before
    assert box.run("reconcile").out == ""
    assert shown(box, "use-pnpm") == memory


@pytest.mark.parametrize("closing", ["retire", "archive"])
def test_undo_of_restore_closes_again_for_the_same_reason(box, closing):
    box.run("remember", "Use pnpm")
    box.run(closing, "use-pnpm", "--reason", "old")
    before, memory = files(box), shown(box, "use-pnpm")
    box.run("restore", "use-pnpm")
    assert titles(box) == ["Use pnpm"]
    box.run("undo")
    assert shown(box, "use-pnpm") == memory
    assert files(box) == before
    assert titles(box) == []


def test_undo_of_purge_takes_the_tombstone_away(box):
    box.run("remember", "Use pnpm")
    uid = shown(box, "use-pnpm")["uid"]
    data = files(box)[".claude/memory/notes/use-pnpm.json"]
    box.run("purge", "use-pnpm")
    assert ".claude/memory/notes/use-pnpm.json" not in files(box)
    box.run("undo")
    assert shown(box, "use-pnpm")["uid"] == uid
    copy = box.vault / "notes/copy.json"
    copy.write_bytes(data)
    assert "purged" not in box.run("reconcile").out, "the same text may come in again"
    assert titles(box) == ["Use pnpm", "Use pnpm"]


def test_a_session_window_that_pushed_one_out_is_undone_as_one_group(box):
    for number in range(5):
        summary(box, number)
    before = files(box)
    summary(box, 6)
    assert titles(box) == ["Goal 1", "Goal 2", "Goal 3", "Goal 4", "Goal 6"]
    said = box.run("undo", "--dry-run", "--json").json
    assert [one["action"] for one in said] == ["created", "retired"]
    box.run("undo")
    assert titles(box) == ["Goal 0", "Goal 1", "Goal 2", "Goal 3", "Goal 4"]
    assert titles(box, "--all") == titles(box)
    assert files(box) == before


def test_undo_of_a_hand_edit_puts_the_old_text_back_into_the_file(box):
    box.run("remember", "Use pnpm")
    before = files(box)
    place = box.vault / "notes/use-pnpm.json"
    place.write_text(place.read_text("utf-8").replace('"title": "Use pnpm"', '"title": "Use bun"'), "utf-8")
    assert titles(box) == ["Use bun"]
    box.run("undo")
    assert titles(box) == ["Use pnpm"]
    assert files(box) == before


def test_undo_takes_a_hand_edit_in_before_it_undoes_and_says_so_beforehand(box):
    box.run("remember", "Use pnpm")
    place = box.vault / "notes/use-pnpm.json"
    place.write_text(place.read_text("utf-8").replace('"title": "Use pnpm"', '"title": "Use bun"'), "utf-8")
    assert [one["action"] for one in box.run("undo", "--dry-run", "--json").json] == ["taken in"]
    box.run("undo")
    assert titles(box) == ["Use pnpm"], "the hand edit is undone, not the memory"


def test_undo_of_a_deleted_file_brings_it_back(box):
    box.run("remember", "Use pnpm")
    before, memory = files(box), shown(box, "use-pnpm")
    (box.vault / "notes/use-pnpm.json").unlink()
    assert titles(box) == []
    box.run("undo")
    assert files(box) == before
    assert shown(box, "use-pnpm") == memory


def test_undo_of_two_files_deleted_at_once_brings_both_back(box):
    box.run("remember", "Use pnpm")
    box.run("remember", "Tabs not spaces")
    before = files(box)
    for place in (box.vault / "notes").glob("*.json"):
        place.unlink()
    assert titles(box) == []
    box.run("undo")
    assert files(box) == before


def test_undo_again_goes_further_back_until_nothing_is_left(box):
    box.run("remember", "Use pnpm")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 10")
    box.run("undo")
    assert titles(box) == ["Use pnpm 9"]
    box.run("undo")
    assert titles(box) == ["Use pnpm"]
    box.run("undo")
    assert titles(box, "--all") == []
    done = box.run("undo", code=1)
    assert done.err.startswith("UNDO_ERROR")
    assert "nothing to undo" in done.err


def test_after_an_undo_a_new_change_is_the_next_to_be_undone(box):
    box.run("remember", "Use pnpm")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.run("undo")
    box.run("edit", "use-pnpm", "--title", "Use bun")
    box.run("undo")
    assert titles(box) == ["Use pnpm"]
    box.run("undo")
    assert titles(box, "--all") == []


def test_undo_with_nothing_to_undo_is_refused(box):
    done = box.run("undo", code=1)
    assert done.err.startswith("UNDO_ERROR")
    assert "nothing to undo" in done.err
    assert box.run("undo", "--json", code=1).err.startswith("{")


def test_undo_leaves_other_projects_alone(box):
    box.run("remember", "Use pnpm")
    second = box.folder / "second"
    second.mkdir()
    box.git("init", "-q", cwd=second)
    box.run("remember", "Elsewhere", cwd=second)
    box.run("undo")
    assert titles(box, "--all-projects") == ["Elsewhere"]


def test_dry_run_changes_nothing(box):
    box.run("remember", "Use pnpm")
    lines = mirror(box)
    assert "created" in box.run("undo", "--dry-run").out
    assert titles(box) == ["Use pnpm"]
    assert mirror(box) == lines


def test_dry_run_with_nothing_to_undo_does_not_fail(box):
    assert box.run("undo", "--dry-run", "--json", code=None).code in (0, 1)
    assert box.run("undo", "--dry-run", code=None).code in (0, 1)


def test_undo_of_a_rename_gives_the_file_its_old_name(box):
    draft = {
        "category": "decision",
        "title": "Use SQLite for storage",
        "tags": ["db"],
        "content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]},
    }
    target = ".claude/memory/decisions/use-sqlite.json"
    box.run("write", "--action", "create", "--category", "decision", "--target", target, "--input", box.draft(draft))
    before = files(box)
    renamed = {**draft, "title": "PostgreSQL everywhere instead"}
    box.run("write", "--action", "update", "--target", target, "--input", box.draft(renamed))
    assert ".claude/memory/decisions/postgresql-everywhere-instead.json" in files(box)
    box.run("undo")
    assert files(box) == before


# -- the journal ------------------------------------------------------------------------------------------------------


def test_every_change_is_journalled_with_whole_images(box):
    box.run("remember", "Use pnpm", "--tag", "js")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.run("retire", "use-pnpm", "--reason", "old")
    box.run("purge", "use-pnpm", "--reason", "wrong")
    entries = [line for line in mirror(box) if line["action"] != "met"]
    assert [line["action"] for line in entries] == ["created", "updated", "retired", "purged"]
    assert entries[0]["before"] is None
    assert entries[3]["after"] is None
    for earlier, later in pairwise(entries):
        assert earlier["after"] == later["before"]
    assert entries[1]["after"]["title"] == "Use pnpm 9"
    assert entries[1]["after"]["content"] == {"text": "Use pnpm"}
    assert [line["reason"] for line in entries] == [None, None, "old", "wrong"]
    assert {(line["actor"], line["at"]) for line in entries} == {("cli", "2026-03-01T12:00:00Z")}
    numbers = [line["seq"] for line in mirror(box)]
    assert numbers == sorted(set(numbers))


def test_trust_is_mirrored_at_once(box):
    assert [line["action"] for line in mirror(box)] == ["met"]


def test_the_mirror_catches_up_after_it_was_cut_in_the_middle_of_a_line(box):
    box.run("remember", "Use pnpm")
    box.run("remember", "Tabs not spaces")
    place = box.home / "journal.jsonl"
    whole = place.read_bytes()
    place.write_bytes(whole[: len(whole) - 40])
    box.run("remember", "Deploy on Monday")
    assert place.read_bytes().startswith(whole)
    assert [line["after"]["title"] for line in mirror(box)[1:]] == ["Use pnpm", "Tabs not spaces", "Deploy on Monday"]


def test_the_mirror_is_written_anew_after_it_was_deleted(box):
    box.run("remember", "Use pnpm")
    place = box.home / "journal.jsonl"
    whole = place.read_bytes()
    place.unlink()
    box.run("remember", "Tabs not spaces")
    assert place.read_bytes().startswith(whole)
    assert mirror(box)[-1]["after"]["title"] == "Tabs not spaces"


def test_a_torn_mirror_still_rebuilds_a_lost_database(box):
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    box.run("remember", "Tabs not spaces", "--sensitivity", "private")
    place = box.home / "journal.jsonl"
    place.write_bytes(place.read_bytes()[:-40])
    for path in box.home.glob("memory.db*"):
        path.unlink()
    assert titles(box) == ["Use pnpm"]


def test_undo_reaches_back_past_a_rebuild(box):
    box.run("remember", "Use pnpm")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    for path in box.home.glob("memory.db*"):
        path.unlink()
    box.run("undo")
    assert titles(box) == ["Use pnpm"]
    box.run("undo")
    assert titles(box, "--all") == []


def test_a_setting_moves_the_mirror(box):
    place = box.folder / "elsewhere" / "journal.jsonl"
    box.run("remember", "Tabs not spaces")
    box.settings["RECOLLECT_JOURNAL"] = str(place)
    before = (box.home / "journal.jsonl").read_bytes()
    box.run("remember", "Use pnpm")
    assert json.loads(place.read_text("utf-8").splitlines()[-1])["after"]["title"] == "Use pnpm"
    assert (box.home / "journal.jsonl").read_bytes() == before


def test_history_shows_what_happened_newest_first(box):
    box.run("remember", "Use pnpm")
    box.now = "2026-03-02T12:00:00Z"
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.run("retire", "use-pnpm", "--reason", "old habits")
    said = box.run("show", "use-pnpm", "--history").out.splitlines()
    heads = [line for line in said if line.startswith("2026-")]
    assert [line.split()[:2] for line in heads] == [
        ["2026-03-02T12:00:00Z", "retired"],
        ["2026-03-02T12:00:00Z", "updated"],
        ["2026-03-01T12:00:00Z", "created"],
    ]
    assert heads[0].endswith("old habits")
    machine = box.run("show", "use-pnpm", "--history", "--json").json
    assert [one["action"] for one in machine] == ["retired", "updated", "created"]
    assert machine[1]["before"]["title"] == "Use pnpm"
    assert machine[1]["after"]["title"] == "Use pnpm 9"


# -- the same thing said twice ----------------------------------------------------------------------------------------


@pytest.mark.seed("D9")
def test_the_same_text_again_brings_only_its_tags(box):
    box.run("remember", "Use pnpm", "--tag", "js")
    first = shown(box, "use-pnpm")
    done = box.run("remember", "Use pnpm", "--tag", "build", "--file", "package.json", "--json").json
    assert (done["action"], done["memory"]["uid"]) == ("merged", first["uid"])
    found = box.run("list", "--json", "--all").json
    assert [(one["tags"], [anchor["path"] for anchor in one["anchors"]]) for one in found] == [
        (["build", "js"], ["package.json"])
    ]
    assert box.file("notes/use-pnpm.json")["tags"] == ["build", "js"]
    assert "#tags:build,js" in box.index()[0]
    assert box.run("remember", "Use pnpm", "--json").json["action"] == "known"


def test_undo_of_a_merged_duplicate_takes_its_tags_away(box):
    box.run("remember", "Use pnpm", "--tag", "js")
    before = files(box)
    box.run("remember", "Use pnpm", "--tag", "build")
    box.run("undo")
    assert files(box) == before
    assert shown(box, "use-pnpm")["tags"] == ["js"]


def test_an_expired_memory_is_stored_anew_when_it_is_said_again(box):
    first = box.run("remember", "Freeze until Friday", "--ttl-days", "2", "--json").json["memory"]
    assert first["expires_at"] == "2026-03-03T12:00:00Z"
    box.now = "2026-03-05T12:00:00Z"
    assert titles(box) == []
    done = box.run("remember", "Freeze until Friday", "--json").json
    assert done["action"] == "created"
    assert done["memory"]["uid"] != first["uid"]
    assert titles(box) == ["Freeze until Friday"]


def test_what_was_stored_anew_is_known_from_then_on(box):
    box.run("remember", "Freeze until Friday", "--ttl-days", "2")
    box.now = "2026-03-05T12:00:00Z"
    anew = box.run("remember", "Freeze until Friday", "--json").json["memory"]
    again = box.run("remember", "Freeze until Friday", "--tag", "deploy", "--json").json
    assert (again["action"], again["memory"]["uid"]) == ("merged", anew["uid"])


def test_a_retired_memory_is_stored_anew_when_it_is_said_again(box):
    box.run("remember", "Use pnpm")
    box.run("retire", "use-pnpm")
    assert box.run("remember", "Use pnpm", "--json").json["action"] == "created"
    assert titles(box) == ["Use pnpm"]


# -- much at once ------------------------------------------------------------------------------------------------------


def import_lines(box, number):
    place = box.folder / "many.jsonl"
    place.write_text("".join(json.dumps({"text": f"line number {line}"}) + "\n" for line in range(number)))
    box.run("import", str(place))


def test_before_more_than_ten_changes_undo_says_what_they_are(box):
    import_lines(box, 12)
    lines = box.run("undo").out.splitlines()
    assert lines[0] == "This undoes 12 changes of 2026-03-01T12:00:00Z, by cli: 12 created."
    assert lines[2].startswith("  created  note/line-number-")
    assert lines[5:] == ["undone: 12 created"]
    assert titles(box, "--all") == []


def test_ten_changes_are_undone_without_an_announcement(box):
    import_lines(box, 10)
    assert "This undoes" not in box.run("undo").out


def test_on_a_terminal_a_large_undo_asks_and_a_no_changes_nothing(box):
    import_lines(box, 12)
    screen = on_a_terminal(box, "undo", keys=(("[y/N]", "n\n"),), code=1)
    assert screen.index("This undoes 12 changes") < screen.index("Undo them? [y/N]")
    assert len(titles(box)) == 12


def test_a_large_undo_counts_on_a_terminal(box):
    import_lines(box, 250)
    screen = on_a_terminal(box, "undo", "--yes")
    assert "Undoing: 200 of 250" in screen
    assert titles(box, "--all") == []


def test_undo_removes_the_log_lines_of_an_import_and_no_others(make_box):
    box = make_box()
    box.run("init", "--layout", "log")
    box.run("remember", "was here before")
    before = files(box)
    import_lines(box, 12)
    assert (box.root / "MEMORY.md").read_text().count("line number") == 12
    box.run("undo")
    assert files(box) == before
