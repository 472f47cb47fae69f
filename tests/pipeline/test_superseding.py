"""What becomes of an older rule when the user says something new: superseded, linked, or left alone."""

import json
from datetime import timedelta

import pytest
from telling import Telling, kept


def said(box, *prompts):
    """Things that the user says, each in a session of its own, a day apart."""
    at = None
    for number, prompt in enumerate(prompts):
        telling = Telling(box, f"session-{number}", **({"at": at} if at else {})).asks("hi").answers("Hi.")
        telling.asks(prompt).answers("Ok.").ends().drained()
        at = telling.at + timedelta(days=1)
    return at


def retired(box):
    found = box.run("list", "--status", "retired", "--json").json
    return [memory for memory in found if memory["kind"] in ("preference", "decision", "constraint")]


def rules(box):
    return sorted(memory["title"] for memory in kept(box, "preference", "decision", "constraint"))


YARN = "We always use yarn in this repo."
PNPM = "From now on we use pnpm in this repo instead of yarn."


def test_a_reversal_supersedes_and_its_reason_quotes_both(box):
    said(box, YARN, PNPM)
    (old,) = retired(box)
    assert "yarn" in old["title"]
    assert "→" in old["closed_reason"]
    assert "yarn" in old["closed_reason"].partition("→")[0]
    assert "pnpm" in old["closed_reason"].partition("→")[2]


def test_a_remark_that_something_ended_is_kept_if_it_takes_back_something_known(box):
    said(box, "Our map tiles come from Mapbox.", "I cancelled the Mapbox tiles")
    assert [memory["title"] for memory in box.run("list", "--status", "retired", "--json").json] == [
        "Our map tiles come from Mapbox"
    ]
    assert "I cancelled the Mapbox tiles" in {memory["title"] for memory in kept(box)}


def test_a_turn_that_names_the_old_thing_by_another_word_supersedes_it(box):
    said(box, "We use MongoDB for the event log.", "we're off Mongo now, the event log is in ClickHouse")
    assert [memory["title"] for memory in retired(box)] == ["We use MongoDB for the event log"]


def test_a_remark_that_something_ended_is_not_kept_if_nothing_is_known_of_it(box):
    said(box, "We always use pnpm in this repo.", "I cancelled the Mapbox tiles")
    assert rules(box) == ["We always use pnpm in this repo"]


def test_session_tail_says_what_was_superseded(box):
    said(box, YARN, PNPM)
    tail = box.run("session", "tail").out
    (old,) = retired(box)
    assert f"replaced: “{YARN}” → “{PNPM}”" in tail
    assert f"`recollect restore {old['uid'][-8:]}` brings it back" in tail
    box.run("restore", old["uid"][-8:])


@pytest.mark.parametrize("words", [("undo",), ("restore",)])
def test_one_step_brings_a_superseded_rule_back_with_its_file(box, words):
    box.run("init")
    at = said(box, YARN, PNPM)
    (old,) = retired(box)
    (file,) = box.vault.rglob(f"{old['slug']}.json")
    assert json.loads(file.read_bytes())["record_status"] == "retired"
    box.now = at.isoformat()
    box.run(*words, *([old["uid"]] if words == ("restore",) else ["--yes"]))
    assert retired(box) == []
    assert old["uid"] in {memory["uid"] for memory in kept(box)}
    assert json.loads(file.read_bytes())["record_status"] == "active"


def test_an_unrelated_rule_is_never_retired_by_a_later_one(box):
    said(box, "We always use pnpm in this repo.", "Never use default exports in this repo.")
    assert retired(box) == []
    assert len(rules(box)) == 2


def test_the_same_words_with_other_numbers_and_places_are_two_rules(box):
    said(box, "Always use a timeout of 30 s in the api.", "Always use a timeout of 60 s in the worker.")
    assert retired(box) == []
    assert len(rules(box)) == 2


def test_what_may_be_replaced_stays_and_the_newer_one_is_told_with_what_held_before(box):
    said(box, "Always use yarn in this repo.", "Always use pnpm in this repo.")
    assert retired(box) == []
    newer, older = sorted(kept(box, "preference"), key=lambda memory: not memory.get("links"))
    assert newer["links"] == [{"relation": "may_replace", "uid": older["uid"]}]
    found = box.run("recall", "which package manager: yarn or pnpm", "--json").json
    (told,) = [memory for memory in found if memory["kind"] == "preference"]
    assert "pnpm" in told["title"]
    assert told["notes"] == [f"before: {older['title']}"]


def test_an_exception_leaves_its_rule_and_is_told_with_it(box):
    said(box, "Never use npm in this repo.", "Always use npm in the examples of this repo.")
    rule = next(memory for memory in kept(box, "preference", "constraint") if not memory.get("links"))
    found = box.run("recall", "may I use npm in this repo", "--json").json
    told = next(memory for memory in found if memory["uid"] == rule["uid"])
    assert any(note.startswith("except: ") for note in told["notes"])


def test_links_survive_a_rebuild_from_the_journal_and_an_export(box):
    said(box, "Always use yarn in this repo.", "Always use pnpm in this repo.")
    newer = next(memory for memory in kept(box, "preference") if memory.get("links"))
    exported = box.run("export").out
    assert '"may_replace"' in exported
    assert newer["uid"] in exported
