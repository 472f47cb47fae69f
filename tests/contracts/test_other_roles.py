"""The roles Sessions, Facts, Settings, MemoryUses and Maintenance."""

from dataclasses import replace
from pathlib import Path

from engines import NOON, PROJECT, Open, keep, memory, sighting

from recollect.model.fact import Fact
from recollect.model.query import FactQuery, Query
from recollect.model.session_event import SessionEvent
from recollect.model.verdict import CheckedVerdict, Finding, Verdict
from recollect.store.protocols import Facts, Maintenance, Sessions, Settings, Store
from recollect.store.session_values import Receipt, Session

SESSION = Session("s1", PROJECT, "/checkout", "claude", 1, 0, 10.0, 20.0)


def event(key: str, at: float, **fields: str) -> SessionEvent:
    return SessionEvent(**{"key": key, "session": "s1", "project": PROJECT, "at": at, "name": "prompt", **fields})


def test_a_session_comes_back_as_it_was_put_last(store: Store, sessions: Sessions):
    assert sessions.get("s1") is None
    with store.writing():
        sessions.put(SESSION)
        sessions.put(replace(SESSION, prompts=2, ended=30.0))
    assert sessions.get("s1") == replace(SESSION, prompts=2, ended=30.0)


def test_sessions_that_sent_nothing_since_a_time_and_did_not_end_were_left(store: Store, sessions: Sessions):
    with store.writing():
        sessions.put(SESSION)
        sessions.put(replace(SESSION, id="s2", ended=21.0))
        sessions.put(replace(SESSION, id="s3", project="other"))
        sessions.put(replace(SESSION, id="s4", seen=99.0))
    assert [session.id for session in sessions.unfinished(PROJECT, 50.0, 9)] == ["s1"]
    assert sessions.unfinished(PROJECT, 20.0, 9) == []


def test_events_are_found_by_their_values_the_newest_of_them_oldest_first(store: Store, sessions: Sessions):
    made = [event("k1", 1.0), event("k2", 2.0, name="stop"), event("k3", 3.0, session="s2"), event("k4", 4.0)]
    assert sessions.last_event() is None
    with store.writing():
        for item in made:
            sessions.add_event(item)
    assert sessions.events() == made
    assert sessions.events(limit=2) == made[2:]
    assert sessions.events(session="s1", name="prompt") == [made[0], made[3]]
    assert sessions.events(project="other") == []
    assert sessions.is_drained("k1")
    assert not sessions.is_drained("k9")
    assert sessions.last_event() == (4.0, "prompt")


def test_the_first_prompt_of_a_session_and_the_one_of_a_time_are_found(store: Store, sessions: Sessions):
    with store.writing():
        for key, at, about in (("a", 10.0, "first"), ("b", 20.0, "second"), ("d", 20.4, "third")):
            sessions.add_event(event(key, at, name="PromptSubmitted", about=about))
        sessions.add_event(event("c", 21.0, name="ToolFinished", about="ls"))
    assert sessions.first_prompt("s1") == "first"
    assert [sessions.prompt_at("s1", at) for at in (8.0, 9.5, 10.0, 18.9, 19.2, 20.0, 99.0)] == [
        "", "first", "first", "first", "first", "second", "third"
    ]  # fmt: skip
    assert sessions.prompt_at("other", 99.0) == ""


def test_recalls_are_counted_by_how_they_ended(store: Store, sessions: Sessions):
    with store.writing():
        for number, (at, state) in enumerate([(1.0, "hits"), (9.0, "none"), (9.0, "hits"), (10.0, "hits"), (10.0, "")]):
            sessions.add_receipt(Receipt(f"r{number}", at, "s", "p", "prompt", {}, [], [], 0, state))
    assert list(sessions.recall_states(2.0).items()) == [("hits", 2), ("none", 1)]


def test_receipts_are_found_by_their_beginning_and_old_ones_are_trimmed(store: Store, sessions: Sessions):
    first = Receipt("abc1", 1.0, "s1", PROJECT, "prompt", {"apple": 0.5}, ["A"], [{"uid": "A"}], 12, "hits", "hybrid")
    second = replace(first, id="abd2", at=2.0, session="s2")
    with store.writing():
        sessions.put(SESSION)
        sessions.add_event(event("k1", 1.0))
        sessions.add_receipt(first)
        sessions.add_receipt(second)
    assert sessions.receipts() == sessions.receipts(id="ab") == [first, second]
    assert sessions.receipts(id="abd") == sessions.receipts(session="s2") == sessions.receipts(limit=1) == [second]
    assert sessions.receipts(id="b") == sessions.receipts(project="other") == []
    with store.writing():
        sessions.trim(1.5)
    assert sessions.receipts() == [second]
    assert sessions.events() == []
    assert sessions.get("s1") == SESSION


