"""CursorClaw's compaction: old records of MEMORY.md become one record and a block of LONGMEMORY.md (seed 003)."""

import json
import os
import shutil
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

NOW = "2026-03-01T12:00:00Z"
LOG, LONG, BACKUP, LOCK = "MEMORY.md", "LONGMEMORY.md", "MEMORY.md.compaction-backup", "tmp/memory-compaction.lock"
HEADER = "# MEMORY.md\n\nWhat a person wrote above.\n\n"
OLD, RECENT = "2026-01-10T08:00:00.000Z", "2026-02-27T08:00:00.000Z"


@pytest.fixture
def box(make_box):
    """A user in a project that keeps the log, on the first of March."""
    made = make_box()
    made.init("--layout", "log")
    made.settings["RECOLLECT_NOW"] = NOW
    return made


def record(uid, text, category="note", at=OLD, sensitivity="operational", **fields):
    """A record as CursorClaw writes it."""
    provenance = {"sourceChannel": "web", "confidence": 0.8, "timestamp": at, "sensitivity": sensitivity}
    whole = {"id": uid, "sessionId": "s", "category": category, "text": text, **fields, "provenance": provenance}
    return "- " + json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def write(box, *lines, path=LOG):
    source = HEADER + "".join(f"{line}\n" for line in lines)
    (box.root / path).write_text(source, "utf-8")
    return source


def read(box, path=LOG):
    return (box.root / path).read_text("utf-8")


def records(box):
    return [json.loads(line[2:]) for line in read(box).split("\n") if line.startswith('- {"id":')]


def compact(box, *flags, code=0):
    return box.run("log", "compact", "--json", *flags, code=code).json


def setting(box, **values):
    """Set `log.*` settings of the project."""
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())
    place = box.root / ".recollect.toml"
    head = place.read_text("utf-8").partition("\n[log]\n")[0]
    place.write_text(f"{head}\n[log]\n{lines}", "utf-8")


