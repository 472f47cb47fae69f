"""Random `.git` folders: whatever they hold, only git is started, nothing connects, and nothing outside is read."""

import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDERS = int(os.environ.get("RECOLLECT_FUZZ_FOLDERS", "16"))
SEED = int(os.environ.get("RECOLLECT_FUZZ_SEED", "7"))
APP = "git@example.com:team/app.git"
DRIVER = """
import json, os, sys
import recollect
from recollect import paths
from recollect.hooks import project_lookup
from recollect.store.hook_reader import store_reader

found = {}
for folder in json.load(sys.stdin):
    try:
        store = store_reader.open_store(paths.database(os.environ))
        told = project_lookup.find_place(store, folder, os.environ).project
        store.close()
        with recollect.open(folder, warn=lambda _: None) as space:
            space.meet()
            known = [memory.title for memory in space.list()]
            space.project_context.checkout.branch
            found[folder] = [told, space.project, known]
    except recollect.RecollectError as error:
        found[folder] = ["", "", []]
print(json.dumps(found))
"""


@pytest.fixture
def has_git():
    return True


class Builder:
    """Makes folders from a random choice of what a git folder can be made of."""

    def __init__(self, box, canary, bait):
        self.box, self.canary, self.bait = box, canary, bait
        self.random = random.Random(SEED)
        self.ours = set()

    def git(self, *command, cwd):
        subprocess.run(["git", *command], cwd=cwd, env=self.box.env, capture_output=True, check=True)

    def make(self, number):
        folder = self.box.folder / f"fuzz-{number}"
        folder.mkdir()
        start = self.random.choice(
            [self.repository, self.repository, self.bare, self.worktree, self.clone, self.scraps]
        )
        inner = start(folder)
        for _ in range(self.random.randrange(4)):
            trick = self.random.choice(
                [self.settings, self.settings, self.link, self.pointer, self.odd_file, self.objects]
            )
            with contextlib.suppress(OSError):  # an earlier one may have left nothing to work on
                trick(folder, inner)
        return str(self.random.choice([folder, folder, inner]) if inner.is_dir() else folder)

    # -- what it begins as

    def repository(self, folder):
        self.git("init", "-q", "-b", "main", cwd=folder)
        self.git("commit", "-q", "--allow-empty", "-m", folder.name, cwd=folder)
        return folder / ".git"

    def bare(self, folder):
        self.repository(folder)
        inner = folder / "vendor" / "lib.git"
        shutil.copytree(folder / ".git", inner)
        if self.random.random() < 0.5:
            shutil.rmtree(folder / ".git")
        return inner

    def worktree(self, folder):
        self.repository(folder)
        self.git("worktree", "add", "-q", str(folder / "nested" / "tree"), cwd=folder)
        return folder / ".git" / "worktrees" / "tree"

    def clone(self, folder):
        self.git("clone", "-q", f"file://{self.box.root}", str(folder / "clone"), cwd=folder)
        self.git("remote", "set-url", "origin", APP, cwd=folder / "clone")
        shutil.move(folder / "clone" / ".git", folder / ".git")
        self.ours.add(str(folder))
        return folder / ".git"

    def scraps(self, folder):
        inner = folder / ".git"
        inner.mkdir()
        for name in self.random.sample(["HEAD", "objects", "refs", "config", "commondir", "gitdir"], 4):
            if name in ("objects", "refs"):
                (inner / name).mkdir()
            else:
                (inner / name).write_text(
                    self.random.choice(["ref: refs/heads/main\n", "0" * 40, "\0\n", str(self.bait)])
                )
        return inner

    # -- and what is done to it

    def settings(self, folder, inner):
        config = (inner if (inner / "config").is_file() else folder / ".git") / "config"
        if not config.is_file() or config.is_symlink():
            return
        bait, canary = self.bait / "secret", self.canary
        programs = ("core.sshCommand", "core.fsmonitor", "core.hooksPath", "core.pager", "diff.external", "gpg.program")
        lines = [f"[{name.partition('.')[0]}]\n\t{name.partition('.')[2]} = {canary}\n" for name in programs]
        lines += [f"[core]\n\t{name} = {bait}\n" for name in ("excludesFile", "attributesFile", "worktree")]
        lines += [
            f'[remote "origin"]\n\turl = {APP}\n',
            f"[include]\n\tpath = {bait}\n",
            f"[core]\n\tworktree = {self.box.root}\n",
            '[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\tpromisor\n\turl = ssh://evil.example.com/x\n',
            "[extensions]\n\tobjectFormat = sha256\n",
            "[core]\n\trepositoryformatversion = 99\n",
            "[core]\n\tbare = true\n",
            "[log]\n\tshowSignature\n",
            "[broken\n",
            '[a "b\\\n',
        ]
        lines = self.random.sample(lines, self.random.randrange(1, 6))
        with config.open("a") as file:
            file.write("".join(lines))

    def link(self, _, inner):
        name = self.random.choice(
            ["HEAD", "config", "index", "packed-refs", "shallow", "objects", "refs", "logs", "commondir"]
        )
        target = self.random.choice(
            [
                self.bait / "secret",
                Path("/dev/zero"),
                self.box.root / ".git" / name,
                self.bait / "pipe",
                self.bait,
                inner,
            ]
        )
        place = inner / name
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
        place.symlink_to(target)

    def pointer(self, folder, inner):
        place = folder / ".git"
        if place.is_dir() and not place.is_symlink():
            place.rename(folder / "moved-git")
        else:
            place.unlink(missing_ok=True)
        target = self.random.choice(
            [self.box.root / ".git", self.bait, folder / "moved-git", inner, folder / "nowhere"]
        )
        if self.random.random() < 0.3:
            place.symlink_to(target)
        else:
            place.write_text(f"gitdir: {target}\n")

    def odd_file(self, _, inner):
        place = inner / self.random.choice(
            ["HEAD", "packed-refs", "index", "shallow", "config", "gitdir", "info/grafts"]
        )
        if place.parent.is_dir():
            place.unlink(missing_ok=True) if not place.is_dir() else shutil.rmtree(place)
            if self.random.random() < 0.3:
                os.mkfifo(place)
            else:
                place.write_bytes(self.random.choice([b"", b"\0" * 100_000, b"ref: ../../../bait\n", b"x" * 5_000_000]))

    def objects(self, folder, inner):
        info = (inner if (inner / "objects").is_dir() else folder / ".git") / "objects" / "info"
        if info.parent.is_dir() and not info.parent.is_symlink():
            info.mkdir(exist_ok=True)
            (info / "alternates").write_text(f"{self.box.root}/.git/objects\n{self.bait}\n")


