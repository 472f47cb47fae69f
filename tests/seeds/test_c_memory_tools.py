"""CursorClaw's tools for its main session: recall_memory and remember_this."""

import json

import pytest


def tool(box, code=0, **request):
    """What the memory tool answers."""
    return json.loads(box.run("memory", json.dumps(request), code=code).out)


@pytest.mark.seed("C12")
def test_recall_memory_gives_the_entries_most_like_the_question_best_first(box):
    tool(box, operation="remember_this", text="Pizza is the team lunch preference", sensitivity="public")
    tool(box, operation="remember_this", text="The deployment needs a second pair of eyes", sensitivity="public")

    found = tool(box, operation="recall_memory", query="team pizza")["output"]["results"]

    assert found[0]["text"] == "Pizza is the team lunch preference"
    assert found[0]["score"] == pytest.approx(0.5774, abs=1e-4)


@pytest.mark.seed("C12")
@pytest.mark.parametrize(("top_k", "number"), [(None, 5), (1, 1), (20, 8)])
def test_recall_memory_gives_five_entries_unless_told_otherwise(box, top_k, number):
    for day in range(8):
        tool(box, operation="remember_this", text=f"Lunch on day {day} was pizza", sensitivity="public")
    asked = {"operation": "recall_memory", "query": "pizza lunch"} | ({"top_k": top_k} if top_k else {})

    assert tool(box, **asked)["output"]["count"] == number


@pytest.mark.seed("C12")
@pytest.mark.parametrize("top_k", [0, 21])
def test_recall_memory_refuses_numbers_out_of_its_range(box, top_k):
    assert not tool(box, code=1, operation="recall_memory", query="pizza", top_k=top_k)["success"]


@pytest.mark.seed("C12")
@pytest.mark.parametrize(
    ("where", "is_answered"),
    [
        ({}, True),
        ({"channel": "web"}, True),
        ({"channel": "dm"}, True),
        ({"channel": "mobile"}, True),
        ({"channel": "group"}, False),
        ({"channel": "group", "session_id": "heartbeat:7"}, True),
    ],
)
def test_recall_memory_answers_the_main_and_the_heartbeat_session_alone(box, where, is_answered):
    reply = tool(box, code=None, operation="recall_memory", query="pizza", **where)

    assert reply["success"] is is_answered
    if not is_answered:
        assert reply["error"]["message"] == "recall_memory is only available in the main or heartbeat session."


@pytest.mark.seed("C13")
def test_remember_this_keeps_a_note_of_the_operators_own_for_the_user_alone(box):
    reply = tool(box, operation="remember_this", text="I prefer tabs")["output"]

    kept = json.loads(box.run("show", reply["id"], "--json").out)
    assert reply == {"ok": True, "id": kept["uid"]}
    assert (kept["kind"], kept["sensitivity"], kept["channel"], kept["confidence"]) == (
        "note",
        "personal",
        "operator",
        1.0,
    )


@pytest.mark.seed("C13")
@pytest.mark.parametrize(("said", "kept"), [("secret", "secret"), ("public", "public"), ("no such level", "personal")])
def test_remember_this_takes_a_sensitivity_and_an_unknown_one_for_private(box, said, kept):
    made = tool(box, operation="remember_this", text="The gate has a bell", sensitivity=said)["output"]

    assert json.loads(box.run("show", made["id"], "--json").out)["sensitivity"] == kept
