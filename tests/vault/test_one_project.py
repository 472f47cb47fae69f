"""One repository is one project, whatever happens to its folder: every pair of situations, asked by everybody.

A scene is a repository in which something is remembered. Two things happen to it, one after the other. Then hook,
worker, command line and library say which project the folder is, and what is remembered there.
"""

import contextlib
import itertools
import json
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw
from builders import Box
from examples import IS_DEEP
from tables import each

import recollect
from recollect import paths
from recollect.hooks.project_lookup import find_place
from recollect.store.hook_reader.connection import open_connection
from recollect.store.hook_reader.store_reader import StoreReader

APP = "git@example.com:team/app.git"
numbers = itertools.count()


@dataclass
class Scene:
    """A folder of a repository, and what should be remembered in it."""

    box: Box
    top: Path
    below: str = ""
    has_commits: bool = False
    remote: str = ""
    """The remote that its project is known by; the folder that it was cloned from is none."""
    had_remote: bool = False
    """Whether its project is named after a remote."""
    remembered: list[str] = field(default_factory=list)
    every_text: list[str] = field(default_factory=list)
    session: str = ""

    @property
    def folder(self) -> Path:
        return self.top / self.below

    @property
    def is_worktree(self) -> bool:
        return (self.top / ".git").is_file()

    def git(self, *args: str) -> str:
        return self.box.git(*args, cwd=self.top)

    def commit(self) -> None:
        (self.top / "README").write_text(f"{next(numbers)}", "utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work")
        self.has_commits = True

    def set_remote(self, url: str) -> None:
        has_one = bool(self.git("remote"))
        self.git("remote", *(("set-url", "origin") if has_one else ("add", "origin")), url)
        self.remote = url

    def remember(self) -> None:
        text = f"Deploys go through canary number {next(numbers)}"
        self.box.run("remember", text, cwd=self.folder)
        self.remembered.append(text)
        self.every_text.append(text)

    def new_place(self) -> Path:
        return self.box.folder / f"place-{next(numbers)}"

    def leave(self, *, is_same: bool) -> None:
        """Say whether the folder is the same project still; another one has nothing to remember yet."""
        if not is_same:
            self.remembered, self.had_remote = [], bool(self.remote)


# -- what may happen to a repository ---------------------------------------------------------------------------------


def nothing(scene: Scene) -> None:
    """Nothing happens."""


def moved(scene: Scene) -> None:
    """The folder is moved: its first commit tells which one it is."""
    place = scene.new_place()
    if scene.is_worktree:
        scene.git("worktree", "move", str(scene.top), str(place))
    else:
        scene.top.rename(place)
    scene.top = place
    scene.leave(is_same=scene.has_commits)


def copied(scene: Scene) -> None:
    """A copy with its history. Of a worktree only the link to its history is copied, which does not link back."""
    place, is_same = scene.new_place(), scene.has_commits and not scene.is_worktree
    shutil.copytree(scene.top, place, symlinks=True)
    scene.top = place
    scene.leave(is_same=is_same)


def cloned(scene: Scene) -> None:
    """Another clone of the same remote; without one, of the folder."""
    place = scene.new_place()
    scene.git("clone", "-q", f"file://{scene.top}", str(place))
    scene.top = place
    (place / scene.below).mkdir(parents=True, exist_ok=True)
    if scene.below:
        (place / scene.below / ".claude/memory").mkdir(parents=True, exist_ok=True)
    if scene.remote:
        scene.git("remote", "set-url", "origin", scene.remote)
    scene.leave(is_same=scene.has_commits)


def forked(scene: Scene) -> None:
    """A clone with another remote: a project of its own, unless the other one never had a remote."""
    is_first_remote = not scene.remote and not scene.had_remote
    scene.remote = scene.remote or "unused"
    cloned(scene)
    scene.set_remote(f"git@example.com:fork/app-{next(numbers)}.git")
    scene.leave(is_same=scene.has_commits and is_first_remote)


def made_a_worktree(scene: Scene) -> None:
    if scene.has_commits:  # git makes none before
        place = scene.new_place()
        scene.git("worktree", "add", "-q", "-b", place.name, str(place))
        scene.top = place


def committed(scene: Scene) -> None:
    scene.commit()


def got_another_remote(scene: Scene) -> None:
    """The first remote, or another address of it."""
    scene.set_remote(f"git@example.com:team/renamed-{next(numbers)}.git")


def lost_its_remote(scene: Scene) -> None:
    if scene.git("remote"):
        scene.git("remote", "remove", "origin")
    scene.remote = ""


