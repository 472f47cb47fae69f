"""Boxes whose stores know the common words already: learning them takes most of a first `reindex`."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Box
from recall.asking import new_box, sql


@pytest.fixture(scope="session")
def learned_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store that was indexed once, and holds no memory."""
    teacher = new_box(tmp_path_factory.mktemp("teacher"), vault=False)
    teacher.run("remember", "hello")
    teacher.run("reindex")
    teacher.run("purge", "hello", "--yes")
    sql(teacher, "PRAGMA wal_checkpoint(TRUNCATE)")
    return teacher.home


@pytest.fixture
def box(make_box: Callable[..., Box], learned_home: Path) -> Box:
    """A user in a git repository with the vault switched on."""
    made = make_box()
    made.settings["RECOLLECT_RECALL__VECTORS"] = "on"
    shutil.copytree(learned_home, made.home)
    made.run("init")
    return made


@pytest.fixture
def new_user(make_box: Callable[..., Box]) -> Box:
    """A user whose store has never been indexed."""
    made = make_box("newcomer")
    made.settings["RECOLLECT_RECALL__VECTORS"] = "on"
    made.run("init")
    return made
