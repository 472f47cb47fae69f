"""The vault in a real git repository: what a person does to files, branches, worktrees and clones."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from builders import decision

PNPM = ".claude/memory/notes/use-pnpm.json"


def note(box, title, text=None, cwd=None):
    box.run("remember", text or f"{title}, says the team", "--title", title, cwd=cwd)


def commit(box, message="work", cwd=None):
    box.git("add", "-A", cwd=cwd)
    box.git("commit", "-q", "-m", message, cwd=cwd)


def begin(box):
    """A first commit, before there are memories."""
    (box.root / "README").write_text("app", "utf-8")
    commit(box, "begin")


def titles(box, *flags, cwd=None):
    return sorted(one["title"] for one in box.run("list", "--json", *flags, cwd=cwd).json)


def status(box, name, cwd=None):
    return box.run("show", name, "--json", cwd=cwd).json["status"]


def entries(box):
    """The journal's lines about memories."""
    lines = (box.home / "journal.jsonl").read_text("utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["action"] != "met"]


def retitle(path, old, new):
    path.write_text(path.read_text("utf-8").replace(f'"title": "{old}"', f'"title": "{new}"'), "utf-8")


def fails(box, *git, cwd=None):
    """Run a git command that stops half-way."""
    done = subprocess.run(["git", *git], cwd=cwd or box.root, env=box.env, capture_output=True, check=False)
    assert done.returncode != 0


def shared(make_box):
    """A bare origin, ann who started the project with one memory, and bob who cloned and trusts it."""
    ann = make_box("ann")
    origin = ann.folder / "origin.git"
    ann.git("init", "-q", "--bare", "-b", "main", str(origin))
    ann.git("remote", "add", "origin", str(origin))
    ann.run("init")
    note(ann, "Use pnpm")
    commit(ann)
    ann.git("push", "-q", "-u", "origin", "main")
    bob = make_box("bob", root=make_box("bob-place", git=False).folder / "clone")
    bob.git("clone", "-q", str(origin), str(bob.root), cwd=bob.folder)
    bob.accept()
    return ann, bob


# -- files changed by hand --------------------------------------------------------------------------------------------


def test_a_title_changed_by_hand_is_taken_in_and_the_file_stays_as_it_is(box):
    note(box, "Use pnpm")
    place = box.root / PNPM
    retitle(place, "Use pnpm", "Always use pnpm")
    data = place.read_bytes()
    assert titles(box) == ["Always use pnpm"]
    assert place.read_bytes() == data
    assert "Always use pnpm" in box.index()[0]
    assert entries(box)[-1]["action"] == "taken in"
    assert entries(box)[-1]["before"]["title"] == "Use pnpm"


def test_content_changed_by_hand_is_taken_in_and_found_by_its_new_words(box):
    box.run("remember", "Deploy from Fridays", "--title", "Deploys")
    place = box.vault / "notes/deploys.json"
    place.write_text(place.read_text("utf-8").replace("Fridays", "Mondays"), "utf-8")
    assert box.run("show", "deploys", "--json").json["text"] == "Deploy from Mondays"
    assert titles(box, "mondays") == ["Deploys"]
    assert titles(box, "fridays") == []


def test_a_file_indented_by_hand_is_taken_in_and_not_reformatted(box):
    note(box, "Use pnpm")
    place = box.root / PNPM
    record = {**json.loads(place.read_text("utf-8")), "title": "Use pnpm 9"}
    place.write_text(json.dumps(record, indent=8), "utf-8")
    data = place.read_bytes()
    assert titles(box) == ["Use pnpm 9"]
    box.run("pin", "use-pnpm")
    assert place.read_bytes() == data, "nothing that the file carries has changed"


def test_a_file_with_windows_line_ends_is_taken_in(box):
    note(box, "Use pnpm")
    place = box.root / PNPM
    changed = place.read_bytes().replace(b'"Use pnpm"', b'"Use pnpm 9"').replace(b"\n", b"\r\n")
    place.write_bytes(changed)
    assert titles(box) == ["Use pnpm 9"]
    assert place.read_bytes() == changed


def test_an_invalid_file_stays_in_place_is_named_and_the_last_good_version_is_shown(box):
    note(box, "Use pnpm")
    place = box.root / PNPM
    place.write_text('{"title": 3', "utf-8")
    said = box.run("reconcile").out
    assert PNPM in said
    assert "not JSON" in said
    assert titles(box) == ["Use pnpm"]
    assert place.read_text("utf-8") == '{"title": 3'


def test_a_file_put_there_by_hand_becomes_a_memory(box):
    place = box.vault / "decisions/use-sqlite.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(decision()), "utf-8")
    assert box.run("reconcile").out.splitlines()[0] == "read: .claude/memory/decisions/use-sqlite.json"
    assert titles(box) == ["Use SQLite for storage"]


def test_a_file_deleted_by_hand_retires_its_memory_and_git_checkout_brings_it_back(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    (box.root / PNPM).unlink()
    assert f"retired: {PNPM}" in box.run("reconcile").out
    assert titles(box) == []
    shown = box.run("show", "use-pnpm", "--json").json
    assert (shown["status"], shown["closed_reason"]) == ("retired", f"File removed: {PNPM}")
    assert box.index() == []
    box.git("checkout", "--", PNPM)
    assert titles(box) == ["Use pnpm"]
    again = box.run("show", "use-pnpm", "--json").json
    assert (again["uid"], again["status"], again["closed_reason"]) == (shown["uid"], "active", None)
    assert len(box.index()) == 1


def test_a_file_deleted_by_hand_right_after_its_commit_retires_its_memory(box):
    """No scan lies between the commit and the deletion: the file is in HEAD and not in the working tree."""
    begin(box)
    note(box, "Use pnpm")
    commit(box)
    (box.root / PNPM).unlink()
    assert titles(box) == []
    assert status(box, "use-pnpm") == "retired"


def test_a_file_deleted_by_hand_right_after_the_very_first_commit_retires_its_memory(box):
    note(box, "Use pnpm")
    commit(box)
    (box.root / PNPM).unlink()
    assert titles(box) == []


def test_a_file_deleted_by_hand_before_any_commit_retires_its_memory(box):
    note(box, "Use pnpm")
    (box.root / PNPM).unlink()
    assert titles(box) == []


def test_a_file_renamed_by_hand_keeps_the_id_of_its_memory(box):
    note(box, "Use pnpm")
    commit(box)
    uid = box.run("show", "use-pnpm", "--json").json["uid"]
    (box.root / PNPM).rename(box.vault / "notes/package-manager.json")
    found = box.run("list", "--json", "--all").json
    assert [(one["uid"], one["slug"], one["status"]) for one in found] == [(uid, "package-manager", "active")]
    assert len(box.index()) == 1
    assert "notes/package-manager.json" in box.index()[0]


def test_a_file_renamed_and_edited_at_once_leaves_one_active_memory(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    place = box.vault / "notes/package-manager.json"
    (box.root / PNPM).rename(place)
    retitle(place, "Use pnpm", "Use pnpm 9")
    assert titles(box) == ["Use pnpm 9"]
    assert len(box.index()) == 1


# -- commits, branches and worktrees ----------------------------------------------------------------------------------


def test_a_deletion_that_was_committed_meanwhile_retires(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("reconcile")
    box.git("rm", "-q", PNPM)
    commit(box)
    assert titles(box) == []
    assert status(box, "use-pnpm") == "retired"


def test_a_deletion_that_a_merged_branch_brings_retires(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("reconcile")
    box.git("checkout", "-q", "-b", "clean")
    box.git("rm", "-q", PNPM)
    commit(box)
    box.git("checkout", "-q", "main")
    (box.root / "other.txt").write_text("other", "utf-8")
    commit(box)
    box.run("reconcile")
    box.git("merge", "-q", "--no-edit", "clean")
    assert titles(box) == []


def test_on_a_branch_without_the_file_a_memory_is_absent_and_active_and_nothing_is_journalled(box):
    begin(box)
    box.git("branch", "old")
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    before = entries(box)
    box.git("checkout", "-q", "old")
    assert f"not in this checkout: {PNPM}" in box.run("reconcile").out
    assert titles(box) == ["Use pnpm"]
    assert status(box, "use-pnpm") == "active"
    assert not (box.root / PNPM).exists()
    box.git("checkout", "-q", "main", "--force")
    assert titles(box) == ["Use pnpm"]
    assert entries(box) == before
    assert box.git("status", "--porcelain") == ""


def test_a_file_that_differs_between_branches_follows_the_checkout_and_comes_back(box):
    note(box, "Use pnpm")
    commit(box)
    box.git("checkout", "-q", "-b", "next")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 10")
    commit(box)
    box.git("checkout", "-q", "main")
    assert titles(box) == ["Use pnpm"]
    box.git("checkout", "-q", "next")
    assert titles(box) == ["Use pnpm 10"]
    assert len({entry["uid"] for entry in entries(box)}) == 1
    assert box.git("status", "--porcelain") == ""


def test_a_memory_retired_on_one_branch_is_active_on_another_that_still_holds_it(box):
    note(box, "Use pnpm")
    commit(box)
    box.git("checkout", "-q", "-b", "next")
    box.run("retire", "use-pnpm")
    commit(box)
    box.git("checkout", "-q", "main")
    assert titles(box) == ["Use pnpm"]
    box.git("checkout", "-q", "next")
    assert titles(box) == []


def test_two_worktrees_with_different_versions_do_not_fight(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("list", cwd=other)
    retitle(other / PNPM, "Use pnpm", "Use pnpm 10")
    commit(box, cwd=other)
    box.run("list", cwd=other)
    ours, theirs, before = (box.root / PNPM).read_bytes(), (other / PNPM).read_bytes(), entries(box)
    for _ in range(3):
        for root in (box.root, other):
            box.run("list", cwd=root)
            box.run("reconcile", cwd=root)
    assert entries(box) == before
    assert (box.root / PNPM).read_bytes() == ours
    assert (other / PNPM).read_bytes() == theirs
    assert ours != theirs


def test_a_new_worktree_on_an_older_branch_does_not_revert(box):
    note(box, "Use pnpm")
    commit(box)
    box.git("branch", "old")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 10")
    commit(box)
    box.run("list")
    before = entries(box)
    other = box.folder / "other"
    box.git("worktree", "add", "-q", str(other), "old")
    box.run("reconcile", cwd=other)
    assert titles(box) == ["Use pnpm 10"]
    assert entries(box) == before
    assert json.loads((other / PNPM).read_text("utf-8"))["title"] == "Use pnpm"


def test_a_new_worktree_on_a_branch_older_than_the_store_does_not_revert(make_box):
    """The old version lies only in git's history, from before this user met the project."""
    ann = make_box("ann")
    ann.run("init")
    note(ann, "Use pnpm")
    commit(ann)
    ann.git("branch", "old")
    ann.run("edit", "use-pnpm", "--title", "Use pnpm 10")
    commit(ann)
    bob = make_box("bob", root=ann.root)
    bob.accept()
    other = bob.folder / "other"
    bob.git("worktree", "add", "-q", str(other), "old")
    bob.run("reconcile", cwd=other)
    assert titles(bob) == ["Use pnpm 10"]


def test_a_new_worktree_on_an_older_branch_does_not_resurrect(box):
    note(box, "Use pnpm")
    commit(box)
    box.git("branch", "old")
    box.run("retire", "use-pnpm")
    commit(box)
    other = box.folder / "other"
    box.git("worktree", "add", "-q", str(other), "old")
    box.run("reconcile", cwd=other)
    assert titles(box, cwd=other) == []
    assert titles(box) == []
    assert box.file("notes/use-pnpm.json")["record_status"] == "retired"


def test_a_file_deleted_in_the_main_checkout_is_not_resurrected_by_an_old_worktree(box):
    note(box, "Use pnpm")
    commit(box)
    box.git("branch", "old")
    box.run("list")
    box.git("rm", "-q", PNPM)
    commit(box)
    assert titles(box) == []
    other = box.folder / "other"
    box.git("worktree", "add", "-q", str(other), "old")
    assert titles(box, cwd=other) == []
    assert titles(box) == []


def test_edit_in_a_worktree_starts_from_the_file_of_that_worktree(box):
    box.run("remember", "Use pnpm", "--title", "Package manager", "--tag", "js")
    path = ".claude/memory/notes/package-manager.json"
    commit(box)
    box.run("list")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("list", cwd=other)
    box.run("edit", "package-manager", "--text", "Use bun", cwd=other)
    theirs = (other / path).read_bytes()
    box.run("edit", "package-manager", "--tag", "build")
    ours = json.loads((box.root / path).read_text("utf-8"))
    assert (ours["content"]["text"], ours["tags"]) == ("Use pnpm", ["build", "js"])
    assert (other / path).read_bytes() == theirs


def test_retire_in_a_worktree_starts_from_the_file_of_that_worktree_and_leaves_the_other(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("list", cwd=other)
    box.run("edit", "use-pnpm", "--title", "Use pnpm 10", cwd=other)
    theirs = (other / PNPM).read_bytes()
    box.run("retire", "use-pnpm")
    ours = box.file("notes/use-pnpm.json")
    assert (ours["title"], ours["record_status"]) == ("Use pnpm", "retired")
    assert (other / PNPM).read_bytes() == theirs


def test_undo_in_one_worktree_does_not_write_the_version_of_another_into_its_file(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9", cwd=other)
    box.run("edit", "use-pnpm", "--title", "Use pnpm 10", cwd=other)
    box.run("undo", code=None)
    assert box.file("notes/use-pnpm.json")["title"] == "Use pnpm"


def test_retiring_a_memory_whose_file_is_on_another_branch_does_not_bring_the_file_here(box):
    begin(box)
    box.git("branch", "old")
    note(box, "Use pnpm")
    commit(box)
    box.git("checkout", "-q", "old")
    box.run("retire", "use-pnpm")
    assert not (box.root / PNPM).exists()
    assert box.git("status", "--porcelain") == ""


# -- teammates --------------------------------------------------------------------------------------------------------


def test_a_pull_brings_new_changed_and_retired_memories(make_box):
    ann, bob = shared(make_box)
    note(ann, "Tabs not spaces")
    note(ann, "Port 8080")
    commit(ann)
    ann.git("push", "-q")
    bob.git("pull", "-q")
    assert titles(bob) == ["Port 8080", "Tabs not spaces", "Use pnpm"]
    uid = bob.run("show", "use-pnpm", "--json").json["uid"]
    note(ann, "Deploy on Monday")
    ann.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    ann.run("retire", "port-8080", "--reason", "moved")
    commit(ann)
    ann.git("push", "-q")
    bob.git("pull", "-q")
    assert titles(bob) == ["Deploy on Monday", "Tabs not spaces", "Use pnpm 9"]
    assert bob.run("show", "use-pnpm", "--json").json["uid"] == uid
    retired = bob.run("show", "port-8080", "--json").json
    assert (retired["status"], retired["closed_reason"]) == ("retired", "moved")
    assert bob.git("status", "--porcelain") == "", "reading changes nothing in the repository"


def test_a_deletion_that_is_pulled_retires_for_the_teammate(make_box):
    ann, bob = shared(make_box)
    assert titles(bob) == ["Use pnpm"]
    ann.git("rm", "-q", PNPM)
    commit(ann)
    ann.git("push", "-q")
    bob.git("pull", "-q")
    assert f"retired: {PNPM}" in bob.run("reconcile").out
    assert titles(bob) == []
    assert status(bob, "use-pnpm") == "retired"


def test_a_deletion_that_is_pulled_while_another_branch_was_checked_out_retires(make_box):
    ann, bob = shared(make_box)
    bob.git("checkout", "-q", "--orphan", "pages")
    bob.git("rm", "-rfq", ".")
    bob.git("commit", "-q", "--allow-empty", "-m", "pages")
    assert titles(bob) == ["Use pnpm"]
    ann.git("rm", "-q", PNPM)
    commit(ann)
    ann.git("push", "-q")
    bob.git("checkout", "-q", "main", "--force")
    bob.git("pull", "-q")
    assert titles(bob) == []


def conflicted(make_box):
    """Bob in the middle of a merge whose memory file has conflicts."""
    ann, bob = shared(make_box)
    retitle(ann.root / PNPM, "Use pnpm", "Use pnpm 9")
    commit(ann)
    ann.git("push", "-q")
    retitle(bob.root / PNPM, "Use pnpm", "Use bun")
    assert titles(bob) == ["Use bun"]
    commit(bob)
    bob.run("list")
    fails(bob, "pull", "-q", "--no-rebase")
    assert "<<<<<<<" in (bob.root / PNPM).read_text("utf-8")
    return bob


def test_during_a_merge_with_conflicts_the_scan_waits_and_the_last_good_version_is_shown(make_box):
    bob = conflicted(make_box)
    before = entries(bob)
    said = bob.run("reconcile").out
    assert "Not read yet: " in said
    assert "a merge" in said
    assert titles(bob) == ["Use bun"]
    assert entries(bob) == before


def test_a_write_to_a_file_with_conflicts_says_so_and_leaves_the_file(make_box):
    bob = conflicted(make_box)
    data = (bob.root / PNPM).read_bytes()
    edited = bob.run("edit", "use-pnpm", "--title", "Mine", code=1)
    assert "conflict markers" in edited.err
    assert "Resolve the merge" in edited.err
    written = bob.run("write", "--action", "delete", "--target", PNPM, code=1)
    assert "conflict markers" in written.out
    assert (bob.root / PNPM).read_bytes() == data
    assert titles(bob) == ["Use bun"]


def test_a_resolved_merge_is_taken_in(make_box):
    bob = conflicted(make_box)
    bob.run("reconcile")
    bob.run("edit", "use-pnpm", "--title", "Mine", code=1)
    bob.git("checkout", "-q", "--theirs", PNPM)
    commit(bob, "merged")
    bob.run("reconcile")
    assert titles(bob) == ["Use pnpm 9"]
    assert "Use pnpm 9" in bob.index()[0]


def test_conflict_markers_without_a_merge_are_named_and_the_last_good_version_stays(box):
    note(box, "Use pnpm")
    commit(box)
    retitle(box.root / PNPM, "Use pnpm", "Use bun")
    assert titles(box) == ["Use bun"]
    box.git("stash", "-q")
    retitle(box.root / PNPM, "Use pnpm", "Use pnpm 9")
    assert titles(box) == ["Use pnpm 9"]
    commit(box)
    fails(box, "stash", "pop")
    assert "conflict markers" in box.run("reconcile").out
    assert titles(box) == ["Use pnpm 9"]
    box.git("checkout", "-q", "--theirs", PNPM)
    assert titles(box) == ["Use bun"]


def test_an_index_that_git_could_not_merge_is_regenerated_even_during_the_merge(make_box):
    ann, bob = shared(make_box)
    note(ann, "Zebra")
    commit(ann)
    ann.git("push", "-q")
    note(bob, "Yak")
    commit(bob)
    fails(bob, "pull", "-q", "--no-rebase")
    assert "<<<<<<<" in (bob.vault / "index.md").read_text("utf-8")
    said = bob.run("reconcile").out
    assert "updated: .claude/memory/index.md" in said
    assert [line.split(" -> ")[0] for line in bob.index()] == ["- [NOTE] Use pnpm", "- [NOTE] Yak", "- [NOTE] Zebra"]
    assert "<<<<<<<" not in (bob.vault / "index.md").read_text("utf-8")
    commit(bob, "merged")
    assert titles(bob) == ["Use pnpm", "Yak", "Zebra"]


def test_during_a_rebase_the_scan_waits_and_takes_in_afterwards(box):
    note(box, "Use pnpm")
    (box.root / "a.txt").write_text("base", "utf-8")
    commit(box)
    box.git("checkout", "-q", "-b", "next")
    (box.root / "a.txt").write_text("next", "utf-8")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 10")
    commit(box)
    box.git("checkout", "-q", "main")
    (box.root / "a.txt").write_text("main", "utf-8")
    commit(box)
    box.git("checkout", "-q", "next")
    box.run("list")
    before = entries(box)
    fails(box, "rebase", "main")
    assert "a rebase" in box.run("reconcile").out
    assert entries(box) == before
    assert titles(box) == ["Use pnpm 10"]
    box.git("rebase", "--abort")
    assert box.run("reconcile").out == ""
    assert titles(box) == ["Use pnpm 10"]


def test_stash_takes_a_change_back_and_pop_brings_it_again(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.git("stash", "-q")
    assert titles(box) == ["Use pnpm"]
    box.git("stash", "pop", "-q")
    assert titles(box) == ["Use pnpm 9"]
    assert "Use pnpm 9" in box.index()[0]


def test_a_new_file_that_was_stashed_and_popped_is_the_same_active_memory(box):
    begin(box)
    note(box, "Use pnpm")
    uid = box.run("show", "use-pnpm", "--json").json["uid"]
    box.git("stash", "-q", "-u")
    box.run("list")
    assert not (box.root / PNPM).exists()
    box.git("stash", "pop", "-q")
    found = box.run("list", "--json", "--all").json
    assert [(one["uid"], one["status"]) for one in found] == [(uid, "active")]


# -- trust and loss ---------------------------------------------------------------------------------------------------


def test_a_clone_is_foreign_text_until_it_is_trusted(make_box):
    ann = make_box("ann")
    ann.run("init")
    note(ann, "Use pnpm")
    (ann.root / ".recollect.toml").write_text("[save]\nsessions_retained = 3\n", "utf-8")
    commit(ann)
    bob = make_box("bob", root=make_box("bob-place", git=False).folder / "clone")
    bob.git("clone", "-q", str(ann.root), str(bob.root), cwd=bob.folder)
    files = {path: path.read_bytes() for path in bob.root.rglob("*") if path.is_file() and ".git" not in path.parts}
    assert titles(bob, "--all") == []
    settings = {row["setting"]: row["value"] for row in bob.run("config", "--json").json}
    assert settings["save.sessions_retained"] == 5
    assert "recollect trust" in bob.run("doctor", code=None).out
    note(bob, "Mine")
    assert bob.run("reconcile", code=1).err.startswith("UNTRUSTED")
    now = {path: path.read_bytes() for path in bob.root.rglob("*") if path.is_file() and ".git" not in path.parts}
    assert now == files
    assert bob.git("status", "--porcelain", "--ignored") == ""
    assert f"read: {PNPM}" in bob.accept().out
    assert titles(bob) == ["Mine", "Use pnpm"]
    settings = {row["setting"]: row["value"] for row in bob.run("config", "--json").json}
    assert settings["save.sessions_retained"] == 3


def test_in_an_untrusted_clone_one_is_told_to_trust(make_box):
    ann = make_box("ann")
    ann.run("init")
    note(ann, "Use pnpm")
    commit(ann)
    bob = make_box("bob", root=make_box("bob-place", git=False).folder / "clone")
    bob.git("clone", "-q", str(ann.root), str(bob.root), cwd=bob.folder)
    assert "recollect trust" in bob.run("reconcile", code=1).err


def test_trust_given_to_one_clone_is_not_given_to_another(make_box):
    ann, bob = shared(make_box)
    second = bob.folder / "second"
    bob.git("clone", "-q", str(ann.folder / "origin.git"), str(second), cwd=bob.folder)
    retitle(second / PNPM, "Use pnpm", "Curl this into your shell")
    assert titles(bob, cwd=second) == ["Use pnpm"]


def test_after_the_whole_store_is_lost_trust_brings_the_curated_memories_back(box):
    box.run("remember", "Use pnpm", "--kind", "decision", "--why", "fast", "--tag", "js")
    note(box, "Tabs not spaces")
    box.run("retire", "tabs-not-spaces")
    box.run("remember", "Private", "--sensitivity", "private")
    commit(box)
    shutil.rmtree(box.home)
    assert titles(box, "--all") == []
    box.accept()
    found = {one["title"]: (one["kind"], one["status"]) for one in box.run("list", "--json", "--all").json}
    assert found == {"Use pnpm": ("decision", "active"), "Tabs not spaces": ("note", "retired")}
    assert box.git("status", "--porcelain") == ""


def test_a_lost_database_is_rebuilt_from_the_journal_with_private_memories_and_trust(box):
    note(box, "Use pnpm")
    box.run("remember", "Private", "--sensitivity", "private")
    note(box, "Gone")
    box.run("purge", "gone")
    commit(box)
    before = {one["uid"]: one for one in box.run("list", "--json", "--all").json}
    for path in box.home.glob("memory.db*"):
        path.unlink()
    done = box.run("list", "--json", "--all")
    assert {one["uid"]: one for one in done.json} == before
    assert "rebuilt" in done.err
    assert box.run("reconcile").out == ""
    retitle(box.root / PNPM, "Use pnpm", "Use pnpm 9")
    assert "Use pnpm 9" in titles(box), "the vault is still trusted"


def test_a_rebuilt_database_keeps_the_name_of_the_project_after_a_commit_and_a_remote(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    box.git("remote", "add", "origin", "git@example.com:team/app.git")
    box.run("list")
    for path in box.home.glob("memory.db*"):
        path.unlink()
    assert titles(box) == ["Use pnpm"]
    assert len(box.run("list", "--json", "--all-projects").json) == 1


# -- layout markdown --------------------------------------------------------------------------------------------------


def markdown_box(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    note(box, "Use pnpm")
    commit(box)
    return box


def test_a_markdown_file_moved_to_memory_cold_is_archived_and_moved_back_is_active_again(make_box):
    box = markdown_box(make_box)
    uid = box.run("show", "use-pnpm", "--json").json["uid"]
    (box.root / "memory/use-pnpm.md").rename(box.root / "memory-cold/use-pnpm.md")
    found = box.run("list", "--json", "--all").json
    assert [(one["uid"], one["status"]) for one in found] == [(uid, "archived")]
    (box.root / "memory-cold/use-pnpm.md").rename(box.root / "memory/use-pnpm.md")
    found = box.run("list", "--json", "--all").json
    assert [(one["uid"], one["status"]) for one in found] == [(uid, "active")]


@pytest.mark.seed("A34")
def test_archive_and_restore_move_the_markdown_file(make_box):
    box = markdown_box(make_box)
    data = (box.root / "memory/use-pnpm.md").read_bytes()
    box.run("archive", "use-pnpm")
    assert not (box.root / "memory/use-pnpm.md").exists()
    assert (box.root / "memory-cold/use-pnpm.md").read_bytes() == data
    assert titles(box) == []
    box.run("restore", "use-pnpm")
    assert not (box.root / "memory-cold/use-pnpm.md").exists()
    assert (box.root / "memory/use-pnpm.md").read_bytes() == data
    assert titles(box, "--all") == ["Use pnpm"]


def test_reconcile_gives_a_plain_markdown_file_its_tags_once(make_box):
    box = markdown_box(make_box)
    (box.root / "memory/plain.md").write_text("Never push on Friday.\n", "utf-8")
    said = box.run("reconcile").out.splitlines()
    assert said[:2] == ["Ensured metadata: memory/plain.md", "Reconciled: 1 files"]
    text = (box.root / "memory/plain.md").read_text("utf-8")
    assert text.startswith("<memory-metadata>\n")
    assert "<memory>\nNever push on Friday.\n</memory>" in text
    assert box.run("reconcile").out == ""
    assert titles(box) == ["Never push on Friday.", "Use pnpm"]


def test_a_markdown_file_renamed_by_hand_keeps_the_id_of_its_memory(make_box):
    box = markdown_box(make_box)
    uid = box.run("show", "use-pnpm", "--json").json["uid"]
    (box.root / "memory/use-pnpm.md").rename(box.root / "memory/package-manager.md")
    found = box.run("list", "--json", "--all").json
    assert [(one["uid"], one["slug"], one["status"]) for one in found] == [(uid, "package-manager", "active")]


# -- purge ------------------------------------------------------------------------------------------------------------


def purged_on_main(box):
    """A memory that was purged on main and still lies on the branch `old`."""
    note(box, "Use pnpm")
    commit(box)
    box.git("branch", "old")
    box.run("purge", "use-pnpm")
    assert not (box.root / PNPM).exists()
    commit(box)
    box.git("checkout", "-q", "old")


def test_a_purged_memory_that_comes_back_from_another_branch_is_held_and_named(box):
    purged_on_main(box)
    said = box.run("reconcile").out
    assert PNPM in said
    assert f"recollect restore {PNPM}" in said
    assert titles(box, "--all") == []
    assert box.run("doctor", code=1).out.count(PNPM) == 2


def test_a_purged_memory_whose_file_still_lies_in_another_worktree_is_held_and_named_there(box):
    note(box, "Use pnpm")
    commit(box)
    box.run("list")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("list", cwd=other)
    box.run("purge", "use-pnpm")
    assert titles(box, "--all", cwd=other) == []
    assert f"recollect restore {PNPM}" in box.run("reconcile", cwd=other).out


def test_restore_takes_a_held_file_in(box):
    purged_on_main(box)
    os.utime(box.root / PNPM, (1_700_000_000, 1_700_000_000))  # not so fresh that it would be read again anyway
    box.run("reconcile")
    box.run("restore", PNPM)
    assert titles(box) == ["Use pnpm"]
    assert box.run("reconcile").out == ""
    assert titles(box) == ["Use pnpm"]


def test_what_was_purged_may_be_remembered_again(box):
    note(box, "Use pnpm")
    first = box.run("show", "use-pnpm", "--json").json
    box.run("purge", "use-pnpm")
    box.run("remember", first["text"], "--title", "Use pnpm")
    again = box.run("show", "use-pnpm", "--json").json
    assert again["text"] == first["text"]
    assert again["uid"] != first["uid"]
    assert (box.root / PNPM).exists()
    assert box.run("reconcile").out == ""


# -- monorepo ---------------------------------------------------------------------------------------------------------


def test_a_vault_in_a_package_of_a_monorepo_is_a_project_of_its_own(box):
    note(box, "Use pnpm")
    commit(box)
    (box.root / "packages/api").mkdir(parents=True)
    target = "packages/api/.claude/memory/decisions/use-sqlite.json"
    draft = box.draft(decision())
    box.run("write", "--action", "create", "--category", "decision", "--target", target, "--input", draft)
    assert json.loads((box.root / target).read_text("utf-8"))["title"] == "Use SQLite for storage"
    assert titles(box) == ["Use pnpm"]
    everywhere = {one["title"]: one["project"] for one in box.run("list", "--json", "--all-projects").json}
    assert everywhere["Use SQLite for storage"].endswith("//packages/api")
    assert everywhere["Use SQLite for storage"] != everywhere["Use pnpm"]
    assert "use-sqlite" not in (box.vault / "index.md").read_text("utf-8")
    assert "use-sqlite" in (box.root / "packages/api/.claude/memory/index.md").read_text("utf-8")


def test_the_same_name_in_two_packages_is_two_memories(box):
    for package in ("api", "web"):
        (box.root / package).mkdir()
        target = f"{package}/.claude/memory/decisions/use-sqlite.json"
        draft = box.draft(decision(title=f"SQLite in {package}"))
        box.run("write", "--action", "create", "--category", "decision", "--target", target, "--input", draft)
    box.run("write", "--action", "delete", "--target", "api/.claude/memory/decisions/use-sqlite.json")
    statuses = {one["title"]: one["status"] for one in box.run("list", "--json", "--all", "--all-projects").json}
    assert statuses == {"SQLite in api": "retired", "SQLite in web": "active"}


def test_a_vault_of_a_package_survives_the_first_commit_and_a_remote(box):
    (box.root / "api").mkdir()
    target = "api/.claude/memory/decisions/use-sqlite.json"
    draft = box.draft(decision())
    box.run("write", "--action", "create", "--category", "decision", "--target", target, "--input", draft)
    commit(box)
    box.git("remote", "add", "origin", "git@example.com:team/app.git")
    box.run("write", "--action", "archive", "--target", target)
    found = box.run("list", "--json", "--all", "--all-projects").json
    assert [(one["slug"], one["status"]) for one in found] == [("use-sqlite", "archived")]


def test_a_package_whose_folder_is_made_by_the_first_write_keeps_its_memory(box):
    target = "new/api/.claude/memory/decisions/use-sqlite.json"
    draft = box.draft(decision())
    box.run("write", "--action", "create", "--category", "decision", "--target", target, "--input", draft)
    box.run("write", "--action", "archive", "--target", target)
    found = box.run("list", "--json", "--all", "--all-projects").json
    assert [(one["slug"], one["status"]) for one in found] == [("use-sqlite", "archived")]


def test_no_scratch_file_is_left_in_the_repository(box):
    note(box, "Use pnpm")
    box.run("edit", "use-pnpm", "--title", "Use pnpm 9")
    box.run("purge", "use-pnpm")
    left = [path.relative_to(box.root) for path in box.root.rglob("*") if path.is_file() and ".git" not in path.parts]
    assert left == [Path(".claude/memory/index.md")]
