"""A store written by an older program is brought up to date, and can be had back as it was."""

import stat
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest
from safety import worker

from recollect.errors import StoreError, StoreNewer
from recollect.model.kinds import KINDS
from recollect.model.memory import Memory, Text
from recollect.store.sqlite.migrations import MIGRATIONS
from recollect.store.sqlite.store import SqliteStore

NOON = "2026-03-01T12:00:00Z"
ADDED = ("9998 a table", "CREATE TABLE extra (name TEXT PRIMARY KEY);")
FILLED = ("9999 its rows", "INSERT INTO extra SELECT uid FROM memories;")
BROKEN = ("9999 broken", "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);")


def make_old(path: Path, number: int = 3) -> list[str]:
    """A store with some memories, as this program writes it."""
    store = SqliteStore(path, KINDS, MIGRATIONS)
    uids = [f"UID{n}" for n in range(number)]
    with store.writing():
        for uid in uids:
            store.put(
                Memory(uid=uid, slug=uid.lower(), kind="note", title=uid, content=Text(text=f"says {uid}"),
                       created_at=NOON, updated_at=NOON),
                "revision",
            )  # fmt: skip
    store.close()
    return uids


def ask(path: Path, sql: str) -> list[Any]:
    with apsw.Connection(str(path)) as connection:
        found = connection.execute(sql).fetchall()
    connection.close()
    return found


def test_the_steps_that_are_missing_are_run_in_order(tmp_path: Path):
    path = tmp_path / "memory.db"
    uids = make_old(path)
    store = SqliteStore(path, KINDS, (*MIGRATIONS, ADDED, FILLED))
    try:
        assert store.problems() == []
        assert all(store.get(uid) for uid in uids)
    finally:
        store.close()
    assert [row[0] for row in ask(path, "SELECT name FROM extra ORDER BY name")] == uids
    assert ask(path, "PRAGMA user_version") == [(len(MIGRATIONS) + 2,)]


def test_a_backup_is_taken_before_the_first_step_and_is_the_old_store(tmp_path: Path):
    path = tmp_path / "memory.db"
    uids = make_old(path)
    SqliteStore(path, KINDS, (*MIGRATIONS, ADDED)).close()
    backup = tmp_path / f"memory.db.before-{len(MIGRATIONS) + 1:04d}"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    old = SqliteStore(backup, KINDS, MIGRATIONS)
    try:
        assert old.problems() == []
        assert all(old.get(uid) for uid in uids)
    finally:
        old.close()
    assert ask(backup, "SELECT name FROM sqlite_master WHERE name = 'extra'") == []


def test_the_backup_has_what_only_the_wal_holds(tmp_path: Path):
    path = tmp_path / "memory.db"
    make_old(path)
    open_elsewhere = SqliteStore(path, KINDS, MIGRATIONS)
    with open_elsewhere.writing():
        late = Memory(
            uid="LATE", slug="late", kind="note", title="t", content=Text(text="x"), created_at=NOON, updated_at=NOON
        )
        open_elsewhere.put(late, "r")
    try:
        assert (tmp_path / "memory.db-wal").stat().st_size > 0
        SqliteStore(path, KINDS, (*MIGRATIONS, ADDED)).close()
    finally:
        open_elsewhere.close()
    backup = tmp_path / f"memory.db.before-{len(MIGRATIONS) + 1:04d}"
    assert ask(backup, "SELECT count(*) FROM memories") == [(4,)]


def test_no_backup_is_taken_of_a_new_or_current_store(tmp_path: Path):
    path = tmp_path / "memory.db"
    make_old(path)
    SqliteStore(path, KINDS, MIGRATIONS).close()
    assert list(tmp_path.glob("*.before-*")) == []


def test_a_step_that_fails_leaves_the_store_as_it_was(tmp_path: Path):
    path = tmp_path / "memory.db"
    uids = make_old(path)
    with pytest.raises(StoreError):
        SqliteStore(path, KINDS, (*MIGRATIONS, ADDED, BROKEN))
    store = SqliteStore(path, KINDS, MIGRATIONS)
    try:
        assert all(store.get(uid) for uid in uids)
    finally:
        store.close()
    assert ask(path, "SELECT name FROM sqlite_master WHERE name IN ('half', 'extra')") == []


def test_an_older_program_leaves_a_migrated_store_alone(tmp_path: Path):
    path = tmp_path / "memory.db"
    make_old(path)
    SqliteStore(path, KINDS, (*MIGRATIONS, ADDED)).close()
    before = path.read_bytes()
    with pytest.raises(StoreNewer):
        SqliteStore(path, KINDS, MIGRATIONS)
    assert path.read_bytes() == before


def test_eight_processes_that_open_a_fresh_store_at_once_all_succeed(make_box: Any, tmp_path: Path):
    box = make_box()
    commands = [["remember", f"first words of {number}"] for number in range(8)]
    ends = worker.at_once([box] * 8, commands, tmp_path / "go")
    assert [code for code, _, _ in ends] == [0] * 8, ends
    assert len(box.run("list", "--json").json) == 8


def test_two_processes_that_migrate_at_once_both_succeed(tmp_path: Path):
    import subprocess

    path = tmp_path / "memory.db"
    make_old(path)
    script = (
        "import sys; from pathlib import Path\n"
        "from recollect.store.sqlite.store import SqliteStore\n"
        "from recollect.store.sqlite.migrations import MIGRATIONS\n"
        "from recollect.model.kinds import KINDS\n"
        f"more = (*MIGRATIONS, {ADDED!r}, {FILLED!r})\n"
        "print(flush=True); sys.stdin.readline()\n"
        "SqliteStore(Path(sys.argv[1]), KINDS, more).close()\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    ends = [process.communicate("\n", timeout=60) for process in running]
    assert [process.returncode for process in running] == [0, 0], ends
    assert ask(path, "SELECT count(*) FROM extra") == [(3,)]