def state(box):
    """Every file of the project that is not the lock's, and the memories of the store."""
    found = (path for path in box.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    files = {path.relative_to(box.root).as_posix(): path.read_bytes() for path in found}
    files = {path: data for path, data in files.items() if path != BACKUP and not path.endswith((".tmp", ".old"))}
    return files, sorted(one["text"] for one in box.run("list", "--all", "--json").json)


SPARED = {
    "learned": record("l", "a learned thing", "learned"),
    "preference": record("p", "likes tabs", "user-preference"),
    "decision": record("d", "chose SQLite", "decision"),
    "own category": record("w", "the weather", "weather"),
    "earlier compaction": record("c", "merged before", "compaction"),
    "recent": record("r", "of this week", at=RECENT),
    "exactly seven days old": record("e", "just not old enough", at="2026-02-22T12:00:00.000Z"),
    "of the future": record("f", "not yet", at="2027-01-01T00:00:00.000Z"),
    "undated": record("u", "no date at all", at="some day"),
    "secret": record("s", "the vault code is in the safe", sensitivity="secret"),
    "private": record("pu", "for the user alone", sensitivity="private-user"),
    "unknown label": record("un", "nobody said", sensitivity="whatever"),
    "hand-written": "- call the dentist",
    "a number": "- 5",
    "broken": '- {"id": "x", "text": ',
    "prose": "Some words between the records.",
}


@pytest.mark.seed("C15", "C17", "C18")
def test_old_turns_and_notes_become_one_record_and_a_summary_and_nothing_else_changes(box):
    turn = record("t1", "We moved the queue to Redis.", "turn-summary")
    before = write(box, SPARED["learned"], turn, *list(SPARED.values())[1:], record("n1", "Deploys need two people."))
    daily = write(box, turn, path="memory/2026-01-10.md") if (box.root / "memory").mkdir(exist_ok=True) is None else ""

    assert compact(box) == {
        "ran": True, "recordsBefore": 14, "recordsAfter": 13, "recordsCompacted": 2, "longMemoryAppended": True,
    }  # fmt: skip

    made, *kept = read(box).removeprefix(HEADER).rstrip("\n").split("\n")
    assert kept == list(SPARED.values())
    merged = json.loads(made[2:])
    uid = merged.pop("id")
    assert merged == {
        "sessionId": "system",
        "category": "compaction",
        "text": "We moved the queue to Redis.\n\nDeploys need two people.",
        "provenance": {"sourceChannel": "system", "confidence": 1, "timestamp": NOW, "sensitivity": "operational"},
    }
    assert read(box, LONG) == (
        "# LONGMEMORY.md — Long-term summaries\n\n## Summary (2026-03-01)\n\n"
        "We moved the queue to Redis.\n\nDeploys need two people.\n"
    )
    assert read(box, BACKUP) == before
    assert read(box, "memory/2026-01-10.md") == daily
    assert not (box.root / "tmp").exists()
    stored = box.run("show", uid, "--json").json
    assert (stored["kind"], stored["derived_from"], stored["session"]) == ("compaction", ["t1", "n1"], "system")
    assert {"We moved the queue to Redis.", "Deploys need two people."} <= {
        one["text"] for one in box.run("list", "--all", "--json").json
    }, "without an archive the store keeps the originals"


@pytest.mark.seed("C16")
def test_every_reason_for_doing_nothing_is_said(box):
    assert compact(box) == {
        "ran": False, "reason": "no memory file", "recordsBefore": 0, "recordsAfter": 0, "recordsCompacted": 0,
        "longMemoryAppended": False,
    }  # fmt: skip
    write(box, record("1", "one"), record("2", "two"), record("3", "three"))
    before = state(box)
    size = len(read(box))
    (box.root / "tmp").mkdir()
    (box.root / LOCK).write_text("")  # CursorClaw's own: it exists, and that is all
    # The seed's order: a held lock is no reason where nothing is over a threshold or in scope.
    for flags, ran, reason in [
        (["--max-records", "3"], False, "under threshold"),
        (["--max-chars", str(size)], False, "under threshold"),
        (["--max-records", "3", "--max-chars", str(size)], False, "under threshold"),
        (["--min-age-days", "300"], True, "nothing to compact"),
        (["--max-records", "2"], False, "lock held"),
        (["--max-chars", str(size - 1), "--max-records", "99"], False, "lock held"),
        ([], False, "lock held"),
    ]:
        said = compact(box, *flags)
        assert (said["ran"], said["reason"]) == (ran, reason), flags
        assert (said["recordsBefore"], said["recordsAfter"], said["recordsCompacted"]) == (3, 3, 0)
    (box.root / LOCK).unlink()
    (box.root / "tmp").rmdir()
    assert state(box) == before
    assert "Would merge 3 records" in box.run("log", "compact", "--dry-run").out
    planned = compact(box, "--dry-run")
    assert ([one["id"] for one in planned["wouldMerge"]], planned["text"]) == (["1", "2", "3"], "one\n\ntwo\n\nthree")
    assert state(box) == before
    assert compact(box, "--max-records", "2")["recordsCompacted"] == 3


@pytest.mark.seed("C17")
def test_texts_are_cut_at_their_limits_and_the_archive_gets_the_original_lines(box):
    setting(box, archive="memory/MEMORY-archive.md")
    lines = [record(f"n{number}", f"{number} " + "word " * 400) for number in range(12)]
    write(box, *lines)
    (box.root / "memory").mkdir(exist_ok=True)
    (box.root / "memory/MEMORY-archive.md").write_text("- earlier, without an end of line")

    assert compact(box)["recordsCompacted"] == 12

    merged = "\n\n".join(json.loads(line[2:])["text"].strip() for line in lines)
    assert records(box)[0]["text"] == merged[:15_000]
    assert read(box, LONG).partition("(2026-03-01)\n\n")[2] == merged[:8_000].strip() + "\n"
    archived = "- earlier, without an end of line\n" + "".join(f"{line}\n" for line in lines)
    assert read(box, "memory/MEMORY-archive.md") == archived
    box.run("undo", "--yes")
    assert read(box, "memory/MEMORY-archive.md") == "- earlier, without an end of line"


@pytest.mark.seed("C19")
def test_secrets_are_neither_merged_nor_repeated_and_pinned_or_retired_records_stay(box):
    key = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    box.settings["RECOLLECT_NOW"] = "2026-01-01T12:00:00Z"
    for text in ("keep this one", "no longer true", "merge me"):
        box.run("log", "append", "--session", "s", text)
    box.run("pin", "keep-this-one")
    box.run("retire", "no-longer-true", "--reason", "wrong")
    box.settings["RECOLLECT_NOW"] = NOW
    with (box.root / LOG).open("a") as file:
        file.write(
            record("k", f"the token is {key}") + "\n" + record("s", "the safe's code", sensitivity="secret") + "\n"
        )

    assert compact(box)["recordsCompacted"] == 2

    said = records(box)
    assert "merge me" in said[0]["text"]
    assert key not in said[0]["text"]
    assert [one["text"] for one in said[1:]] == ["keep this one", "no longer true", "the safe's code"]
    assert not [text for text in (key, "safe's code", "no longer true") if text in read(box, LONG)]


@pytest.mark.seed("C19")
def test_long_memory_keeps_the_order_of_days_and_the_newest_within_its_cap(box):
    setting(box, long_memory_chars=350, long_memory="notes/LONG.md")
    (box.root / "notes").mkdir()
    written = (
        "# My summaries\n\nKept by hand.\n\n## Summary (2026-02-20)\n\nsecond\n\n## Summary (2026-01-05)\n\nfirst\n"
    )
    (box.root / "notes/LONG.md").write_text(written)
    write(box, record("1", "third\n## Summary (1999-01-01)\nis no heading"))

    compact(box)

    assert read(box, "notes/LONG.md") == (
        "# My summaries\n\nKept by hand.\n\n## Summary (2026-01-05)\n\nfirst\n\n## Summary (2026-02-20)\n\nsecond\n\n"
        "## Summary (2026-03-01)\n\nthird\n\\## Summary (1999-01-01)\nis no heading\n"
    )
    write(box, record("2", "fourth " + "x" * 200))
    box.settings["RECOLLECT_NOW"] = "2026-03-09T12:00:00Z"
    compact(box)
    days = [line for line in read(box, "notes/LONG.md").split("\n") if line.startswith("## Summary (")]
    assert days == ["## Summary (2026-03-01)", "## Summary (2026-03-09)"], "the oldest blocks are cut first"
    assert len(read(box, "notes/LONG.md")) <= 350

    write(box, record("3", "fifth " + "y" * 900))
    compact(box)
    whole = read(box, "notes/LONG.md")
    assert len(whole) <= 350
    assert "fifth yyyy" in whole
    assert whole.endswith("[... cut to fit log.long_memory_chars]\n")
    assert whole.startswith("# My summaries\n\nKept by hand.\n")


@pytest.mark.seed("C17", "C18")
def test_one_undo_brings_the_bytes_back_and_keeps_what_came_since(box):
    before = write(box, SPARED["hand-written"], record("1", "one\u2028line"), SPARED["recent"], record("2", "zwei ü"))
    (box.root / LONG).write_bytes(b"# Long\r\n\r\n## Summary (2026-01-01)\r\n\r\nolder")
    files, texts = state(box)
    compact(box)
    box.run("undo", "--yes")
    after, left = state(box)
    assert after == files
    assert sorted([*texts, "one\u2028line", "zwei ü"]) == left, (
        "the originals stay in the store, the merged one is gone"
    )

    compact(box)
    with (box.root / LOG).open("a") as file:
        file.write(record("3", "appended by another program", at=NOW) + "\n")
    box.run("undo", "--yes")
    assert read(box) == before + record("3", "appended by another program", at=NOW) + "\n"

    compact(box)
    box.run("purge", "1", "--yes")
    box.run("undo", "--yes")  # of the purge
    box.run("purge", "1", "--yes", "--forever")
    (box.root / LONG).write_text("edited by hand since\n")
    refused = box.run("undo", "--yes", code=1)
    assert (refused.err.split("\n")[0], LONG in refused.err) == ("UNDO_ERROR", True)
    assert read(box, LONG) == "edited by hand since\n"
    assert r"\"id\":\"1\"" not in (box.home / "journal.jsonl").read_text("utf-8")


@pytest.mark.seed("C18")
def test_a_lock_is_taken_over_from_the_dead_and_the_expired_and_removed_on_every_way_out(box):
    write(box, record("1", "one"), record("2", "two"))
    place = box.root / LOCK
    place.parent.mkdir()
    dead = box.fork("log", "list")
    dead.communicate(timeout=60)
    host = os.uname().nodename
    for lock in [
        {"owner": "recollect", "pid": dead.pid, "host": host, "expires": time.time() + 500},
        {"owner": "recollect", "pid": os.getpid(), "host": host, "expires": time.time() - 1},
        {"owner": "recollect", "pid": 1, "host": "elsewhere", "expires": time.time() - 1},
    ]:
        place.write_text(json.dumps(lock))
        assert compact(box)["recordsCompacted"] == 2, lock
        assert (place.exists(), place.parent.is_dir()) == (False, True)
        box.run("undo", "--yes")
    for lock in [
        {"owner": "recollect", "pid": os.getpid(), "host": host, "expires": time.time() + 500},
        {"owner": "recollect", "pid": 1, "host": "elsewhere", "expires": time.time() + 500},
    ]:
        place.write_text(json.dumps(lock))
        assert compact(box)["reason"] == "lock held", lock
        assert json.loads(place.read_text()) == lock
    place.write_text("")
    os.utime(place, (time.time() - 700,) * 2)
    assert compact(box)["recordsCompacted"] == 2, "a lock without an owner expires by its age"
    write(box, record("3", "three"))
    (box.root / LONG).unlink()
    (box.root / LONG).mkdir()
    assert "READ_ERROR" in box.run("log", "compact", code=1).err
    assert not place.exists()


@contextmanager
def read_only(folder: Path):
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)


