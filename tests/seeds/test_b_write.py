"""`recollect write`: create, update, delete, archive, unarchive, restore (seed 002 §5, seed 001's protections)."""

import hashlib
import json
import os
import shutil
import time

import pytest

NOW = "2026-03-01T12:00:00Z"
LINE = "- [DECISION] Use SQLite for storage -> .claude/memory/decisions/use-sqlite.json #tags:sqlite,storage"
FILE = "decisions/use-sqlite.json"


def code_of(done):
    """The first line of an error block."""
    return done.out.split("\n", 1)[0]


def pairs_of(done):
    """The `key: value` lines of an error block."""
    return [tuple(line.split(": ", 1)) for line in done.out.splitlines()[1:]]


def content(record, **fields):
    """A record with some content fields changed."""
    return record | {"content": record["content"] | fields}


def md5(path):
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def tree(folder):
    """Every file below a folder, with its bytes."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- B36, B37: the command ------------------------------------------------------------------------------------------


@pytest.mark.seed("B36", "B37")
def test_every_action_answers_with_one_line_of_json(box, draft, write):
    target = f".claude/memory/{FILE}"
    created = write("create", FILE, draft())
    updated = write("update", FILE, content(box.file(FILE), context="speed"))
    archived = write("archive", FILE, None, "--reason", "done")
    unarchived = write("unarchive", FILE)
    retired = write("delete", FILE, None, "--reason", "wrong")
    restored = write("restore", FILE)

    results = [created, updated, archived, unarchived, retired, restored]
    assert all(done.out.count("\n") == 1 for done in results)
    names = {"target": target, "id": "use-sqlite", "title": "Use SQLite for storage"}
    assert [done.json for done in results] == [
        {"status": "created", **names},
        {"status": "updated", **names, "times_updated": 1},
        {"status": "archived", "target": target, "reason": "done"},
        {"status": "unarchived", "target": target},
        {"status": "retired", "target": target, "reason": "wrong"},
        {"status": "restored", "target": target},
    ]


@pytest.mark.seed("B36")
def test_restore_brings_a_retired_memory_back_into_file_and_index(box, draft, write):
    write("create", FILE, draft())
    write("delete", FILE, None, "--reason", "wrong")
    assert box.index() == []

    write("restore", FILE)

    record = box.file(FILE)
    assert record["record_status"] == "active"
    assert not {"retired_at", "retired_reason"} & set(record)
    assert box.index() == [LINE]
    assert write("restore", FILE).json["status"] == "already_active"


@pytest.mark.seed("B36")
def test_restore_is_for_retired_memories_only(box, draft, write):
    write("create", FILE, draft())
    write("archive", FILE)

    assert code_of(write("restore", FILE, code=1)) == "RESTORE_ERROR"
    assert box.file(FILE)["record_status"] == "archived"


@pytest.mark.seed("B37")
def test_an_error_is_a_block_on_stdout_that_ends_in_its_fix(draft, write):
    done = write("update", FILE, draft(), code=1)

    lines = done.out.rstrip("\n").split("\n")
    assert lines[0] == "UPDATE_ERROR"
    assert all(": " in line for line in lines[1:])
    assert lines[-1].startswith("fix: ")
    assert "--action create" in lines[-1]


@pytest.mark.seed("B37")
@pytest.mark.parametrize(
    "args",
    [
        ["--target", "x"],
        ["--action", "create"],
        ["--action", "erase", "--target", "x"],
        ["--action", "delete", "--target", "x", "--unknown"],
        ["--action", "create", "--category", "opinion", "--target", f".claude/memory/{FILE}"],
    ],
)
def test_wrong_usage_exits_2(box, args):
    done = box.run("write", *args, code=2)

    assert done.out == ""
    assert "Error: " in done.err


@pytest.mark.seed("B37", "B38")
def test_create_needs_a_category_and_an_input(box, draft):
    target = f".claude/memory/{FILE}"
    no_category = box.run("write", "--action", "create", "--target", target, "--input", box.draft(draft()), code=None)
    no_input = box.run("write", "--action", "create", "--target", target, "--category", "decision", code=None)

    assert no_category.code in (1, 2)
    assert "--category" in no_category.out + no_category.err
    assert no_input.code in (1, 2)
    assert "--input" in no_input.out + no_input.err
    assert not (box.vault / FILE).exists()


@pytest.mark.seed("B37", "B38")
def test_notes_about_mended_fields_go_to_stderr(box, draft, write):
    record = draft(title="  a -> b #tags:x\x07 ", confidence=3, tags="One")
    del record["schema_version"], record["updated_at"], record["created_at"]

    done = write("create", FILE, record)

    saved = box.file(FILE)
    assert done.out.count("\n") == 1
    assert (saved["title"], saved["confidence"], saved["tags"]) == ("a - b x", 1.0, ["one"])
    assert (saved["schema_version"], saved["created_at"], saved["updated_at"]) == ("1.0", NOW, NOW)
    assert all(word in done.err for word in ("schema_version", "created_at", "updated_at", "confidence", "title"))


@pytest.mark.seed("B38")
def test_tags_are_lower_case_clean_unique_sorted_and_at_most_twelve(box, draft, write):
    tags = ["  Zeta", "zeta", "a,b", "x -> y", "#tags:q", "bell\x07"]

    write("create", FILE, draft(tags=tags))
    done = write("create", "decisions/many.json", draft(tags=[f"t{number:02}" for number in range(15)]))

    found = box.file(FILE)["tags"]
    assert found == sorted(set(found))
    assert {"zeta", "bell"} <= set(found)
    assert not [tag for tag in found if "," in tag or "->" in tag or "#tags:" in tag or tag != tag.strip()]
    assert box.file("decisions/many.json")["tags"] == [f"t{number:02}" for number in range(12)]
    assert "t12, t13, t14" in done.err


# -- B38-B40: create ------------------------------------------------------------------------------------------------


@pytest.mark.seed("B38")
def test_create_writes_the_file_inserts_the_line_and_removes_the_input(box, draft, write):
    write("create", "decisions/another.json", draft(title="Another"))
    write("create", FILE, draft())

    assert box.file(FILE)["record_status"] == "active"
    assert box.index()[-1] == LINE
    assert len(box.index()) == 2
    assert not (box.folder / "draft.json").exists()
    assert not (box.vault / ".index.lockdir").exists()


@pytest.mark.seed("B38")
def test_a_draft_cannot_create_a_closed_record(box, draft, write):
    closed = {"retired_at": "x", "retired_reason": "y", "archived_at": "x", "archived_reason": "y"}

    write("create", FILE, draft(record_status="retired", **closed))

    record = box.file(FILE)
    assert record["record_status"] == "active"
    assert not set(closed) & set(record)
    assert box.index() == [LINE]


@pytest.mark.seed("B38")
def test_the_category_argument_wins_over_the_drafts(box, draft, write):
    write("create", FILE, draft() | {"category": "runbook"})

    assert box.file(FILE)["category"] == "decision"


@pytest.mark.seed("B38", "B39")
def test_the_id_is_the_files_stem_and_a_draft_may_leave_it_out(box, draft, write):
    record = draft()
    del record["id"]

    write("create", FILE, record)
    write("create", "decisions/other.json", draft(id="Completely Different!"))

    assert box.file(FILE)["id"] == "use-sqlite"
    assert box.file("decisions/other.json")["id"] == "other"


@pytest.mark.seed("B40")
def test_create_over_an_active_record_is_refused_and_changes_nothing(box, draft, write):
    write("create", FILE, draft())
    before = tree(box.vault)

    done = write("create", FILE, draft(title="Something else"), code=1)

    assert code_of(done) == "CREATE_ERROR"
    assert tree(box.vault) == before
    assert (box.folder / "draft.json").exists()


@pytest.mark.seed("B40")
def test_create_over_an_active_file_that_another_program_put_there_is_refused(box, draft, write, place):
    place(FILE, draft(title="By hand"))
    before = (box.vault / FILE).read_bytes()

    assert code_of(write("create", FILE, draft(), code=1)) == "CREATE_ERROR"
    assert (box.vault / FILE).read_bytes() == before


@pytest.mark.seed("B40")
def test_create_over_an_archived_record_is_refused(box, draft, write):
    write("create", FILE, draft())
    write("archive", FILE)
    before = tree(box.vault)

    assert code_of(write("create", FILE, draft(), code=1)) == "CREATE_ERROR"
    assert tree(box.vault) == before


@pytest.mark.seed("B40")
def test_a_record_cannot_be_put_into_another_categorys_folder(box, draft):
    target = ".claude/memory/runbooks/use-sqlite.json"
    args = ["write", "--action", "create", "--category", "decision", "--target", target]

    done = box.run(*args, "--input", box.draft(draft()), code=1)

    assert code_of(done) == "PATH_ERROR"
    assert not (box.root / target).exists()


@pytest.mark.seed("B38", "B40")
def test_a_path_whose_file_was_removed_by_hand_does_not_lead_from_one_error_to_the_next(box, draft, write):
    write("create", FILE, draft())
    (box.vault / FILE).unlink()
    box.now = "2026-03-03T12:00:00Z"

    update = write("update", FILE, draft(title="Use SQLite again"), code=1)
    create = write("create", FILE, draft(title="Use SQLite again"))

    assert "--action create" in update.out
    assert create.json["status"] == "created"
    assert box.file(FILE)["title"] == "Use SQLite again"


# -- B38: anti-resurrection -----------------------------------------------------------------------------------------


@pytest.mark.seed("B38")
@pytest.mark.parametrize(
    ("now", "is_refused"),
    [("2026-03-01T12:00:01Z", True), ("2026-03-02T11:59:59Z", True), ("2026-03-02T12:00:00Z", False)],
)
def test_a_retired_memory_cannot_be_created_again_within_24_hours(box, draft, write, now, is_refused):
    write("create", FILE, draft())
    write("delete", FILE, None, "--reason", "wrong")
    box.now = now

    done = write("create", FILE, draft(title="Use SQLite after all"), code=1 if is_refused else 0)

    if is_refused:
        assert code_of(done) == "ANTI_RESURRECTION_ERROR"
        assert ("retired_at", NOW) in pairs_of(done)
        assert box.file(FILE)["record_status"] == "retired"
        assert box.index() == []
    else:
        record = box.file(FILE)
        assert (record["record_status"], record["title"]) == ("active", "Use SQLite after all")
        assert "retired_at" not in record
        assert len(box.index()) == 1


@pytest.mark.seed("B38")
def test_the_way_out_of_anti_resurrection_is_to_restore_and_update(box, draft, write):
    write("create", FILE, draft())
    write("delete", FILE)

    write("restore", FILE)
    write("update", FILE, content(box.file(FILE), context="speed"))

    assert box.file(FILE)["content"]["context"] == "speed"


@pytest.mark.seed("B47")
@pytest.mark.parametrize(
    "case",
    [("2026-03-01T00:00:00", "ANTI_RESURRECTION_ERROR"), ("2026-02-01T00:00:00", None), ("long ago", None)],
)
def test_a_retirement_time_without_a_zone_is_utc_and_one_that_is_no_time_does_not_block(box, draft, write, place, case):
    when, expected = case
    place(FILE, draft(record_status="retired", retired_at=when))

    done = write("create", FILE, draft(title="Anew"), code=1 if expected else 0)

    assert (code_of(done) if expected else done.json["status"]) == (expected or "created")


# -- B41: update ----------------------------------------------------------------------------------------------------


@pytest.mark.seed("B41")
def test_update_needs_an_existing_file(box, draft, write):
    done = write("update", FILE, draft(), code=1)

    assert code_of(done) == "UPDATE_ERROR"
    assert not (box.vault / FILE).exists()
    assert (box.folder / "draft.json").exists()


@pytest.mark.seed("B41")
def test_what_may_not_change_is_copied_from_the_old_record(box, draft, write):
    write("create", FILE, draft(created_at="2025-05-05T00:00:00Z"))
    record = content(box.file(FILE), context="speed")
    forged = {"created_at": "1999-01-01", "schema_version": "9.9", "category": "runbook", "id": "other"}

    write("update", FILE, record | forged | {"record_status": "archived", "archived_at": "x", "times_updated": 40})

    saved = box.file(FILE)
    assert (saved["created_at"], saved["schema_version"]) == ("2025-05-05T00:00:00Z", "1.0")
    assert (saved["category"], saved["id"], saved["record_status"]) == ("decision", "use-sqlite", "active")
    assert (saved["times_updated"], saved["updated_at"]) == (1, NOW)
    assert "archived_at" not in saved
    assert box.index() == [LINE]


@pytest.mark.seed("B41")
def test_a_changed_scalar_writes_its_own_line_of_history(box, draft, write):
    write("create", FILE, draft())

    write("update", FILE, content(box.file(FILE), decision="use SQLite with WAL"))

    record = box.file(FILE)
    (change,) = record["changes"]
    assert record["content"]["decision"] == "use SQLite with WAL"
    assert (change["field"], change["date"]) == ("content.decision", NOW)
    assert (change["old_value"], change["new_value"]) == ("use SQLite", "use SQLite with WAL")


@pytest.mark.seed("B41")
@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"content": {"rationale": ["one file", "fast"]}}, "content.rationale"),
        ({"content": {"consequences": ["no server"]}}, "content.consequences"),
        ({"title": "Use SQLite for all storage"}, "title"),
        ({"tags": ["sqlite", "storage", "wal"]}, "tags"),
        ({"related_files": ["db.py"]}, "related_files"),
    ],
)
def test_a_change_of_a_list_the_title_or_the_tags_is_enough_for_an_update(box, draft, write, fields, named):
    write("create", FILE, draft())
    record = box.file(FILE)

    write("update", FILE, record | fields | {"content": record["content"] | fields.get("content", {})})

    saved = box.file(FILE)
    assert saved["times_updated"] == 1
    assert [change["field"] for change in saved["changes"]] == [named]


@pytest.mark.seed("B41")
def test_an_explicit_line_of_history_is_enough_for_an_update(box, draft, write):
    write("create", FILE, draft())
    change = {"date": "2026-02-01", "summary": "Confirmed by measuring"}

    write("update", FILE, box.file(FILE) | {"changes": [change]})

    assert box.file(FILE)["changes"] == [change]


@pytest.mark.seed("B41")
def test_an_update_that_changes_nothing_is_refused(box, draft, write):
    write("create", FILE, draft())
    before = tree(box.vault)

    done = write("update", FILE, box.file(FILE), code=1)

    assert code_of(done) == "MERGE_ERROR"
    assert ("field", "changes") in pairs_of(done)
    assert tree(box.vault) == before


@pytest.mark.seed("B41")
def test_an_update_is_validated_like_a_create(box, draft, write):
    write("create", FILE, draft())
    before = tree(box.vault)

    done = write("update", FILE, content(box.file(FILE), status="maybe", mood="good"), code=1)

    assert code_of(done) == "VALIDATION_ERROR"
    assert [value for key, value in pairs_of(done) if key == "field"] == ["content.status", "content.mood"]
    assert tree(box.vault) == before


@pytest.mark.seed("B41")
def test_a_content_list_may_shrink_with_a_warning(box, draft, write):
    record = draft()
    record["content"]["rationale"] = ["one file", "fast", "known"]
    write("create", FILE, record)

    done = write("update", FILE, content(box.file(FILE), rationale=["fast"]))

    assert box.file(FILE)["content"]["rationale"] == ["fast"]
    assert "WARNING" in done.err
    assert "rationale" in done.err


@pytest.mark.seed("B41")
def test_history_keeps_the_last_fifty_lines(box, draft, write):
    lines = [{"date": "d", "summary": f"change {number}"} for number in range(50)]
    write("create", FILE, draft(changes=lines, times_updated=50))

    write("update", FILE, content(box.file(FILE), context="speed"))
    write("update", FILE, content(box.file(FILE), context="size"))

    record = box.file(FILE)
    summaries = [change["summary"] for change in record["changes"]]
    assert summaries[:48] == [f"change {number}" for number in range(2, 50)]
    assert [change["new_value"] for change in record["changes"][48:]] == ["speed", "size"]
    assert record["times_updated"] == 52


@pytest.mark.seed("B41", "B45")
def test_closing_also_keeps_history_at_fifty(box, draft, write):
    lines = [{"date": "d", "summary": f"change {number}"} for number in range(50)]
    write("create", FILE, draft(changes=lines))

    for action in ("archive", "unarchive", "delete", "restore"):
        write(action, FILE)

    summaries = [change["summary"] for change in box.file(FILE)["changes"]]
    assert len(summaries) == 50
    assert summaries[0] == "change 4"


# -- B41: renaming --------------------------------------------------------------------------------------------------


@pytest.mark.seed("B41")
@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("alpha beta gamma delta zeta", "start"),  # 1 of 5 differs
        ("ALPHA beta GAMMA delta", "start"),  # case is no difference
        ("alpha beta one", "alpha-beta-one"),  # 3 of 5 differ: .6
        ("alpha beta gamma one two three", "alpha-beta-gamma-one-two-three"),  # 4 of 7: .57
        ("alpha beta gamma one", "start"),  # 2 of 5
        ("alpha beta", "start"),  # exactly .5 is not more than .5
        ("Something wholly new", "something-wholly-new"),
        ("完全に新しい", "start"),  # no slug can be made of it
    ],
)
def test_a_file_is_renamed_when_more_than_half_of_the_titles_words_differ(box, draft, write, title, stem):
    write("create", "decisions/start.json", draft(title="alpha beta gamma delta"))

    done = write("update", "decisions/start.json", box.file("decisions/start.json") | {"title": title})

    assert [path.stem for path in box.vault.glob("decisions/*.json")] == [stem]
    record = box.file(f"decisions/{stem}.json")
    assert (record["id"], record["title"]) == (stem, title)
    assert [line.split(" -> ")[1].split()[0] for line in box.index()] == [f".claude/memory/decisions/{stem}.json"]
    assert done.json["id"] == stem
    assert done.json["target"] == f".claude/memory/decisions/{stem}.json"
    assert done.json.get("renamed_from") == (".claude/memory/decisions/start.json" if stem != "start" else None)
    box.run("index", "--validate")


@pytest.mark.seed("B41")
def test_a_taken_slug_keeps_the_old_name_with_a_warning(box, draft, write):
    write("create", "decisions/brand-new-name.json", draft(title="Brand new name", tags=["first"]))
    write("create", FILE, draft())

    done = write("update", FILE, box.file(FILE) | {"title": "Brand new name"})

    assert "WARNING" in done.err
    assert "brand-new-name" in done.err
    assert (box.file(FILE)["id"], box.file(FILE)["title"]) == ("use-sqlite", "Brand new name")
    assert box.file("decisions/brand-new-name.json")["tags"] == ["first"]
    assert "renamed_from" not in done.json
    assert len(box.index()) == 2


@pytest.mark.seed("B41")
def test_a_renamed_memory_goes_on_under_its_new_name(box, draft, write):
    write("create", FILE, draft())
    write("update", FILE, box.file(FILE) | {"title": "Brand new name"})
    path = "decisions/brand-new-name.json"

    done = write("update", path, content(box.file(path), context="speed"))

    assert done.json["times_updated"] == 2
    assert code_of(write("update", FILE, draft(), code=1)) == "UPDATE_ERROR"


@pytest.mark.seed("B51")
@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Crème brûlée: à la carte!", "creme-brulee-a-la-carte"),
        ("  --Many   Signs__and/slashes--  ", "many-signs-and-slashes"),
        ("ﬁle № 5", "file-no-5"),
        ("x" * 79 + " yy", "x" * 79),
    ],
)
def test_a_slug_is_plain_ascii_lower_case_and_hyphens_of_at_most_80(box, draft, write, title, slug):
    write("create", FILE, draft())

    done = write("update", FILE, box.file(FILE) | {"title": title})

    assert done.json["id"] == slug


# -- B42: optimistic concurrency ------------------------------------------------------------------------------------


@pytest.mark.seed("B41", "B42")
def test_an_update_with_the_files_hash_goes_through_without_a_warning(box, draft, write):
    write("create", FILE, draft())

    done = write("update", FILE, content(box.file(FILE), context="speed"), "--hash", md5(box.vault / FILE))

    assert done.err == ""
    assert box.file(FILE)["content"]["context"] == "speed"


@pytest.mark.seed("B41")
def test_an_update_without_a_hash_warns(box, draft, write):
    write("create", FILE, draft())

    done = write("update", FILE, content(box.file(FILE), context="speed"))

    assert "WARNING" in done.err
    assert "--hash" in done.err


@pytest.mark.seed("B42")
def test_a_stale_hash_is_a_conflict_that_names_both_hashes_and_changes_nothing(box, draft, write):
    write("create", FILE, draft())
    stale, record = md5(box.vault / FILE), box.file(FILE)
    write("update", FILE, content(record, context="speed"), "--hash", stale)
    before = tree(box.vault)

    done = write("update", FILE, content(record, context="size"), "--hash", stale, code=1)

    assert code_of(done) == "OCC_CONFLICT"
    assert ("expected_hash", stale) in pairs_of(done)
    assert ("current_hash", md5(box.vault / FILE)) in pairs_of(done)
    assert tree(box.vault) == before
    assert (box.folder / "draft.json").exists()


@pytest.mark.seed("B42")
@pytest.mark.parametrize("violation", [{"tags": ["other"]}, {"changes": []}, {}])
def test_a_stale_hash_is_a_conflict_whatever_else_is_wrong_with_the_merge(box, draft, write, violation):
    write("create", FILE, draft())
    stale, record = md5(box.vault / FILE), box.file(FILE)
    write("update", FILE, content(record, context="speed"), "--hash", stale)

    done = write("update", FILE, box.file(FILE) | violation, "--hash", stale, code=1)

    assert code_of(done) == "OCC_CONFLICT"


@pytest.mark.seed("B42")
def test_an_edit_by_hand_is_a_conflict_too(box, draft, write, place):
    write("create", FILE, draft())
    stale, record = md5(box.vault / FILE), box.file(FILE)
    place(FILE, record | {"title": "Use SQLite for storage, said by hand"})

    done = write("update", FILE, content(record, context="speed"), "--hash", stale, code=1)

    assert code_of(done) == "OCC_CONFLICT"
    assert box.file(FILE)["title"] == "Use SQLite for storage, said by hand"


@pytest.mark.seed("B42")
def test_of_several_updaters_at_once_exactly_one_wins_and_the_others_have_a_conflict(box, draft, write):
    write("create", FILE, draft())
    expected, record = md5(box.vault / FILE), box.file(FILE)
    args = ["write", "--action", "update", "--target", f".claude/memory/{FILE}", "--hash", expected, "--input"]
    started = [
        box.fork(*args, box.draft(content(record, context=f"writer {number}"), f"draft-{number}.json"))
        for number in range(4)
    ]

    outs = [process.communicate(timeout=50)[0] for process in started]

    assert sorted(process.returncode for process in started) == [0, 1, 1, 1]
    assert sum(out.startswith("OCC_CONFLICT\n") for out in outs) == 3
    assert box.file(FILE)["times_updated"] == 1


@pytest.mark.seed("B41", "B42")
@pytest.mark.parametrize(
    "tamper",
    [
        lambda _: [],
        lambda old: old[:1],
        lambda old: old[1:],
        lambda old: [old[1], old[0]],
        lambda old: [old[0] | {"summary": "rewritten"}, old[1], {"date": "d", "summary": "new"}],
        lambda _: [{"date": "d", "summary": "x"}] * 5,
    ],
    ids=["none", "last dropped", "first dropped", "swapped", "rewritten", "replaced"],
)
def test_history_is_append_only_entry_by_entry(box, draft, write, tamper):
    lines = [{"date": "d", "summary": "one"}, {"date": "d", "summary": "two"}]
    write("create", FILE, draft(changes=lines))
    before = tree(box.vault)

    done = write("update", FILE, content(box.file(FILE), context="speed") | {"changes": tamper(lines)}, code=1)

    assert code_of(done) == "MERGE_ERROR"
    assert ("field", "changes") in pairs_of(done)
    assert tree(box.vault) == before


@pytest.mark.seed("B41", "B42")
def test_a_full_history_cannot_be_thrown_away(box, draft, write):
    lines = [{"date": "d", "summary": f"change {number}"} for number in range(50)]
    write("create", FILE, draft(changes=lines))
    record = content(box.file(FILE), context="speed")

    done = write("update", FILE, record | {"changes": [lines[-1], {"date": "d", "summary": "new"}]}, code=None)

    assert code_of(done) == "MERGE_ERROR"
    assert len(box.file(FILE)["changes"]) == 50


# -- B43, B44: tags and related files -------------------------------------------------------------------------------


TWELVE = [f"t{number:02}" for number in range(12)]


@pytest.mark.seed("B43")
@pytest.mark.parametrize(
    "case",
    [
        (["a", "b"], ["a", "b", "c"], True),
        (["a", "b"], ["a"], False),
        (["a", "b"], ["a", "c"], False),
        (["a", "b"], ["a", "c", "d", "e"], False),
        (TWELVE, TWELVE[1:], False),
        (TWELVE, [*TWELVE[1:], "new"], True),
        (TWELVE[:11], [*TWELVE[1:11], "new", "newer"], False),
    ],
)
def test_tags_only_grow_below_twelve_and_are_exchanged_at_twelve(box, draft, write, case):
    old, new, is_kept = case
    write("create", FILE, draft(tags=old))
    before = tree(box.vault)
    record = content(box.file(FILE), context="speed") | {"tags": new}

    done = write("update", FILE, record, code=0 if is_kept else 1)

    if is_kept:
        assert box.file(FILE)["tags"] == sorted(new)
    else:
        assert code_of(done) == "MERGE_ERROR"
        assert ("field", "tags") in pairs_of(done)
        assert ("removed", ", ".join(sorted(set(old) - set(new)))) in pairs_of(done)
        assert tree(box.vault) == before


@pytest.mark.seed("B43")
@pytest.mark.parametrize("tag", ["zzz-late", "aaa-early"])
def test_a_new_tag_beyond_twelve_is_kept_and_an_old_one_gives_way_with_a_note(box, draft, write, tag):
    write("create", FILE, draft(tags=TWELVE))

    done = write("update", FILE, box.file(FILE) | {"tags": [*TWELVE, tag]})

    tags = box.file(FILE)["tags"]
    (dropped,) = set(TWELVE) - set(tags)
    assert len(tags) == 12
    assert tag in tags
    assert dropped in done.err


@pytest.mark.seed("B43")
def test_adding_more_tags_than_fit_is_not_mistaken_for_a_removal(box, draft, write):
    write("create", FILE, draft(tags=TWELVE[:10]))

    done = write("update", FILE, box.file(FILE) | {"tags": [*TWELVE[:10], "n1", "n2", "n3", "n4"]})

    assert len(box.file(FILE)["tags"]) == 12
    assert "dropped" in done.err


@pytest.mark.seed("B44")
def test_a_related_file_that_exists_in_the_project_may_not_be_removed(box, draft, write, tmp_path):
    (box.root / "src").mkdir()
    (box.root / "src/db.py").write_text("")
    write("create", FILE, draft(related_files=["src/db.py", "src/gone.py"]))
    record = content(box.file(FILE), context="speed")
    absolute = str(box.vault / FILE)

    for cwd in (box.root, tmp_path, box.root / "src"):
        done = write("update", FILE, record | {"related_files": ["src/gone.py"]}, code=1, cwd=cwd, target=absolute)
        assert code_of(done) == "MERGE_ERROR"
        assert ("field", "related_files") in pairs_of(done)
        assert ("removed", "src/db.py") in pairs_of(done)
    write("update", FILE, record | {"related_files": []}, code=1)
    write("update", FILE, record | {"related_files": None}, code=1)


@pytest.mark.seed("B44")
def test_a_dangling_related_file_may_be_removed_even_where_the_callers_folder_has_one(box, draft, write, tmp_path):
    write("create", FILE, draft(related_files=["gone.py"]))
    (tmp_path / "gone.py").write_text("")
    record = content(box.file(FILE), context="speed") | {"related_files": ["new.py"]}

    write("update", FILE, record, cwd=tmp_path, target=str(box.vault / FILE))

    assert box.file(FILE)["related_files"] == ["new.py"]


# -- B45, B46: closing ----------------------------------------------------------------------------------------------


@pytest.mark.seed("B45")
def test_delete_retires_softly_with_time_reason_and_a_line_of_history(box, draft, write):
    write("create", FILE, draft())

    write("delete", FILE, None, "--reason", "replaced by Postgres")

    record = box.file(FILE)
    assert (record["record_status"], record["retired_at"], record["updated_at"]) == ("retired", NOW, NOW)
    assert record["retired_reason"] == "replaced by Postgres"
    assert len(record["changes"]) == 1
    assert "replaced by Postgres" in record["changes"][0]["summary"]
    assert record["content"]["decision"] == "use SQLite"
    assert box.index() == []


@pytest.mark.seed("B45")
@pytest.mark.parametrize(("action", "field"), [("delete", "retired_reason"), ("archive", "archived_reason")])
def test_without_a_reason_there_is_no_reason_provided(box, draft, write, action, field):
    write("create", FILE, draft())

    done = write(action, FILE)

    assert done.json["reason"] == box.file(FILE)[field] == "No reason provided"


@pytest.mark.seed("B45", "B46")
@pytest.mark.parametrize(
    "case",
    [
        ("delete", "delete", "already_retired"),
        ("archive", "archive", "already_archived"),
        (None, "restore", "already_active"),
    ],
)
def test_closing_twice_is_no_error_and_changes_nothing(box, draft, write, case):
    first, again, status = case
    write("create", FILE, draft())
    if first:
        write(first, FILE, None, "--reason", "first")
    before = tree(box.vault)

    done = write(again, FILE, None, "--reason", "second")

    assert done.json["status"] == status
    assert tree(box.vault) == before


@pytest.mark.seed("B45", "B46")
@pytest.mark.parametrize(
    "case",
    [
        ("archive", "delete", "DELETE_ERROR"),
        ("delete", "archive", "ARCHIVE_ERROR"),
        ("delete", "unarchive", "UNARCHIVE_ERROR"),
        (None, "unarchive", "UNARCHIVE_ERROR"),
        ("archive", "restore", "RESTORE_ERROR"),
    ],
)
def test_a_step_that_the_status_forbids_is_refused(box, draft, write, case):
    first, then, error = case
    write("create", FILE, draft())
    if first:
        write(first, FILE)
    before = tree(box.vault)

    assert code_of(write(then, FILE, code=1)) == error
    assert tree(box.vault) == before


@pytest.mark.seed("B45", "B46")
@pytest.mark.parametrize("action", ["delete", "archive", "unarchive", "restore"])
def test_closing_a_file_that_is_not_there_is_an_error(box, write, action):
    assert code_of(write(action, FILE, code=1)) == f"{action.upper()}_ERROR"
    assert not (box.vault / FILE).exists()


@pytest.mark.seed("B46")
def test_archive_and_unarchive_take_the_line_out_and_put_it_back(box, draft, write):
    write("create", FILE, draft())

    write("archive", FILE, None, "--reason", "shipped")
    shelved = box.file(FILE)
    assert (shelved["record_status"], shelved["archived_at"]) == ("archived", NOW)
    assert shelved["archived_reason"] == "shipped"
    assert box.index() == []

    write("unarchive", FILE)
    record = box.file(FILE)
    assert record["record_status"] == "active"
    assert not {"archived_at", "archived_reason"} & set(record)
    assert len(record["changes"]) == 2
    assert box.index() == [LINE]


@pytest.mark.seed("B45")
@pytest.mark.parametrize(("action", "back"), [("delete", "restore"), ("archive", "unarchive")])
def test_an_over_long_reason_is_cut_with_a_note_and_does_not_poison_the_record(box, draft, write, action, back):
    write("create", FILE, draft())

    done = write(action, FILE, None, "--reason", "because " * 100)

    assert "cut" in done.err
    assert len(done.json["reason"]) <= 300
    write(back, FILE)
    write("update", FILE, content(box.file(FILE), context="speed"))
    assert box.file(FILE)["content"]["context"] == "speed"
    assert max(len(change["summary"]) for change in box.file(FILE)["changes"]) <= 300


@pytest.mark.seed("B45")
def test_a_reason_of_several_lines_becomes_one(box, draft, write):
    write("create", FILE, draft())

    done = write("delete", FILE, None, "--reason", "one\ntwo\tthree\x00")

    assert done.json["reason"] == "one two three"


# -- B47: the index, whatever the target's spelling -----------------------------------------------------------------


@pytest.mark.seed("B47")
@pytest.mark.parametrize("spelling", ["relative", "absolute", "dotted", "elsewhere", "below"])
def test_the_line_goes_however_the_target_is_spelt(box, draft, write, tmp_path, spelling):
    write("create", FILE, draft())
    target, cwd = {
        "relative": (f".claude/memory/{FILE}", box.root),
        "absolute": (str(box.vault / FILE), box.root),
        "dotted": (f"./.claude/../.claude/memory/{FILE}", box.root),
        "elsewhere": (str(box.vault / FILE), tmp_path),
        "below": (f"../../.claude/memory/{FILE}", box.vault),
    }[spelling]

    for action, back, status in (("delete", "restore", "retired"), ("archive", "unarchive", "archived")):
        write(action, FILE, target=target, cwd=cwd)
        assert box.index() == []
        assert box.file(FILE)["record_status"] == status
        write(back, FILE, target=target, cwd=cwd)
        assert box.index() == [LINE]


@pytest.mark.seed("B47")
def test_create_and_update_by_absolute_path_make_one_relative_line(box, draft, write, tmp_path):
    absolute = str(box.vault / FILE)

    write("create", FILE, draft(), target=absolute, cwd=tmp_path)
    write("update", FILE, content(box.file(FILE), context="speed"), target=absolute, cwd=tmp_path)
    write("update", FILE, content(box.file(FILE), context="size"))

    assert box.index() == [LINE]
    assert box.file(FILE)["times_updated"] == 2


@pytest.mark.seed("B47")
@pytest.mark.parametrize(("action", "status"), [("delete", "retired"), ("archive", "archived")])
def test_updating_a_closed_record_neither_opens_nor_indexes_it(box, draft, write, action, status):
    write("create", FILE, draft())
    write(action, FILE, None, "--reason", "old")

    write("update", FILE, content(box.file(FILE), context="speed"))

    record = box.file(FILE)
    assert (record["record_status"], record["content"]["context"]) == (status, "speed")
    assert (record[f"{status}_at"], record[f"{status}_reason"]) == (NOW, "old")
    assert box.index() == []


@pytest.mark.seed("B40", "B47")
def test_the_index_never_holds_a_path_twice(box, draft, write):
    write("create", FILE, draft())
    (box.vault / "index.md").write_text((box.vault / "index.md").read_text("utf-8") + LINE + "\n", "utf-8")

    write("update", FILE, content(box.file(FILE), context="speed"))

    assert box.index() == [LINE]


# -- B48: the lock --------------------------------------------------------------------------------------------------


@pytest.mark.seed("B48")
def test_a_lock_that_another_program_holds_is_waited_for_and_then_respected(box, draft, write):
    write("create", "decisions/first.json", draft())
    (box.vault / ".index.lockdir").mkdir()
    before, started = tree(box.vault), time.monotonic()

    done = write("create", FILE, draft(), code=1)

    assert time.monotonic() - started >= 4.5
    assert code_of(done) == "STORE_BUSY"
    assert tree(box.vault) == before
    assert (box.vault / ".index.lockdir").is_dir()
    assert (box.folder / "draft.json").exists()
    assert [memory["slug"] for memory in box.run("list", "--json").json] == ["first"]


@pytest.mark.seed("B48")
def test_a_stale_lock_is_broken_with_a_warning(box, draft, write):
    folder = box.vault / ".index.lockdir"
    folder.mkdir()
    os.utime(folder, (time.time() - 61, time.time() - 61))

    done = write("create", FILE, draft())

    assert "WARNING" in done.err
    assert "stale lock" in done.err
    assert box.index() == [LINE]
    assert not folder.exists()


@pytest.mark.seed("B48")
def test_no_lock_is_left_after_success_or_failure(box, draft, write):
    write("create", FILE, draft())
    write("create", FILE, draft(), code=1)
    write("update", FILE, box.file(FILE), code=1)
    write("delete", FILE)

    assert not (box.vault / ".index.lockdir").exists()


@pytest.mark.seed("B48")
def test_writers_at_the_same_time_lose_no_line(box, draft):
    args = ["write", "--action", "create", "--category", "decision", "--target"]
    started = [
        box.fork(
            *args,
            f".claude/memory/decisions/d{number}.json",
            "--input",
            box.draft(draft(title=f"Title {number}"), f"draft-{number}.json"),
        )
        for number in range(6)
    ]

    assert [process.communicate(timeout=50)[1] for process in started] == [""] * 6
    assert len(box.index()) == 6
    box.run("index", "--validate")


# -- B49: the input -------------------------------------------------------------------------------------------------


def create_from(box, source):
    """Create from this --input path; any exit code."""
    target = f".claude/memory/{FILE}"
    return box.run(
        "write", "--action", "create", "--category", "decision", "--target", target, "--input", source, code=None
    )


@pytest.mark.seed("B49")
def test_an_input_path_with_a_dot_dot_component_is_refused(box, draft):
    (box.folder / "sub").mkdir()
    box.draft(draft())

    done = create_from(box, f"{box.folder}/sub/../draft.json")

    assert (done.code, code_of(done)) == (1, "SECURITY_ERROR")
    assert (box.folder / "draft.json").exists()


@pytest.mark.seed("B49")
def test_two_dots_inside_a_name_are_no_component(box, draft):
    done = create_from(box, box.draft(draft(), "a..b.json"))

    assert done.json["status"] == "created"


@pytest.mark.seed("B49")
def test_an_input_outside_tmp_is_refused_also_through_a_link(box):
    (box.folder / "link.json").symlink_to("/etc/passwd")

    for source in ("/etc/passwd", str(box.folder / "link.json"), "/tmp/../etc/passwd", "/tmp"):
        done = create_from(box, source)
        assert (done.code, code_of(done)) == (1, "SECURITY_ERROR")
        assert "root:" not in done.out + done.err


@pytest.mark.seed("B49")
@pytest.mark.parametrize(
    "text",
    [None, "", "{not json", "[1]", "null", "\udce4", '{"a": ' * 5000, '{"times_updated": ' + "9" * 5000 + "}"],
    ids=["missing", "empty", "broken", "list", "null", "not UTF-8", "deep", "huge number"],
)
def test_an_input_that_is_missing_or_no_json_object_is_an_input_error(box, text):
    source = box.folder / "draft.json"
    if text is not None:
        source.write_bytes(text.encode("utf-8", "surrogateescape"))

    done = create_from(box, str(source))

    assert (done.code, code_of(done)) == (1, "INPUT_ERROR")
    assert source.exists() is (text is not None)
    assert not (box.vault / FILE).exists()


@pytest.mark.seed("B2", "B49")
@pytest.mark.parametrize("where", ["title", "tags", "content", "changes"])
def test_text_that_cannot_be_written_as_utf8_is_an_error_not_a_crash(box, draft, where):
    lone = "broken \ud800 text"
    record = draft() | {"title": {"title": lone}, "tags": {"tags": [lone]}}.get(where, {})
    if where == "content":
        record["content"]["context"] = lone
    if where == "changes":
        record["changes"] = [{"date": "d", "summary": "s", "old_value": lone}]

    done = create_from(box, box.draft(record))

    assert (done.code, code_of(done)) in [(1, "VALIDATION_ERROR"), (1, "INPUT_ERROR")]
    assert not (box.vault / FILE).exists()


@pytest.mark.seed("B38", "B49")
def test_the_input_is_removed_on_success_and_kept_on_failure(box, draft, write):
    source = box.folder / "draft.json"

    write("create", FILE, draft(content={}), code=1)
    assert source.exists()
    write("create", FILE, draft())
    assert not source.exists()
    write("update", FILE, box.file(FILE), code=1)
    assert source.exists()
    write("update", FILE, content(box.file(FILE), context="speed"))
    assert not source.exists()


@pytest.mark.seed("B49")
def test_the_private_runtime_folder_is_a_place_for_drafts_too(make_box, draft):
    box = make_box()
    box.run("init")
    runtime = box.home / "runtime"
    runtime.mkdir(parents=True, exist_ok=True)
    (runtime / "draft.json").write_text(json.dumps(draft()), "utf-8")

    assert create_from(box, str(runtime / "draft.json")).json["status"] == "created"


# -- B50: the target ------------------------------------------------------------------------------------------------


@pytest.mark.seed("B50")
@pytest.mark.parametrize("action", ["create", "delete"])
def test_a_target_that_is_no_place_for_a_memory_is_a_path_error(box, draft, write, action):
    write("create", FILE, draft())
    before = tree(box.root)
    flags = ["--category", "decision", "--input", box.draft(draft())] if action == "create" else []

    for target in (
        "decisions/x.json",
        "memory/decisions/x.json",
        "/tmp/x.json",
        ".claude/memory/../x.json",
        ".claude/memory/../../x.json",
        ".claude/memory/decisions/../../../x.json",
        ".claude/memory/decisions/..",
        ".claude/memory/x.json",
        ".claude/memory/index.md",
        ".claude/memory/memory-config.json",
        ".claude/memory/decisions",
        ".claude/memory/decisions/x.txt",
        ".claude/memory/decisions/deep/x.json",
        ".claude/memory/opinions/x.json",
    ):
        done = box.run("write", "--action", action, "--target", target, *flags, code=1)
        assert (code_of(done), target in done.out) == ("PATH_ERROR", True)
        assert done.out.splitlines()[-1].startswith("fix: ")
    assert tree(box.root) == before


@pytest.mark.seed("B50")
def test_a_folder_that_is_a_link_out_of_the_vault_is_refused(box, draft, write, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.rmtree(box.vault / "decisions", ignore_errors=True)
    (box.vault / "decisions").symlink_to(outside)

    done = write("create", FILE, draft(), code=1)

    assert code_of(done) == "PATH_ERROR"
    assert list(outside.iterdir()) == []


@pytest.mark.seed("B50")
@pytest.mark.parametrize("action", ["create", "update", "delete", "archive", "unarchive", "restore"])
def test_a_file_that_is_a_link_is_not_followed_and_not_replaced(box, draft, write, tmp_path, action):
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(draft()), "utf-8")
    before = outside.read_bytes()
    link = box.vault / FILE
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)

    done = write(action, FILE, draft(title="New") if action in ("create", "update") else None, code=1)

    assert code_of(done).endswith("_ERROR")
    assert outside.read_bytes() == before
    assert link.is_symlink()


@pytest.mark.seed("B50")
def test_a_vault_needs_no_init(make_box, draft):
    box = make_box("stranger")
    target = box.vault / FILE
    args = ["write", "--action", "create", "--category", "decision", "--target", str(target)]

    box.run(*args, "--input", box.draft(draft()))

    assert target.is_file()
    assert box.index() == [LINE]


@pytest.mark.seed("B1", "B41")
def test_a_file_that_cannot_be_read_is_left_as_it_is(box, draft, write, place):
    write("create", FILE, draft())
    broken = place(FILE, '{"half": ')

    for action, record in (("create", draft()), ("update", draft()), ("delete", None), ("archive", None)):
        done = write(action, FILE, record, code=1)
        assert code_of(done).endswith("_ERROR")
        assert broken.read_text("utf-8") == '{"half": '