def test_facts_are_found_by_identity_by_their_parts_and_by_filter(store: Store, facts: Facts):
    fact = Fact(
        uid="fact-1", project=PROJECT, subject="api", predicate="uses", object="pg", created_at=NOON, updated_at=NOON
    )
    other = fact.model_copy(update={"uid": "fact-2", "object": "redis", "confidence": 0.5})
    with store.writing():
        facts.put(fact)
        facts.put(other)
    assert facts.get("fact-1") == fact
    assert facts.get("fact-9") is None
    assert facts.same(other.model_copy(update={"uid": "fact-new"})) == other
    assert facts.same(other.model_copy(update={"project": "other"})) is None
    assert [found.uid for found in facts.find(FactQuery(project=PROJECT))] == ["fact-2", "fact-1"]
    assert facts.find(FactQuery(object="pg")) == [fact]
    assert facts.find(FactQuery(subject="api", min_confidence=0.9)) == [fact]
    assert facts.find(FactQuery(subject="api", limit=1)) == [other]
    with store.writing():
        facts.remove("fact-1")
    assert facts.get("fact-1") is None


def test_a_setting_is_kept_until_it_is_set_to_none(store: Store, settings: Settings):
    assert settings.setting("hook:a") is None
    with store.writing():
        settings.set_setting("hook:b", "2")
        settings.set_setting("hook:a", "1")
        settings.set_setting("other", "3")
    assert list(settings.settings("hook:").items()) == [("hook:a", "1"), ("hook:b", "2")]
    with store.writing():
        settings.set_setting("hook:a", "4")
        settings.set_setting("hook:b", None)
    assert settings.settings("hook:") == {"hook:a": "4"}


def test_a_use_counts_once_a_session_and_files_hold_the_counters(store: Store):
    keep(store, memory("A"), memory("B"))
    with store.writing():
        store.see(sighting("a.md", "A"))
        store.see(sighting("b.json", "B"))
        assert [store.access("A", "s1", NOON), store.access("A", "s1", NOON), store.access("A", "s2", NOON)] == [
            True, False, True,
        ]  # fmt: skip
        assert store.access("B", "s1", NOON)
    assert store.accessed("s1", "/checkout") == ["A"]
    assert store.accessed("s1", "/elsewhere") == []


def test_a_copy_is_whole_and_its_files_are_known(store: Store, upkeep: Maintenance, tmp_path: Path):
    keep(store, memory("A"))
    assert upkeep.problems() == []
    assert upkeep.home == tmp_path
    assert upkeep.location in map(str, upkeep.all_files())
    assert upkeep.live_files()[0] in upkeep.all_files()
    assert set(upkeep.all_files()) <= set(upkeep.live_files())
    upkeep.copy_to(upkeep.live_files()[0].with_suffix(".copy"))
    assert upkeep.live_files()[0].with_suffix(".copy").stat().st_size > 0


def test_scrubbing_changes_texts_and_images_and_leaves_nothing_old_behind(open_store: Open):
    store = open_store()
    keep(store, memory("A", "the hunter2 value"))
    with store.writing():
        changed = store.scrub(lambda text: text.replace("hunter2", "[x]"), lambda text: text.replace("hunter2", "[x]"))
    store.settle()
    found = store.get("A")
    assert changed
    assert found is not None
    assert found.memory.text == "the [x] value"
    assert store.find(Query(match="hunter2")) == []
    store.close()
    assert not [path for path in store.all_files() if b"hunter2" in path.read_bytes()]


def test_a_store_can_get_another_name(store: Store):
    before = store.store_id()
    store.renew_id()
    assert before
    assert store.store_id() not in ("", before)


def test_verdicts_come_back_and_go_with_the_words_that_they_are_about(store: Store):
    verdicts = store.verdicts
    keep(store, memory("one"), memory("two"))
    found = Verdict("STALE", "a.py is gone", (Finding("path", "a.py", "STALE", "a.py is gone"),), ("doubtful",))
    made = [CheckedVerdict(uid, found, "main", "c0ffee", "/checkout", 5.0) for uid in ("one", "two", "unknown")]
    with store.writing():
        verdicts.put(made)
    assert verdicts.of(["one", "unknown"]) == {"one": made[0]}
    assert set(verdicts.of_project(PROJECT)) == {"one", "two"}
    with store.writing():
        verdicts.remove(["two"])
    keep(store, memory("one").having(importance=0.9))
    assert set(verdicts.of_project(PROJECT)) == {"one"}, "only other words take it away"
    keep(store, memory("one").having(title="Other words"))
    assert verdicts.of(["one"]) == {}
