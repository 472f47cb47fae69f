"""What recall compares is derived: made by `reindex` or the worker, gone when a memory changes, never needed."""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from binascii import crc32
from contextlib import closing

import pytest
from recall.asking import bring, database, find, hook, log, new_box, read_all, receipts, record, sql, texts

from recollect.jobs import reindex
from recollect.model.words.search_words import MODEL
from recollect.store.hook_reader import recall_source
from recollect.store.sqlite.store import SqliteStore

TOKEN = "The authentication token is kept in the keyring"  # noqa: S105 - a sentence
LATENCY = "Requests have a high latency on Mondays"
PNPM = "Use pnpm, never npm"
OTHER = "of another model"
THEMES = """authentication token login password|credential secret vault keyring|kubernetes cluster pod deployment
docker container image registry|postgres database table query|sqlite index schema column|latency slow request timeout
cache redis memory eviction|frontend button colour stylesheet|browser javascript render page
python package module import|rust compiler crate borrow|invoice payment customer billing
email message inbox notification|test failure assertion flaky|pipeline build artifact release
branch merge commit conflict|logging trace error exception|thread lock deadlock race|network socket proxy firewall
storage bucket upload file|search ranking relevance engine|calendar date timezone clock|user account permission"""


def derived(box):
    """How much there is of each derived table."""
    return {table: sql(box, f"SELECT count(*) FROM {table}")[0][0] for table in ("evidence", "codes", "words")}


def as_made_by_another_model(box):
    for table in ("evidence", "words"):
        sql(box, f"UPDATE {table} SET model = 'other/1'")


# -- meaning -----------------------------------------------------------------------------------------------------------


def test_a_memory_is_found_by_what_it_means_once_it_is_indexed(new_user):
    box = new_user
    bring(box, TOKEN, LATENCY, PNPM)
    for question in ("login", "slow"):
        assert find(box, question) == []
        hook(box, question)
        assert receipts(box)[-1]["state"] == "none (by words alone: no search vectors yet)"
    assert [one.text for one in find(box, "token")] == [TOKEN]

    assert box.run("reindex").out == "Indexed 3 memories.\n"
    for question, wanted in (("login", TOKEN), ("slow", LATENCY), ("token", TOKEN)):
        assert find(box, question)[0].text == wanted
        assert texts(box, question)[0] == wanted
    assert "matches ~login" in box.run("recall", "login").out
    assert box.run("recall", "login").err == ""
    hook(box, "zeppelin")
    assert receipts(box)[-1]["state"] == "none"


def test_who_asks_by_hand_does_not_wait_for_the_worker(new_user):
    bring(new_user, TOKEN, PNPM)

    assert texts(new_user, "login")[0] == TOKEN
    new_user.run("remember", LATENCY)
    assert texts(new_user, "slow")[0] == LATENCY


def test_the_worker_indexes_what_is_new(box):
    box.run("remember", TOKEN)
    hook(box, "where do we keep things?")
    box.run("drain")

    assert derived(box)["evidence"] == 1
    assert texts(box, "login") == [TOKEN]


def test_what_is_not_indexed_yet_is_found_by_its_words_beside_what_is(box):
    bring(box, LATENCY, PNPM)
    box.run("reindex")
    box.run("remember", TOKEN)

    assert find(box, "token")[0].text == TOKEN
    assert {one.text for one in find(box, "slow token requests")} >= {TOKEN, LATENCY}
    assert "keyring" in hook(box, "where do we keep the authentication token in the keyring?")


def test_a_changed_text_drops_its_evidence_at_once_and_the_worker_makes_it_again(box):
    box.run("remember", TOKEN, "--title", "Where it is")
    box.run("remember", PNPM)
    box.run("reindex")
    number = sql(box, "SELECT id FROM memories WHERE slug = 'where-it-is'")[0][0]

    box.run("edit", "where-it-is", "--text", LATENCY)
    for table in ("evidence", "codes"):
        assert sql(box, f"SELECT count(*) FROM {table} WHERE id = ?", number) == [(0,)]
    assert find(box, "latency")[0].text == LATENCY
    assert all("~login" not in one.matched for one in find(box, "login"))

    hook(box, "anything new?")
    box.run("drain")
    assert derived(box)["evidence"] == 2
    assert texts(box, "slow")[0] == LATENCY
    assert "~login" not in box.run("recall", "login").out


def test_a_memory_without_a_word_that_the_model_knows_is_found_all_the_same(box):
    bring(box, TOKEN, PNPM)
    box.run("reindex")
    bring(box, "接続プールの上限は二十です", "🦊🦊🦊", "größenprüfung")
    box.run("reindex")

    assert texts(box, "上限")[0] == "接続プールの上限は二十です"
    assert texts(box, "größenprüfung")[0] == "größenprüfung"
    assert texts(box, "token 上限")


