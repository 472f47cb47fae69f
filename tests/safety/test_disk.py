"""A disk that refuses, and a database that is damaged, newer or held: a clear error, and nothing lost."""

import json
import os
import random
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from safety import worker

MEMORIES = 12


@pytest.fixture
def full_box(box: Any) -> Any:
    """A box that has something to lose: memories with files, without, retired, edited."""
    for number in range(MEMORIES - 3):
        box.run("remember", f"memory number {number}", "--tag", f"tag-{number}")
    box.run("remember", "a choice", "--kind", "decision", "--why", "it is simple")
    box.run("remember", "never leaves the store", "--sensitivity", "private")
    box.run("remember", "seen everywhere", "--global")
    box.run("edit", "memory-number-1", "--text", "changed once")
    box.run("retire", "memory-number-2", "--reason", "no longer true")
    return box


def memories(box: Any) -> dict[str, Any]:
    """Everything that the store knows, by id."""
    return {one["uid"]: one for one in box.run("list", "--all", "--json").json}


def texts(box: Any) -> set[tuple[str, str, str]]:
    return {(one["kind"], one["status"], one["text"]) for one in memories(box).values()}


def said(process: Any) -> tuple[int, str, str]:
    out, problem = process.communicate(timeout=worker.WAIT_SECONDS)
    assert "Traceback" not in problem, problem
    return process.returncode, out, problem


@contextmanager
def read_only(*folders: Path) -> Iterator[None]:
    modes = {folder: stat.S_IMODE(folder.stat().st_mode) for folder in folders}
    for folder in folders:
        folder.chmod(0o500)
    try:
        yield
    finally:
        for folder, mode in modes.items():
            folder.chmod(mode)


def assert_refused(end: tuple[int, str, str], code: str = "DISK_ERROR") -> None:
    returned, out, problem = end
    assert returned == 1, end
    block = problem if code in problem else out
    assert block.startswith(code), end
    assert "\nfix: " in block


WRITES = {
    "remember": ("remember", "one thing more"),
    "edit": ("edit", "memory-number-3", "--text", "changed"),
    "retire": ("retire", "memory-number-3"),
    "pin": ("pin", "memory-number-3"),
    "purge": ("purge", "memory-number-3", "--yes"),
    "undo": ("undo", "--yes"),
}

# -- read-only ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", WRITES.values(), ids=WRITES)
def test_a_read_only_vault_refuses_a_change_whole(full_box: Any, command: tuple[str, ...]):
    box = full_box
    before, files = memories(box), worker.snapshot(box.root)
    with read_only(box.vault, *(folder for folder in box.vault.iterdir() if folder.is_dir())):
        end = said(box.fork(*command, is_unprivileged=True))
    assert_refused(end)
    assert worker.snapshot(box.root) == files
    assert memories(box) == before
    box.run("reconcile")
    worker.assert_all_is_well(box)


def test_a_read_only_folder_of_one_kind_refuses_a_change_whole(full_box: Any):
    box = full_box
    before, files = memories(box), worker.snapshot(box.root)
    with read_only(box.vault / "notes"):
        end = said(box.fork("remember", "one thing more", is_unprivileged=True))
    assert_refused(end)
    assert worker.snapshot(box.root) == files
    assert memories(box) == before
    worker.assert_all_is_well(box)


def test_a_read_only_vault_can_still_be_read(full_box: Any):
    box = full_box
    with read_only(box.vault, *(folder for folder in box.vault.iterdir() if folder.is_dir())):
        shown = said(box.fork("show", "memory-number-3", is_unprivileged=True))
        listed = said(box.fork("list", is_unprivileged=True))
    assert (shown[0], listed[0]) == (0, 0), (shown, listed)
    assert "memory number 3" in shown[1]


@pytest.mark.parametrize("command", WRITES.values(), ids=WRITES)
def test_a_read_only_store_refuses_a_change_whole(full_box: Any, command: tuple[str, ...]):
    box = full_box
    before = memories(box)
    files = worker.snapshot(box.root)
    database = box.home / "memory.db"
    database.chmod(0o400)
    try:
        with read_only(box.home):
            end = said(box.fork(*command, is_unprivileged=True))
    finally:
        database.chmod(0o600)
    assert_refused(end)
    assert worker.snapshot(box.root) == files
    assert memories(box) == before
    worker.assert_all_is_well(box)


def test_a_home_that_cannot_be_made_is_a_disk_error(make_box: Any):
    box = make_box()
    with read_only(box.folder):
        end = said(box.fork("remember", "anything", is_unprivileged=True))
    assert_refused(end)
    assert not box.home.exists()


