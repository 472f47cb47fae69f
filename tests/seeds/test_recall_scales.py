"""Time scales: how far a memory reaches by its age, and how many of each an agent is told with a prompt."""

import itertools
import json
from datetime import datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
from tables import each

from recollect.hooks.injection import prompt as injection
from recollect.model.found_memory import COLUMNS, FoundMemory
from recollect.policy.ranking import time_scales

NOW = 1_772_366_400.0
MINUTE, HOUR, DAY = 60, 3_600, 86_400
ASKS = "Which staging cluster do we use?"
PATIENCE_SECONDS = 60
_numbers = itertools.count()


def seen(name, age, hits=0, scale=None):
    """A memory as it was found, of that age in seconds; no age: nobody knows when it was made."""
    created = None if age is None else NOW - age
    row = dict.fromkeys(COLUMNS) | {"uid": name, "title": name, "created": created, "hits": hits, "scale": scale}
    return FoundMemory(tuple(row[column] for column in COLUMNS))


def allocated(found, most=5):
    return "".join(one.title for one in time_scales.allocated(found, most, NOW))


def bring(box, *memories):
    """Take in memories that say the same of another place: name and age, best first, and what else they are."""
    lines = []
    for place, (name, age, fields) in enumerate(memories):
        made = (datetime.fromisoformat(box.now) - timedelta(seconds=age)).isoformat().replace("+00:00", "Z")
        lines.append(
            {
                "uid": f"u{name}", "slug": f"m{name}", "kind": "note", "title": f"A staging cluster is called {name}",
                "content": {"text": "x"}, "project": f"path:{box.root}", "created_at": made, "updated_at": made,
                "importance": round(0.95 - 0.05 * place, 2),
            } | fields
        )  # fmt: skip
    file = box.folder / "brought.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    assert box.run("import", str(file), "--exact", "--json").json["problems"] == []


def ask(box, prompt=ASKS):
    """The names of the memories that are told, as they are told."""
    said = {"session_id": f"s{next(_numbers)}", "cwd": str(box.root), "prompt": prompt}
    out = box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(said)).out
    if not out:
        return []
    block = ET.fromstring(json.loads(out)["hookSpecificOutput"]["additionalContext"])  # noqa: S314 - our own words
    return [card.text.split("\n")[1].split()[-1] for card in block.findall("memory")]


def verdicts(box):
    """What became of each memory that was weighed the last time."""
    box.run("drain")
    weighed = box.run("why", "last", "--json").json["candidates"]
    return {one["title"].split()[-1]: one["verdict"] for one in weighed}


# -- D37: windows ------------------------------------------------------------------------------------------------------


@pytest.mark.seed("D37")
@each(
    ("age", "scale"),
    [
        (0, "immediate"), (299.999, "immediate"),
        (300, "task"), (1_799.999, "task"),
        (1_800, "session"), (7_199.999, "session"),
        (7_200, "project"), (365 * DAY, "project"),
        (-60, "immediate"),  # a clock that goes ahead
    ],
)  # fmt: skip
def test_a_scale_ends_exactly_where_the_next_begins(age, scale):
    assert time_scales.scale(NOW - age, 0, None, NOW) == scale


@pytest.mark.seed("D37")
def test_a_memory_of_an_unknown_time_is_of_the_project():
    assert time_scales.scale(None, 0, None, NOW) == "project"


# -- D37: how many of each ---------------------------------------------------------------------------------------------


@pytest.mark.seed("D37")
def test_of_many_of_each_scale_one_two_one_and_one_are_chosen_in_the_order_of_their_rank():
    ages = {"a": DAY, "b": DAY, "c": 3_600, "d": 3_600, "e": 600, "f": 600, "g": 600, "h": 60, "i": 60}

    assert allocated([seen(name, age) for name, age in ages.items()]) == "acefh"


@pytest.mark.seed("D37")
@each(
    ("ages", "most", "chosen"),
    [
        ([DAY] * 7, 5, "abcde"),  # one scale alone has all the room
        ([DAY, DAY, DAY, 60], 3, "abd"),  # what nobody of another scale takes goes to the next by rank
        ([60, 60, 60, 600, 600, 600], 5, "abcde"),
        ([DAY, 60], 5, "ab"),
        ([DAY, 3_600, 600, 600, 60], 2, "ab"),  # the better rank comes first where there is room for few
        ([DAY, 60], 0, ""),
        ([], 5, ""),
    ],
)
def test_what_a_scale_leaves_is_filled_by_rank(ages, most, chosen):
    assert allocated([seen(name, age) for name, age in zip("abcdefg", ages, strict=False)], most) == chosen


@pytest.mark.seed("D37")
def test_more_room_than_the_scales_ask_for_is_filled_by_rank_too():
    found = [seen(name, DAY) for name in "abcdefgh"]

    assert allocated(found, 7) == "abcdefg"
    assert allocated(found, 20) == "abcdefgh"


