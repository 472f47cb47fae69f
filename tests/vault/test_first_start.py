"""A checkout that was never met is told of its project at its first session start, if it proves which one it is."""

import json
import os
import random
import subprocess
import sys

import pytest

from recollect.project import commits, repository

APP = "git@example.com:team/app.git"
SAID = "Deploys go through a canary"
NOBODYS = "1" * 40


@pytest.fixture
def has_git():
    return True


@pytest.fixture
def solo(box):
    """A repository without a remote, with a memory in it."""
    commit(box, box.root, "ours")
    box.run("remember", SAID)
    return box


@pytest.fixture
def app(box):
    """A clone of a project with a remote, with a memory in it."""
    commit(box, box.root, "ours")
    box.git("remote", "add", "origin", APP)
    box.run("remember", SAID)
    return box


def commit(box, where, text):
    (where / "README").write_text(text, "utf-8")
    box.git("add", "-A", cwd=where)
    box.git("commit", "-q", "-m", text, cwd=where)


def start(box, folder):
    """What an agent is told by a hook of its own process, which cannot start git."""
    event = {
        "session_id": f"s-{folder.name}",
        "cwd": str(folder),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    program = "from recollect.hooks.dispatch import main; main('claude-code', 'SessionStart')"
    paths = os.pathsep.join(path for path in sys.path if path)
    plain = {"PATH": "/nowhere", "PYTHONPATH": paths, "RECOLLECT_DEADLINE_MS": "60000"}
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(event), cwd=folder, check=True, text=True,
        stdout=subprocess.PIPE, env=box.env | plain,
    )  # fmt: skip
    return done.stdout


def clone(box, name, *flags, remote=""):
    place = box.folder / name
    box.git("clone", "-q", *flags, f"file://{box.root}", str(place))
    if remote:
        box.git("remote", "set-url", "origin", remote, cwd=place)
    return place


def moved(box):
    place = box.folder / "moved"
    box.root.rename(place)
    return place


def worktree(box):
    box.git("worktree", "add", "-q", str(box.folder / "tree"))
    return box.folder / "tree"


FRESH = [
    pytest.param(moved, id="moved"),
    pytest.param(worktree, id="worktree"),
    pytest.param(lambda box: clone(box, "copy"), id="clone of the folder"),
]
PACKED = pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])


@PACKED
@pytest.mark.parametrize("make", FRESH)
def test_a_checkout_without_a_remote_is_told_at_its_first_start(solo, make, is_packed):
    if is_packed:
        solo.git("gc", "-q")
    assert SAID in start(solo, make(solo))


@PACKED
@pytest.mark.parametrize(
    "make", [*FRESH, pytest.param(lambda box: clone(box, "copy", remote=APP), id="clone of the remote")]
)
def test_a_checkout_with_a_remote_is_told_at_its_first_start(app, make, is_packed):
    if is_packed:
        app.git("gc", "-q")
    assert SAID in start(app, make(app))


def test_a_clone_of_a_folder_stays_in_its_project(solo):
    place = clone(solo, "copy")
    solo.run("remember", "Learnt in the clone", cwd=place)
    assert {memory["title"] for memory in solo.run("list", "--json").json} == {SAID, "Learnt in the clone"}
    solo.root.rename(solo.folder / "elsewhere")
    assert SAID in solo.run("list", cwd=place).out


def test_a_part_of_a_repository_is_told_at_the_first_start_of_a_clone(app):
    part = app.root / "service"
    (part / ".claude" / "memory").mkdir(parents=True)
    (part / ".claude" / "memory" / "README").write_text("memories", "utf-8")
    app.run("remember", "The service listens on 8080", cwd=part)
    app.git("add", "-A")
    app.git("commit", "-q", "-m", "a part")
    place = clone(app, "copy", remote=APP)
    said = start(app, place / "service")
    assert "8080" in said
    assert SAID not in said


def test_a_folder_that_names_a_known_folder_as_its_remote_without_its_commits_is_told_nothing(solo):
    other = solo.folder / "other"
    other.mkdir()
    solo.git("init", "-q", "-b", "main", cwd=other)
    commit(solo, other, "theirs")
    solo.git("remote", "add", "origin", str(solo.root), cwd=other)
    assert SAID not in start(solo, other)
    solo.run("remember", "Learnt elsewhere", cwd=other)
    assert "Learnt elsewhere" not in solo.run("list").out


def test_a_repository_without_a_remote_that_only_points_at_known_commits_is_told_nothing(solo):
    other = solo.folder / "other"
    other.mkdir()
    solo.git("init", "-q", "-b", "main", cwd=other)
    commit(solo, other, "theirs")
    first = solo.git("rev-list", "--max-parents=0", "HEAD").strip()
    own = solo.git("rev-parse", "HEAD", cwd=other).strip()
    (other / ".git/refs/heads/main").write_text(first + "\n")
    forged = other / f".git/objects/{first[:2]}/{first[2:]}"
    forged.parent.mkdir(exist_ok=True)
    forged.write_bytes((other / f".git/objects/{own[:2]}/{own[2:]}").read_bytes())
    assert SAID not in start(solo, other)


# -- commits in object files -------------------------------------------------------------------------------------------


def every_commit(box, where):
    return box.git("rev-list", "--all", cwd=where).split()


def test_every_commit_is_found_loose_packed_and_as_a_difference(box):
    for number in range(30):
        message = "The same long message, which packs as a difference. " * 20 + str(number)
        box.git("commit", "-q", "--allow-empty", "-m", message)
    for is_packed in (False, True):
        if is_packed:
            box.git("gc", "-q", "--aggressive")
        found = repository.around(str(box.root))
        assert all(commits.holds_commit(found, [name]) for name in every_commit(box, box.root))
        assert not commits.holds_commit(found, [NOBODYS])
    [index] = (box.root / ".git/objects/pack").glob("*.idx")
    listed = box.git("verify-pack", "-v", str(index)).splitlines()
    assert any(" commit " in line and len(line.split()) == 7 for line in listed), "some commits are differences"


def test_trees_and_files_are_no_commits(box):
    commit(box, box.root, "ours")
    names = [box.git("rev-parse", f"HEAD{part}").strip() for part in ("^{tree}", ":README")]
    found = repository.around(str(box.root))
    assert not commits.holds_commit(found, names)
    box.git("gc", "-q")
    assert not commits.holds_commit(found, names)


def test_a_damaged_pack_proves_nothing_and_raises_nothing(box):
    for number in range(20):
        box.git("commit", "-q", "--allow-empty", "-m", f"The same message {number}")
    names = every_commit(box, box.root)
    box.git("gc", "-q", "--aggressive")
    chance = random.Random(1)
    for kind in ("idx", "pack"):
        [place] = (box.root / ".git/objects/pack").glob(f"*.{kind}")
        place.chmod(0o600)
        good = place.read_bytes()
        for length in (0, 4, 8, 1_000, 1_032, len(good) // 2):
            place.write_bytes(good[:length])
            commits.holds_commit(repository.around(str(box.root)), names)
        for _ in range(40):
            damaged = bytearray(good)
            for _ in range(20):
                damaged[chance.randrange(len(good))] = chance.randrange(256)
            place.write_bytes(bytes(damaged))
            commits.holds_commit(repository.around(str(box.root)), names)
        place.write_bytes(good)
    assert commits.holds_commit(repository.around(str(box.root)), names[-1:])
