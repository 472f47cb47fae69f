"""Fixtures: a throw-away HOME and a project, as many as a test needs."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Box
from hypothesis import HealthCheck, settings

# Thousands of stores are made, and each write waits for the disk: in memory the suite takes two thirds of the time.
MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# Machines are slow at times: an example is never judged by the clock. In CI every run tries the same examples.
settings.register_profile(
    "ours",
    deadline=None,
    max_examples=5,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ours")


@pytest.fixture
def has_git() -> bool:
    """Whether a project is a git repository: files that are not about git say no, for every command asks it a lot."""
    return True


@pytest.fixture
def make_box(tmp_path: Path, has_git: bool) -> Callable[..., Box]:
    """Make boxes: `make_box("ann")` has a HOME of its own; `root` shares a checkout."""

    def make(name: str = "user", *, root: Path | None = None, git: bool = has_git) -> Box:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        box = Box(folder, folder / "store", root or folder / "project")
        if not has_git:
            box.settings["PATH"] = "/nowhere"  # to be told by git that it knows nothing takes longer than most commands
        if root is None:
            box.root.mkdir()
            if git:
                box.git("init", "-q", "-b", "main")
        return box

    return make


@pytest.fixture
def box(make_box: Callable[..., Box]) -> Box:
    """A user in a project with the vault switched on."""
    made = make_box()
    made.run("init")
    return made


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: everything that it needs is there or is installed by the test command."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        reporter.write_line("tests were skipped, which CI does not accept")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
