"""Which project a checkout belongs to: remote, root commit, path; worktrees, renamed remotes, another repository."""

import shutil

from builders import decision
from tables import each

from recollect.project import remotes

APP = "git@example.com:team/app.git"


def titles(box, *flags, cwd=None):
    return sorted(one["title"] for one in box.run("list", "--json", *flags, cwd=cwd).json)


def name(box, cwd=None):
    return next(one["project"] for one in box.run("list", "--json", cwd=cwd).json)


def commit(box, message="work", cwd=None):
    (box.root / "README").write_text(message, "utf-8")
    box.git("add", "-A", cwd=cwd)
    box.git("commit", "-q", "-m", message, cwd=cwd)


def cloned(box, name, *flags, remote=APP):
    """A clone of the box's repository that says it came from a remote."""
    place = box.folder / name
    box.git("clone", "-q", *flags, f"file://{box.root}", str(place))
    box.git("remote", "set-url", "origin", remote, cwd=place)
    return place


@each(
    ("url", "normal"),
    [
        ("git@github.com:owner/name.git", "github.com/owner/name"),
        ("git@github.com:owner/name", "github.com/owner/name"),
        ("github.com:owner/name.git", "github.com/owner/name"),
        ("ssh://git@github.com/owner/name.git", "github.com/owner/name"),
        ("ssh://git@github.com:22/owner/name.git", "github.com/owner/name"),
        ("git+ssh://git@github.com/owner/name.git", "github.com/owner/name"),
        ("https://github.com/owner/name", "github.com/owner/name"),
        ("https://github.com/owner/name.git", "github.com/owner/name"),
        ("https://github.com/owner/name/", "github.com/owner/name"),
        ("https://github.com/owner/name.git/", "github.com/owner/name"),
        ("https://GitHub.com/owner/name", "github.com/owner/name"),
        ("https://user:ghp_s3cr3t@github.com/owner/name.git", "github.com/owner/name"),
        ("https://ghp_s3cr3t@github.com/owner/name.git", "github.com/owner/name"),
        ("https://oauth2:pass@word@github.com/owner/name.git", "github.com/owner/name"),
        ("https://git.example.com:8443/group/sub/name.git", "git.example.com/group/sub/name"),
        ("git://example.com/owner/name.git", "example.com/owner/name"),
        ("ssh://git@[2001:db8::1]:22/owner/name.git", "[2001:db8::1]/owner/name"),
        ("/srv/git/name.git", "file:/srv/git/name"),
        ("file:///srv/git/name.git", "file:/srv/git/name"),
        ("../name.git", "file:../name"),
        ("C:/git/name.git", "file:C:/git/name"),
    ],
)
def test_every_spelling_of_a_remote_has_one_normal_form(url, normal):
    assert remotes.normalise(url) == normal


def test_two_clones_that_spell_the_remote_differently_are_one_project(make_box):
    box = make_box()
    commit(box)
    box.git("remote", "add", "origin", APP)
    second = cloned(box, "second", remote="https://token@example.com/team/app")
    box.run("remember", "Use pnpm")
    assert titles(box, cwd=second) == ["Use pnpm"]
    assert name(box, cwd=second) == "example.com/team/app"


def test_another_project_does_not_see_them(make_box):
    box = make_box()
    box.git("remote", "add", "origin", APP)
    box.run("remember", "Use pnpm")
    box.run("remember", "I like tabs", "--global")
    second = box.folder / "second"
    second.mkdir()
    box.git("init", "-q", cwd=second)
    box.git("remote", "add", "origin", "git@example.com:team/other.git", cwd=second)
    assert titles(box, cwd=second) == ["I like tabs"]


def test_a_folder_below_the_root_is_the_same_project(box):
    below = box.root / "src" / "deep"
    below.mkdir(parents=True)
    box.run("remember", "Use pnpm", cwd=below)
    assert (box.vault / "notes/use-pnpm.json").exists()
    assert titles(box) == ["Use pnpm"]
    assert not (below / ".claude").exists()


def test_a_worktree_shares_project_and_trust(box):
    box.run("remember", "Use pnpm")
    commit(box)
    box.run("list")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("remember", "Tabs not spaces", cwd=other)
    assert (other / ".claude/memory/notes/tabs-not-spaces.json").exists(), "the vault is on there too"
    assert not (box.vault / "notes/tabs-not-spaces.json").exists()
    assert titles(box) == ["Tabs not spaces", "Use pnpm"]
    assert titles(box, cwd=other) == ["Tabs not spaces", "Use pnpm"]


def test_a_worktree_that_is_used_before_the_main_checkout_after_the_first_commit_shares_the_project(box):
    box.run("remember", "Use pnpm")
    box.run("remember", "In the store alone", "--sensitivity", "private")
    commit(box)
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.run("remember", "Tabs not spaces", cwd=other)
    everything = ["In the store alone", "Tabs not spaces", "Use pnpm"]
    assert titles(box, cwd=other) == everything
    assert titles(box) == everything
    assert titles(box, "--all-projects") == everything


def test_a_worktree_that_is_used_first_after_a_remote_was_added_shares_the_project(box):
    commit(box)
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    other = box.folder / "other"
    box.git("worktree", "add", "-q", "-b", "next", str(other))
    box.git("remote", "add", "origin", APP)
    box.run("remember", "Tabs not spaces", "--sensitivity", "private", cwd=other)
    assert titles(box) == ["Tabs not spaces", "Use pnpm"]


