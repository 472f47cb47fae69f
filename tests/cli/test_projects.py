"""`recollect project`: which project this is, and projects that are merged, renamed, kept apart and parted again."""

import json
import re

import pytest

import recollect
from recollect.errors import NeedsPerson

APP, FORK = "git@example.com:team/app.git", "git@example.com:fork/app.git"
APP_NAME, FORK_NAME = "example.com/team/app", "example.com/fork/app"
OURS, THEIRS = "Deploys go through a canary", "Releases are cut on Mondays"


def titles(box, cwd=None):
    return sorted(row["title"] for row in box.run("list", "--json", cwd=cwd).json)


def names(box, cwd=None):
    return [row["name"] for row in box.run("project", "list", "--json", cwd=cwd).json]


def told(box, folder):
    event = {"session_id": "s1", "cwd": str(folder), "source": "startup"}
    said = box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(event), cwd=folder).out
    return sorted(text for text in (OURS, THEIRS) if text in said)


@pytest.fixture
def app(make_box):
    """A repository with a remote, a memory and a fact."""
    box = make_box()
    (box.root / "README").write_text("ours", "utf-8")
    box.git("add", "-A")
    box.git("commit", "-q", "-m", "first")
    box.git("remote", "add", "origin", APP)
    box.run("remember", OURS)
    box.run("fact", "add", "api", "listens on", "8080")
    return box


@pytest.fixture
def fork(app):
    """The folder of a fork, with a memory of the same name as one of the other project, and one of its own."""
    place = app.folder / "fork"
    app.git("clone", "-q", f"file://{app.root}", str(place))
    app.git("remote", "set-url", "origin", FORK, cwd=place)
    app.run("remember", THEIRS, cwd=place)
    app.run("remember", OURS, cwd=place)
    app.run("fact", "add", "api", "is written in", "Go", cwd=place)
    return place


def test_a_project_counts_what_a_list_shows(app):
    said = {"session_id": "s1", "cwd": str(app.root), "prompt_id": "p1"}
    app.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps({**said, "prompt": "What is the time?"}))
    app.run("hook", "claude-code", "Stop", stdin=json.dumps({**said, "last_assistant_message": "Noon."}))
    app.run("drain")
    assert "turn_summary" in app.run("list", "--turns").out
    assert app.run("project", "--json").json["memories"] == len(app.run("list").out.splitlines()) - 1 == 1


def dump(box):
    """What the store has under the names of projects."""
    with recollect.open(box.root, home=box.home, warn=lambda _: None) as workspace:
        store = workspace.project_context.store
        images = {row.uid: row.image for row in workspace.list(statuses=(), all_projects=True)}
        facts = [(fact.project, fact.subject, fact.object) for fact in workspace.facts()]
        return images, facts, store.projects.checkouts(), store.projects.names(), store.settings("session:")


def test_a_project_says_its_name_why_it_has_it_and_its_folders(app):
    said = app.run("project").out
    first = app.git("rev-list", "--max-parents=0", "HEAD")[:8]
    assert said.splitlines()[0] == APP_NAME
    assert "after its remote" in said
    assert re.search(r"memories\s+1\n", said)
    assert f"~/{app.root.name} (this folder)" in said
    assert f"first commit {first}" in said
    assert max(map(len, said.splitlines())) <= 80


def test_as_json_a_project_is_complete(app):
    found = app.run("project", "--json").json
    assert found["name"] == APP_NAME
    assert found["memories"] == 1
    assert found["folders"] == [
        {
            "path": str(app.root), "remote": APP_NAME, "unproven": "", "is_trusted": False, "is_here": True,
            "exists": True, "first_commit": app.git("rev-list", "--max-parents=0", "HEAD").strip(),
        }
    ]  # fmt: skip
    assert found["lookalikes"] == []


def test_every_project_is_listed_and_this_one_marked(app, fork):
    assert names(app) == [FORK_NAME, APP_NAME]
    lines = app.run("project", "list", cwd=fork).out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["*", "1"]


def test_a_fork_is_apart_until_it_is_merged_and_one_undo_parts_them_again(app, fork):
    assert titles(app) == [OURS]
    before = dump(app)
    said = app.run("project", "merge", FORK_NAME, APP_NAME).out
    assert "undo" in said
    for folder in (app.root, fork):
        assert titles(app, folder) == [OURS, OURS, THEIRS]
        assert told(app, folder) == [OURS, THEIRS]
        assert app.run("project", "--json", cwd=folder).json["name"] == APP_NAME
        assert {fact["object"] for fact in app.run("fact", "list", "--json", cwd=folder).json} == {"8080", "Go"}
    assert names(app) == [APP_NAME]
    app.run("undo", "--yes")
    assert dump(app) == before
    assert (titles(app), titles(app, fork)) == ([OURS], [OURS, THEIRS])
    assert (told(app, app.root), told(app, fork)) == ([OURS], [OURS, THEIRS])