def test_a_home_that_is_a_file_is_a_disk_error(make_box: Any):
    box = make_box()
    box.home.write_text("not a folder")
    assert_refused(said(box.fork("remember", "anything")))
    assert box.home.read_text() == "not a folder"


def test_a_vault_that_is_a_file_is_a_clear_error(make_box: Any):
    box = make_box()
    (box.root / ".claude").mkdir()
    box.vault.write_text("not a folder")
    returned, out, problem = said(box.fork("init"))
    assert returned == 1
    assert "fix: " in problem, (out, problem)
    assert box.vault.read_text() == "not a folder"


# -- full disk ----------------------------------------------------------------------------------------------------


def limited(box: Any, size: int, *command: str) -> tuple[int, str, str]:
    """Run the program where no file can become larger than so many bytes: what a full disk does, at a chosen place."""
    return said(box.fork(*command, limit=size))


def distinct_words(number: int, seed: int = 1) -> str:
    rng = random.Random(seed)
    return " ".join(f"{rng.getrandbits(48):012x}" for _ in range(number))


def assert_nothing_changed(box: Any, before: dict[str, Any], files: dict[str, bytes]) -> None:
    assert memories(box) == before
    assert worker.vault_files(box) == files
    box.run("reconcile")
    assert memories(box) == before
    worker.assert_all_is_well(box)


@pytest.mark.parametrize("size", [0, 500, 20_000, 60_000, 130_000, 400_000])
def test_wherever_a_full_disk_strikes_nothing_is_half(full_box: Any, size: int):
    """A memory of some 50 kB: its file, the index, the write-ahead log or the mirror are what does not fit."""
    box = full_box
    before, files, text = memories(box), worker.vault_files(box), distinct_words(4000)
    end = limited(box, size, "remember", text, "--title", "Large")
    if end[0] == 0:
        assert {one["text"] for one in memories(box).values()} == {one["text"] for one in before.values()} | {text}
        box.run("reconcile")
        box.run("pin", "large")  # the mirror catches up with the next change
        worker.assert_all_is_well(box)
        return
    assert_refused(end)
    assert_nothing_changed(box, before, files)
    box.run("remember", text, "--title", "Large")
    worker.assert_all_is_well(box)


def test_a_full_disk_at_the_memory_file_takes_everything_back(full_box: Any):
    box = full_box
    before, files = memories(box), worker.vault_files(box)
    end = limited(box, 100_000, "remember", distinct_words(9_500), "--title", "Larger than the limit")
    assert_refused(end)
    assert "larger-than-the-limit.json" in end[2]
    assert_nothing_changed(box, before, files)


def test_a_full_disk_at_the_index_takes_the_memory_file_back(full_box: Any):
    box = full_box
    for number in range(20):
        box.run("remember", f"wide {number}", "--tag", f"{number} " + distinct_words(300, number))
    before, files = memories(box), worker.vault_files(box)
    size = (box.vault / "index.md").stat().st_size
    assert size > 70_000
    end = limited(box, size - 5000, "remember", "one more")
    assert_refused(end)
    assert "index.md" in end[2]
    assert_nothing_changed(box, before, files)


def test_a_full_disk_at_the_database_takes_file_and_index_back(full_box: Any):
    box = full_box
    before, files = memories(box), worker.vault_files(box)
    end = limited(box, 150_000, "remember", distinct_words(9_000), "--title", "Fits as a file")
    assert_refused(end)
    assert "memory.db" in end[2]
    assert_nothing_changed(box, before, files)


def test_an_edit_on_a_full_disk_leaves_the_old_version(full_box: Any):
    box = full_box
    before, files = memories(box), worker.vault_files(box)
    end = limited(box, 150_000, "edit", "memory-number-4", "--text", distinct_words(9_000))
    assert_refused(end)
    assert_nothing_changed(box, before, files)


def test_a_mirror_that_does_not_fit_catches_up_later(full_box: Any):
    box = full_box
    box.run("remember", distinct_words(30_000), "--title", "Makes the journal large")
    journal = box.home / "journal.jsonl"
    padding = {**worker.mirror(box)[0], "store": "another", "reason": "x" * 2_000_000}
    journal.write_bytes((json.dumps(padding) + "\n").encode() + journal.read_bytes())
    before = journal.read_bytes()
    returned, _, problem = limited(box, len(before), "remember", "not in the mirror yet")
    assert returned == 0, problem
    assert "WARNING" in problem
    assert "not in the mirror yet" in {one["text"] for one in memories(box).values()}
    box.run("remember", "the next one")
    assert journal.read_bytes().startswith(before)
    last = [line["after"]["content"]["text"] for line in worker.mirror(box)[-2:]]
    assert last == ["not in the mirror yet", "the next one"]