@pytest.mark.seed("C18")
def test_a_disk_that_refuses_leaves_everything_as_it_was(box):
    write(box, *(record(f"n{number}", f"note {number} " + "word " * 500) for number in range(20)))
    box.run("log", "list")
    before = state(box)
    with read_only(box.root):
        end = box.fork("log", "compact", is_unprivileged=True)
        _, problem = end.communicate(timeout=60)
    assert (end.returncode, problem.split("\n")[0]) == (1, "DISK_ERROR"), problem
    assert state(box) == before
    end = box.fork("log", "compact", limit=30_000)  # a file that grows beyond it is refused, as on a full disk
    _, problem = end.communicate(timeout=60)
    assert (end.returncode, problem.split("\n")[0]) == (1, "DISK_ERROR"), problem
    assert state(box) == before
    assert compact(box)["recordsCompacted"] == 20
    assert list(box.root.rglob(".recollect-*")) == []


@pytest.mark.seed("C18")
def test_records_that_are_appended_meanwhile_are_kept_and_two_runs_merge_once(box):
    write(box, *(record(f"n{number}", f"note {number}") for number in range(200)))
    box.run("log", "list")
    started = [box.fork("log", "compact", "--json") for _ in range(2)]
    started += [box.fork("log", "append", "--session", "s", f"came meanwhile {number}") for number in range(4)]
    ends = [one.communicate(timeout=100) for one in started]
    assert [one.returncode for one in started] == [0] * 6, ends
    merged = [json.loads(out)["recordsCompacted"] for out, _ in ends[:2]]
    assert sorted(merged) == [0, 200]
    texts = [one["text"] for one in records(box)]
    assert texts[0].startswith("note 0\n\nnote 1\n\n")
    assert sorted(texts[1:]) == [f"came meanwhile {number}" for number in range(4)]
    assert read(box, LONG).count("## Summary") == 1


