"""Fixtures: a throw-away HOME and a project, as many as a test needs."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import examples  # noqa: F401 - it chooses how many examples hypothesis tries
import pytest
from builders import Box

from recollect import agent_shell

# Tests are a person's, also where an agent runs them.
for variable in agent_shell.CLIENTS:
    os.environ.pop(variable, None)

# Thousands of stores are made, and each write waits for the disk: in memory the suite takes two thirds of the time.
MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.fixture(scope="session")
def programs_without_git(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for PATH with every program but git."""
    folder = tmp_path_factory.mktemp("programs")
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for program in place.iterdir() if place.is_dir() else ():
            if program.name != "git" and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return str(folder)


@pytest.fixture
def has_git() -> bool:
    """Whether there is git, and projects are repositories: files that are not about it say no, for asking is slow."""
    return True


@pytest.fixture
def make_box(tmp_path: Path, has_git: bool, programs_without_git: str) -> Iterator[Callable[..., Box]]:
    """Make boxes: `make_box("ann")` has a HOME of its own; `root` shares a checkout."""
    made: list[Box] = []

    def make(name: str = "user", *, root: Path | None = None, git: bool = has_git) -> Box:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        box = Box(folder, folder / "store", root or folder / "project")
        if not (git or has_git):
            box.settings["PATH"] = programs_without_git
        if root is None:
            box.root.mkdir()
            if git:
                box.git("init", "-q", "-b", "main", "--template=")
        made.append(box)
        return box

    yield make
    for box in made:
        box.wake()


@pytest.fixture
def box(make_box: Callable[..., Box]) -> Box:
    """A user in a project with the vault switched on."""
    made = make_box()
    made.init()
    return made


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: everything that it needs is there or is installed by the test command."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        reporter.write_line("tests were skipped, which CI does not accept")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