def test_a_merge_can_be_asked_for_and_undone_in_the_folder_that_is_merged(app, fork):
    before = dump(app)
    app.run("project", "merge", FORK_NAME, APP_NAME, cwd=fork)
    assert titles(app, fork) == [OURS, OURS, THEIRS]
    app.run("undo", "--yes", cwd=fork)
    assert dump(app) == before


def test_the_files_of_a_vault_stay_as_they_are_when_its_project_is_merged_and_parted(app, fork):
    app.run("init", cwd=fork)
    app.run("init")
    memories = fork / ".claude" / "memory"
    before, files = dump(app), {path: path.read_bytes() for path in memories.rglob("*.json")}
    assert len(files) == 2
    app.run("project", "merge", FORK_NAME, cwd=app.root)
    assert titles(app, fork) == [OURS, OURS, THEIRS]
    assert {path: path.read_bytes() for path in memories.rglob("*.json")} == files
    app.run("undo", "--yes")
    assert titles(app, fork) == [OURS, THEIRS]
    assert {path: path.read_bytes() for path in memories.rglob("*.json")} == files
    assert dump(app) == before


def test_without_a_target_the_other_project_is_merged_into_this_one(app, fork):
    app.run("project", "merge", str(fork))
    assert names(app) == [APP_NAME]


def test_a_merge_of_a_project_without_memories_can_be_undone(app, fork):
    for slug in ("deploys-go-through-a-canary", "releases-are-cut-on-mondays"):
        app.run("purge", slug, "--yes", cwd=fork)
    app.run("fact", "rm", app.run("fact", "list", "--json", cwd=fork).json[0]["uid"], cwd=fork)
    before = dump(app)
    app.run("project", "merge", "fork/app")
    assert app.run("project", "--json", cwd=fork).json["name"] == APP_NAME
    assert f"Joined with {APP_NAME}" in app.run("undo", "--dry-run").out
    assert app.run("undo", "--yes").out == f"separated project {FORK_NAME}\n"
    assert dump(app) == before


def test_what_was_purged_in_a_merged_project_stays_purged(app, fork):
    app.run("purge", "releases-are-cut-on-mondays", "--yes", cwd=fork)
    with recollect.open(app.root, home=app.home, warn=lambda _: None) as workspace:
        digest = workspace.remember("Releases are cut on Mondays").memory.digest
        workspace.undo()
        workspace.merge_projects(FORK_NAME)
        assert workspace.project_context.store.is_buried(APP_NAME, digest)


def test_a_new_clone_of_a_merged_project_is_known(app, fork):
    app.run("project", "merge", FORK_NAME)
    place = app.folder / "third"
    app.git("clone", "-q", f"file://{fork}", str(place))
    app.git("remote", "set-url", "origin", FORK, cwd=place)
    assert told(app, place) == titles(app, place)[1:] == [OURS, THEIRS]


@pytest.mark.parametrize("is_undone", [False, True], ids=["merged", "merged and undone"])
def test_a_merge_and_its_undo_survive_a_lost_database(app, fork, is_undone):
    app.run("project", "merge", FORK_NAME)
    if is_undone:
        app.run("undo", "--yes")
    before = dump(app)
    for path in app.home.glob("memory.db*"):
        path.unlink()
    assert "rebuilt" in app.run("list").err
    assert dump(app) == before


def test_another_name_of_a_remote_survives_a_lost_database(app):
    app.git("remote", "set-url", "origin", "git@example.com:team/renamed.git")
    app.run("list")
    for path in app.home.glob("memory.db*"):
        path.unlink()
    app.run("list")
    assert app.run("project", "--json").json["aliases"] == ["example.com/team/renamed"]


def test_a_project_is_renamed_and_one_undo_gives_it_its_name_back(app, fork):
    before = dump(app)
    app.run("project", "rename", "Our App")
    found = app.run("project", "--json").json
    assert (found["name"], found["aliases"], found["why"]) == ("Our App", [APP_NAME], "by you")
    assert titles(app) == told(app, app.root) == [OURS]
    place = app.folder / "second"
    app.git("clone", "-q", f"file://{app.root}", str(place))
    app.git("remote", "set-url", "origin", APP, cwd=place)
    assert titles(app, place) == told(app, place) == [OURS]
    app.run("undo", "--yes")
    assert dump(app) == before


def test_a_project_can_get_its_old_name_back(app):
    app.run("project", "rename", "app")
    app.run("project", "rename", "api")
    app.run("project", "rename", "app")
    assert app.run("project", "--json").json["aliases"] == ["api", APP_NAME]
    assert titles(app) == [OURS]


def test_a_renamed_project_counts_its_sessions_on(app):
    app.run("session", "--set", "7")
    app.run("project", "rename", "app")
    assert app.run("session").out == "7\n"
    app.run("undo", "--yes")
    assert app.run("session").out == "7\n"


def test_a_name_that_cannot_be_one_or_is_taken_is_refused(app, fork):
    for name in ("global", "example.com/other", "path:/x", "", "a" * 101, "-x"):
        assert "INPUT_ERROR" in app.run("project", "rename", "--", name, code=1).err
    app.run("project", "rename", "api", cwd=fork)
    assert "recollect project merge" in app.run("project", "rename", "api", code=1).err


