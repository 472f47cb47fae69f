"""A store in trouble: hooks stay silent and say so in the log, commands say what to do, and nothing is lost."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import apsw
import pytest
from recall.asking import bring, database, find, hook, log, project, receipts, record, sql, texts

from recollect.jobs import word_vectors
from recollect.model.memory import Memory, Text
from recollect.setup.install import hook_words
from recollect.store.sqlite import database as sqlite_database
from recollect.store.sqlite.migrations import MIGRATIONS
from recollect.store.sqlite.store import SqliteStore

TOKEN = "The authentication token is kept in the keyring"  # noqa: S105 - a sentence
PROMPT = "where do we keep the authentication token in the keyring?"
# Root passes every permission check unless it gives up the right to.
UNPRIVILEGED = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all") if os.geteuid() == 0 else ()
)


@pytest.fixture
def impatient(monkeypatch):
    """A program that waits for a locked database a moment only."""
    monkeypatch.setattr(sqlite_database, "BUSY_MS", 50)


@pytest.fixture
def known(box, impatient):
    """A box with one memory that is indexed and found."""
    box.run("remember", TOKEN)
    assert texts(box, "authentication token") == [TOKEN]
    assert "keyring" in hook(box, PROMPT)
    os.utime(box.vault / "notes" / "the-authentication-token-is-kept-in-the-keyring.json", (1, 1))
    box.run("list")  # the file is surely as it was seen
    sql(box, "PRAGMA wal_checkpoint(TRUNCATE)")
    return box


@contextmanager
def held(box, *statements):
    """Another program that holds the store."""
    with closing(apsw.Connection(str(database(box)))) as other:
        for statement in statements:
            other.execute(statement).fetchall()
        yield
        other.execute("ROLLBACK")


def refused(box, *more):
    """What `recall` says where it cannot answer: an error with the next step, never a traceback."""
    done = box.run("recall", "authentication token", *more, code=1)
    assert "Traceback" not in done.err
    assert done.err.rstrip().splitlines()[-1].startswith("fix: ")
    return done.err


def damage(box):
    place = database(box)
    data = bytearray(place.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    place.write_bytes(data)
    for suffix in ("-wal", "-shm"):
        place.with_name(place.name + suffix).unlink(missing_ok=True)


# -- in use ------------------------------------------------------------------------------------------------------------


def test_while_somebody_writes_everybody_still_reads(known):
    with held(known, "BEGIN IMMEDIATE", "UPDATE memories SET title = 'x'"):
        assert texts(known, "authentication token") == [TOKEN]
        assert "keyring" in hook(known, PROMPT)
    assert receipts(known)[-1]["state"] == "hits"
    assert log(known) == ""


def test_while_somebody_writes_what_is_new_is_found_too(known):
    known.run("remember", "A second token is in the drawer")
    with held(known, "BEGIN IMMEDIATE"):
        assert "drawer" in hook(known, "is there a second token in the drawer?")
        assert "A second token is in the drawer" in texts(known, "second token drawer")


def test_a_locked_store_is_no_answer(known):
    with held(known, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE settings SET value = value"):
        assert refused(known).startswith("STORE_BUSY\n")
        assert json.loads(known.run("recall", "token", "--json", code=1).err)["error"] == "STORE_BUSY"
        assert hook(known, PROMPT) == ""
    assert "locked" in log(known)
    assert texts(known, "authentication token") == [TOKEN]


def test_a_recall_that_failed_is_in_its_receipt(known):
    already = len(receipts(known))
    with held(known, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE settings SET value = value"):
        hook(known, PROMPT)
    assert [one["state"].partition(":")[0] for one in receipts(known)[already:]] == ["failed"]


# -- damaged, missing, not to be written -------------------------------------------------------------------------------


def test_a_damaged_store_is_no_answer_until_it_is_repaired(known):
    damage(known)

    assert refused(known).startswith("STORE_CORRUPT\n")
    assert hook(known, PROMPT) == ""
    assert "PromptSubmitted: " in log(known)

    known.run("doctor", "--repair", code=None)
    assert texts(known, "authentication token") == [TOKEN]
    assert "keyring" in hook(known, PROMPT)


def test_a_damaged_index_is_told_apart_from_nothing_found(known):
    with closing(apsw.Connection(str(database(known)))) as db:
        db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        db.execute("DROP TABLE codes")

    assert hook(known, PROMPT) == ""
    assert receipts(known)[-1]["state"].startswith("failed: ")
    assert "recall failed" in log(known)
    refused(known)


def test_what_is_no_database_is_no_answer(known):
    for suffix in ("-wal", "-shm"):
        database(known).with_name(f"memory.db{suffix}").unlink(missing_ok=True)
    database(known).write_bytes(b"no database at all\n" * 500)

    assert refused(known).startswith("STORE_CORRUPT\n")
    assert hook(known, PROMPT) == ""
    assert database(known).read_bytes() == b"no database at all\n" * 500


def test_a_missing_store_is_made_again_from_the_files(known):
    for place in known.home.glob("memory.db*"):
        place.unlink()

    assert hook(known, PROMPT) == ""
    assert "there is no store yet" in log(known)
    assert not database(known).exists()
    assert texts(known, "authentication token") == [TOKEN]
    assert "keyring" in hook(known, PROMPT)


def test_before_anything_was_ever_kept_nothing_is_found(make_box):
    fresh = make_box("fresh")

    assert texts(fresh, "anything") == []
    assert hook(fresh, PROMPT) == ""


def as_another_user(box, *words, stdin=""):
    """Run as somebody who may read the store, and write nothing of it."""
    for place in (*box.home.rglob("*"), box.home):
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        return subprocess.run(
            [*UNPRIVILEGED, sys.executable, *words], cwd=box.root, env=box.env, input=stdin, capture_output=True,
            text=True, timeout=60,
        )  # fmt: skip
    finally:
        box.home.chmod(0o700)
        for place in box.home.rglob("*"):
            place.chmod(0o700 if place.is_dir() else 0o600)


def test_a_store_that_cannot_be_written_is_an_answer_or_a_clear_refusal(known):
    command = "from recollect.faces.cli import main; main()"
    done = as_another_user(known, "-c", command, "recall", "authentication token")
    assert "Traceback" not in done.stderr, done.stderr
    assert TOKEN in done.stdout or done.stderr.rstrip().splitlines()[-1].startswith("fix: "), done

    said = {"session_id": "s", "cwd": str(known.root), "hook_event_name": "UserPromptSubmit", "prompt": PROMPT}
    done = as_another_user(known, *hook_words(), "claude-code", "UserPromptSubmit", stdin=json.dumps(said))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "" or "keyring" in done.stdout


def test_without_the_model_memories_are_found_by_their_words(known, monkeypatch):
    def fail():
        raise word_vectors.ModelMissing("the package is not installed")

    monkeypatch.setattr(word_vectors, "load", fail)
    known.run("remember", "The zeppelin is in the hangar")

    assert texts(known, "zeppelin hangar") == ["The zeppelin is in the hangar"]


# -- of another version ------------------------------------------------------------------------------------------------


def test_a_newer_store_is_left_alone(known):
    sql(known, "PRAGMA user_version = 99")
    before = sql(known, "SELECT uid, title FROM memories")

    assert refused(known).startswith("STORE_NEWER\n")
    assert hook(known, PROMPT) == ""
    assert "version 99" in log(known)
    assert sql(known, "SELECT uid, title FROM memories") == before
    assert sql(known, "PRAGMA user_version") == [(99,)]


def old_store(box, *texts_of_old):
    """A store as the third version left it: what recall compares now has no place in it yet."""
    box.home.mkdir(mode=0o700)
    SqliteStore(database(box), migrations=MIGRATIONS[:3]).close()
    for number, text in enumerate(texts_of_old):
        one = Memory(
            uid=f"019c{number:020x}", slug=f"old-{number}", kind="note", title=text[:60], content=Text(text=text),
            project=project(box), created_at="2026-01-05T00:00:00Z", updated_at="2026-01-05T00:00:00Z",
        )  # fmt: skip
        row = one.uid, one.project, one.slug, one.title, one.text, one.digest, one.image
        sql(
            box, "INSERT INTO memories (uid, project, kind, slug, status, title, text, tags, digest, revision, "
            "created, image, updated, cue) "
            "VALUES (?, ?, 'note', ?, 'active', ?, ?, '', ?, 'r', 1767571200, ?, 1767571200, '')", *row,
        )  # fmt: skip


OLD = (TOKEN, "refreshToken is renewed hourly", "認証トークンは一時間で失効します", "Requests have a high latency")


def test_a_store_of_the_third_version_is_left_to_whoever_may_migrate_it(make_box):
    box = make_box()
    old_store(box, *OLD)

    assert hook(box, PROMPT) == ""
    assert "version 3" in log(box)
    assert sql(box, "PRAGMA user_version") == [(3,)]


def test_a_store_of_the_third_version_is_migrated_and_everything_is_found(make_box):
    box = make_box()
    old_store(box, *OLD)
    box.run("init")

    assert sql(box, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    for question, text in (("keyring", OLD[0]), ("refreshToken hourly", OLD[1]), ("latency", OLD[3])):
        assert find(box, question)[0].text == text, question
    assert "keyring" in hook(box, PROMPT)

    box.run("reindex")
    for question, text in (("login", OLD[0]), ("slow", OLD[3]), ("refresh", OLD[1]), ("失効", OLD[2])):
        assert find(box, question)[0].text == text, question
        assert texts(box, question)[0] == text, question
    assert sql(box, "SELECT DISTINCT day FROM memories") == [("5 January 2026",)]
    assert box.home.joinpath("memory.db.before-0004").exists()
    with closing(sqlite3.connect(database(box))) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_settings_that_an_older_program_left_are_no_obstacle(known):
    """Another checkout's program has migrated the store; this one's settings are still the old ones."""
    lacking = """json_remove(value, '$."recall.profile"', '$."log.max_vectors"')"""
    sql(known, f"UPDATE settings SET value = {lacking} WHERE name LIKE 'hook:%'")

    assert "keyring" in hook(known, PROMPT)
    assert texts(known, "authentication token") == [TOKEN]


def test_a_memory_that_cannot_be_read_does_not_keep_the_others_from_being_indexed(known):
    bring(known, record(known, "A second token", slug="second"), record(known, "The drawer is locked", slug="third"))
    sql(known, "UPDATE memories SET image = '{' WHERE slug = 'second'")

    assert "keyring" in hook(known, PROMPT)
    known.run("reindex", code=None)
    held = "SELECT count(*) FROM evidence JOIN memories USING (id) WHERE slug = 'third'"
    assert sql(known, held) == [(1,)]
    assert "The drawer is locked" in texts(known, "drawer locked")