@pytest.mark.seed("D37")
def test_a_prompt_is_answered_with_some_of_every_scale(box):
    bring(
        box,
        *((name, DAY, {}) for name in "ab"), *((name, HOUR, {}) for name in "cd"),
        *((name, 10 * MINUTE, {}) for name in "efg"), *((name, MINUTE, {}) for name in "hi"),
    )  # fmt: skip

    told = ask(box)

    assert sorted(told) == list("acefh")
    assert {name: verdict for name, verdict in verdicts(box).items() if name not in told} == dict.fromkeys(
        "bdgi", injection.TOO_MANY
    )


@pytest.mark.seed("D37")
def test_a_prompt_is_answered_by_rank_where_all_is_of_one_scale(box):
    bring(box, *((name, DAY, {}) for name in "abcdefg"))

    assert ask(box) == list("abcde")


# -- D38: promotion ----------------------------------------------------------------------------------------------------


@pytest.mark.seed("D38")
@each(
    ("age", "unused", "used"),
    [
        (299, "immediate", "immediate"),  # its first window is not over
        (300, "task", "session"),
        (1_799, "task", "session"),
        (1_800, "session", "project"),
        (7_200, "project", "project"),  # there is no further one
    ],
)
@each("hits", [1, 100])
def test_a_memory_that_was_used_reaches_one_scale_further_once_its_first_window_is_over(age, unused, used, hits):
    assert time_scales.scale(NOW - age, 0, None, NOW) == unused
    assert time_scales.scale(NOW - age, hits, None, NOW) == used


@pytest.mark.seed("D38")
@each(
    ("age", "hits", "tag", "scale"),
    [
        (0, 0, "project", "project"),
        (0, 0, "session", "session"),
        (0, 1, "task", "task"),
        (DAY, 0, "immediate", "project"),  # a tag is the least that a memory reaches, not the most
        (600, 1, "task", "session"),
        (0, 0, "century", "immediate"),
        (0, 0, None, "immediate"),
    ],
)
def test_a_memory_reaches_at_least_as_far_as_its_tag(age, hits, tag, scale):
    assert time_scales.scale(NOW - age, hits, tag, NOW) == scale


@pytest.mark.seed("D38")
def test_what_was_used_competes_for_the_room_of_the_next_scale(box):
    box.settings["RECOLLECT_INJECT__MAX_MEMORIES"] = "2"
    used = {"usage": {"hits": 3}, "importance": 0.6}
    bring(box, ("a", HOUR, {}), ("b", 10 * MINUTE, used), ("c", 10 * MINUTE, {"importance": 0.4}))

    assert sorted(ask(box)) == ["a", "c"], "b is of the session's scale, as a is"


@pytest.mark.seed("D38")
def test_what_was_tagged_on_creation_competes_for_the_room_of_its_tag(box):
    box.settings["RECOLLECT_INJECT__MAX_MEMORIES"] = "2"
    bring(box, ("a", DAY, {}), ("b", MINUTE, {"scale": "project"}), ("c", MINUTE, {}))

    assert sorted(ask(box)) == ["a", "c"], "b is of the project's scale, as a is"


@pytest.mark.seed("D38")
def test_being_told_is_a_use_and_takes_a_memory_one_scale_further(box):
    box.settings["RECOLLECT_INJECT__MAX_MEMORIES"] = "2"
    bring(box, ("a", DAY, {}), ("b", HOUR, {"importance": 0.6}), ("c", MINUTE, {"importance": 0.4}))
    assert sorted(ask(box)) == ["a", "b"]
    assert verdicts(box)["c"] == injection.TOO_MANY

    assert sorted(ask(box)) == ["a", "c"], "b is of the project's scale now, as a is"


# -- D39: limits hold over all scales ----------------------------------------------------------------------------------


@pytest.mark.seed("D39")
@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, 6, 8])
def test_no_more_memories_are_told_than_are_set_whatever_their_scales(box, most):
    box.settings["RECOLLECT_INJECT__MAX_MEMORIES"] = str(most)
    ages = (DAY, HOUR, 10 * MINUTE, 10 * MINUTE, MINUTE, DAY, HOUR, MINUTE, DAY)
    bring(box, *((name, age, {}) for name, age in zip("abcdefghi", ages, strict=True)))

    assert len(ask(box)) == most


@pytest.mark.seed("D39")
def test_the_token_budget_ends_what_the_scales_allow(box):
    box.settings |= {"RECOLLECT_INJECT__TOKEN_BUDGET": "150"}
    long = {"content": {"text": "word " * 60}}
    bring(box, ("a", DAY, long), ("b", HOUR, long), ("c", 10 * MINUTE, long), ("d", MINUTE, long))

    told = ask(box)

    assert len(told) == 1
    assert {verdict for name, verdict in verdicts(box).items() if name not in told} == {injection.OVER_BUDGET}


@pytest.mark.seed("D39")
@pytest.mark.parametrize("sensitivity", ["private", "secret"])
def test_a_scale_that_holds_only_what_is_not_to_be_shown_stays_empty(box, sensitivity):
    hidden = {"sensitivity": sensitivity}
    bring(box, ("a", MINUTE, hidden), ("b", 10 * MINUTE, hidden), ("c", HOUR, hidden), ("d", DAY, {}), ("e", DAY, {}))

    assert ask(box) == ["d", "e"]
    assert set(verdicts(box)) == {"d", "e"}
