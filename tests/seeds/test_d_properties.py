"""`recollect memory` whatever it is asked: one JSON object, success or not, and no harm done (D16)."""

import json

import pytest
from builders import Box
from examples import few
from hypothesis import assume, given
from hypothesis import strategies as st

from recollect.model import text as texts

CONCEPTS = ("how-it-works", "why-it-exists", "what-changed", "problem-solution", "gotcha", "pattern", "trade-off")
ID = "0123456789abcdef01234567"
# What each operation needs, and every field that it knows.
NEEDS = {
    "store_memory": {"content": "some words"},
    "search_memories": {"query": "words"},
    "list_memories": {},
    "get_memory": {"id": ID},
    "update_memory": {"id": ID},
    "delete_memory": {"id": ID},
    "search_by_file": {"file_path": "a.py"},
    "search_by_concept": {"concept": "gotcha"},
    "get_timeline": {},
    "store_fact": {"subject": "a", "predicate": "b", "object": "c"},
    "query_facts": {},
    "delete_fact": {"id": "fact-x"},
    "purge_expired": {},
    "summarize_old": {},
}
GATED = ("include_private", "include_secret", "session_id", "project")
DETAILS = (
    "title", "subtitle", "type", "category", "importance", "confidence", "sensitivity", "tags", "concepts",
    "files_read", "files_modified", "ttl_days",
)  # fmt: skip
KNOWS = {
    "store_memory": ("content", *DETAILS, "session_id", "project"),
    "search_memories": ("query", "limit", "min_score", "type", "category", *GATED),
    "list_memories": ("limit", "offset", "type", "category", *GATED),
    "get_memory": ("id", "memory_id", *GATED),
    "update_memory": ("id", "content", *DETAILS),
    "delete_memory": ("id",),
    "search_by_file": ("file_path", "path", "file", "limit", *GATED),
    "search_by_concept": ("concept", "limit", *GATED),
    "get_timeline": ("limit", *GATED),
    "store_fact": ("subject", "predicate", "object", "confidence", "source_memory_id", "project"),
    "query_facts": ("subject", "predicate", "object", "min_confidence", "limit", "project"),
    "delete_fact": ("id", "fact_id"),
    "purge_expired": ("project",),
    "summarize_old": ("days", "older_than_days", "project"),
}
WRITES = ("created", "merged", "updated", "purged", "asserted", "refreshed", "retracted", "archived", "retired")

