"""A store that knows the common words already: learning them takes most of a first `reindex`."""

import shutil

import pytest
from asking import new_box, sql


@pytest.fixture(scope="session")
def learned_home(tmp_path_factory):
    """The folder of a store that was indexed once, and holds no memory."""
    teacher = new_box(tmp_path_factory.mktemp("teacher"), vault=False)
    teacher.run("remember", "hello")
    teacher.run("reindex")
    teacher.run("purge", "hello", "--yes")
    sql(teacher, "PRAGMA wal_checkpoint(TRUNCATE)")
    return teacher.home


@pytest.fixture
def warm_box(make_box, learned_home):
    """A user with the vault switched on whose store knows the common words."""
    box = make_box()
    shutil.copytree(learned_home, box.home)
    box.run("init")
    return box
