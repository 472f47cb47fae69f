import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.errors import UnreadableFile
from recollect.formats import experience_store
from recollect.model import text
from recollect.model.content import Text
from recollect.model.memory import Memory

NOW = "2026-03-01T12:00:00Z"
EXPERIENCE = {
    "id": "exp_1767323045678_ab12cd34",
    "text": "The migration failed\nuntil the lock was released",
    "category": "learned",
    "sessionId": "main",
    "recordId": "7f1c",
    "timestamp": "2026-01-02T03:04:05.678Z",
    "vector": [0.5, 0.5],
}


def read(found):
    source = found if isinstance(found, str) else json.dumps(found)
    return experience_store.decode(source, project="here", now=NOW)


def one(**changes):
    memories, problems = read({"version": 1, "experiences": [{**EXPERIENCE, **changes}]})
    assert problems == []
    return memories[0]


def test_an_experience_is_read_as_a_memory():
    assert one() == Memory(
        uid="exp_1767323045678_ab12cd34",
        slug="the-migration-failed",
        kind="experience",
        title="The migration failed",
        content=Text(text="The migration failed\nuntil the lock was released"),
        project="here",
        session="main",
        origin="import",
        created_at="2026-01-02T03:04:05Z",
        updated_at="2026-01-02T03:04:05Z",
    )


@each("name", ["experiences", "chunks", "items"])
def test_the_list_has_one_of_three_names(name):
    assert [memory.uid for memory in read({"version": 1, name: [EXPERIENCE]})[0]] == [EXPERIENCE["id"]]


def test_a_bare_list_and_experiences_by_id_are_read_too():
    assert read([EXPERIENCE]) == read({"items": {"exp_1": EXPERIENCE}}) == ([one()], [])


@each(
    ("category", "tags"),
    [("learned", ()), ("turn-summary", ()), ("Recipe Box", ("recipe box",)), ("", ()), (None, ()), (["note"], ())],
)
def test_a_category_that_is_not_a_kind_is_a_tag(category, tags):
    assert one(category=category).tags == tags


@each(
    ("timestamp", "created_at"),
    [
        ("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z"),
        (1_767_323_045_678, "2026-01-02T03:04:05Z"),
        (1_767_323_045, "2026-01-02T03:04:05Z"),
        (1_767_323_045.5, "2026-01-02T03:04:05Z"),
        ("last week", NOW),
        (None, NOW),
        (True, NOW),
        (float("nan"), NOW),
        (float("inf"), NOW),
        (10**400, NOW),
        (-1, NOW),
        ("0001-01-01T00:00:00+14:00", NOW),
    ],
)
def test_the_timestamp_is_a_time_or_milliseconds_or_now(timestamp, created_at):
    memory = one(timestamp=timestamp)

    assert (memory.created_at, memory.updated_at) == (created_at, created_at)


def test_a_chunk_of_the_other_index_tells_its_time_by_another_name():
    chunk = {"id": "c1", "text": "said", "updatedAt": "2026-01-02T03:04:05Z"}

    assert read({"chunks": [chunk]})[0][0].created_at == "2026-01-02T03:04:05Z"


@each("uid", [None, 5, "", "fact-1", "two words", "a" * 81, "\0"])
def test_an_id_that_cannot_be_ours_is_replaced(uid):
    assert one(id=uid).uid.startswith("019b7ca")


def test_an_id_that_comes_twice_does_not_cost_the_second_memory():
    memories, problems = read([EXPERIENCE, {**EXPERIENCE, "text": "something else"}])

    assert [memory.text for memory in memories] == [EXPERIENCE["text"], "something else"]
    assert len({memory.uid for memory in memories}) == 2
    assert problems == []


def test_what_cannot_be_used_is_named_and_the_rest_is_read():
    memories, problems = read({"experiences": [5, None, {"id": "exp_2"}, {"text": " \n"}, {"text": [1]}, EXPERIENCE]})

    assert memories == [one()]
    assert problems == [f"experience {name}: has no text" for name in ("1", "2", "exp_2", "4", "5")]


@each("found", [{}, {"version": 1}, {"experiences": "none"}, 5, None, "null", True])
def test_a_file_without_a_list_says_so(found):
    memories, problems = read(found)

    assert memories == []
    assert problems == ["no list of experiences: none of the keys experiences, chunks, items"]


@each("source", ["", "text", "{", "[" * 100_000, "[" + "9" * 5_000 + "]"])
def test_what_is_not_json_is_unreadable(source):
    with pytest.raises(UnreadableFile, match="not JSON"):
        read(source)


def test_a_text_without_latin_letters_still_gives_a_slug():
    assert one(text="日本").slug == "note-" + text.sha256("日本")[:8]


def test_half_an_emoji_and_a_nul_do_not_cost_the_memory():
    assert one(text="cut \ud83d here\0").text == "cut \ufffd here\ufffd"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(json_values, st.dictionaries(st.sampled_from(sorted(EXPERIENCE)), json_values))
def test_no_json_at_all_makes_the_reader_fail(found, fields):
    read(json.dumps(found))
    read([{**EXPERIENCE, **fields}, fields, found])


@given(st.text(st.characters()))
def test_no_text_at_all_makes_the_reader_fail_in_another_way(source):
    with contextlib.suppress(UnreadableFile):
        read(source)
