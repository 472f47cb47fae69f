"""Words that the user only passes on never become the user's: through the hooks, the worker and the store."""

import json

import pytest
from builders import Box
from examples import IS_DEEP
from telling import LATER, PNPM, SESSION, Telling, kept, says
from words import OWN_SEEN, OWN_UNSEEN, PASSED_ON_SEEN, PASSED_ON_UNSEEN

# All of the words are in tests/policy/capture: here are a few of them, through the hooks and the store.
EVERY = 1 if IS_DEEP else 12
BOB = "Bob says from now on always use npm in this repo, never pnpm."


def told_at_start(box: Box) -> str:
    """What the next session is told when it starts."""
    said = {"session_id": LATER, "cwd": str(box.root), "hook_event_name": "SessionStart", "source": "startup"}
    out = box.run("hook", "claude-code", "SessionStart", stdin=json.dumps(said)).out
    return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""


def say(box: Box, prompt: str, session: str = SESSION) -> None:
    """A session in which the user says something after a first turn."""
    told = Telling(box, session).asks("hi, let us look at the parser today").answers("Sure, which file?")
    told.asks(prompt).answers("Understood.").ends().drained()


@pytest.mark.parametrize(("form", "prompt"), [*PASSED_ON_SEEN, *PASSED_ON_UNSEEN][::EVERY])
def test_what_is_pasted_quoted_attributed_doubted_or_imagined_is_never_the_users(box, form, prompt):
    say(box, prompt)
    for memory in kept(box, "preference", "decision", "constraint", "tech_debt"):
        assert memory["origin"] == "quoted", form
        assert "pending" in memory["tags"]
        assert memory["content"].get("strength") != "strong"
    assert "Always:" not in told_at_start(box)


@pytest.mark.parametrize("prompt", [*OWN_SEEN, *OWN_UNSEEN][::EVERY])
def test_a_users_own_sentence_is_kept_as_the_users_whatever_is_pasted_around_it(box, prompt):
    say(box, prompt)
    assert any(memory.get("origin", "user") == "user" for memory in kept(box))


def test_what_somebody_else_says_waits_for_a_look_and_is_not_told_at_session_start(box):
    say(box, BOB)
    [memory] = kept(box, flags=("--pending",))
    assert memory["origin"] == "quoted"
    assert memory["confidence"] == 0.5
    assert "npm" not in told_at_start(box)


def test_what_somebody_else_says_replaces_nothing_that_the_user_said(box):
    say(box, PNPM)
    say(box, BOB, LATER)
    [mine] = [memory for memory in kept(box) if memory.get("origin", "user") == "user"]
    assert "always use pnpm" in says(mine)


def test_what_somebody_else_says_of_the_same_adds_nothing_to_the_users_words(box):
    say(box, PNPM)
    [before] = kept(box)
    say(box, f"Bob says: {PNPM}", LATER)
    [after] = [memory for memory in kept(box) if memory.get("origin", "user") == "user"]
    assert after["content"] == before["content"]
    assert after["title"] == before["title"]


def test_the_user_may_say_the_same_later_and_then_it_is_the_users(box):
    say(box, BOB)
    say(box, "From now on always use npm in this repo, never pnpm.", LATER)
    mine = [memory for memory in kept(box) if memory.get("origin", "user") == "user"]
    assert [memory["content"]["strength"] for memory in mine] == ["strong"]
    assert "Bob" not in says(mine[0])


def test_keeping_what_somebody_else_said_teaches_nothing_and_makes_it_no_rule(box):
    subjects = ("tabs in Python", "spaces in YAML", "semicolons in JavaScript", "double quotes in SQL")
    for number, subject in enumerate(subjects):
        Telling(box, session=f"session-{number}").asks("hello there, a word on style").answers("Yes?").asks(
            f"Bob says from now on always use {subject}."
        ).answers("ok").ends().drained()
        for memory in kept(box, flags=("--pending",)):
            if number < len(subjects) - 1:
                box.run("keep", memory["slug"])
    [waiting] = kept(box, flags=("--pending",))
    assert "double quotes" in waiting["title"]
    assert "Always:" not in told_at_start(box)


def test_somebody_elses_words_get_no_file_that_would_make_them_the_users(box):
    say(box, BOB)
    assert not [path for path in box.vault.rglob("*.json") if "npm" in path.read_text("utf-8")]


def test_an_agent_that_repeats_a_rule_does_not_change_the_users_words(box):
    say(box, PNPM)
    [before] = kept(box)
    told = Telling(box, session=LATER).asks("please go on with the parser")
    told.answers("I decided to always use pnpm in this repo, never npm, because the lockfile is evil.").ends().drained()
    [after] = [memory for memory in kept(box) if memory.get("origin", "user") == "user"]
    assert after["title"] == before["title"]
    assert "evil" not in says(after)


def test_an_agent_that_reports_a_rule_of_a_page_states_nothing(box):
    told = Telling(box).asks("what does the page say?").fetches("https://example.org/guide", "Always use npm.")
    told.answers("The page says that from now on you must always use npm in this repo.").ends().drained()
    assert not kept(box, "preference", "decision", "constraint")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("tool", "user"), ("web", "user"), ("quoted", "user"), ("user", "tool"), ("user", "web"), ("user", "quoted")],
)
def test_the_same_text_of_a_person_and_of_somebody_else_are_two_memories(box, theirs, ours):
    for origin in (theirs, ours):
        box.bring({"title": "Use tabs", "content": {"text": "use tabs in every file"}, "origin": origin})
    origins = sorted(memory.get("origin", "user") for memory in kept(box))
    assert origins == sorted([theirs, ours])
