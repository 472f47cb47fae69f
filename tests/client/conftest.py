"""Fixtures: the clients, and people who work with them."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from client import codex, gemini
from client.claude import Desk, program
from client.person import Person, processes

Someone = TypeVar("Someone", bound=Person)


@pytest.fixture(scope="session")
def client() -> Path:
    return program()


@pytest.fixture
def make_person(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Make people, each with a HOME, a repository and a client, who do not use recollect yet.

    When the test is over, nothing of ours may live on, and nothing may have gone wrong in silence.
    """
    made: list[Person] = []

    def make(sort: type[Someone], binary: Path, name: str, *, clone_of: Person | None = None) -> Someone:
        desk = sort(binary, tmp_path / name, tmp_path / f"{name}'s pröject")
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


def end_all(desk: Person) -> None:
    for process in processes(desk.home):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@pytest.fixture
def make_desk(client: Path, make_person: Callable[..., Any]) -> Callable[..., Desk]:
    """Make people with Claude Code."""
    return partial(make_person, Desk, client)


@pytest.fixture
def codex_desk(make_person: Callable[..., Any]) -> codex.Desk:
    """A person with Codex who does not use recollect yet, in a repository with a vault."""
    desk: codex.Desk = make_person(codex.Desk, codex.program(), "cleo")
    desk.recollect("init")
    return desk


@pytest.fixture
def gemini_desk(make_person: Callable[..., Any]) -> gemini.Desk:
    """A person with Gemini CLI who does not use recollect yet, in a repository with a vault."""
    desk: gemini.Desk = make_person(gemini.Desk, gemini.program(), "gil")
    desk.recollect("init")
    return desk


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
