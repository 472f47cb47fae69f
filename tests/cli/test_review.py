"""`recollect review`: decide about captured memories and conflicts, by keys or by commands."""

from datetime import timedelta

import pytest
from telling import Telling, kept
from terminals import on_a_terminal

QUOTE = "Our reviewer wrote: always squash the commits of a branch before the merge."
YARN, PNPM = "Always use yarn in this repo.", "Always use pnpm in this repo."
WHAT_NOW = "q quit"


@pytest.fixture
def has_git():
    return False


def said(box, *prompts):
    """Things that the user says, each in a session of its own, a day apart."""
    at = None
    for number, prompt in enumerate(prompts):
        telling = Telling(box, f"session-{number}", **({"at": at} if at else {})).asks("hi").answers("Hi.")
        telling.asks(prompt).answers("Ok, noted.").ends().drained()
        at = telling.at + timedelta(days=1)
    box.now = at.isoformat()


@pytest.fixture
def undecided(box):
    """A project with a memory that may replace another one."""
    said(box, YARN, PNPM)
    return box


def pending(box):
    box.bring(
        {"title": "Squash the commits", "tags": ["pending"], "confidence": 0.5, "channel": "claude-code:statement",
         "content": {"text": "Squash the commits of a branch"}}
    )  # fmt: skip
    return box


def review(box):
    return box.run("review", "--json").json


def preferences(box):
    return sorted(memory["title"] for memory in kept(box, "preference"))


# -- the list ----------------------------------------------------------------------------------------------------------


def test_where_nothing_waits_review_says_so(box):
    assert box.run("review").out == "Nothing to review.\n"


def test_a_conflict_is_listed_with_the_older_memory_and_its_turn(undecided):
    (item,) = review(undecided)
    assert "pnpm" in item["memory"]["title"]
    assert [older["title"] for older in item["may_replace"]] == [YARN.rstrip(".")]
    assert PNPM in item["turn"]["text"]
    assert item["pending"] is False
    listed = undecided.run("review").out
    assert "conflict" in listed
    assert "may replace" in listed
    assert max(map(len, listed.splitlines())) <= 80


def test_a_pending_memory_is_listed_until_it_is_kept(box):
    pending(box)
    (item,) = review(box)
    assert (item["pending"], item["may_replace"], item["rule"]) == (True, [], "statement")
    box.run("keep", item["memory"]["uid"][-8:])
    assert review(box) == []


# -- the same by commands ----------------------------------------------------------------------------------------------


def test_keep_both_ends_a_conflict_and_undo_opens_it_again(undecided):
    newer = review(undecided)[0]["memory"]["uid"]
    undecided.run("keep", newer)
    assert len(review(undecided)) == 1, "keeping the newer one does not say what becomes of the older one"
    undecided.run("keep", newer, "--both")
    assert review(undecided) == []
    assert len(preferences(undecided)) == 2
    undecided.run("undo")
    assert len(review(undecided)) == 1


def test_merge_keeps_the_newer_words_and_what_the_older_one_had(undecided):
    (item,) = review(undecided)
    newer, older = item["memory"]["uid"], item["may_replace"][0]["uid"]
    undecided.run("edit", older, "--tag", "packages")
    undecided.run("pin", older)
    undecided.run("merge", newer, older)
    left = undecided.run("show", newer, "--json").json
    assert preferences(undecided) == [PNPM.rstrip(".")]
    assert "packages" in left["tags"]
    assert left["usage"]["pinned"]
    assert left["links"] == [{"relation": "replaces", "uid": older}]
    gone = undecided.run("show", older, "--json").json
    assert (gone["status"], gone["closed_reason"].partition(":")[0]) == (
        "retired", f"superseded by preference/{left['slug']}",
    )  # fmt: skip


def test_undo_takes_a_merge_back_as_a_whole(undecided):
    (item,) = review(undecided)
    before = sorted(kept(undecided, "preference"), key=lambda memory: memory["uid"])
    undecided.run("merge", item["memory"]["uid"], item["may_replace"][0]["uid"])
    undecided.run("undo", "--yes")
    assert sorted(kept(undecided, "preference"), key=lambda memory: memory["uid"]) == before
    assert len(review(undecided)) == 1


def test_a_memory_cannot_be_merged_with_itself_or_with_a_retired_one(undecided):
    (item,) = review(undecided)
    newer, older = item["memory"]["uid"], item["may_replace"][0]["uid"]
    assert "with itself" in undecided.run("merge", newer, newer, code=1).err
    undecided.run("retire", older)
    assert "this memory is retired" in undecided.run("merge", newer, older, code=1).err


# -- on a terminal -----------------------------------------------------------------------------------------------------


def test_a_key_decides_about_each_memory(undecided):
    pending(undecided)
    screen = on_a_terminal(undecided, "review", keys=((WHAT_NOW, "?"), ("waits for you", "d"), (WHAT_NOW, "m")))
    assert "1 of 2  pending  note" in screen
    assert "Captured by the rule `statement` (0 kept, 0 dropped in this project)." in screen
    assert "2 of 2  conflict  preference" in screen
    assert "from this turn:" in screen
    assert "Decided 2. `recollect undo` takes back the last one." in screen
    assert max(map(len, screen.splitlines())) <= 80
    assert review(undecided) == []
    assert preferences(undecided) == [PNPM.rstrip(".")]


def test_skip_and_quit_change_nothing(undecided):
    pending(undecided)
    before = kept(undecided)
    screen = on_a_terminal(undecided, "review", keys=((WHAT_NOW, "s"), ("2 of 2", "q")))
    assert "Decided 0, 2 left." in screen
    assert kept(undecided) == before


def test_an_edit_in_the_review_keeps_the_memory(undecided, tmp_path):
    pending(undecided)
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/Squash the commits of a branch/Never squash/" "$1"\n')
    editor.chmod(0o755)
    on_a_terminal(undecided, "review", keys=((WHAT_NOW, "e"), ("2 of 2", "q")), EDITOR=str(editor))
    (note,) = kept(undecided, "note")
    assert (note["text"], note["confidence"]) == ("Never squash", 0.95)
    assert len(review(undecided)) == 1


def test_merge_of_a_pending_memory_asks_for_the_other_one(box):
    pending(box)
    box.run("remember", "Merge branches as they are", "--title", "Merge as is")
    on_a_terminal(box, "review", keys=((WHAT_NOW, "m"), ("Replace which memory", "merge-as-is\n")))
    assert box.run("show", "merge-as-is", "--json").json["status"] == "retired"
    assert review(box) == []
