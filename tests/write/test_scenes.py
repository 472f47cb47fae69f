"""Scenes that once went wrong: between worktrees, projects, layouts, and in the middle of things."""

import contextlib
import json
import os
import shutil

import pytest

import recollect
from recollect.model import memory
from recollect.model.change import Archive, Purge, Revert, Touch, Weigh
from recollect.store.sqlite.store import SqliteStore
from recollect.write import undo
from recollect.write.commit import commit


@contextlib.contextmanager
def opened(box, **settings):
    before, env = dict(os.environ), box.env
    os.environ.clear()
    os.environ.update(env)
    try:
        with recollect.open(box.root, home=box.home, **settings) as space:
            yield space
    finally:
        os.environ.clear()
        os.environ.update(before)


def commit_all(box, message="x"):
    box.git("add", "-A")
    box.git("commit", "-q", "-m", message)


def test_pinning_in_an_older_worktree_takes_nothing_back(box):
    box.run("remember", "Use pnpm")
    commit_all(box)
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "older", str(other))
    box.run("list", cwd=other)
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.run("retire", "use-pnpm")
    box.run("pin", "use-pnpm", cwd=other)
    (found,) = box.run("list", "--all", "--json").json
    assert (found["title"], found["status"], found["usage"]["pinned"]) == ("Use pnpm 9", "retired", True)


def test_a_memory_that_was_retired_while_its_branch_was_away_is_retired_in_its_file_when_it_returns(box):
    box.git("commit", "-q", "--allow-empty", "-m", "start")
    box.git("switch", "-q", "-c", "next")
    box.run("remember", "Use pnpm")
    commit_all(box)
    box.run("list")
    box.git("switch", "-q", "main")
    assert "(in the store only)" in box.run("retire", "use-pnpm").out
    box.git("switch", "-q", "next")
    box.run("reconcile")
    assert box.file("notes/use-pnpm.json")["record_status"] == "retired"
    assert box.run("show", "use-pnpm", "--json").json["status"] == "retired"
    assert box.index() == []


def test_an_edit_of_a_memory_of_another_branch_waits_for_its_file(box):
    box.git("commit", "-q", "--allow-empty", "-m", "start")
    box.git("switch", "-q", "-c", "next")
    box.run("remember", "Use pnpm")
    commit_all(box)
    box.run("list")
    box.git("switch", "-q", "main")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    assert box.git("status", "--porcelain") == ""
    box.git("switch", "-q", "next")
    assert box.run("show", "use-pnpm", "--json").json["title"] == "Use pnpm 9"
    assert box.file("notes/use-pnpm.json")["title"] == "Use pnpm 9"


def test_a_draft_never_replaces_an_active_memory_that_has_no_file(box):
    box.run(
        "remember", "Our salaries", "--kind", "decision", "--why", "fair", "--sensitivity", "private", "--title", "Pay"
    )
    draft = box.draft(
        {
            "title": "Pay",
            "tags": ["x"],
            "content": {"status": "accepted", "context": "", "decision": "d", "rationale": ["r"]},
        }
    )
    done = box.run(
        "write", "--action", "create", "--category", "decision", "--target", ".claude/memory/decisions/pay.json",
        "--input", draft, code=1,
    )  # fmt: skip
    assert done.out.startswith("CREATE_ERROR")
    assert box.run("show", "pay", "--json").json["sensitivity"] == "private"


def test_a_memory_of_another_project_is_read_but_not_changed(box, make_box):
    uid = box.run("remember", "Use pnpm", "--json").json["memory"]["uid"]
    other = make_box("elsewhere")
    other.home = box.home
    other.run("init")
    assert other.run("show", uid, "--json").json["title"] == "Use pnpm"
    done = other.run("pin", uid, code=1)
    assert str(box.root) in done.err
    assert list(other.vault.glob("*/*.json")) == []