def test_memories_that_the_model_cannot_read_do_not_stand_before_those_that_it_can(box):
    bring(box, *(f"第{number}回の会議で接続の上限を決めた" for number in range(160)), TOKEN, PNPM)
    box.run("reindex")

    assert texts(box, "login")[0] == TOKEN


# -- what is left ------------------------------------------------------------------------------------------------------


def test_purge_and_scrub_leave_nothing_behind(box):
    bring(box, record(box, f"{TOKEN} xyzzyplugh", slug="gone"), record(box, f"{PNPM} frobnicate", slug="scrubbed"))
    box.run("reindex")
    gone, scrubbed = (sql(box, "SELECT id FROM memories WHERE slug = ?", slug)[0][0] for slug in ("gone", "scrubbed"))

    box.run("purge", "gone", "--yes")
    for table in ("evidence", "codes"):
        assert sql(box, f"SELECT count(*) FROM {table} WHERE id = ?", gone) == [(0,)]
    before = sql(box, "SELECT terms FROM evidence WHERE id = ?", scrubbed)

    box.run("scrub", "--yes", stdin="frobnicate\n", code=None)
    box.run("reindex")
    assert sql(box, "SELECT terms FROM evidence WHERE id = ?", scrubbed) != before
    assert sql(box, "SELECT count(*) FROM memory_terms WHERE term IN ('frobnic', 'xyzzyplugh')") == [(0,)]
    assert sql(box, "SELECT count(*) FROM evidence WHERE id NOT IN (SELECT id FROM memories)") == [(0,)]
    assert sql(box, "SELECT count(*) FROM codes WHERE id NOT IN (SELECT id FROM memories)") == [(0,)]
    assert all(one["matched"] == [] for one in box.run("recall", "frobnicate xyzzyplugh", "--json").json)


@pytest.mark.parametrize("how", ["purge", "scrub"])
def test_a_word_that_no_memory_holds_any_more_is_not_known_any_more(box, how):
    bring(box, record(box, f"{TOKEN} xyzzyplugh", slug="gone"))
    box.run("reindex")
    key = crc32(b"xyzzyplugh")
    assert sql(box, "SELECT count(*) FROM words WHERE key = ?", key) == [(1,)]

    box.run(*(("purge", "gone", "--yes") if how == "purge" else ("scrub", "--yes")), stdin="xyzzyplugh\n")
    assert sql(box, "SELECT count(*) FROM words WHERE key = ?", key) == [(0,)]


# -- another model, no extension ---------------------------------------------------------------------------------------


def test_vectors_of_another_model_are_as_good_as_none_and_made_again(box):
    bring(box, TOKEN, LATENCY, PNPM)
    box.run("reindex")
    as_made_by_another_model(box)

    assert find(box, "login") == []
    assert [one.text for one in find(box, "token")] == [TOKEN]
    assert "keyring" in hook(box, "where do we keep the authentication token in the keyring?")
    assert OTHER in receipts(box)[-1]["state"]
    assert receipts(box)[-1]["state"].startswith("hits")

    assert box.run("reindex").out == "Indexed 3 memories.\n"
    for table in ("evidence", "words"):
        assert sql(box, f"SELECT DISTINCT model FROM {table}") == [(MODEL,)]
    assert texts(box, "login")[0] == TOKEN


def test_the_worker_makes_vectors_of_another_model_again(box):
    bring(box, TOKEN, PNPM)
    box.run("reindex")
    as_made_by_another_model(box)
    hook(box, "where do we keep things?")
    box.run("drain")

    assert texts(box, "login")[0] == TOKEN


def test_without_the_extension_everything_still_answers(box, monkeypatch):
    bring(box, TOKEN, LATENCY, PNPM)
    box.run("reindex")
    monkeypatch.setattr(recall_source, "_extension", lambda: "")

    for profile in ("keyword", "scored", "hashed", "hybrid"):
        box.settings["RECOLLECT_RECALL__PROFILE"] = profile
        found = box.run("recall", "the authentication token")
        assert TOKEN in found.out, profile
        assert texts(box, "the authentication token", "--kind", "note")[0] == TOKEN, profile
        assert "keyring" in hook(box, "where do we keep the authentication token in the keyring?"), profile
    assert found.err == "by words alone: sqlite-vec is not installed\n"
    assert receipts(box)[-1]["state"] == "hits (by words alone: sqlite-vec is not installed)"
    assert "sqlite-vec" in box.run("doctor", code=None).out
    assert box.run("reindex").out == "No search vectors are missing.\n"