def test_a_wrong_name_gets_a_hint(app, fork):
    assert f"did you mean: {APP_NAME}" in app.run("project", "show", "exmaple.com/team/ap", code=1).err
    assert "AMBIGUOUS" in app.run("project", "merge", "example.com", code=1).err
    assert "same project" in app.run("project", "merge", "team/app", code=1).err


def test_a_project_without_a_remote_is_called_by_its_folder(make_box):
    box = make_box("shop")
    box.git("commit", "-q", "--allow-empty", "-m", "first")
    box.run("remember", OURS)
    commit = box.git("rev-list", "--max-parents=0", "HEAD").strip()
    label = f"{box.root.name} (root:{commit[:8]})"
    assert box.run("project").out.splitlines()[0] == label
    assert label in box.run("project", "list").out
    assert commit not in box.run("show", OURS).out + box.run("doctor", code=None).out + box.run().out
    for said in (box.root.name, f"root:{commit[:8]}"):
        assert box.run("project", "show", said, "--json").json["name"] == f"root:{commit}"


def test_two_projects_in_folders_of_one_name_are_ambiguous(app):
    place = app.folder / "elsewhere" / app.root.name
    place.mkdir(parents=True)
    app.git("init", "-q", cwd=place)
    app.git("commit", "-q", "--allow-empty", "-m", "other", cwd=place)
    app.run("remember", THEIRS, cwd=place)
    assert "AMBIGUOUS" in app.run("project", "show", app.root.name, code=1).err


def test_doctor_names_a_project_with_the_same_first_commit_and_the_command_that_joins_them(app, fork):
    [check] = [row for row in app.run("doctor", "--json", code=1).json if row["name"] == "projects"]
    assert check["says"] == f"{FORK_NAME} has the same first commit"
    assert "`recollect project merge fork/app`" in check["fix"]
    assert f"{FORK_NAME} has the same first commit" in app.run("health").out
    app.run("project", "apart", FORK_NAME)
    assert not [row for row in app.run("doctor", "--json", code=None).json if row["name"] == "projects"]
    app.run("project", "merge", FORK_NAME)
    assert names(app) == [APP_NAME]


def test_doctor_names_a_project_that_was_kept_in_the_same_folder(make_box):
    box = make_box()
    box.git("commit", "-q", "--allow-empty", "-m", "first")
    box.run("remember", OURS)
    box.bring({"title": "Kept by the path alone"})
    [check] = [row for row in box.run("doctor", "--json", code=1).json if row["name"] == "projects"]
    assert check["says"] == f"path:{box.root} was kept in the same folder"
    box.run("project", "merge", f"path:{box.root}")
    assert titles(box) == [OURS, "Kept by the path alone"]


def test_doctor_names_an_old_name_under_which_a_program_that_was_open_meanwhile_left_memories(app, fork):
    with recollect.open(fork, home=app.home, warn=lambda _: None) as still_open:
        app.run("project", "merge", FORK_NAME)
        still_open.remember("Written under the old name")
    [check] = [row for row in app.run("doctor", "--json", code=1).json if row["name"] == "projects"]
    assert check["says"] == f"{FORK_NAME} is its old name, but still has memories"
    app.run("project", "merge", FORK_NAME)
    assert "Written under the old name" in titles(app)


def test_a_folder_that_was_never_used_is_described_without_being_recorded(app):
    place = app.folder / "claims"
    place.mkdir()
    app.git("init", "-q", cwd=place)
    app.git("remote", "add", "origin", APP, cwd=place)
    said = app.run("project", cwd=place).out
    assert said.startswith("clone:")
    assert f"~/claims (this folder)\n{'':15}remote {APP_NAME} (no commit proves it)" in said
    assert len(app.run("project", "list", "--json").json) == 1


def test_an_agent_cannot_merge_projects(app, fork, monkeypatch):
    app.settings["CLAUDECODE"] = "1"
    assert "NEEDS_PERSON" in app.run("project", "merge", FORK_NAME, code=1).err
    monkeypatch.setenv("CLAUDECODE", "1")
    with (
        recollect.open(app.root, home=app.home, warn=lambda _: None) as workspace,
        pytest.raises(NeedsPerson),
    ):
        workspace.merge_projects(FORK_NAME)


def test_the_library_merges_renames_and_takes_back(app, fork):
    with recollect.open(app.root, home=app.home, warn=lambda _: None) as workspace:
        merged = workspace.merge_projects(FORK_NAME)
        assert (merged.name, merged.aliases, merged.memories) == (APP_NAME, (FORK_NAME,), 3)
        assert workspace.rename_project("app").name == workspace.project == "app"
        workspace.undo()
        assert workspace.project == APP_NAME
        workspace.undo()
        assert [found.name for found in workspace.projects()] == [FORK_NAME, APP_NAME]
