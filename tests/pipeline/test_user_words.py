"""What a user says is kept wherever it is said: in a prompt, as consent, as an answer, in a rejection, queued."""

import json

import pytest
from telling import Telling, kept, only, says

OPTIONS = (
    "There are two ways:\n\n1. **Keep the tokens in Redis** - fast, lost on restart\n"
    "2. **Keep the tokens in Postgres** - slower, survives a restart\n\nWhich one do you prefer?"
)
REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


def rejection(words, call="toolu_1", at="2026-03-01T09:00:30Z"):
    block = {"type": "tool_result", "tool_use_id": call, "is_error": True, "content": f"{REJECTED}{words}"}
    return {"type": "user", "timestamp": at, "message": {"role": "user", "content": [block]}}


def queued(words, operation="remove", at="2026-03-01T09:00:25Z"):
    first = {"type": "queue-operation", "operation": "enqueue", "timestamp": at, "content": words}
    return [first, {"type": "queue-operation", "operation": operation, "timestamp": at}]


def with_transcript(box, *records):
    place = box.folder / "transcript.jsonl"
    place.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return {"transcript_path": str(place)}


def test_a_rule_in_the_first_prompt_is_kept_without_the_task_around_it(box):
    Telling(box).asks(
        "Add the refund endpoint. By the way: amounts are always in minor units, never floats. Then run the tests."
    ).answers("Done.").ends().drained()
    wish = only(box)
    assert wish["content"]["value"] == "amounts are always in minor units, never floats."
    assert "pending" not in wish["tags"]


def test_two_rules_of_a_prompt_stay_two_when_the_session_goes_on(box):
    telling = Telling(box).asks("We use pnpm for all packages. Never push to main.").answers("Ok.")
    telling.drained()
    telling.asks("We use pnpm for all packages, ok?").answers("Yes.").asks("never push to main").answers(
        "Ok."
    ).drained()
    telling.edits("package.json", '"packageManager": "pnpm@9"').answers("Done.").ends().drained()
    assert sorted(memory["title"] for memory in kept(box, "preference")) == [
        "Never push to main",
        "We use pnpm for all packages",
    ]


def test_a_short_rule_in_a_long_prompt_is_memorable_enough(box):
    task = "Please look at the parser, the lexer, the printer and the server and tell me how they fit together. "
    Telling(box).asks(f"{task * 2}From now on we use tabs. {task * 2}").answers("Ok.").ends().drained()
    assert only(box)["title"] == "We use tabs"


def test_a_fact_that_the_user_states_does_not_expire(box):
    Telling(box).asks("the frontend dev server runs on port 3001").answers("Ok.").ends().drained()
    fact = only(box, "discovery")
    assert fact["expires_at"] is None
    assert fact["origin"] == "user"


@pytest.mark.parametrize("said", ["let's go with option 2", "do the second", "2", "yes, the second one please"])
def test_consent_is_kept_as_the_option_that_was_agreed_to(box, said):
    Telling(box).asks("where do the tokens go?").answers(OPTIONS).asks(said).answers("Ok.").ends().drained()
    choice = only(box)
    assert (choice["kind"], choice["origin"]) == ("decision", "user")
    assert choice["title"] == "Keep the tokens in Postgres"
    assert choice["content"]["context"] == "Which one do you prefer?"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (OPTIONS, "yes"),
        (OPTIONS, "option 3"),
        ("It is done. Should I commit it?", "yes"),
        ("Done: 1. renamed it 2. moved it", "2"),
    ],
)
def test_consent_that_cannot_be_resolved_or_is_only_about_now_is_dropped(box, before, said):
    Telling(box).asks("hi").answers(before).asks(said).answers("Ok.").ends().drained()
    assert kept(box) == []


def test_an_answer_to_a_question_of_the_agent_is_a_decision(box):
    question = {
        "question": "Which database should we use for jobs?", "header": "Database", "multiSelect": False,
        "options": [{"label": "Postgres (Recommended)", "description": "we run it already"}, {"label": "Redis"}],
    }  # fmt: skip
    push = {"question": "Ready to push?", "header": "Next", "options": [{"label": "Yes, push"}]}
    answers = {question["question"]: "Postgres (Recommended)", push["question"]: "Yes, push"}
    Telling(box).asks("add a job queue").tool(
        "AskUserQuestion", {"questions": [question, push]}, {"questions": [question, push], "answers": answers}
    ).answers("Ok.").ends().drained()
    choice = only(box)
    assert (choice["kind"], choice["origin"], choice["title"]) == ("decision", "user", "Database for jobs: Postgres")
    assert choice["content"]["rationale"] == ["we run it already"]


def test_a_question_about_how_to_go_on_is_no_context_of_what_the_user_answered_in_own_words(box):
    question = {"question": "Plan ready. What would you like to do next?", "header": "Next", "options": []}
    answers = {question["question"]: "the warning is only ever suppressed by a flag, never by a prompt"}
    Telling(box).asks("plan the warning").tool(
        "AskUserQuestion", {"questions": [question]}, {"questions": [question], "answers": answers}
    ).answers("Ok.").ends().drained()
    assert not only(box)["content"].get("context")


def test_words_of_a_rejection_and_of_a_queued_prompt_are_read_from_the_transcript_once(box):
    told = with_transcript(
        box,
        rejection("we never write to the replica"),
        *queued("all timestamps are stored in UTC"),
        rejection("try again"),
    )
    telling = Telling(box, fields=told).asks("fix the sync").answers("Ok.")
    telling.drained()
    telling.asks("go on").answers("Done.").ends().drained()
    assert sorted(memory["title"] for memory in kept(box)) == [
        "All timestamps are stored in UTC",
        "We never write to the replica",
    ]


def test_a_queued_prompt_that_was_submitted_later_counts_once(box):
    rule = "all timestamps are stored in UTC"
    told = with_transcript(box, *queued(rule, operation="dequeue"))
    Telling(box, fields=told).asks("fix the sync").answers("Ok.").asks(rule).answers("Ok.").ends().drained()
    assert rule in says(only(box)).lower().replace("utc", "UTC")


def test_a_transcript_outside_of_the_users_folders_is_not_read(box):
    Telling(box, fields={"transcript_path": "/etc/passwd"}).asks("hi").answers("Ok.").ends().drained()
    assert kept(box) == []


@pytest.mark.parametrize(
    "report",
    [
        "Now both places keep the `AgentType` because the state is read before it is written.",
        "The fix works because `init()` is called first.",
        "Consider noting in the changelog that `parse()` never returns null.",
        "Creates a session and never saves it, because `save()` is mocked.",
        "The branch is rebased, `main` has no conflicts.",
        "We could use `redis` instead of `memcached` because it is faster.",
    ],
)
def test_what_an_agent_reports_offers_or_guesses_is_no_finding(box, report):
    Telling(box).asks("how is it?").answers(f"{report} All tests pass.").ends().drained()
    assert kept(box, "discovery", "decision", "constraint") == []


def test_a_finding_of_an_agent_is_kept_by_itself(box):
    finding = "The root cause: `t.Chdir()` changes the directory of the whole process, so `t.Parallel()` is impossible."
    Telling(box).asks("why is it slow?").answers(f"{finding} I'll look at it next. Shall I?").ends().drained()
    found = only(box, "discovery")
    assert found["origin"] == "assistant"
    assert "Chdir" in found["title"]
    assert "Shall I" not in says(found)