@pytest.mark.seed("C17")
def test_a_merged_record_outlives_the_records_before_it_when_the_log_is_trimmed(box):
    write(
        box, record("1", "one"), record("2", "two"), *(record(f"r{day}", f"day {day}", at=RECENT) for day in range(4))
    )
    compact(box)
    box.run("log", "trim", "--max-records", "3")
    assert [one["text"] for one in records(box)] == ["one\n\ntwo", "day 2", "day 3"]
    box.run("log", "trim", "--max-records", "1")
    assert [one["text"] for one in records(box)] == ["day 3"]


@pytest.mark.seed("C17")
def test_the_long_memory_is_told_first_and_a_merged_record_not_again(box):
    setting(box, long_memory="LONG.md")
    write(box, record("1", "The queue runs on Redis.", "turn-summary"), record("2", "of today", at=RECENT))
    compact(box)
    box.settings["RECOLLECT_INJECT__LONG_MEMORY"] = "on"
    said = {"session_id": "s", "cwd": str(box.root), "hook_event_name": "SessionStart", "source": "startup"}
    told = json.loads(box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(said)).out)
    text = told["hookSpecificOutput"]["additionalContext"]
    assert text.count("The queue runs on Redis.") == 1
    places = [text.find(part) for part in ("Long-term summary (LONGMEMORY):", "The queue runs on Redis.", "of today")]
    assert -1 not in places
    assert places == sorted(places)


