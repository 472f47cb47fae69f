"""Fixtures: the client, and people who work with it."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from claude import Desk, processes, program


@pytest.fixture(scope="session")
def client() -> Path:
    return program()


@pytest.fixture
def make_desk(client: Path, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Make people, each with a HOME and a repository, who do not use recollect yet.

    When the test is over, nothing of ours may live on, and nothing may have gone wrong in silence.
    """
    made: list[Desk] = []

    def make(name: str, *, clone_of: Desk | None = None) -> Desk:
        desk = Desk(client, tmp_path / name, tmp_path / f"{name}'s pröject")
        made.append(desk)
        desk.home.mkdir()
        desk.root.mkdir()
        if clone_of:
            desk.git("clone", "-q", str(clone_of.root), ".")
        else:
            desk.git("init", "-q", "-b", "main")
            desk.git("commit", "-q", "--allow-empty", "-m", "begin")
        return desk

    yield make
    try:
        for desk in made:
            desk.settle()
            assert not desk.log.exists(), desk.log.read_text()
    finally:
        for desk in made:
            end_all(desk)


def end_all(desk: Desk) -> None:
    for process in processes(desk.home):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@pytest.fixture
def bare(make_desk: Callable[..., Desk]) -> Desk:
    """A person who does not use recollect yet."""
    return make_desk("ann")


@pytest.fixture
def desk(bare: Desk) -> Desk:
    """A person whose client is wired to recollect, in a repository with a vault."""
    bare.recollect("init")
    bare.install()
    return bare