def test_an_older_text_of_a_purged_memory_is_held_too(box):
    box.run("remember", "Use pnpm")
    commit_all(box)
    box.git("branch", "old")
    box.run("edit", "use-pnpm", "--text", "Use pnpm 9")
    commit_all(box)
    box.run("purge", "use-pnpm", "--yes")
    commit_all(box)
    box.git("switch", "-q", "old")
    assert "purged" in box.run("reconcile").out
    assert box.run("list", "--all", "--json").json == []


def test_a_name_that_two_memories_had_in_turn_breaks_no_command_elsewhere(box):
    box.run("remember", "alpha one")
    commit_all(box)
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "older", str(other))
    box.run("list", cwd=other)
    (box.vault / "notes/alpha-one.json").rename(box.vault / "notes/beta.json")
    box.run("reconcile")
    box.run("remember", "alpha one again", "--title", "alpha one")
    place = other / ".claude/memory/notes/alpha-one.json"
    place.write_text(place.read_text().replace("alpha one", "alpha edited"))
    box.run("list", cwd=other)
    box.run("doctor", cwd=other, code=None)
    assert len(box.run("list", "--json").json) == 2


def test_two_markdown_files_of_one_name_are_not_merged(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    (box.root / "memory/foo-bar.md").write_text("<memory>\nfirst\n</memory>\n")
    (box.root / "memory/Foo Bar.md").write_text("<memory>\nsecond\n</memory>\n")
    assert "same name" in box.run("reconcile").out
    assert len(box.run("list", "--json").json) == 1


def test_restoring_never_writes_over_another_memorys_file(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.run("remember", "a note", "--title", "foo")
    box.run("archive", "note/foo")
    box.run("remember", "a lesson", "--kind", "learned", "--title", "foo")
    before = (box.root / "memory/foo.md").read_bytes()
    box.run("restore", "note/foo", code=1)
    assert (box.root / "memory/foo.md").read_bytes() == before


def test_what_was_restored_since_is_not_collected(box):
    box.run("remember", "Use pnpm")
    with opened(box) as space:
        uid = space.show("use-pnpm").uid
        for change in (Archive(uid, "gc", drop_file=True), Purge(uid, "gc", only_retired=True)):
            assert commit(space.project_context, [change])[0].action == "unchanged"
    assert box.run("show", "use-pnpm", "--json").json["status"] == "active"


def test_undo_does_not_sweep_away_what_came_in_between(box):
    box.run("remember", "Use pnpm")
    box.run("pin", "use-pnpm")
    with opened(box) as space:
        group = undo.last(space.project_context)
        assert [entry.action for entry in group] == ["pinned"]
        box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
        images = [memory.from_json(image) for image in (group[0].before, group[0].after)]
        with pytest.raises(recollect.RecollectError, match="changed since"):
            commit(space.project_context, [Revert(group[0].uid, *images, undoes=group[0].group)])
    assert box.run("show", "use-pnpm", "--json").json["title"] == "Use pnpm 9"


def test_a_rebuild_that_was_interrupted_starts_over(box):
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    database = box.home / "memory.db"
    for path in box.home.glob("memory.db*"):
        path.unlink()
    SqliteStore(database.with_name("memory.db.new")).close()
    assert [one["title"] for one in box.run("list", "--json").json] == ["Use pnpm"]


def test_the_mirror_goes_on_after_a_backup_of_the_database_was_put_back(box):
    box.run("remember", "first")
    shutil.copy(box.home / "memory.db", box.folder / "backup.db")
    box.run("remember", "second")
    for path in box.home.glob("memory.db-*"):
        path.unlink()
    shutil.copy(box.folder / "backup.db", box.home / "memory.db")
    box.run("remember", "third, private", "--sensitivity", "private")
    for path in box.home.glob("memory.db*"):
        path.unlink()
    assert "third, private" in {one["title"] for one in box.run("list", "--json").json}


def test_a_project_that_got_a_remote_is_found_after_a_rebuild(make_box):
    box = make_box()
    box.git("commit", "-q", "--allow-empty", "-m", "start")
    box.run("remember", "Use pnpm")
    box.git("remote", "add", "origin", "https://example.invalid/team/shop.git")
    box.run("list")
    for path in box.home.glob("memory.db*"):
        path.unlink()
    assert [one["title"] for one in box.run("list", "--json").json] == ["Use pnpm"]


def test_saying_it_again_in_confidence_takes_it_out_of_the_repository(box):
    box.run("remember", "Our salaries")
    assert box.run("remember", "Our salaries", "--sensitivity", "private", "--json").json["action"] == "merged"
    assert list(box.vault.glob("*/*.json")) == []
    assert box.index() == []


def test_a_workspace_that_stays_open_follows_the_branch(box):
    box.git("commit", "-q", "--allow-empty", "-m", "start")
    with opened(box) as space:
        space.remember("on main")
        box.git("switch", "-q", "-c", "next")
        assert (space.show("on-main").branch, space.remember("on next").memory.branch) == ("main", "next")


def test_who_was_pushed_out_is_told(box):
    box.settings["RECOLLECT_SAVE__MAX_PER_KIND"] = "1"
    box.run("remember", "one", "--kind", "preference", "--why", "x")
    assert "retired preference/one" in box.run("remember", "two", "--kind", "preference", "--why", "x").err


def test_uses_are_counted_and_appreciation_adds_up_without_touching_the_file(box):
    box.run("remember", "Use pnpm")
    before = (box.vault / "notes/use-pnpm.json").read_bytes()
    with opened(box) as space:
        uid = space.show("use-pnpm").uid
        commit(
            space.project_context,
            [Touch(uid, number=4), Touch(uid), Weigh(uid, appreciate=2), Weigh(uid, importance=0.9)],
        )
        found = space.show(uid)
    assert (found.usage.hits, found.usage.last_session, found.usage.appreciation) == (2, 4, 2)
    assert found.importance == 0.9
    assert (box.vault / "notes/use-pnpm.json").read_bytes() == before


def test_a_log_of_any_size_is_appended_to_and_cut_back_on_failure(make_box):
    box = make_box()
    box.run("init", "--layout", "log", "--layout", "json")
    big = "# MEMORY.md\n" + "x" * 5_000_000 + "\n"
    (box.root / "MEMORY.md").write_text(big)
    box.run("remember", "Use pnpm")
    (line,) = (box.root / "MEMORY.md").read_text().removeprefix(big).splitlines()
    assert json.loads(line.removeprefix("- "))["text"] == "Use pnpm"


def test_undoing_garbage_collection_brings_the_file_back(box):
    box.run("remember", "Use pnpm")
    box.run("retire", "use-pnpm")
    box.settings["RECOLLECT_FORGET__GRACE_DAYS"] = "0"
    box.run("index", "--gc")
    assert list(box.vault.glob("*/*.json")) == []
    box.run("undo")
    assert box.file("notes/use-pnpm.json")["record_status"] == "retired"


def test_an_untrusted_clone_says_that_memories_are_there(make_box):
    ann = make_box("ann")
    ann.run("init")
    ann.run("remember", "Use pnpm")
    bob = make_box("bob", root=ann.root)
    done = bob.run("list")
    assert "recollect trust" in done.err
    assert "Use pnpm" not in done.out


def test_a_vault_of_a_package_is_listed_from_its_folder(box):
    package = box.root / "packages" / "api"
    package.mkdir(parents=True)
    draft = box.draft({"title": "Api rule", "tags": ["x"], "content": {"text": "rest only"}})
    target = "packages/api/.claude/memory/notes/api-rule.json"
    box.run("write", "--action", "create", "--category", "note", "--target", target, "--input", draft)
    assert [one["title"] for one in box.run("list", "--json", cwd=package).json] == ["Api rule"]
    assert box.run("list", "--json").json == []