def test_an_extension_that_cannot_be_loaded_is_as_good_as_none(box, monkeypatch):
    bring(box, TOKEN)
    box.run("reindex")
    broken = box.folder / "vec0.so"
    broken.write_bytes(b"not a library")
    monkeypatch.setattr(recall_source, "_extension", lambda: str(broken))

    assert texts(box, "authentication token") == [TOKEN]


# -- reindex -----------------------------------------------------------------------------------------------------------


def test_reindex_makes_only_what_is_missing_and_all_on_demand(new_user):
    box = new_user
    bring(box, TOKEN, LATENCY)
    assert box.run("reindex", "--json").json == {"indexed": 2}
    kept = sql(box, "SELECT * FROM evidence ORDER BY id"), sql(box, "SELECT * FROM words ORDER BY key")

    assert box.run("reindex").out == "No search vectors are missing.\n"
    assert (sql(box, "SELECT * FROM evidence ORDER BY id"), sql(box, "SELECT * FROM words ORDER BY key")) == kept
    assert box.run("reindex", "--all", "--json").json == {"indexed": 2}
    assert (sql(box, "SELECT * FROM evidence ORDER BY id"), sql(box, "SELECT * FROM words ORDER BY key")) == kept


def test_an_empty_store_is_well(box):
    assert box.run("reindex").out == "No search vectors are missing.\n"
    assert texts(box, "anything") == []


@pytest.fixture(scope="module")
def many(tmp_path_factory, learned_home):
    """A store of 1,500 memories without anything derived."""
    folder = tmp_path_factory.mktemp("many")
    shutil.copytree(learned_home, folder / "store")
    box = new_box(folder, vault=False)
    themes = re.split(r"[|\n]", THEMES)
    bring(box, *(f"{themes[number % len(themes)]}, case {number}" for number in range(1_499)), TOKEN)
    sql(box, "PRAGMA wal_checkpoint(TRUNCATE)")
    return box


def start_reindex(box, **how):
    command = [sys.executable, "-c", "from recollect.faces.cli import main; main()", "reindex"]
    return subprocess.Popen(command, cwd=box.root, env=box.env, **how)


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


def without_derived(box):
    for table in ("evidence", "codes"):
        sql(box, f"DELETE FROM {table}")


def test_progress_is_shown_on_a_terminal_and_there_alone(many):
    without_derived(many)
    ours, theirs = pty.openpty()
    process = start_reindex(many, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    shown = read_all(ours)

    assert process.communicate(timeout=60)[0] == "Indexed 1,500 memories.\n"
    assert "Indexing memories: 500" in shown
    assert "Indexing memories: 1,000" in shown


def test_a_reindex_that_is_killed_loses_nothing_and_the_next_one_finishes(many):
    without_derived(many)
    process = start_reindex(many, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: derived(many)["evidence"] > 0 or process.poll() is not None)
    process.send_signal(signal.SIGKILL)
    process.wait(30)

    assert sql(many, "SELECT count(*) FROM memories WHERE status = 'active'") == [(1_500,)]
    assert sql(many, "PRAGMA integrity_check") == [("ok",)]
    left = 1_500 - derived(many)["evidence"]
    assert many.run("reindex", "--json").json == {"indexed": left}
    assert derived(many)["evidence"] == derived(many)["codes"] == 1_500
    assert texts(many, "keyring token")[0] == TOKEN


def test_two_reindexes_at_once_leave_one_whole_index(many):
    without_derived(many)
    both = [start_reindex(many, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = [process.communicate(timeout=60) for process in both]

    assert [process.returncode for process in both] == [0, 0], ends
    assert derived(many)["evidence"] == derived(many)["codes"] == 1_500
    assert sql(many, "SELECT count(*) FROM evidence WHERE vector IS NULL OR terms = x''") == [(0,)]
    assert many.run("reindex").out == "No search vectors are missing.\n"
    assert texts(many, "keyring token")[0] == TOKEN


def test_a_memory_that_changes_while_it_is_read_keeps_no_old_words(box):
    box.run("remember", "refreshToken is in the keyring", "--title", "One")
    with closing(SqliteStore(database(box))) as store:
        batch = store.search_index.missing(MODEL, 10)
        box.run("edit", "one", "--text", "sessionCookie is in the jar")
        reindex._index_batch(store, batch, reindex.Vocabulary(store.search_index), hashed=False)
    box.run("reindex")

    assert sql(box, "SELECT parts FROM memories") == [("session cookie",)]
    assert texts(box, "session cookie") == ["sessionCookie is in the jar"]
    assert [one.matched for one in find(box, "refresh")] in ([], [[]])
    assert log(box) == ""