def entered_a_part(scene: Scene) -> None:
    """A folder of a monorepo with a vault of its own is a project of its own."""
    if scene.below:
        return
    scene.below = "service"
    (scene.folder / ".claude/memory").mkdir(parents=True, exist_ok=True)
    (scene.folder / ".claude/memory/README").write_text("memories", "utf-8")
    if scene.has_commits:
        scene.commit()
    scene.leave(is_same=False)


HAPPENINGS = (
    nothing, moved, copied, cloned, forked, made_a_worktree, committed, got_another_remote, lost_its_remote,
    entered_a_part,
)  # fmt: skip


# -- how it may begin ------------------------------------------------------------------------------------------------


def without_commits(scene: Scene) -> None:
    """A repository that was only made."""


def with_commits(scene: Scene) -> None:
    scene.commit()


def with_remote(scene: Scene) -> None:
    scene.commit()
    scene.set_remote(APP)
    scene.had_remote = True


BEGINNINGS = (without_commits, with_commits, with_remote)


# -- whom to ask -----------------------------------------------------------------------------------------------------


def by_hook(scene: Scene) -> tuple[str, list[str]]:
    """What a hook says, which writes nothing and starts no git."""
    box, scene.session = scene.box, f"s{next(numbers)}"
    with box.living(), contextlib.closing(StoreReader(open_connection(paths.database(box.env)))) as store:
        project = find_place(store, str(scene.folder), box.env).project
    event = {"session_id": scene.session, "cwd": str(scene.folder), "source": "startup"}
    told = box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(event), cwd=scene.folder).out
    return project, sorted(text for text in scene.every_text if text in told)


def by_worker(scene: Scene) -> tuple[str, list[str]]:
    """Which project the worker records for the last session, and what a hook tells afterwards."""
    scene.box.run("drain", cwd=scene.box.folder)
    with contextlib.closing(apsw.Connection(paths.database(scene.box.env))) as db:
        project = db.execute("SELECT project FROM sessions WHERE id = ?", (scene.session,)).get
    return project, by_hook(scene)[1]


def by_command_line(scene: Scene) -> tuple[str, list[str]]:
    listed = scene.box.run("list", "--json", cwd=scene.folder).json
    return scene.box.run("project", "--json", cwd=scene.folder).json["name"], sorted(row["title"] for row in listed)


def by_library(scene: Scene) -> tuple[str, list[str]]:
    with scene.box.living(), recollect.open(scene.folder, home=scene.box.home, warn=lambda _: None) as workspace:
        return workspace.project, sorted(memory.title for memory in workspace.list())


# -- the tests -------------------------------------------------------------------------------------------------------


def scene_of(make_box, beginning) -> Scene:
    box = make_box(f"user-{next(numbers)}")
    scene = Scene(box, box.root)
    beginning(scene)
    scene.remember()
    return scene