@pytest.fixture
def scene(box, tmp_path):
    """The user's own project with a memory, a canary on PATH and in settings, and bait that nobody may read."""
    bait, programs = tmp_path / "bait", tmp_path / "programs"
    bait.mkdir()
    programs.mkdir()
    (bait / "secret").write_text("[user]\n\tname = secret\n")
    os.mkfifo(bait / "pipe")
    canary = programs / "ssh"
    canary.write_text(f"#!/bin/sh\ntouch {tmp_path}/canary-was-run\n")
    canary.chmod(0o755)
    for name in ("gpg", "less", "sh-askpass", "git-credential-store", "git-remote-https", "vi"):
        shutil.copy(canary, programs / name)
    box.settings["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    (box.root / "code").write_text("ours")
    box.git("add", "-A")
    box.git("commit", "-q", "-m", "ours")
    box.git("remote", "add", "origin", APP)
    box.run("remember", "Deploys go through a canary")
    return box, canary, bait


def traced(command, log):
    if shutil.which("strace") is None:  # canaries on PATH and in settings have to do
        return command
    probe = subprocess.run(["strace", "-f", "-o", os.devnull, "true"], capture_output=True, check=False)
    calls = "trace=execve,execveat,connect,open,openat,openat2"
    return (
        ["strace", "-f", "-qq", "-s", "4096", "-e", calls, "-o", str(log), *command]
        if probe.returncode == 0
        else command
    )


def test_random_git_folders_start_only_git_connect_nowhere_and_read_nothing_outside(scene, tmp_path):
    box, canary, bait = scene
    builder = Builder(box, canary, bait)
    folders = [builder.make(number) for number in range(FOLDERS)]
    log = tmp_path / "calls"
    command = traced([sys.executable, "-c", DRIVER], log)
    done = subprocess.run(
        command, input=json.dumps(folders), env=box.env, capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert not (tmp_path / "canary-was-run").exists()
    check_identities(json.loads(done.stdout), builder)
    if log.exists():
        check_calls(log.read_text("utf-8", "replace"), box, bait)


def check_identities(found, builder):
    """Each folder is unknown or what it really is: the user's project only where it is a clone of it."""
    project = "example.com/team/app"
    for folder, (told, resolved, titles) in found.items():
        is_clone = any(folder.startswith(clone) for clone in builder.ours)
        if not is_clone:
            assert project not in (told, resolved), folder
            assert "Deploys go through a canary" not in titles, folder


def check_calls(log, box, bait):
    started = re.findall(r'execve(?:at)?\("([^"]+)"[^\n]* = 0', log)
    assert {Path(name).name for name in started} <= {"git", Path(sys.executable).name}
    assert not re.search(r"connect\([^\n]*AF_INET", log)
    opened = re.findall(r'open(?:at2?)?\((?:AT_FDCWD, |\d+, )?"([^"]+)"[^\n]*\) = \d+', log)
    assert any("fuzz-" in name for name in opened), "the log tells of what was opened"
    forbidden = (str(bait), "/dev/zero", f"{box.root}/.git/objects")
    assert [name for name in opened if name.startswith(forbidden)] == []
