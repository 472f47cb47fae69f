"""A person who works with a coding agent: a HOME, a repository, the real client of npm, and recollect on the PATH."""

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from builders import GIT_ENV, Done
from click.testing import CliRunner

from recollect.faces.cli import main

WORKER_SECONDS = 20.0
OFFLINE = {
    # Nobody listens there: a request to anything but our own server fails at once.
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1",
    # Machines are slow at times: a hook is not judged by the clock here.
    "RECOLLECT_DEADLINE_MS": "8000",
    # A worker takes a second to learn the common words for a new store, and few tests are about their vectors.
    "RECOLLECT_RECALL__VECTORS": "off",
}


def fetch(package: str, pattern: str) -> Path:
    """A file of a client; the first test on a machine installs the client, and the others wait for that."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "recollect-tests"
    folder = cache / package.rpartition("/")[2].replace("@", "-")
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            install(package, folder, pattern)
    [found] = folder.glob(pattern)
    return found


def install(package: str, folder: Path, pattern: str) -> None:
    """Install a client into a folder, which is there as a whole or not at all."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"npm, which installs {package}, is not on this machine")
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    # The scripts only copy the binary to where a shell would look for it.
    options: tuple[str, ...] = (
        "--prefix",
        str(partial),
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
    )
    options += ("--fetch-retries", "1", "--fetch-timeout", "60000")  # where no registry answers, that is soon known
    done = subprocess.run([npm, "install", *options, package], cwd=partial, capture_output=True, text=True)
    if done.returncode or not list(partial.glob(pattern)):  # npm forgives a platform's package that does not come
        pytest.fail(f"npm could not install {package}: {done.stderr}", pytrace=False)
    partial.rename(folder)


def words_of(value: object) -> str:
    """All text within a JSON value."""
    if isinstance(value, str):
        return value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(filter(None, map(words_of, inner)))


@dataclass(frozen=True)
class Person:
    """A HOME, a repository, the client, and recollect on the PATH."""

    binary: Path
    home: Path
    root: Path
    settings: dict[str, str] = field(default_factory=dict)

    client: ClassVar[str]

    @property
    def env(self) -> dict[str, str]:
        folders = (Path(sys.executable).parent, Path(shutil.which("git") or "/usr/bin/git").parent)
        path = os.pathsep.join([*map(str, folders), "/usr/local/bin", "/usr/bin", "/bin"])
        scratch = self.home / "tmp"  # clients leave sockets and outputs of their tasks there
        scratch.mkdir(exist_ok=True)
        own = {"HOME": str(self.home), "PATH": path, "TERM": "dumb", "TMPDIR": str(scratch)}
        return {**own, **GIT_ENV, **OFFLINE, **self.settings}

    @property
    def vault(self) -> Path:
        return self.root / ".claude" / "memory"

    @property
    def store(self) -> Path:
        return self.home / ".local" / "share" / "recollect" / "memory.db"

    @property
    def log(self) -> Path:
        """Where hooks and the worker, which never disturb the client, say what went wrong."""
        return self.store.with_name("hook.log")

    def recollect(self, *args: str, cwd: Path | None = None, code: int = 0) -> Done:
        """Run our own program in this process, as the person would in a terminal; hooks run it as the client does."""
        before = dict(os.environ)
        os.environ.clear()
        os.environ.update(self.env)
        try:
            with contextlib.chdir(cwd or self.root):
                found = CliRunner().invoke(main, list(args))
        finally:
            os.environ.clear()
            os.environ.update(before)
        done = Done(found.exit_code, found.stdout, found.stderr)
        assert done.code == code, (args, done, found.exception)
        return done

    def install(self) -> None:
        """Wire the client to recollect."""
        self.recollect("install", self.client, "--scope", "user", "--yes")

    def git(self, *args: str) -> None:
        subprocess.run(["git", *args], cwd=self.root, env=self.env, capture_output=True, check=True)

    def turns(self) -> list[str]:
        """What is kept of the turns, newest first, once the background has done its work."""
        self.settle()
        return [memory["text"] for memory in self.recollect("list", "--kind", "turn_summary", "--json").json]

    def noted(self) -> list[dict[str, Any]]:
        """What was noted, oldest first, once the background has done its work."""
        self.settle()
        lines = map(json.loads, self.recollect("session", "tail", "--no-follow", "--json").out.splitlines())
        return [line for line in lines if line["key"].startswith("event ")]

    def settle(self) -> None:
        """Wait until no process of ours works for this person."""
        end = time.monotonic() + WORKER_SECONDS
        while alive := processes(self.home):
            assert time.monotonic() < end, f"still alive after {WORKER_SECONDS} seconds: {alive}"
            time.sleep(0.05)


def processes(home: Path) -> dict[int, str]:
    """Processes, by id, that were started for this HOME and have us, or our copy of the client, in their command."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile, or is another user's
            command = (folder / "cmdline").read_bytes()
            if b"recollect" in command and f"HOME={home}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = command.replace(b"\0", b" ").decode()
    return found