def test_memories_survive_the_first_commit_a_remote_and_its_new_address(box):
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    first = name(box)
    assert first.startswith("path:")
    commit(box)
    assert titles(box) == ["Use pnpm"]
    box.run("remember", "Tabs not spaces", "--sensitivity", "private")
    box.git("remote", "add", "origin", APP)
    assert titles(box) == ["Tabs not spaces", "Use pnpm"]
    box.git("remote", "set-url", "origin", "git@example.com:team/renamed.git")
    assert titles(box) == ["Tabs not spaces", "Use pnpm"]
    box.git("remote", "rename", "origin", "upstream")
    assert titles(box) == ["Tabs not spaces", "Use pnpm"]
    assert name(box) == first, "one name for all of them"


def test_a_vault_that_is_only_named_keeps_its_memories_through_the_first_commit_and_a_remote(make_box):
    box = make_box()
    target = ".claude/memory/decisions/use-sqlite.json"
    create = ("write", "--action", "create", "--category", "decision", "--target", target)
    box.run(*create, "--input", box.draft(decision()))
    commit(box)
    box.run("write", "--action", "archive", "--target", target)
    box.git("remote", "add", "origin", APP)
    box.run("write", "--action", "unarchive", "--target", target)
    assert titles(box, "--all-projects", "--all") == ["Use SQLite for storage"]


def test_a_second_clone_of_a_renamed_remote_sees_the_same_memories(box):
    commit(box)
    box.git("remote", "add", "origin", APP)
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    box.git("remote", "set-url", "origin", "git@example.com:team/renamed.git")
    box.run("list")
    second = cloned(box, "second", remote="https://example.com/team/renamed")
    assert titles(box, cwd=second) == ["Use pnpm"]


def test_a_repository_that_is_moved_keeps_its_memories(box):
    commit(box)
    box.run("init")
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    moved = box.folder / "moved"
    box.root.rename(moved)
    assert titles(box, cwd=moved) == ["Use pnpm"]


def test_another_repository_at_the_same_path_does_not_inherit(box):
    commit(box, "ours")
    box.run("init")
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    assert titles(box) == ["Use pnpm"]
    shutil.rmtree(box.root)
    box.root.mkdir()
    box.git("init", "-q", "-b", "main")
    commit(box, "somebody else's")
    assert titles(box) == []


def test_another_repository_at_the_same_path_is_not_trusted(box):
    commit(box, "ours")
    box.run("init")
    box.run("remember", "Use pnpm")
    shutil.rmtree(box.root)
    box.root.mkdir()
    box.git("init", "-q", "-b", "main")
    commit(box, "somebody else's")
    (box.root / ".recollect.toml").write_text("[save]\nsessions_retained = 3\n", "utf-8")
    settings = {row["setting"]: row["value"] for row in box.run("config", "--json").json}
    assert settings["save.sessions_retained"] == 5
    box.run("remember", "Tabs not spaces")
    assert not (box.root / ".claude").exists()


def test_another_repository_at_the_path_of_one_that_was_met_before_its_first_commit_does_not_inherit(box):
    box.run("remember", "Use pnpm", "--sensitivity", "private")
    commit(box, "ours")
    assert titles(box) == ["Use pnpm"]
    shutil.rmtree(box.root)
    box.root.mkdir()
    box.git("init", "-q", "-b", "main")
    commit(box, "somebody else's")
    assert titles(box) == []


def test_without_git_the_folder_is_the_project(make_box):
    box = make_box(git=False)
    box.run("init")
    box.run("remember", "Use pnpm")
    assert titles(box) == ["Use pnpm"]
    assert name(box) == f"path:{box.root}"
    place = box.vault / "notes/use-pnpm.json"
    place.write_text(place.read_text("utf-8").replace('"Use pnpm"', '"Use pnpm 9"', 1), "utf-8")
    below = box.root / "src"
    below.mkdir()
    assert titles(box, cwd=below) == ["Use pnpm 9"]
    place.unlink()
    assert titles(box) == []
    box.run("undo")
    assert titles(box) == ["Use pnpm 9"]
    assert box.run("doctor", code=None).code == 0


def test_without_the_git_program_everything_still_works(make_box):
    box = make_box(git=False)
    box.settings["PATH"] = str(box.folder)
    box.run("init")
    box.run("remember", "Use pnpm")
    assert titles(box) == ["Use pnpm"]
    assert box.run("reconcile").out == ""


def test_git_variables_of_the_caller_do_not_point_elsewhere(box):
    other = box.folder / "other"
    other.mkdir()
    box.git("init", "-q", "-b", "main", cwd=other)
    box.git("remote", "add", "origin", "git@example.com:team/other.git", cwd=other)
    commit(box)
    box.run("remember", "Use pnpm")
    there = name(box)
    box.settings |= {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
    }
    assert titles(box) == ["Use pnpm"]
    box.run("remember", "Tabs not spaces")
    assert name(box) == there
    assert (box.vault / "notes/tabs-not-spaces.json").exists()
    assert not (other / ".claude").exists()


def test_a_bare_repository_and_the_git_folder_itself_do_no_harm(box):
    commit(box)
    box.run("remember", "In the git folder", cwd=box.root / ".git")
    assert not (box.root / ".git" / ".claude").exists()


def test_commit_and_branch_of_a_memory_are_recorded(box):
    commit(box)
    head = box.git("rev-parse", "HEAD").strip()
    box.git("checkout", "-q", "-b", "next")
    box.run("remember", "Use pnpm")
    shown = box.run("show", "use-pnpm", "--json").json
    assert (shown["commit"], shown["branch"]) == (head, "next")
    box.git("checkout", "-q", "--detach")
    box.run("remember", "Tabs not spaces")
    assert box.run("show", "tabs-not-spaces", "--json").json["branch"] is None