def beginnings_and_seconds() -> list[tuple[object, object]]:
    """Every second thing that may happen, after each beginning in turn; in `make test-deep` after all of them."""
    pairs = itertools.product(HAPPENINGS, BEGINNINGS)
    turns = [number % len(BEGINNINGS) == number // len(BEGINNINGS) % len(BEGINNINGS) for number in range(1_000)]
    return [
        (beginning, second) for (second, beginning), is_turn in zip(pairs, turns, strict=False) if is_turn or IS_DEEP
    ]


def scenes() -> list[tuple[object, object, object]]:
    """Each pair of happenings in `make test-deep`; by default each of them twice, first and second."""
    seconds = beginnings_and_seconds()
    return [
        (first, beginning, second)
        for place, first in enumerate(HAPPENINGS)
        for number, (beginning, second) in enumerate(seconds)
        if IS_DEEP or (number - place) % len(HAPPENINGS) in (1, 4)
    ]


@each(("first", "beginning", "second"), scenes())
def test_everybody_says_the_same_project_and_the_same_memories(make_box, first, beginning, second):
    scene = scene_of(make_box, beginning)
    first(scene)
    scene.remember()
    second(scene)
    expected = sorted(scene.remembered)
    project, told = by_hook(scene)
    others = [by_library, by_command_line, by_worker]
    answers = {ask.__name__: ask(scene) for ask in (others if len(expected) % 2 else reversed(others))}
    assert answers == dict.fromkeys(answers, (answers["by_library"][0], expected))
    is_unnamed = not expected and answers["by_library"][0].startswith("root:")  # only git can name it, and it is new
    assert (project, told) == ("" if is_unnamed else answers["by_library"][0], expected)
    assert by_hook(scene) == answers["by_library"]


def test_a_folder_whose_remote_becomes_that_of_a_known_fork_takes_its_memories_there(make_box):
    scene = scene_of(make_box, with_remote)
    upstream = scene.top
    forked(scene)
    scene.remember()
    fork, everything = scene.remote, sorted(scene.every_text)
    scene.top = upstream
    scene.set_remote(fork)
    hooks, library = by_hook(scene), by_library(scene)
    assert hooks[0] == library[0], "a hook names the project before anything is moved"
    assert library[1] == by_command_line(scene)[1] == by_hook(scene)[1] == everything


def test_a_project_without_a_remote_goes_as_a_whole_where_one_of_its_clones_gets_a_known_remote(make_box):
    scene = scene_of(make_box, with_remote)
    upstream = scene.top
    forked(scene)
    scene.remember()  # from here on, the first commit alone could be one or the other
    places = []
    for _ in range(2):
        scene.top = upstream
        cloned(scene)
        lost_its_remote(scene)
        scene.remember()
        places.append(scene.top)
    assert len({by_library(replace(scene, top=place))[0] for place in places}) == 1
    for place in places:
        scene.top = place
        scene.set_remote(APP)
        assert by_library(scene)[1] == by_hook(scene)[1] == sorted([scene.every_text[0], *scene.every_text[2:]])


def test_a_project_that_other_clones_have_is_not_taken_along(make_box):
    scene = scene_of(make_box, with_remote)
    upstream, [learnt] = scene.top, scene.every_text
    cloned(scene)
    by_command_line(scene)
    scene.remember()
    other = scene.top
    forked(scene)
    scene.remember()
    scene.top = upstream
    scene.set_remote(scene.remote)
    assert by_library(scene)[1] == scene.remembered
    scene.top = other
    assert learnt in by_library(scene)[1]


def test_show_and_recall_find_what_list_finds_after_the_remote_became_a_known_one(make_box):
    scene = scene_of(make_box, with_remote)
    upstream, [learnt] = scene.top, scene.every_text
    forked(scene)
    scene.remember()
    scene.top = upstream
    scene.set_remote(scene.remote)
    slug = learnt.lower().replace(" ", "-")
    assert learnt in scene.box.run("show", slug, cwd=upstream).out
    assert scene.remembered[0] in scene.box.run("recall", "canary deploys", cwd=upstream).out


def test_without_git_a_folder_below_a_known_one_is_the_same_project_for_everybody(make_box):
    box = make_box(git=False)
    scene = Scene(box, box.root)
    scene.remember()
    scene.top = box.root / "notes" / "deep"
    scene.top.mkdir(parents=True)
    answers = [ask(scene) for ask in (by_hook, by_library, by_command_line, by_worker)]
    assert answers == [(f"path:{box.root}", scene.remembered)] * 4


def test_the_home_folder_is_not_the_project_of_what_lies_below_it(make_box):
    box = make_box(git=False)
    scene = Scene(box, box.folder)
    scene.remember()
    scene.top = box.root
    answers = [ask(scene) for ask in (by_hook, by_library, by_command_line, by_worker)]
    assert answers == [(f"path:{box.root}", [])] * 4


def test_a_part_stays_a_project_on_a_branch_without_its_vault(make_box):
    scene = scene_of(make_box, with_remote)
    scene.git("branch", "before")
    entered_a_part(scene)
    scene.remember()
    scene.git("checkout", "-q", "before")
    scene.folder.mkdir(exist_ok=True)
    shutil.rmtree(scene.folder / ".claude", ignore_errors=True)
    answers = [ask(scene) for ask in (by_hook, by_library, by_command_line, by_worker)]
    assert answers == [("example.com/team/app//service", scene.remembered)] * 4


def test_memories_that_were_imported_under_a_first_commit_are_found_by_everybody(make_box):
    box = make_box()
    scene = Scene(box, box.root)
    scene.commit()
    first = scene.git("rev-list", "--max-parents=0", "HEAD").strip()
    title = "Deploys go through the canary of the other machine"
    elsewhere = box.folder / "elsewhere"
    elsewhere.mkdir()
    lines = box.folder / "exported.jsonl"
    memory = {
        "uid": "019c00000000000000000001", "slug": "canary", "kind": "note", "title": title, "content": {"text": title},
        "project": f"root:{first}", "created_at": box.now, "updated_at": box.now,
    }  # fmt: skip
    lines.write_text(json.dumps(memory) + "\n", "utf-8")
    box.run("import", str(lines), "--exact", cwd=elsewhere)
    scene.every_text.append(title)
    answers = [ask(scene) for ask in (by_hook, by_library, by_command_line, by_worker)]
    assert answers == [(f"root:{first}", [title])] * 4