# -- a newer store ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [("list",), ("remember", "x"), ("doctor",), ("doctor", "--repair"), ("reconcile",)], ids=" ".join
)
def test_a_store_newer_than_the_program_is_left_alone(full_box: Any, command: tuple[str, ...]):
    box = full_box
    connection = sqlite3.connect(box.home / "memory.db")
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    home, project = worker.snapshot(box.home), worker.snapshot(box.root)
    done = box.run(*command, code=1)
    said = done.out if command[0] == "doctor" else done.err  # doctor goes on with what it can tell without the store
    assert "a newer recollect wrote this database" in said
    assert "Upgrade recollect" in said
    companions = {str(box.home / f"memory.db{suffix}") for suffix in ("-wal", "-shm")}
    after = {path: seen for path, seen in worker.snapshot(box.home).items() if path not in companions}
    assert after == {path: seen for path, seen in home.items() if path not in companions}
    assert worker.snapshot(box.root) == project


# -- a damaged store ----------------------------------------------------------------------------------------------


def overwrite_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 2048] = random.Random(page).randbytes(2048)
    path.write_bytes(data)


def overwrite_header(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(100) + path.read_bytes()[100:])


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)


def tear(path: Path) -> None:
    os.truncate(path, 5000)


def random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(2).randbytes(50_000))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def other_database(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE memories (something_else)")
    connection.execute("PRAGMA user_version = 1")
    connection.close()


DAMAGES: list[Callable[[Path], None]] = [overwrite_middle, overwrite_header, truncate, tear, random_bytes]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_database_is_named_and_rebuilt_with_every_memory(full_box: Any, damage: Callable[[Path], None]):
    box = full_box
    database = box.home / "memory.db"
    before, files = memories(box), worker.snapshot(box.root)
    damage(database)
    damaged = database.read_bytes()

    for command in (("list",), ("remember", "while it is damaged")):
        done = box.run(*command, code=1)
        assert done.err.startswith("STORE_CORRUPT"), done
        assert "recollect doctor --repair" in done.err
    assert worker.snapshot(box.root) == files

    box.run("doctor", "--repair")
    assert (box.home / "memory.db.damaged-1").read_bytes() == damaged
    assert memories(box) == before
    assert worker.snapshot(box.root) == files
    worker.assert_all_is_well(box)
    assert box.run("doctor").code == 0
    box.run("remember", "life goes on")
    worker.assert_all_is_well(box)


@pytest.mark.parametrize("damage", [empty, other_database], ids=lambda damage: damage.__name__)
def test_an_emptied_or_foreign_database_loses_nothing_after_repair(full_box: Any, damage: Callable[[Path], None]):
    """SQLite takes an empty file for a new database; the journal beside it says that it is not."""
    box = full_box
    before, files = memories(box), worker.snapshot(box.root)
    damage(box.home / "memory.db")
    done = box.run("list", "--json", code=None)
    assert done.code == 1 or {one["uid"] for one in done.json} <= set(before)
    assert done.code == 0 or '"fix"' in done.err
    box.run("doctor", "--repair", code=None)
    assert memories(box) == before
    assert worker.snapshot(box.root) == files
    worker.assert_all_is_well(box)


def test_a_second_repair_keeps_the_first_damaged_file(full_box: Any):
    box = full_box
    before = memories(box)
    random_bytes(box.home / "memory.db")
    box.run("doctor", "--repair")
    overwrite_header(box.home / "memory.db")
    box.run("doctor", "--repair")
    assert (box.home / "memory.db.damaged-1").exists()
    assert (box.home / "memory.db.damaged-2").exists()
    assert memories(box) == before
    worker.assert_all_is_well(box)


def test_repairing_a_sound_database_changes_nothing(full_box: Any):
    box = full_box
    before = worker.snapshot(box.root)
    known = memories(box)
    assert "sound" in box.run("doctor", "--repair").out
    assert list(box.home.glob("*.damaged-*")) == []
    assert memories(box) == known
    assert worker.snapshot(box.root) == before


def test_a_damaged_journal_line_costs_only_that_line(full_box: Any):
    box = full_box
    before = memories(box)
    journal = box.home / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    spot = next(number for number, line in enumerate(lines) if b'"memory number 5"' in line)
    lines[spot] = b'{"seq": \xff half a line\n'
    journal.write_bytes(b"".join(lines))
    random_bytes(box.home / "memory.db")
    done = box.run("doctor", "--repair", code=None)
    assert f"journal.jsonl:{spot + 1}" in done.out
    after = texts(box)
    assert {one["text"] for one in before.values()} == {text for _, _, text in after}


def test_without_journal_the_vault_comes_back_with_trust(full_box: Any):
    box = full_box
    before = texts(box)
    in_vault = before - {("note", "active", "never leaves the store"), ("note", "active", "seen everywhere")}
    files = worker.vault_files(box)
    random_bytes(box.home / "memory.db")
    (box.home / "journal.jsonl").unlink()
    box.run("doctor", "--repair", code=None)
    assert worker.vault_files(box) == files
    box.accept()
    assert texts(box) == in_vault
    assert worker.vault_files(box) == files
    worker.assert_all_is_well(box)


def test_a_deleted_database_comes_back_from_the_journal(full_box: Any):
    box = full_box
    before = memories(box)
    for left in box.home.glob("memory.db*"):
        left.unlink()
    box.run("list")
    assert memories(box) == before
    worker.assert_all_is_well(box)


def test_a_deleted_home_loses_only_what_had_no_file(full_box: Any):
    box = full_box
    files = worker.vault_files(box)
    shutil.rmtree(box.home)
    box.accept()
    assert {one["slug"] for one in memories(box).values()} == {Path(path).stem for path in files}
    assert worker.vault_files(box) == files
    worker.assert_all_is_well(box)


# -- who may read -------------------------------------------------------------------------------------------------


def test_files_are_for_their_owner_alone_whatever_the_umask(make_box: Any):
    box = make_box()
    mask = os.umask(0)
    try:
        box.run("init")
        box.run("remember", "a note")
        box.run("remember", "a choice", "--kind", "decision", "--why", "it is simple")
        box.run("edit", "a-note", "--text", "changed")
        box.run("init", "--layout", "json", "--layout", "markdown", "--layout", "log")
        box.run("remember", "as markdown")
    finally:
        os.umask(mask)
    ours = [box.home, *box.home.rglob("*"), box.root / ".claude", *(box.root / ".claude").rglob("*")]
    ours += [*(box.root / "memory").rglob("*"), box.root / "memory", box.root / "MEMORY.md"]
    wrong = {
        str(path.relative_to(box.folder)): oct(stat.S_IMODE(path.stat().st_mode))
        for path in ours
        if stat.S_IMODE(path.stat().st_mode) != (0o700 if path.is_dir() else 0o600)
    }
    assert wrong == {}
    assert (box.home / "memory.db").exists()
    assert (box.home / "journal.jsonl").exists()


def test_the_write_ahead_log_is_for_its_owner_alone(make_box: Any):
    box = make_box()
    box.run("remember", "a note")
    reader = sqlite3.connect(box.home / "memory.db")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memories").fetchall()
    mask = os.umask(0)
    try:
        # Another process: two SQLite libraries in one would let go of each other's locks.
        end = said(box.start("remember", "another note"))
    finally:
        os.umask(mask)
    try:
        assert end[0] == 0, end
        assert (box.home / "memory.db-wal").stat().st_size > 0
        assert {stat.S_IMODE(path.stat().st_mode) for path in box.home.iterdir() if path.is_file()} == {0o600}
    finally:
        reader.close()


def test_the_mode_that_a_person_gave_a_file_stays(full_box: Any):
    place = full_box.vault / "notes" / "memory-number-3.json"
    place.chmod(0o644)
    full_box.run("edit", "memory-number-3", "--text", "changed")
    assert stat.S_IMODE(place.stat().st_mode) == 0o644


# -- a held store -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("remember", "x"), ("retire", "memory-number-3"), ("init",)], ids=" ".join)
def test_a_database_held_by_another_program_is_busy(full_box: Any, command: tuple[str, ...]):
    box = full_box
    before, files = memories(box), worker.snapshot(box.root)
    other = sqlite3.connect(box.home / "memory.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        end = said(box.fork("50", *command, function=worker.impatient))
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert_refused(end, "STORE_BUSY")
    assert memories(box) == before
    assert worker.snapshot(box.root) == files


def test_a_vault_held_by_a_script_of_claude_memory_is_busy(full_box: Any):
    box = full_box
    lock = box.vault / ".index.lockdir"
    lock.mkdir(mode=0o755)
    before = memories(box)
    end = said(box.fork("remember", "x"))
    assert_refused(end, "STORE_BUSY")
    assert str(lock) in end[2]
    assert lock.is_dir()
    lock.rmdir()
    assert memories(box) == before
    worker.assert_all_is_well(box)