odd = st.sampled_from(
    "\0\x07\x1b\x7f\x85\u200b\u200f\u2028\u202e\u2066\ufeff\U000e0041\ud800\udfff\ufffd\uffff'\"\\%_*;,\n\r\t 🦊"
)
texts_of_all_kinds = st.text(st.one_of(st.characters(), odd), max_size=40)
halves = st.text(st.characters(categories=["Cs"]), min_size=1, max_size=3)
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**63, -(2**63) - 1, 10**400, 1e308]),
    st.floats(),
    texts_of_all_kinds,
    st.sampled_from(["", " ", "0", "-1", "public", "change", "decision", "private", "gotcha", ID, "a.py"]),
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=15) | st.dictionaries(texts_of_all_kinds, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def requests(draw):
    """An operation with what it needs, some of whose fields hold anything."""
    operation = draw(st.sampled_from(sorted(NEEDS)))
    fields = draw(st.lists(st.sampled_from(KNOWS[operation]), min_size=1, max_size=3, unique=True))
    return {"operation": operation, **NEEDS[operation], **{name: draw(values) for name in fields}}


@pytest.fixture
def box(make_box) -> Box:
    """A user in a folder, who has stated a fact."""
    box = make_box(git=False)
    ask(box, {"operation": "store_fact", "subject": "s", "predicate": "p", "object": "o"})
    return box


def ask(box, request):
    """The reply, which is one line of JSON and agrees with the exit code, however odd the request."""
    done = box.run("memory", stdin=json.dumps(request), code=None)
    assert done.code in (0, 1)
    assert done.out.count("\n") == 1
    assert "Traceback" not in done.err
    reply = done.json
    assert reply["success"] is (done.code == 0)
    if reply["success"]:
        assert isinstance(reply["output"], dict)
    else:
        assert reply["error"]["message"]
        assert not reply["error"].get("code", "").startswith(("STORE", "DISK")), reply
    return reply


def journal(box):
    return (box.home / "journal.jsonl").read_bytes()


def total(box):
    shown = {"operation": "list_memories", "include_private": True, "include_secret": True}
    return ask(box, shown)["output"]["total"]


@pytest.mark.seed("D16")
@few(10)
@given(request_=values)
def test_any_json_value_as_a_request_is_answered(box, request_):
    before = journal(box)

    reply = ask(box, request_)

    assert reply["success"] is False
    assert journal(box) == before


@pytest.mark.seed("D16")
@few(10)
@given(operation=texts_of_all_kinds | st.sampled_from(["STORE_MEMORY", "store_memory ", "store-memory", "__init__"]))
def test_any_name_of_an_operation_that_is_none_is_named(box, operation):
    assume(operation not in NEEDS)

    reply = ask(box, {"operation": operation, "content": "x"})

    assert reply["error"]["message"] == f"unknown operation: {texts.storable(operation)[:80]}"


@pytest.mark.seed("D16")
@few(10)
@given(request_=requests())
def test_any_value_in_any_field_is_answered_and_a_refusal_changes_nothing(box, request_):
    known = ask(box, {"operation": "store_memory", "content": "known words"})["output"]["id"]
    before, number = journal(box), total(box)

    reply = ask(box, json.loads(json.dumps(request_).replace(ID, known)))

    if not reply["success"]:
        assert journal(box) == before
        assert total(box) == number
    lines = [json.loads(line) for line in journal(box)[len(before) :].splitlines()]
    assert {line["action"] for line in lines} <= {*WRITES, "touched"}
    if request_["operation"].startswith(("search", "get", "list", "query")):
        assert {line["action"] for line in lines} <= {"touched"}


@pytest.mark.seed("D16")
@few(10)
@given(data=st.data(), half=halves, more=texts_of_all_kinds)
def test_half_a_character_in_any_field_is_answered(box, data, half, more):
    operation = data.draw(st.sampled_from(sorted(NEEDS)))
    field = data.draw(st.sampled_from(("operation", *KNOWS[operation])))
    value = data.draw(st.sampled_from([more + half, [half + more], {half: more}]))

    ask(box, {"operation": operation, **NEEDS[operation], field: value})


@pytest.mark.seed("D16")
@few(10)
@given(said=texts_of_all_kinds, title=texts_of_all_kinds)
def test_what_is_stored_comes_back_without_what_hides(box, said, title):
    wanted = texts.clean_body(texts.storable(said)).strip()
    assume(wanted)

    reply = ask(box, {"operation": "store_memory", "content": said, "title": title, "subtitle": title})
    found = ask(box, {"operation": "get_memory", "id": reply["output"]["id"]})["output"]

    assert found["content"] == wanted
    for name in ("title", "subtitle"):
        assert found[name] == texts.clean_line(found[name])


@pytest.mark.seed("D16")
@few(10)
@given(said=texts_of_all_kinds)
def test_what_hides_in_tags_paths_and_facts_is_cleaned_or_refused(box, said):
    request = {"operation": "store_memory", "content": f"x {said}", "tags": [said], "files_read": [said]}
    uid = ask(box, request | {"category": said})["output"]["id"]
    fact = ask(box, {"operation": "store_fact", "subject": said, "predicate": said, "object": said})

    found = ask(box, {"operation": "get_memory", "id": uid})["output"]
    lines = [*found["tags"], *found["files_read"], found["category"]]
    if fact["success"]:
        lines += [fact["output"][part] for part in ("subject", "predicate", "object")]
    assert [line for line in lines if line.strip() != texts.clean_line(line)] == []


@few(10)
@given(
    contents=st.lists(texts_of_all_kinds, max_size=3),
    query=texts_of_all_kinds,
    least=st.sampled_from([None, 0, 0.35, 1]),
)
def test_any_query_is_ranked(box, contents, query, least):
    assume(query.strip())
    for one in contents:
        ask(box, {"operation": "store_memory", "content": f"{one} words"})

    reply = ask(box, {"operation": "search_memories", "query": f"{query} words", "min_score": least})

    found = reply["output"]["memories"]
    scores = [one["_score"] for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(
        0 <= one[name] <= 1 and round(one[name], 3) == one[name] for one in found for name in ("_score", "_match")
    )
    assert all(score >= (0.35 if least is None else least) - 0.0005 for score in scores)


metadata = st.fixed_dictionaries(
    {
        "tags": st.lists(st.sampled_from("abcdef"), max_size=4, unique=True),
        "concepts": st.lists(st.sampled_from(CONCEPTS), max_size=3, unique=True),
        "files_read": st.lists(st.sampled_from(["a.py", "b_c.py", "d%.py"]), max_size=3, unique=True),
        "importance": st.floats(0, 1),
        "sensitivity": st.sampled_from(["public", "operational", "personal", "private", "secret"]),
        "ttl_days": st.just(0),
    }
)


@pytest.mark.seed("D9")
@few(10)
@given(said=st.lists(metadata, min_size=2, max_size=3), number=st.integers(0, 10**9))
def test_however_often_a_text_is_stored_there_is_one_memory_with_all_of_its_metadata(box, said, number):
    levels = ("public", "operational", "personal", "private", "secret")
    uids = {
        ask(box, {"operation": "store_memory", "content": f"text {number} {said}", **one})["output"]["id"]
        for one in said
    }

    (uid,) = uids
    request = {"operation": "get_memory", "id": uid, "include_private": True, "include_secret": True}
    found = ask(box, request)["output"]
    for name in ("tags", "concepts", "files_read"):
        assert sorted(found[name]) == sorted({value for one in said for value in one[name]})
    assert found["importance"] == max(one["importance"] for one in said)
    assert found["sensitivity"] == max((one["sensitivity"] for one in said), key=levels.index)


observation = st.fixed_dictionaries(
    {
        "importance": st.floats(0, 1),
        "type": st.sampled_from(["change", "discovery", "bugfix"]),
        "ttl_days": st.integers(1, 300),
    }
)


@pytest.mark.seed("D12")
@few(10)
@given(said=st.lists(observation, min_size=1, max_size=6), limit=st.integers(1, 4))
def test_whatever_is_stored_the_cap_holds_and_the_newest_is_there(box, said, limit):
    box.settings["RECOLLECT_CAPTURE__MAX_MEMORIES"] = str(limit)
    for number, one in enumerate(said):
        uid = ask(box, {"operation": "store_memory", "content": f"{number} of {said}", **one})["output"]["id"]

        found = ask(box, {"operation": "list_memories", "limit": 1000})["output"]["memories"]
        assert len([one for one in found if one["expires_at"]]) <= limit
        assert uid in [one["id"] for one in found]


@pytest.mark.seed("D13")
@few(10)
@given(parts=st.tuples(*[texts_of_all_kinds] * 3), confidence=st.floats(0, 1))
def test_a_fact_is_found_by_what_it_says(box, parts, confidence):
    named = dict(zip(("subject", "predicate", "object"), parts, strict=True))
    cleaned = {name: texts.clean_line(texts.storable(part)) for name, part in named.items()}

    reply = ask(box, {"operation": "store_fact", **named, "confidence": confidence})

    assert reply["success"] is all(cleaned.values())
    if reply["success"]:
        request = {"operation": "query_facts", **cleaned, "min_confidence": confidence}
        assert [one["id"] for one in ask(box, request)["output"]["facts"]] == [reply["output"]["id"]]