# -- kill -9 ----------------------------------------------------------------------------------------------------------

STEPS = ("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.truncate")


def compact_until(step: str, folder: str) -> None:
    """Run `log compact` and kill it before its so-many-th change to a file below a folder."""
    from recollect.faces.cli import main

    left = int(step)

    def count(name: str, args: tuple) -> None:
        nonlocal left
        is_write = name != "open" or (isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if name in STEPS and is_write and str(args[0]).startswith(folder):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    main(["log", "compact", "--json"])


@pytest.mark.seed("C18")
def test_killed_at_any_step_the_state_is_the_one_before_or_the_one_after(box):
    setting(box, archive="memory/archive.md")
    (box.root / LONG).write_text("# Long\n\n## Summary (2026-01-01)\n\nolder\n")
    write(box, record("1", "one"), SPARED["recent"], record("2", "two"))
    box.run("log", "list")
    saved = box.folder.parent / "saved"
    shutil.copytree(box.folder, saved)
    before = state(box)
    compact(box)
    after = without_ids(state(box))
    seen = []
    for step in range(200):
        shutil.rmtree(box.folder)
        shutil.copytree(saved, box.folder)
        end = box.fork(str(step), str(box.folder), function=compact_until)
        out, problem = end.communicate(timeout=60)
        if end.returncode == 0:
            break
        assert end.returncode == -signal.SIGKILL, (out, problem)
        box.run("log", "append", "--session", "s", "came after the kill", "--category", "learned")
        files, texts = state(box)
        files = {path: data for path, data in files.items() if path not in (LOCK, "memory/2026-03-01.md")}
        lines = files[LOG].decode().split("\n")
        assert "came after the kill" in lines[-2]
        files[LOG] = "\n".join([*lines[:-2], ""]).encode()
        texts.remove("came after the kill")
        is_before, is_after = (files, texts) == before, without_ids((files, texts)) == after
        assert is_before or is_after, f"between the states after step {step}: {files} {texts}"
        seen.append(is_after)
        again = compact(box)
        assert again["recordsCompacted"] == (0 if is_after else 2), (step, again)
        box.run("reconcile")
        assert not list(box.root.rglob(".recollect-*")), step
    assert len(seen) > 10
    assert set(seen) == {True, False}
    assert seen == sorted(seen)


@pytest.mark.seed("C18")
def test_what_another_program_appended_after_a_kill_stays_when_the_files_are_put_back(box):
    write(box, record("1", "one"), record("2", "two"))
    box.run("log", "list")
    saved, before = box.folder.parent / "saved", read(box, LOG)
    shutil.copytree(box.folder, saved)
    was_rewritten = False
    for step in range(10, 60):
        shutil.rmtree(box.folder)
        shutil.copytree(saved, box.folder)
        end = box.fork(str(step), str(box.folder), function=compact_until)
        end.communicate(timeout=60)
        is_between = end.returncode and list((box.home / "runtime").glob("unfinished-*"))
        if is_between and read(box, LOG) != before:
            was_rewritten = True
            break
    assert was_rewritten
    with (box.root / LOG).open("a") as log:
        log.write("- by CursorClaw\n")
    box.run("log", "list")
    assert read(box, LOG) == f"{before}- by CursorClaw\n"
    assert not (box.root / LONG).exists()
    assert not list(box.root.rglob(".recollect-*"))


def without_ids(found):
    """A state with the ids of merged records taken out: they are new in every run."""
    files, texts = found
    lines = [json.loads(line[2:]) for line in files[LOG].decode().split("\n") if line.startswith("- {")]
    bare = [line | {"id": ""} if line["category"] == "compaction" else line for line in lines]
    return files | {LOG: json.dumps(bare)}, texts
