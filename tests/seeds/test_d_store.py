"""`recollect memory`: LetsGo's store, its fourteen operations and what they promise (seed 004, D1-D19, D48)."""

import contextlib
import json
import math
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from builders import Box
from tables import each

import recollect

NOW = "2026-03-01T12:00:00Z"
JUST_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
IN_90_DAYS = "2026-05-30T12:00:00Z"
MAX = "RECOLLECT_CAPTURE__MAX_MEMORIES"
WEIGHTS = "RECOLLECT_RECALL__WEIGHTS"
MEMORY_KEYS = {
    "id", "status", "type", "title", "subtitle", "content", "category", "importance", "trust", "sensitivity", "tags",
    "concepts", "files_read", "files_modified", "session_id", "project", "access_count", "created_at", "updated_at",
    "expires_at",
}  # fmt: skip
FACT_KEYS = {
    "id", "project", "subject", "predicate", "object", "confidence", "source_memory_id", "created_at", "updated_at",
}  # fmt: skip
OBSERVATIONS = ("bugfix", "feature", "refactor", "change", "discovery")
TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
PERSON = "call jane.doe@acme-corp.com first"
HALF = "a\ud800b"  # JavaScript cuts strings in the middle of an emoji


@pytest.fixture
def box(make_box):
    """A user in a folder: the tool needs neither git nor a vault."""
    return make_box(git=False)


@pytest.fixture
def vault(box):
    """The vault is on."""
    box.init()
    return box.vault


@pytest.fixture
def tool(box):
    """Ask the memory tool; its output, or the message of its error where `code` is 1."""

    def ask(operation, *, code=0, **fields):
        return asked(box, operation, code=code, **fields)

    return ask


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """A box with one memory and one fact, for tests of what changes nothing."""
    folder = tmp_path_factory.mktemp("lasting")
    box = Box(folder, folder / "store", folder / "project")
    box.root.mkdir()
    asked(box, "store_memory", content="the parser is recursive")
    asked(box, "store_fact", subject="a", predicate="b", object="c")
    return box


@pytest.fixture
def refused(lasting):
    """Ask for what cannot be; the message. Nothing changes by it."""
    before = everything(lasting)
    yield lambda operation, **fields: asked(lasting, operation, code=1, **fields)
    assert everything(lasting) == before


def everything(box):
    return state(box), (box.home / "journal.jsonl").read_bytes()


def asked(box, operation, *, code=0, **fields):
    done = box.run("memory", json.dumps({"operation": operation, **fields}), code=code)
    assert done.out.count("\n") == 1
    assert done.json["success"] is (code == 0)
    return done.json["output"] if code == 0 else done.json["error"]["message"]


@pytest.fixture
def library(box, monkeypatch):
    """Open the box's project through the library, as often as wanted, with any clock."""
    for name in ("LETSGO_HOME", "LETSGO_MEMORY_DB", "LETSGO_MEMORY_LOG", "RECOLLECT_JOURNAL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in box.env.items():
        monkeypatch.setenv(name, value)
    with contextlib.ExitStack() as stack:
        yield lambda now=None: stack.enter_context(recollect.open(box.root, now=now, actor="agent"))


def at(day, box):
    """Set the clock to noon of a day."""
    box.now = f"{day}T12:00:00Z"


def contents(found):
    return [one["content"] for one in found["memories"]]


def mirror(box):
    """The journal's mirror, without the meeting of the checkout."""
    lines = (box.home / "journal.jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line["action"] != "met"]


def state(box):
    """Every memory of every status, and every fact."""
    return sorted(box.run("export", "--everything", "--all-projects").out.splitlines())


def total(box):
    return asked(box, "list_memories", include_private=True, include_secret=True)["total"]


def taken_in(box, text):
    """What an import makes of a text."""
    place = box.folder / "import.jsonl"
    place.write_text(json.dumps({"text": text}) + "\n", "utf-8")
    return box.run("import", str(place), "--json").json["counts"]


# -- D16: the operations --------------------------------------------------------------------------------------------


@pytest.mark.seed("D16")
def test_store_memory_says_what_became_of_it(tool):
    found = tool("store_memory", content="WAL needs a checkpoint", title="WAL", ttl_days=10)

    assert found.pop("id")
    assert found == {
        "action": "created",
        "title": "WAL",
        "sensitivity": "public",
        "expires_at": "2026-03-11T12:00:00Z",
        "notes": [],
    }


@pytest.mark.seed("D16")
def test_get_memory_gives_back_everything_that_was_stored(tool):
    said = {
        "content": "FTS5 needs a rebuild after a change of its columns",
        "title": "FTS5 rebuild",
        "subtitle": "seen while migrating",
        "type": "discovery",
        "category": "database",
        "importance": 0.8,
        "sensitivity": "operational",
        "tags": ["search", "sqlite"],
        "concepts": ["gotcha", "how-it-works"],
        "files_read": ["src/a.py"],
        "files_modified": ["src/b.py"],
        "session_id": "s1",
    }

    uid = tool("store_memory", **said)["id"]
    found = tool("get_memory", id=uid)

    assert set(found) == MEMORY_KEYS
    assert {name: found[name] for name in said} == said
    assert (found["id"], found["access_count"], found["expires_at"]) == (uid, 1, IN_90_DAYS)
    assert (found["created_at"], found["updated_at"]) == (NOW, NOW)


@pytest.mark.seed("D16")
def test_an_id_may_be_shortened_and_may_be_called_memory_id(tool):
    uid = tool("store_memory", content="one")["id"]

    assert tool("get_memory", memory_id=uid)["id"] == uid
    assert tool("get_memory", id=uid[:20])["id"] == uid


@pytest.mark.seed("D16")
def test_the_beginning_of_two_ids_is_refused(tool):
    first, second = (tool("store_memory", content=text)["id"] for text in ("one", "two"))
    both = first[:10]

    assert second.startswith(both)
    assert "2 memories" in tool("get_memory", id=both, code=1)
    assert "2 memories" in tool("delete_memory", id=both, code=1)


@pytest.mark.seed("D16")
def test_update_memory_changes_what_is_named_and_nothing_else(box, tool):
    uid = tool("store_memory", content="old", title="T", tags=["a"], category="db", type="bugfix", importance=0.2)["id"]
    before = tool("get_memory", id=uid)
    at("2026-03-02", box)
    said = {
        "content": "new",
        "subtitle": "S",
        "category": "net",
        "importance": 0.9,
        "tags": ["b"],
        "concepts": ["pattern"],
        "files_read": ["x.py"],
        "files_modified": ["y.py"],
        "type": "feature",
    }

    assert tool("update_memory", id=uid, **said) == {"id": uid, "action": "updated", "notes": []}

    after = tool("get_memory", id=uid)
    same = ("id", "title", "created_at", "expires_at", "sensitivity", "project", "session_id")
    assert {name: after[name] for name in said} == said
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert after["updated_at"] == "2026-03-02T12:00:00Z"


@pytest.mark.seed("D16")
@pytest.mark.parametrize(
    ("name", "value"),
    [("title", "Other"), ("tags", []), ("concepts", []), ("category", "general"), ("importance", 0), ("ttl_days", 0)],
)
def test_each_part_can_be_updated_alone_also_to_nothing(tool, name, value):
    uid = tool("store_memory", content="x", tags=["a"], category="db", concepts=["pattern"], importance=0.3)["id"]
    before = tool("get_memory", id=uid, session_id="s")

    tool("update_memory", id=uid, **{name: value})

    after = tool("get_memory", id=uid, session_id="s")
    changed = {"ttl_days": "expires_at"}.get(name, name)
    assert {key for key in MEMORY_KEYS if after[key] != before[key]} == {changed}


@pytest.mark.seed("D16")
def test_an_update_without_a_change_says_so(tool):
    uid = tool("store_memory", content="x")["id"]

    assert tool("update_memory", id=uid)["action"] == "unchanged"
    assert tool("update_memory", id=uid, content="x", importance=0.5)["action"] == "unchanged"


@pytest.mark.seed("D16")
def test_an_unknown_type_becomes_change_when_stored_and_is_ignored_when_updated(tool):
    stored = tool("store_memory", content="x", type="opinion")
    kept = tool("store_memory", content="y", type=" BugFix ")["id"]
    updated = tool("update_memory", id=kept, type="opinion", title="Y")

    assert tool("get_memory", id=stored["id"])["type"] == "change"
    assert tool("get_memory", id=kept)["type"] == "bugfix"
    assert "opinion" in stored["notes"][0]
    assert "opinion" in updated["notes"][0]


@pytest.mark.seed("D16")
def test_delete_memory_erases(vault, box, tool):
    uid = tool("store_memory", content="x", type="note")["id"]
    assert len(box.index()) == 1

    assert tool("delete_memory", id=uid) == {"id": uid, "deleted": True}

    assert "no memory" in tool("get_memory", id=uid, code=1)
    assert tool("list_memories")["total"] == 0
    assert state(box) == []
    assert box.index() == []


@pytest.mark.seed("D16")
def test_a_deleted_text_is_not_imported_again_but_may_be_stored(box, tool):
    uid = tool("store_memory", content="wrong, but learnt")["id"]
    tool("delete_memory", id=uid)

    assert taken_in(box, "wrong, but learnt") == {"purged before": 1}
    assert tool("store_memory", content="wrong, but learnt")["action"] == "created"


@pytest.mark.seed("D16")
def test_search_memories_ranks_and_shows_its_scores(tool):
    tool("store_memory", content="the parser is recursive")
    tool("store_memory", content="nothing to do with it")

    found = tool("search_memories", query="parser")

    assert set(found) == {"memories", "count"}
    assert contents(found) == ["the parser is recursive"]
    assert set(found["memories"][0]) == MEMORY_KEYS | {"_score", "_match"}


@pytest.mark.seed("D16")
def test_search_memories_shows_ten_unless_told_otherwise(tool):
    for number in range(12):
        tool("store_memory", content=f"parser {number}")

    assert tool("search_memories", query="parser")["count"] == 10
    assert tool("search_memories", query="parser", limit=3)["count"] == 3
    assert tool("search_memories", query="parser", limit=1000)["count"] == 12


@pytest.mark.seed("D16")
def test_list_memories_pages_from_the_newest_on(box, tool):
    for number in range(5):
        at(f"2026-03-0{number + 1}", box)
        tool("store_memory", content=f"{number}", ttl_days=0)

    page = tool("list_memories", limit=2, offset=1)

    assert contents(page) == ["3", "2"]
    assert (page["count"], page["total"], page["limit"], page["offset"]) == (2, 5, 2, 1)
    assert set(page["memories"][0]) == MEMORY_KEYS
    assert contents(tool("list_memories", offset=4)) == ["0"]
    assert contents(tool("list_memories", offset=5)) == []


@pytest.mark.seed("D16")
def test_list_and_search_can_be_narrowed_to_a_type_a_category_and_a_project(tool):
    for kind, named, where in (("bugfix", "db", None), ("change", "net", None), ("bugfix", "general", "other")):
        tool("store_memory", content=f"word {kind} {named}", type=kind, category=named, project=where)

    for operation, more in (("list_memories", {}), ("search_memories", {"query": "word", "min_score": 0})):
        assert contents(tool(operation, type="bugfix", **more)) == ["word bugfix db"]
        assert contents(tool(operation, category="net", **more)) == ["word change net"]
        assert contents(tool(operation, category="general", **more)) == []
        assert contents(tool(operation, category="general", project="other", **more)) == ["word bugfix general"]
        assert contents(tool(operation, type="opinion", **more)) == []


@pytest.mark.seed("D16")
@pytest.mark.parametrize("named", ["db", "Data Base", "größe", "a/b", "a_b%", "category:x"])
def test_a_category_finds_what_was_stored_under_it(tool, named):
    tool("store_memory", content="x", category=named)
    tool("store_memory", content="y")

    assert contents(tool("list_memories", category=named)) == ["x"]
    assert contents(tool("list_memories", category="general")) == ["y"]


@pytest.mark.seed("D16")
@pytest.mark.parametrize("named", ["General", "a, b", " db ", "a -> b", "x\ty", "bell\x07"])
def test_a_category_finds_what_was_stored_under_it_as_it_was_said_and_as_it_is_shown(tool, named):
    shown = tool("get_memory", id=tool("store_memory", content="x", category=named)["id"])["category"]

    assert [contents(tool("list_memories", category=one)) for one in (named, shown)] == [["x"], ["x"]]


@pytest.mark.seed("D9", "D16")
def test_a_memory_has_one_category(tool):
    tool("store_memory", content="x", category="one")
    tool("store_memory", content="x", category="two")

    listed = [tool("list_memories", category=named)["count"] for named in ("one", "two")]

    assert sorted(listed) == [0, 1]


@pytest.mark.seed("D16")
def test_search_by_concept_finds_the_memories_of_a_concept(tool):
    tool("store_memory", content="x", concepts=["gotcha", "pattern"])
    tool("store_memory", content="y", concepts="pattern, trade-off")
    tool("store_memory", content="gotcha")

    assert contents(tool("search_by_concept", concept="gotcha")) == ["x"]
    assert set(contents(tool("search_by_concept", concept="pattern"))) == {"x", "y"}
    assert tool("search_by_concept", concept="pattern", limit=1)["count"] == 1
    assert set(tool("search_by_concept", concept="trade-off")["memories"][0]) == MEMORY_KEYS
    assert "concept" in tool("search_by_concept", concept="mood", code=1)
    assert "concepts" in tool("store_memory", content="z", concepts=["mood"], code=1)


@pytest.mark.seed("D16")
def test_get_timeline_tells_a_session_or_a_project_in_order(box, tool):
    for number, session in enumerate(["s1", "s2", "s1"]):
        at(f"2026-03-0{number + 1}", box)
        tool("store_memory", content=f"{number}", session_id=session, ttl_days=0)
    tool("store_memory", content="elsewhere", project="other")

    assert contents(tool("get_timeline")) == ["0", "1", "2"]
    assert contents(tool("get_timeline", session_id="s1")) == ["0", "2"]
    assert contents(tool("get_timeline", limit=2)) == ["1", "2"]
    assert contents(tool("get_timeline", project="other")) == ["elsewhere"]
    assert [one["text"] for one in box.run("timeline", "--session", "s1", "--json").json] == ["0", "2"]


@pytest.mark.seed("D16")
@pytest.mark.parametrize(
    ("operation", "missing"),
    [
        ("store_memory", "content"),
        ("search_memories", "query"),
        ("get_memory", "id"),
        ("update_memory", "id"),
        ("delete_memory", "id"),
        ("search_by_file", "file_path"),
        ("search_by_concept", "concept"),
        ("store_fact", "subject predicate object"),
        ("delete_fact", "id"),
    ],
)
def test_what_is_required_is_named_all_at_once(refused, operation, missing):
    assert set(refused(operation).split("; ")) == {f"{name} is required" for name in missing.split()}


@pytest.mark.seed("D16")
@pytest.mark.parametrize("blank", ["", "  \n\t "])
def test_a_blank_text_is_refused(box, tool, blank):
    uid = tool("store_memory", content="x")["id"]

    assert "content" in tool("store_memory", content=blank, code=1)
    assert "query" in tool("search_memories", query=blank, code=1)
    assert "content" in tool("update_memory", id=uid, content=blank, code=1)
    assert "object" in tool("store_fact", subject="a", predicate="b", object=blank, code=1)
    assert contents(tool("list_memories")) == ["x"]


@pytest.mark.seed("D16")
@pytest.mark.parametrize("hidden", ["\u200b", "\x07", "\u202e \u2066", "\ufeff\n"])
def test_a_text_of_which_nothing_is_left_is_refused(box, tool, hidden):
    uid = tool("store_memory", content="x")["id"]

    tool("update_memory", id=uid, content=hidden, code=1)
    tool("update_memory", id=uid, title=hidden, code=1)
    tool("store_memory", content=hidden, code=1)

    assert contents(tool("list_memories")) == ["x"]


@pytest.mark.seed("D16")
def test_an_unknown_operation_is_named(refused):
    assert refused("forget_everything") == "unknown operation: forget_everything"
    for odd in (None, 5, [], {"a": 1}):
        assert "operation" in refused(odd)
    assert "store_memory" in refused(None)


@pytest.mark.seed("D16")
@each("request_", ["", "{", "[]", "5", "null", '"text"', "{}", "NaN", "[" * 100_000, "{}{}"])
def test_what_is_no_request_is_answered_all_the_same(lasting, request_):
    for done in (lasting.run("memory", request_, code=1), lasting.run("memory", "-", stdin=request_, code=1)):
        assert done.json["success"] is False
        assert done.json["error"]["message"]


@pytest.mark.seed("D16")
def test_a_request_may_come_on_standard_input_and_be_answered_prettily(box):
    request = json.dumps({"operation": "store_memory", "content": "naïve · 漢字 🦊"}, ensure_ascii=False)

    told = [
        box.run("memory", stdin=request),
        box.run("memory", "-", stdin=request),
        box.run("memory", request),
        box.run("memory", "--json", request),
    ]

    assert [done.json["output"]["action"] for done in told] == ["created", "known", "known", "known"]
    assert [done.out.count("\n") > 1 for done in told] == [False, False, False, True]
    assert contents(asked(box, "list_memories")) == ["naïve · 漢字 🦊"]


@pytest.mark.seed("D16")
@pytest.mark.parametrize(
    "fields",
    [
        {"importance": 1.01},
        {"importance": -0.01},
        {"importance": "high"},
        {"confidence": 2},
        {"ttl_days": "soon"},
        {"ttl_days": 1e308},
        {"ttl_days": float("inf")},
        {"ttl_days": float("nan")},
        {"content": 5},
        {"tags": [1]},
        {"tags": {"a": 1}},
        {"files_read": 5},
        {"concepts": ["mood"]},
        {"mood": "good"},
        {"project": ""},
        {"project": "x" * 301},
        {"session_id": 5},
    ],
    ids=str,
)
def test_a_field_that_does_not_fit_is_named_and_nothing_is_stored(refused, fields):
    assert next(iter(fields)) in refused("store_memory", **{"content": "x", **fields})


@pytest.mark.seed("D16")
@pytest.mark.parametrize(
    "fields",
    [{"limit": 0}, {"limit": -1}, {"limit": 1001}, {"limit": "x"}, {"offset": -1}, {"limit": 1.5}, {"min_score": 1}],
    ids=str,
)
def test_a_page_that_cannot_be_is_refused(refused, fields):
    assert next(iter(fields)) in refused("list_memories", **fields)


@pytest.mark.seed("D16")
def test_a_page_far_beyond_the_end_is_empty_or_refused_but_no_matter_of_the_database(lasting):
    done = lasting.run("memory", json.dumps({"operation": "list_memories", "offset": 2**63}), code=None)

    assert done.json["success"] or done.json["error"]["code"] == "INPUT_ERROR"


@pytest.mark.seed("D16")
@pytest.mark.parametrize("operation", ["get_memory", "update_memory", "delete_memory", "delete_fact"])
@pytest.mark.parametrize("name", ["0123456789abcdef01234567", "%", "' OR 1=1 --", "..", "x" * 300])
def test_an_id_that_nothing_has_is_not_found(refused, operation, name):
    assert "no memory has this id" in (said := refused(operation, id=name)) or "no such fact" in said


@pytest.mark.seed("D16")
def test_more_than_twelve_tags_are_refused_by_a_store(refused):
    assert "tags" in refused("store_memory", content="x", tags=[f"t{number}" for number in range(13)])


@pytest.mark.seed("D16")
def test_more_than_twelve_tags_are_refused_by_an_update(tool):
    uid = tool("store_memory", content="x")["id"]

    assert "tags" in tool("update_memory", id=uid, tags=[f"t{number}" for number in range(13)], code=1)


@pytest.mark.seed("D16")
def test_a_category_is_one_of_twelve_tags(box, tool):
    tags = sorted(f"t{number}" for number in range(12))

    done = box.run(
        "memory", json.dumps({"operation": "store_memory", "content": "x", "tags": tags, "category": "db"}), code=1
    )

    assert "tags" in done.json["error"]["message"]
    uid = tool("store_memory", content="x", tags=tags[:11], category="db")["id"]
    found = tool("get_memory", id=uid)
    assert (found["tags"], found["category"]) == (tags[:11], "db")


@pytest.mark.seed("D16")
def test_a_type_can_be_changed_to_one_that_has_a_memory_of_the_same_name(tool):
    tool("store_memory", content="alpha", title="Same", type="change")
    uid = tool("store_memory", content="beta", title="Same", type="bugfix")["id"]

    tool("update_memory", id=uid, type="change")

    assert tool("get_memory", id=uid)["type"] == "change"


@pytest.mark.seed("D16")
def test_an_agent_is_never_shown_a_tag_that_nobody_gave(tool):
    uid = tool("store_memory", content="x", tags=["a"])["id"]
    tool("update_memory", id=uid, tags=[])

    assert tool("get_memory", id=uid)["tags"] == []


@pytest.mark.seed("D16")
@pytest.mark.parametrize(
    ("operation", "field"),
    [
        ("store_memory", "subtitle"),
        ("store_memory", "category"),
        ("store_memory", "session_id"),
        ("store_memory", "tags"),
        ("store_memory", "files_read"),
        ("store_memory", "files_modified"),
        ("update_memory", "subtitle"),
        ("update_memory", "category"),
        ("update_memory", "tags"),
        ("update_memory", "files_read"),
        ("update_memory", "files_modified"),
        ("list_memories", "type"),
        ("list_memories", "category"),
        ("list_memories", "session_id"),
        ("query_facts", "subject"),
        ("store_fact", "source_memory_id"),
        ("purge_expired", "operation"),
    ],
)
def test_half_a_character_is_refused_or_mended_but_is_no_crash(box, tool, operation, field):
    uid = tool("store_memory", content="upkeep")["id"]
    needed = {
        "store_memory": {"content": "x"},
        "update_memory": {"id": uid},
        "store_fact": {"subject": "a", "predicate": "b", "object": "c"},
    }
    value = [HALF] if field in ("tags", "files_read", "files_modified") else HALF

    done = box.run("memory", json.dumps({"operation": operation, **needed.get(operation, {}), field: value}), code=None)

    assert done.json["success"] is (done.code == 0)
    assert total(box) >= 1


@pytest.mark.seed("D16")
def test_a_setting_that_cannot_be_read_is_an_answer_too(box):
    box.settings["RECOLLECT_RECALL__MIN_SCORE"] = "7"

    done = box.run("memory", json.dumps({"operation": "list_memories"}), code=1)

    assert done.json["success"] is False
    assert done.json["error"]["code"] == "CONFIG_ERROR"


@pytest.mark.seed("D16")
def test_where_memory_is_off_an_agent_is_refused(box, tool):
    tool("store_memory", content="x")
    box.run("off")

    assert "off" in tool("list_memories", code=1)
    assert "off" in tool("store_memory", content="y", code=1)
    box.run("on")
    assert contents(tool("list_memories")) == ["x"]


@pytest.mark.seed("D16")
def test_a_session_that_is_off_is_refused_and_another_is_not(box, tool):
    box.run("off", "--session", "s1")

    assert "s1" in tool("store_memory", content="x", session_id="s1", code=1)
    tool("store_memory", content="y", session_id="s2")
    assert contents(tool("list_memories")) == ["y"]


# -- D1, D3: what is kept -------------------------------------------------------------------------------------------


@pytest.mark.seed("D1")
def test_memories_facts_and_journal_are_tables_of_one_database_with_full_text_search(box, tool):
    tool("store_memory", content="rebuilding the index")
    tool("store_fact", subject="a", predicate="b", object="c")

    with contextlib.closing(sqlite3.connect(box.home / "memory.db")) as database:
        numbers = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("memories", "facts")]
        actions = [row[0] for row in database.execute("SELECT action FROM journal WHERE action <> 'met' ORDER BY seq")]
        schema = "".join(row[0] or "" for row in database.execute("SELECT sql FROM sqlite_master"))
    assert numbers == [1, 1]
    assert actions == ["created", "asserted"]
    assert "fts5" in schema


@pytest.mark.seed("D1")
def test_the_words_of_a_memory_are_found_as_long_as_it_says_them(box, tool):
    uid = tool("store_memory", content="rebuilding the index", title="Maintenance", tags=["upkeep"])["id"]
    assert [tool("search_memories", query=word)["count"] for word in ("rebuild", "maintenance", "upkeep")] == [1, 1, 1]

    tool("update_memory", id=uid, content="vacuuming pages", title="Chores", tags=["other"])

    assert [tool("search_memories", query=word)["count"] for word in ("rebuild", "maintenance", "upkeep")] == [0, 0, 0]
    assert [tool("search_memories", query=word)["count"] for word in ("vacuum", "chores", "other")] == [1, 1, 1]
    tool("delete_memory", id=uid)
    assert tool("search_memories", query="vacuum")["count"] == 0
    box.run("undo", "--yes")
    assert tool("search_memories", query="vacuum")["count"] == 1


@pytest.mark.seed("D1")
def test_the_words_of_a_subtitle_are_found(tool):
    tool("store_memory", content="plain words", subtitle="zebra crossing")

    assert contents(tool("search_memories", query="zebra", min_score=0)) == ["plain words"]


@pytest.mark.seed("D3")
@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("short", "short"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 80 + "..."),
        ("word " * 40, ("word " * 16).strip() + " ..."),
        ("first line\nsecond\tline  ", "first line second line"),
    ],
    ids=["short", "80", "81", "words", "lines"],
)
def test_a_title_is_made_of_the_first_80_characters(tool, content, title):
    assert " ".join(tool("store_memory", content=content)["title"].split()) == " ".join(title.split())


@pytest.mark.seed("D3")
def test_a_title_of_ones_own_stays(tool):
    assert tool("store_memory", content="x" * 500, title="Mine")["title"] == "Mine"
    assert tool("store_memory", content="y", title="")["title"] == "y"
    assert len(tool("store_memory", content="z", title="t" * 200)["title"]) == 120


@pytest.mark.seed("D3")
@pytest.mark.parametrize("title", ["  ", "\u200b", "\n"])
def test_a_title_that_says_nothing_is_made_of_the_text(tool, title):
    assert tool("store_memory", content="something", title=title)["title"] == "something"


# -- D9: the same text again ----------------------------------------------------------------------------------------


@pytest.mark.seed("D9")
def test_the_same_text_again_brings_its_metadata_and_no_second_memory(box, tool):
    first = tool(
        "store_memory", content="same", tags=["a"], concepts=["pattern"], files_read=["r1"], files_modified=["m1"],
        importance=0.4, ttl_days=5,
    )  # fmt: skip
    at("2026-03-02", box)
    again = tool(
        "store_memory", content="same", tags=["b"], concepts=["gotcha"], files_read=["r2"], files_modified=["m1", "m2"],
        importance=0.9, ttl_days=30, sensitivity="private", subtitle="S",
    )  # fmt: skip

    assert (again["id"], again["action"], again["sensitivity"]) == (first["id"], "merged", "private")
    found = tool("get_memory", id=first["id"], include_private=True)
    assert (found["tags"], found["concepts"]) == (["a", "b"], ["pattern", "gotcha"])
    assert (found["files_read"], found["files_modified"]) == (["r1", "r2"], ["m1", "m2"])
    assert (found["importance"], found["sensitivity"], found["subtitle"]) == (0.9, "private", "S")
    assert (found["expires_at"], found["updated_at"]) == ("2026-04-01T12:00:00Z", "2026-03-02T12:00:00Z")
    assert found["created_at"] == NOW
    assert total(box) == 1


@pytest.mark.seed("D9")
def test_a_duplicate_takes_nothing_away(tool):
    said = {"tags": ["a"], "concepts": ["pattern"], "files_read": ["r"], "importance": 0.9, "sensitivity": "secret"}
    uid = tool("store_memory", content="same", **said)["id"]

    tool("store_memory", content="same", importance=0.1, sensitivity="public")

    found = tool("get_memory", id=uid, include_secret=True)
    assert {name: found[name] for name in said} == said


@pytest.mark.seed("D9")
def test_the_very_same_memory_again_is_known_and_changes_nothing(box, tool):
    first = tool("store_memory", content="same", tags=["a"])
    before = state(box)

    again = tool("store_memory", content="same", tags=["a"])

    assert (again["id"], again["action"]) == (first["id"], "known")
    assert state(box) == before


@pytest.mark.seed("D9")
def test_text_is_the_same_whatever_type_title_or_white_space_around_it_has(box, tool):
    uid = tool("store_memory", content="same", title="One", type="bugfix")["id"]

    assert tool("store_memory", content="  same\n", title="Two", type="feature")["id"] == uid
    assert tool("store_memory", content="Same")["id"] != uid
    assert tool("store_memory", content="same", project="other")["id"] != uid


@pytest.mark.seed("D9")
def test_what_a_person_remembered_is_known_to_the_agent(vault, box, tool):
    uid = box.run("remember", "Use pnpm", "--tag", "js", "--json").json["memory"]["uid"]

    again = tool("store_memory", content="Use pnpm", tags=["npm"], ttl_days=0)

    assert (again["id"], again["action"]) == (uid, "merged")
    assert box.file("notes/use-pnpm.json")["tags"] == ["js", "npm"]


@pytest.mark.seed("D9", "D10")
@pytest.mark.parametrize("kept", [{"ttl_days": 0}, {"type": "decision"}, {"ttl_days": 300}], ids=str)
def test_a_duplicate_that_names_no_ttl_does_not_shorten_a_life(tool, kept):
    first = tool("store_memory", content="kept", **kept)

    again = tool("store_memory", content="kept")

    assert again["expires_at"] == first["expires_at"]


@pytest.mark.seed("D9", "D10")
def test_an_agent_that_stores_what_a_person_remembers_does_not_make_it_expire(vault, box, tool):
    box.run("remember", "Use pnpm")
    tool("store_memory", content="Use pnpm")
    at("2027-01-01", box)

    tool("purge_expired")

    assert box.file("notes/use-pnpm.json")["content"] == {"text": "Use pnpm"}


@pytest.mark.seed("D9", "D10")
def test_a_duplicate_can_ask_to_be_kept_for_good(tool):
    tool("store_memory", content="kept", ttl_days=3)

    assert tool("store_memory", content="kept", ttl_days=0)["expires_at"] is None


@pytest.mark.seed("D9")
def test_the_same_text_from_many_processes_is_one_memory_with_the_tags_of_all(make_box):
    box = make_box()  # nobody has made the store yet
    requests = [{"operation": "store_memory", "content": "same", "tags": [f"t{number}"]} for number in range(4)]
    started = [box.fork("memory", json.dumps(request)) for request in requests]
    ends = [process.communicate(timeout=60) for process in started]

    assert [process.returncode for process in started] == [0] * 4, ends
    found = asked(box, "list_memories")
    assert [one["tags"] for one in found["memories"]] == [[f"t{number}" for number in range(4)]]


@pytest.mark.seed("D9", "D11")
def test_one_workspace_serves_many_threads(library):
    space = library()

    def store(number):
        return space.memory({"operation": "store_memory", "content": f"thread {number % 3}", "tags": [f"t{number}"]})

    with ThreadPoolExecutor(6) as pool:
        assert all(reply["success"] for reply in pool.map(store, range(18)))
        found = space.memory({"operation": "list_memories"})["output"]
        uid = found["memories"][0]["id"]
        list(pool.map(lambda _: space.memory({"operation": "get_memory", "id": uid}), range(12)))
    assert [len(one["tags"]) for one in found["memories"]] == [6, 6, 6]
    assert space.memory({"operation": "get_memory", "id": uid})["output"]["access_count"] == 13


@pytest.mark.seed("D16")
def test_two_updates_at_once_do_not_undo_each_other(library):
    meanwhile = []
    other = library(lambda: JUST_NOW)
    uid = other.memory({"operation": "store_memory", "content": "x", "type": "decision"})["output"]["id"]

    def now():  # the clock is read between reading the memory and writing it: there somebody else comes in between
        while meanwhile:
            assert other.memory(meanwhile.pop())["success"]
        return JUST_NOW

    mine = library(now)
    meanwhile += [
        {"operation": "update_memory", "id": uid, "title": "New"},
        {"operation": "get_memory", "id": uid},
    ]

    mine.memory({"operation": "update_memory", "id": uid, "ttl_days": 5})

    (found,) = other.memory({"operation": "list_memories"})["output"]["memories"]
    assert (found["title"], found["access_count"]) == ("New", 1)


def at_once(*asks):
    """Ask all of them from threads that begin at the same moment; the replies."""
    begin = threading.Barrier(len(asks))

    def run(ask):
        begin.wait()
        return ask()

    with ThreadPoolExecutor(len(asks)) as pool:
        return list(pool.map(run, asks))


@pytest.mark.seed("D17")
def test_summaries_at_once_are_one_summary(library):
    then, now = (library(lambda moment=moment: moment) for moment in (datetime(2026, 1, 1, tzinfo=UTC), JUST_NOW))
    for number in range(12):
        said = {"content": f"{number}", "category": f"c{number % 2}", "ttl_days": 0}
        assert then.memory({"operation": "store_memory", **said})["success"]

    replies = at_once(*[lambda: now.memory({"operation": "summarize_old"})] * 4)

    assert all(reply["success"] for reply in replies)
    assert now.memory({"operation": "list_memories"})["output"]["total"] == 2


@pytest.mark.seed("D10")
def test_purges_at_once_erase_everything_once(library):
    then, now = (library(lambda moment=moment: moment) for moment in (datetime(2026, 1, 1, tzinfo=UTC), JUST_NOW))
    for number in range(12):
        assert then.memory({"operation": "store_memory", "content": f"{number}", "ttl_days": 1})["success"]

    replies = at_once(*[lambda: now.memory({"operation": "purge_expired"})] * 4)

    assert all(reply["success"] for reply in replies)
    assert sum(reply["output"]["purged"] for reply in replies) == 12


@pytest.mark.seed("D11")
def test_a_search_does_not_fail_because_a_hit_is_deleted_meanwhile(library):
    space = library(lambda: JUST_NOW)
    search = {"operation": "search_memories", "query": "zebra", "min_score": 0}
    found = []
    for number in range(6):
        said = [{"operation": "store_memory", "content": f"zebra {number} {one}"} for one in range(6)]
        uids = [space.memory(one)["output"]["id"] for one in said]

        def delete(uids=uids):
            return [space.memory({"operation": "delete_memory", "id": uid}) for uid in uids]

        def look():
            return [space.memory(search) for _ in range(4)]

        found += [reply for replies in at_once(delete, look, look) for reply in replies]

    assert [reply for reply in found if not reply["success"]] == []


# -- D10: what expires ----------------------------------------------------------------------------------------------


@pytest.mark.seed("D10")
@pytest.mark.parametrize("kind", OBSERVATIONS)
def test_an_observation_is_kept_for_90_days_unless_told_otherwise(tool, kind):
    assert tool("store_memory", content=kind, type=kind)["expires_at"] == IN_90_DAYS


@pytest.mark.seed("D10")
@pytest.mark.parametrize(
    "fields", [{"ttl_days": 0}, {"ttl_days": -5}, {"type": "decision"}, {"type": "note"}, {"type": "learned"}], ids=str
)
def test_zero_or_less_and_kinds_that_are_no_observations_are_kept_for_good(tool, fields):
    assert tool("store_memory", content="x", **fields)["expires_at"] is None


@pytest.mark.seed("D10")
def test_for_good_is_for_good_also_for_a_session_summary(tool):
    assert tool("store_memory", content="x", type="session_summary", ttl_days=0)["expires_at"] is None


@pytest.mark.seed("D10")
@pytest.mark.parametrize(
    ("days", "expires"),
    [(1, "2026-03-02T12:00:00Z"), (0.5, "2026-03-02T00:00:00Z"), ("2", "2026-03-03T12:00:00Z")],
)
def test_a_ttl_of_ones_own_counts_for_every_type(tool, days, expires):
    for kind in ("change", "decision"):
        assert tool("store_memory", content=kind, type=kind, ttl_days=days)["expires_at"] == expires


@pytest.mark.seed("D10")
@pytest.mark.parametrize(("days", "expires"), [("7", "2026-03-08T12:00:00Z"), ("0", None)])
def test_the_default_ttl_is_a_setting(box, tool, days, expires):
    box.settings["RECOLLECT_CAPTURE__TTL_DAYS"] = days

    assert tool("store_memory", content="x")["expires_at"] == expires


@pytest.mark.seed("D10")
def test_a_ttl_can_be_changed_and_lifted(tool):
    uid = tool("store_memory", content="x")["id"]

    tool("update_memory", id=uid, ttl_days=1)
    assert tool("get_memory", id=uid)["expires_at"] == "2026-03-02T12:00:00Z"
    tool("update_memory", id=uid, ttl_days=0)
    assert tool("get_memory", id=uid)["expires_at"] is None


@pytest.mark.seed("D10")
@pytest.mark.parametrize(
    ("now", "number"), [("2026-03-02T11:59:59Z", 1), ("2026-03-02T12:00:00Z", 0), ("2026-06-01T00:00:00Z", 0)]
)
def test_what_has_expired_is_hidden_everywhere(box, tool, now, number):
    uid = tool("store_memory", content="word", files_read=["a.py"], concepts=["gotcha"], session_id="s", ttl_days=1)[
        "id"
    ]
    box.now = now

    counts = [
        tool("list_memories")["count"],
        tool("list_memories")["total"],
        tool("search_memories", query="word", min_score=0)["count"],
        tool("search_by_file", file_path="a.py")["count"],
        tool("search_by_concept", concept="gotcha")["count"],
        tool("get_timeline")["count"],
        tool("get_timeline", session_id="s")["count"],
        len(box.run("timeline", "--json").json),
        len(box.run("list", "--json").json),
    ]
    assert counts == [number] * 9
    for operation in ("get_memory", "update_memory", "delete_memory"):
        done = box.run("memory", json.dumps({"operation": operation, "id": uid}), code=1 - number)
        assert number or "expired" in done.json["error"]["message"]


@pytest.mark.seed("D10")
def test_expired_text_can_be_stored_anew_and_is_then_found(box, tool):
    old = tool("store_memory", content="word", ttl_days=1)["id"]
    at("2026-03-05", box)

    new = tool("store_memory", content="word", ttl_days=1)

    assert (new["action"], new["expires_at"]) == ("created", "2026-03-06T12:00:00Z")
    assert new["id"] != old
    assert [one["id"] for one in tool("search_memories", query="word")["memories"]] == [new["id"]]
    assert tool("purge_expired") == {"purged": 1}
    assert tool("get_memory", id=new["id"])["content"] == "word"


@pytest.mark.seed("D10")
def test_purge_expired_erases_what_is_past_its_time_and_nothing_else(vault, box, tool):
    tool("store_memory", content="gone", ttl_days=1)
    tool("store_memory", content="gone too", ttl_days=2, sensitivity="secret")
    tool("store_memory", content="stays", ttl_days=30)
    tool("store_memory", content="for good", ttl_days=0)
    box.run("remember", "a note", "--ttl-days", "1")
    assert (vault / "notes" / "a-note.json").exists()
    at("2026-03-05", box)

    assert tool("purge_expired") == {"purged": 3}
    assert tool("purge_expired") == {"purged": 0}

    assert sorted(json.loads(line)["content"]["text"] for line in state(box)) == ["for good", "stays"]
    assert not (vault / "notes" / "a-note.json").exists()


@pytest.mark.seed("D10")
def test_a_purge_of_the_expired_is_undone_as_a_whole(box, tool):
    for number in range(3):
        tool("store_memory", content=f"{number}", ttl_days=1)
    before = state(box)
    at("2026-03-05", box)
    tool("purge_expired")

    box.run("undo", "--yes")

    assert state(box) == before
    assert tool("list_memories")["total"] == 0


@pytest.mark.seed("D10")
def test_what_merely_expired_may_be_learnt_again(box, tool):
    tool("store_memory", content="true for a while", ttl_days=1)
    at("2026-03-05", box)
    tool("purge_expired")

    assert taken_in(box, "true for a while") == {"created": 1}
    assert contents(tool("list_memories")) == ["true for a while"]


# -- D11: what was used ---------------------------------------------------------------------------------------------


@pytest.mark.seed("D11")
def test_every_use_without_a_session_counts(tool):
    uid = tool("store_memory", content="word", files_read=["a.py"], concepts=["gotcha"])["id"]

    uses = [
        tool("get_memory", id=uid),
        tool("get_memory", id=uid),
        *tool("search_memories", query="word")["memories"],
        *tool("search_by_file", file_path="a.py")["memories"],
        *tool("search_by_concept", concept="gotcha")["memories"],
    ]

    assert [one["access_count"] for one in uses] == [1, 2, 3, 4, 5]


@pytest.mark.seed("D11")
def test_a_use_counts_once_per_memory_and_session(tool):
    one, two = (tool("store_memory", content=f"word {name}", session_id="s1")["id"] for name in ("one", "two"))

    for _ in range(3):
        tool("get_memory", id=one, session_id="s1")
        tool("search_memories", query="word", session_id="s1")
    assert [tool("get_memory", id=uid, session_id="s1")["access_count"] for uid in (one, two)] == [1, 1]

    tool("get_memory", id=one, session_id="s2")
    assert [tool("get_memory", id=uid, session_id="s1")["access_count"] for uid in (one, two)] == [2, 1]


@pytest.mark.seed("D11")
def test_looking_through_listing_and_missing_do_not_count(box, tool):
    uid = tool("store_memory", content="word", sensitivity="private")["id"]
    for number in range(3):
        tool("store_memory", content=f"parser {number}")

    tool("list_memories", include_private=True)
    tool("get_timeline", include_private=True)
    tool("search_memories", query="word")
    tool("get_memory", id=uid, code=1)
    tool("search_memories", query="parser", limit=1)
    tool("search_memories", query="parser", min_score=1)

    found = tool("list_memories", include_private=True)["memories"]
    assert sorted(one["access_count"] for one in found) == [0, 0, 0, 1]


@pytest.mark.seed("D11")
def test_a_use_makes_a_memory_neither_younger_nor_revised(box, tool):
    uid = tool("store_memory", content="word")["id"]
    at("2026-03-05", box)

    assert tool("get_memory", id=uid)["updated_at"] == NOW
    assert box.run("show", uid, "--json").json["times_revised"] == 0


@pytest.mark.seed("D11")
def test_uses_in_many_processes_are_all_counted_and_one_session_once(box, tool):
    uid = tool("store_memory", content="word")["id"]
    requests = [{}, {}, {"session_id": "s"}, {"session_id": "s"}]
    started = [box.fork("memory", json.dumps({"operation": "get_memory", "id": uid, **more})) for more in requests]
    ends = [process.communicate(timeout=60) for process in started]

    assert [process.returncode for process in started] == [0] * 4, ends
    assert tool("list_memories")["memories"][0]["access_count"] == 3


@pytest.mark.seed("D11")
def test_undoing_a_change_keeps_the_uses_that_were_counted_since(box, tool):
    uid = tool("store_memory", content="word")["id"]
    tool("update_memory", id=uid, title="Other")
    for _ in range(3):
        tool("get_memory", id=uid)

    box.run("undo", "--yes")

    (found,) = tool("list_memories")["memories"]
    assert (found["title"], found["access_count"]) == ("word", 3)


# -- D12: the cap ---------------------------------------------------------------------------------------------------


@pytest.fixture
def three(box):
    """At most three observations."""
    box.settings[MAX] = "3"


@pytest.mark.seed("D12")
def test_there_are_never_more_than_the_cap_and_the_one_just_written_stays(three, box, tool):
    for number in range(8):
        at(f"2026-03-{number + 1:02}", box)
        uid = tool("store_memory", content=f"{number}", importance=1 - number / 10)["id"]

        assert tool("list_memories")["total"] == min(3, number + 1)
        assert tool("list_memories")["memories"][0]["id"] == uid


@pytest.mark.seed("D12")
def test_the_one_just_written_stays_however_little_it_is_worth(three, box, tool):
    for number in range(3):
        uid = tool("store_memory", content=f"{number}", importance=1)["id"]
        tool("get_memory", id=uid)

    new = tool("store_memory", content="worth nothing", importance=0)

    assert tool("get_memory", id=new["id"])["content"] == "worth nothing"
    assert tool("list_memories")["total"] == 3


@pytest.mark.seed("D12")
def test_the_least_important_gives_way_first(three, tool):
    for name, importance in (("high", 0.9), ("low", 0.1), ("middle", 0.5), ("new", 0.5), ("newer", 0.5)):
        tool("store_memory", content=name, importance=importance)

    found = contents(tool("list_memories"))
    assert {"high", "newer"} < set(found)
    assert "low" not in found


@pytest.mark.seed("D12")
def test_what_is_used_outlasts_what_is_not(three, tool):
    used = tool("store_memory", content="used", importance=0.5)["id"]
    for name in ("unused", "unused too"):
        tool("store_memory", content=name, importance=0.6)
    for _ in range(10):  # .1·ln(11) = .24
        tool("get_memory", id=used)

    tool("store_memory", content="new")

    assert "used" in contents(tool("list_memories"))


@pytest.mark.seed("D12")
def test_what_is_young_outlasts_what_is_old(three, box, tool):
    for day, name, importance in ((1, "old", 0.55), (22, "young", 0.5), (22, "young too", 0.5)):
        at(f"2026-03-{day:02}", box)
        tool("store_memory", content=name, importance=importance)

    tool("store_memory", content="new")

    assert set(contents(tool("list_memories"))) == {"young", "young too", "new"}


@pytest.mark.seed("D12")
def test_a_pinned_memory_never_gives_way(three, box, tool):
    pinned = tool("store_memory", content="pinned", importance=0)["id"]
    box.run("pin", pinned)

    for number in range(5):
        tool("store_memory", content=f"{number}", importance=1)

    assert "pinned" in contents(tool("list_memories"))
    assert tool("list_memories")["total"] == 3


@pytest.mark.seed("D12")
def test_where_everything_is_pinned_nothing_gives_way(three, box, tool):
    for number in range(3):
        box.run("pin", tool("store_memory", content=f"{number}")["id"])

    tool("store_memory", content="new")

    assert tool("list_memories")["total"] == 4


@pytest.mark.seed("D12")
def test_a_discovery_outlasts_a_change(three, tool):
    tool("store_memory", content="discovery", type="discovery", importance=0)
    for number in range(4):
        tool("store_memory", content=f"change {number}", type="change", importance=1)

    assert "discovery" in contents(tool("list_memories"))


@pytest.mark.seed("D12")
def test_what_is_kept_for_good_neither_counts_nor_gives_way(three, box, tool):
    box.run("remember", "a note")
    for number in range(4):
        tool("store_memory", content=f"for good {number}", ttl_days=0, importance=0)
        tool("store_memory", content=f"decision {number}", type="decision", importance=0)
        tool("store_memory", content=f"change {number}")

    found = contents(tool("list_memories"))
    assert [sum(name in one for one in found) for name in ("note", "for good", "decision", "change")] == [1, 4, 4, 3]


@pytest.mark.seed("D12")
def test_projects_have_a_cap_each(three, tool):
    for number in range(4):
        tool("store_memory", content=f"{number}")
        tool("store_memory", content=f"{number}", project="other")

    assert [tool("list_memories", project=name)["total"] for name in (None, "other")] == [3, 3]


@pytest.mark.seed("D12")
def test_a_cap_of_zero_is_none(box, tool):
    box.settings[MAX] = "0"
    for number in range(6):
        tool("store_memory", content=f"{number}")

    assert tool("list_memories")["total"] == 6


@pytest.mark.seed("D12", "D14")
def test_what_gives_way_is_told_journalled_and_can_be_restored(three, box, tool):
    first = tool("store_memory", content="first", importance=0)["id"]
    for number in range(3):
        told = tool("store_memory", content=f"{number}")["notes"]

    assert any("first" in note for note in told)
    history = box.run("show", first, "--history", "--json").json
    assert [entry["action"] for entry in history] == ["retired", "created"]
    assert "limit" in history[0]["reason"]
    assert "retired" in box.run("show", first, "--history").out
    lines = mirror(box)[-2:]
    assert [line["action"] for line in lines] == ["created", "retired"]
    assert lines[0]["group"] == lines[1]["group"]
    box.run("restore", first)
    assert "first" in contents(tool("list_memories"))


@pytest.mark.seed("D12")
def test_undoing_a_store_brings_back_what_gave_way(three, box, tool):
    for number in range(3):
        tool("store_memory", content=f"{number}", importance=number / 10)
    before = state(box)
    tool("store_memory", content="new")

    box.run("undo", "--yes")

    assert state(box) == before


@pytest.mark.seed("D12", "D15")
def test_the_name_of_a_secret_memory_that_gives_way_is_not_told(three, tool):
    for number in range(3):
        tool("store_memory", content=f"{number}", title=f"Merger plan {number}", sensitivity="secret")

    assert "merger" not in json.dumps(tool("store_memory", content="new")).lower()


@pytest.mark.seed("D12")
def test_many_processes_at_the_cap_leave_just_as_many_as_it_allows(three, box):
    requests = [{"operation": "store_memory", "content": f"{number}"} for number in range(4)]
    started = [box.fork("memory", json.dumps(request)) for request in requests]
    ends = [process.communicate(timeout=60) for process in started]

    assert [process.returncode for process in started] == [0] * 4, ends
    assert total(box) == 3
    assert len(box.run("list", "--all", "--json").json) == 4


# -- D13: facts -----------------------------------------------------------------------------------------------------


@pytest.mark.seed("D13")
def test_a_fact_has_three_parts_a_confidence_and_a_source(box, tool):
    uid = tool("store_memory", content="we moved to SQLite")["id"]

    stated = tool("store_fact", subject="shop", predicate="uses", object="SQLite", confidence=0.9,
                  source_memory_id=uid[:20])  # fmt: skip

    assert stated.pop("action") == "asserted"
    assert set(stated) == FACT_KEYS
    assert (stated["subject"], stated["predicate"], stated["object"]) == ("shop", "uses", "SQLite")
    assert (stated["confidence"], stated["source_memory_id"], stated["created_at"]) == (0.9, uid, NOW)
    assert tool("query_facts") == {"facts": [stated], "count": 1}


@pytest.mark.seed("D13")
def test_an_identical_fact_is_refreshed(box, tool):
    source = tool("store_memory", content="source")["id"]
    said = {"subject": "a", "predicate": "b", "object": "c"}
    first = tool("store_fact", **said, confidence=0.4, source_memory_id=source)
    at("2026-03-02", box)

    again = tool("store_fact", **said, confidence=0.7)

    assert again.pop("action") == "refreshed"
    assert (again["id"], again["created_at"], again["source_memory_id"]) == (first["id"], NOW, source)
    assert (again["confidence"], again["updated_at"]) == (0.7, "2026-03-02T12:00:00Z")
    assert tool("query_facts")["facts"] == [again]


@pytest.mark.seed("D13")
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, "123"),
        ({"subject": "shop"}, "12"),
        ({"subject": "Shop"}, "3"),
        ({"subject": "sho"}, ""),
        ({"subject": "s_op"}, ""),
        ({"subject": "%"}, ""),
        ({"predicate": "uses"}, "13"),
        ({"object": "2"}, "2"),
        ({"subject": "shop", "predicate": "uses"}, "1"),
        ({"min_confidence": 0.5}, "12"),
        ({"min_confidence": 0.51}, "1"),
        ({"min_confidence": 0}, "123"),
        ({"project": "other"}, "4"),
    ],
    ids=str,
)
def test_facts_are_filtered_by_equality_and_confidence(tool, filters, found):
    for subject, predicate, number, confidence, where in (
        ("shop", "uses", "1", 1.0, None),
        ("shop", "has", "2", 0.5, None),
        ("Shop", "uses", "3", 0.0, None),
        ("shop", "uses", "4", 1.0, "other"),
    ):
        tool("store_fact", subject=subject, predicate=predicate, object=number, confidence=confidence, project=where)

    facts = tool("query_facts", **filters)

    assert sorted(one["object"] for one in facts["facts"]) == list(found)
    assert facts["count"] == len(found)


@pytest.mark.seed("D13")
def test_facts_come_newest_first_at_most_fifty(box, tool, library):
    space = library()
    for number in range(55):
        space.add_fact("a", "b", f"{number:02}")
    box.now = "2026-03-02T00:00:00Z"
    tool("store_fact", subject="a", predicate="b", object="07")

    found = [one["object"] for one in tool("query_facts")["facts"]]

    assert found[:3] == ["07", "54", "53"]
    assert len(found) == 50
    assert [one["object"] for one in tool("query_facts", limit=2)["facts"]] == ["07", "54"]
    assert tool("query_facts", limit=100)["count"] == 55


@pytest.mark.seed("D13")
@pytest.mark.parametrize("confidence", [-0.01, 1.01, 100, "sure", None, float("nan"), float("inf")])
def test_a_confidence_outside_of_0_to_1_is_refused(refused, lasting, confidence):
    said = {"subject": "a", "predicate": "b", "object": "c"}

    assert "confidence" in refused("store_fact", **said, confidence=confidence)
    assert "min_confidence" in refused("query_facts", min_confidence=confidence)
    assert lasting.run("fact", "add", "a", "b", "c", "--confidence", str(confidence), code=None).code in (1, 2)


@pytest.mark.seed("D13")
def test_a_fact_with_a_source_that_is_not_there_is_refused(refused):
    assert "no memory" in refused("store_fact", subject="a", predicate="b", object="c", source_memory_id="0" * 24)


@pytest.mark.seed("D13")
def test_a_deleted_fact_is_gone(tool):
    uid = tool("store_fact", subject="a", predicate="b", object="c")["id"]
    other = tool("store_fact", subject="a", predicate="b", object="d")["id"]

    assert tool("delete_fact", id=uid) == {"id": uid, "deleted": True}

    assert [one["id"] for one in tool("query_facts")["facts"]] == [other]
    assert "no such fact" in tool("delete_fact", fact_id=uid, code=1)


@pytest.mark.seed("D13")
def test_facts_and_their_undoing_on_the_command_line(box, tool):
    added = box.run("fact", "add", "shop", "uses", "SQLite", "--confidence", "0.5", "--json").json[0]
    again = box.run("fact", "add", "shop", "uses", "SQLite", "--json").json[0]
    assert (added["action"], again["action"], again["uid"]) == ("asserted", "refreshed", added["uid"])
    assert [one["confidence"] for one in tool("query_facts", subject="shop")["facts"]] == [1.0]

    box.run("undo", "--yes")
    assert [one["confidence"] for one in box.run("fact", "list", "--json").json] == [0.5]
    box.run("fact", "rm", added["uid"], "--reason", "wrong")
    assert box.run("fact", "list", "--json").json == []
    box.run("undo", "--yes")
    assert [one["uid"] for one in box.run("fact", "list", "--subject", "shop", "--json").json] == [added["uid"]]
    box.run("undo", "--yes")
    assert box.run("fact", "list", "--json").json == []


@pytest.mark.seed("D13")
def test_a_credential_does_not_get_into_a_fact(box, tool):
    tool("store_fact", subject="deploy", predicate="uses", object=TOKEN)

    assert TOKEN not in json.dumps(tool("query_facts"))
    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in box.home.rglob("*") if path.is_file())


@pytest.mark.seed("D13")
@pytest.mark.parametrize("said", [" auth ", "two\nlines", "zero\u200bwidth"])
def test_a_fact_is_found_by_the_very_words_that_stated_it(tool, said):
    tool("store_fact", subject=said, predicate="b", object="c")

    assert tool("query_facts", subject=said)["count"] == 1


# -- D14: the journal -----------------------------------------------------------------------------------------------


@pytest.mark.seed("D14")
def test_every_write_is_a_line_of_the_journal(box, tool):
    box.settings[MAX] = "3"
    uid = tool("store_memory", content="one", importance=0)["id"]
    tool("store_memory", content="one", tags=["a"])
    tool("update_memory", id=uid, title="One")
    fact = tool("store_fact", subject="a", predicate="b", object="c")["id"]
    tool("store_fact", subject="a", predicate="b", object="c")
    tool("delete_fact", id=fact)
    for number in range(3):
        tool("store_memory", content=f"{number}", ttl_days=1)
    tool("get_memory", id=uid)
    tool("delete_memory", id=uid)
    at("2026-03-05", box)
    tool("purge_expired")
    box.run("undo", "--yes")

    told = [line["action"] for line in mirror(box)]

    assert told == [
        "created", "merged", "updated", "asserted", "refreshed", "retracted", "created", "created", "created",
        "retired", "touched", "purged", *["expired"] * 3, *["undone"] * 3,
    ]  # fmt: skip


@pytest.mark.seed("D14")
def test_a_line_of_the_journal_tells_when_who_what_before_and_after(box, tool):
    uid = tool("store_memory", content="old")["id"]
    at("2026-03-02", box)
    tool("update_memory", id=uid, content="new")
    tool("delete_memory", id=uid)

    created, updated, purged = mirror(box)

    assert {line["uid"] for line in (created, updated, purged)} == {uid}
    assert {line["actor"] for line in (created, updated, purged)} == {"agent"}
    assert (created["at"], updated["at"]) == (NOW, "2026-03-02T12:00:00Z")
    said = [(line["before"] or {}).get("content") for line in (created, updated, purged)]
    became = [(line["after"] or {}).get("content") for line in (created, updated, purged)]
    assert said == [None, {"text": "old"}, {"text": "new"}]
    assert became == [{"text": "old"}, {"text": "new"}, None]
    assert purged["reason"]


@pytest.mark.seed("D14")
def test_what_is_refused_or_only_read_leaves_no_line(box, tool):
    tool("store_memory", content="x")
    before = mirror(box)

    tool("store_memory", content="", code=1)
    tool("store_memory", content="y", sensitivity="weird", code=1)
    tool("update_memory", id="0" * 24, title="t", code=1)
    tool("delete_fact", id="fact-x", code=1)
    tool("list_memories")
    tool("get_timeline")
    tool("query_facts")
    tool("purge_expired")
    tool("summarize_old")

    assert mirror(box) == before


@pytest.mark.seed("D14")
def test_no_credential_gets_into_the_journal(box, tool):
    uid = tool("store_memory", content=f"the token is {TOKEN}")["id"]
    tool("update_memory", id=uid, content=f"now it is {TOKEN} too", subtitle=TOKEN)

    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in box.home.rglob("*") if path.is_file())


# -- D15: sensitivity -----------------------------------------------------------------------------------------------

ALWAYS = ("public", "operational", "personal")


@pytest.mark.seed("D15")
@pytest.mark.parametrize(
    ("asks", "levels"),
    [
        ({}, ALWAYS),
        ({"include_private": True}, (*ALWAYS, "private")),
        ({"include_secret": True}, (*ALWAYS, "secret")),
        ({"include_private": True, "include_secret": True}, (*ALWAYS, "private", "secret")),
        ({"include_private": False, "include_secret": False}, ALWAYS),
    ],
    ids=str,
)
def test_what_is_private_or_secret_is_shown_only_where_it_is_asked_for_and_unknown_never(tool, asks, levels):
    uids = {
        level: tool(
            "store_memory", content=f"word {level}", sensitivity=level, files_read=["a.py"], concepts=["gotcha"],
            session_id="s",
        )["id"]
        for level in ("public", "operational", "personal", "private", "secret", "unknown")
    }  # fmt: skip

    for operation, more in (
        ("list_memories", {}),
        ("search_memories", {"query": "word", "min_score": 0}),
        ("search_by_file", {"file_path": "a.py"}),
        ("search_by_concept", {"concept": "gotcha"}),
        ("get_timeline", {"session_id": "s"}),
    ):
        found = tool(operation, **more, **asks)
        assert {one["sensitivity"] for one in found["memories"]} == set(levels), operation
        assert found.get("total", len(levels)) == len(levels)
    for level, uid in uids.items():
        told = tool("get_memory", id=uid, **asks, code=0 if level in levels else 1)
        assert (told["sensitivity"] if level in levels else "word" not in told) in (level, True)


@pytest.mark.seed("D15")
@pytest.mark.parametrize("label", ["top-secret", "publik", "0", 5, True, [], {}, ["public"]], ids=str)
def test_a_label_that_is_none_is_refused(refused, lasting, label):
    (known,) = asked(lasting, "list_memories")["memories"]

    assert "sensitivity: one of public" in refused("store_memory", content="y", sensitivity=label)
    assert "sensitivity: one of public" in refused("update_memory", id=known["id"], sensitivity=label)


@pytest.mark.seed("D15")
@pytest.mark.parametrize(
    ("label", "level"),
    [("PRIVATE", "private"), (" Secret ", "secret"), ("private-user", "personal"), ("Unknown", "unknown")],
)
def test_a_label_may_be_spelt_in_any_case_and_as_cursorclaw_does(tool, label, level):
    assert tool("store_memory", content="x", sensitivity=label)["sensitivity"] == level


@pytest.mark.seed("D15")
@pytest.mark.parametrize("label", [{}, {"sensitivity": None}, {"sensitivity": ""}, {"sensitivity": "  "}], ids=str)
@pytest.mark.parametrize(
    ("content", "level"), [("plain words", "public"), (PERSON, "private"), (f"token {TOKEN}", "public")]
)
def test_without_a_label_what_the_text_holds_decides(tool, label, content, level):
    found = tool("store_memory", content=content, **label)

    assert found["sensitivity"] == level
    assert bool(found["notes"]) is (content != "plain words")
    assert tool("list_memories")["total"] == (1 if level == "public" else 0)


@pytest.mark.seed("D15")
def test_personal_data_anywhere_in_a_memory_counts(tool):
    for number, field in enumerate(("title", "subtitle", "tags")):
        value = [PERSON] if field == "tags" else PERSON
        assert tool("store_memory", content=f"{number}", **{field: value})["sensitivity"] == "private"


@pytest.mark.seed("D15")
def test_a_credential_is_taken_out_whatever_the_label(box, tool):
    for level in ("public", "secret", None):
        uid = tool("store_memory", content=f"{level} {TOKEN}", title=TOKEN, subtitle=TOKEN, sensitivity=level)["id"]
        assert TOKEN not in json.dumps(tool("get_memory", id=uid, include_secret=True))
    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in box.home.rglob("*") if path.is_file())


@pytest.mark.seed("D3", "D15")
@pytest.mark.parametrize("before", [45, 55, 65, 70])
def test_a_title_does_not_hold_the_beginning_of_a_credential(box, tool, before):
    tool("store_memory", content=f"{'w' * before} {TOKEN} is the token")

    kept = box.run("list", "--all", "--json").out.lower()
    assert TOKEN[:8].lower() not in kept
    assert TOKEN[4:9].lower() not in kept


@pytest.mark.seed("D15")
def test_a_label_can_be_changed_and_an_empty_one_changes_nothing(vault, box, tool):
    uid = tool("store_memory", content="x", type="note")["id"]
    assert len(box.index()) == 1

    tool("update_memory", id=uid, sensitivity="secret")
    assert box.index() == []
    assert not list(vault.rglob("*.json"))
    assert "include_secret" in tool("get_memory", id=uid, code=1)
    tool("update_memory", id=uid, sensitivity="", title="Y")
    assert tool("get_memory", id=uid, include_secret=True)["sensitivity"] == "secret"


@pytest.mark.seed("D15")
@pytest.mark.parametrize(("content", "level"), [(PERSON, "private"), (f"token {TOKEN}", "public")])
def test_an_update_that_names_no_label_is_classified_like_a_store(vault, box, tool, content, level):
    uid = tool("store_memory", content="harmless", type="note")["id"]

    tool("update_memory", id=uid, content=content)

    found = tool("list_memories", include_private=True, include_secret=True)["memories"]
    assert [one["sensitivity"] for one in found] == [level]
    assert bool(list(vault.rglob("*.json"))) is (level == "public")
    assert TOKEN not in "".join(path.read_text() for path in vault.rglob("*.json"))


# -- D4-D8, D48: scored search --------------------------------------------------------------------------------------


def scores(found):
    return [one["_score"] for one in found["memories"]]


@pytest.mark.parametrize(
    ("day", "recency", "trust"),
    [("2026-03-01", 1.0, 0.3), ("2026-03-22", 0.5, 0.44), ("2026-04-12", 0.25, 0.5), ("2026-05-30", 0.0513, 0.5)],
)
def test_the_score_is_made_of_match_recency_importance_and_trust(box, tool, day, recency, trust):
    tool("store_memory", content="parser", importance=0.6, ttl_days=0)
    at(day, box)

    (found,) = tool("search_memories", query="parser", min_score=0)["memories"]

    assert found["_match"] == 1.0
    assert found["_score"] == pytest.approx(0.55 + 0.20 * recency + 0.15 * 0.6 + 0.10 * trust, abs=0.0006)


def test_recency_counts_from_the_last_edit(box, tool):
    old, edited = (tool("store_memory", content=f"parser {name}", ttl_days=0)["id"] for name in ("one", "two"))
    at("2026-04-12", box)
    tool("update_memory", id=edited, subtitle="still true")

    assert [one["id"] for one in tool("search_memories", query="parser")["memories"]] == [edited, old]


def test_trust_grows_with_uses_and_age_and_shrinks_with_doubt(box, tool):
    uid = tool("store_memory", content="sure", ttl_days=0)["id"]
    doubted = tool("store_memory", content="doubted", ttl_days=0, confidence=0.5)["id"]
    assert [one["trust"] for one in tool("list_memories")["memories"]] == [0.15, 0.3]
    at("2026-03-31", box)

    for _ in range(4):
        tool("get_memory", id=uid)

    expected = 0.3 + 0.5 * (1 - math.exp(-1)) + 0.2
    assert tool("get_memory", id=uid)["trust"] == pytest.approx(expected, abs=0.0006)
    assert tool("list_memories")["memories"][0]["id"] == doubted
    assert tool("list_memories")["memories"][0]["trust"] == 0.25


def test_a_match_in_the_title_stands_above_one_in_the_text(tool):
    tool("store_memory", title="Cache eviction", content="how entries leave when it is full")
    tool("store_memory", title="Notes of Tuesday", content="the cache eviction of entries")

    found = tool("search_memories", query="cache eviction")

    assert [one["title"] for one in found["memories"]] == ["Cache eviction", "Notes of Tuesday"]
    assert scores(found)[0] > scores(found)[1]


def test_more_matching_words_stand_above_fewer(tool):
    for text in ("sqlite is small", "sqlite journal modes", "sqlite journal checkpoint starvation"):
        tool("store_memory", content=text, title="T")

    found = tool("search_memories", query="sqlite journal checkpoint", min_score=0)

    assert contents(found) == ["sqlite journal checkpoint starvation", "sqlite journal modes", "sqlite is small"]
    assert len(set(scores(found))) == 3


def test_a_rare_word_says_more_than_a_common_one(tool):
    for number in range(8):
        tool("store_memory", content=f"the server of week {number}", title="T")
    tool("store_memory", content="the quorum of last week", title="T")

    found = tool("search_memories", query="server quorum", min_score=0)

    assert contents(found)[0] == "the quorum of last week"


def test_rank_counts_also_where_the_least_score_is_low(tool):
    tool("store_memory", content="parser parser parser", importance=0)
    tool("store_memory", content="a long text about many other things, and among them somewhere a parser", importance=1)
    weak_but_important = contents(tool("search_memories", query="parser"))

    assert len(weak_but_important) == 2
    assert len(set(scores(tool("search_memories", query="parser")))) == 2


def test_scores_are_rounded_to_three_digits_and_never_grow_down_the_list(tool):
    for number in range(6):
        tool("store_memory", content=f"parser {'word ' * number}", importance=number / 7)

    found = tool("search_memories", query="parser word", min_score=0)

    numbers = [one[name] for one in found["memories"] for name in ("_score", "_match")]
    assert all(number == round(number, 3) and 0 <= number <= 1 for number in numbers)
    assert scores(found) == sorted(scores(found), reverse=True)


@pytest.fixture
def weak(box, tool):
    """Two hits, of which the second is worth less than .35."""
    tool("store_memory", content="strong sqlite journal checkpoint", title="A", ttl_days=0)
    tool("store_memory", content=f"weak {'other words ' * 60} journal", title="B", importance=0, ttl_days=0)
    box.now = "2026-09-01T12:00:00Z"
    return {"query": "sqlite journal checkpoint starvation"}


@pytest.mark.seed("D16")
def test_a_least_score_of_zero_is_zero(weak, tool):
    assert tool("search_memories", **weak)["count"] == 1
    assert tool("search_memories", **weak, min_score=None)["count"] == 1

    found = tool("search_memories", **weak, min_score=0)

    assert found["count"] == 2
    assert 0 < scores(found)[1] < 0.35
    assert tool("search_memories", **weak, min_score=1)["count"] == 0


@pytest.mark.seed("D48")
def test_the_least_score_is_a_setting(weak, box, tool):
    box.settings["RECOLLECT_RECALL__MIN_SCORE"] = "0"
    assert tool("search_memories", **weak)["count"] == 2
    box.settings["RECOLLECT_RECALL__MIN_SCORE"] = "1"
    assert tool("search_memories", **weak)["count"] == 0


@each(
    "query",
    ['"', '""', '"parser', "par-ser", "C++", "C#", ".NET", "AND", "OR NOT", "parser AND", "NEAR(parser 2)", "^parser",
     "title:parser", "{title}:x", "*", "pars*", "(", ")", "+", "'", "\\", "%", "_", "--", "+++", ";", "\t", "\0", "🦊",
     "'; DROP TABLE memories; --", "x" * 10_000, "word " * 3_000, "\u202e\u200b"],
)  # fmt: skip
def test_no_query_is_a_query_language(lasting, query):
    for said in (f"{query} parser", f"parser {query}", f'"{query}"'):
        assert asked(lasting, "search_memories", query=said, min_score=0)["count"] in (0, 1)
    assert asked(lasting, "search_memories", query=f"recursive {query}", min_score=0)["count"] == 1


@pytest.mark.parametrize(
    ("content", "query", "wrong"),
    [
        ("written in C++ and fast", "C++", "written by hand"),
        ("the foo-bar module", "foo-bar", "a bar of foo"),
        ('he said "no"', '"said"', "nothing"),
        ("größe der Datei", "Größe", "grosse Datei"),
        ("漢字 表記", "漢字", "表"),
        ("call os.path.join()", "os.path.join()", "join os and path"),
        ("set AND OR NOT", "set", "other"),
    ],
)
def test_words_with_signs_are_found_as_they_are_written(tool, content, query, wrong):
    tool("store_memory", content=content, ttl_days=0)
    tool("store_memory", content=wrong, ttl_days=0)

    assert contents(tool("search_memories", query=query, min_score=0)) == [content]


def test_a_query_of_stop_words_alone_finds_nothing(tool):
    tool("store_memory", content="what is the and of it")

    assert tool("search_memories", query="what is the and of it?", min_score=0) == {"memories": [], "count": 0}


@pytest.mark.seed("D48")
@pytest.mark.parametrize("where", ["environment", "letsgo"])
def test_the_weights_of_the_configuration_count(vault, box, tool, where):
    tool("store_memory", content="parser parser parser", title="Parser", importance=0.2)
    tool("store_memory", content="among other things a parser", title="T", importance=0.9)
    assert [one["importance"] for one in tool("search_memories", query="parser")["memories"]] == [0.2, 0.9]

    weights = {"match": 0, "recency": 0, "importance": 1, "trust": 0}
    if where == "environment":
        box.settings[WEIGHTS] = json.dumps(weights)
    else:
        table = "\n".join(f"{name} = {value}" for name, value in weights.items())
        (box.root / "pyproject.toml").write_text(f"[tool.letsgo.memory.weights]\n{table}\n")

    found = tool("search_memories", query="parser", min_score=0)
    assert scores(found) == [0.9, 0.2]


@pytest.mark.seed("D48")
@pytest.mark.parametrize(("name", "expected"), [("match", 1.0), ("recency", 0.5), ("importance", 0.3), ("trust", 0.44)])
def test_each_weight_weighs_its_own_part(box, tool, name, expected):
    tool("store_memory", content="parser", importance=0.3, ttl_days=0)
    at("2026-03-22", box)
    box.settings[WEIGHTS] = json.dumps({"match": 0, "recency": 0, "importance": 0, "trust": 0} | {name: 1})

    assert scores(tool("search_memories", query="parser", min_score=0)) == [expected]


@pytest.mark.seed("D48")
def test_a_weight_that_is_not_named_keeps_its_default(box, tool):
    tool("store_memory", content="parser", importance=0.6)
    box.settings[WEIGHTS] = json.dumps({"match": 0})

    assert scores(tool("search_memories", query="parser", min_score=0)) == [0.32]


# -- D17: summaries -------------------------------------------------------------------------------------------------


@pytest.fixture
def old(box, tool):
    """Store memories that are two months old."""

    def store(number, name="old", **fields):
        at("2026-01-01", box)
        said = [
            tool("store_memory", content=f"{name} {one} {'x' * 300} the end of {one}", **{"ttl_days": 0, **fields})
            for one in range(number)
        ]
        at("2026-03-01", box)
        return [one["id"] for one in said]

    return store


@pytest.mark.seed("D17")
def test_six_old_memories_become_one_that_says_all_of_it(box, tool, old):
    uids = old(
        6, category="db", tags=["a", "b"], concepts=["gotcha"], files_read=["r.py"], files_modified=["m.py"],
        importance=0.8,
    )  # fmt: skip
    said = contents(tool("list_memories"))

    counters = tool("summarize_old")

    assert counters == {"categories_summarized": 1, "memories_summarized": 6, "summaries_created": 1}
    (found,) = tool("list_memories")["memories"]
    assert all(text in found["content"] for text in said)
    assert (found["type"], found["category"], found["importance"]) == ("compressed_summary", "db/summary", 0.8)
    assert (found["tags"], found["concepts"]) == (["a", "b"], ["gotcha"])
    assert (found["files_read"], found["files_modified"]) == (["r.py"], ["m.py"])
    assert sorted(box.run("show", found["id"], "--json").json["derived_from"]) == sorted(uids)
    assert tool("search_by_file", file_path="r.py")["count"] == 1


@pytest.mark.seed("D17")
def test_the_members_are_archived_and_can_be_restored(box, tool, old):
    uids = old(6)
    tool("summarize_old")

    for uid in uids:
        shown = box.run("show", uid, "--json").json
        assert shown["status"] == "archived"
        assert "summary" in shown["closed_reason"]
    box.run("restore", uids[0])
    assert tool("list_memories")["total"] == 2


@pytest.mark.seed("D17")
def test_five_old_memories_are_left_alone(box, tool, old):
    old(5)
    old(5, name="other", category="db")
    old(5, name="another", type="bugfix")
    before = state(box)

    assert tool("summarize_old") == {"categories_summarized": 0, "memories_summarized": 0, "summaries_created": 0}
    assert state(box) == before


@pytest.mark.seed("D17")
def test_each_kind_and_category_has_a_summary_of_its_own(tool, old):
    old(6)
    old(7, name="db", category="db")
    old(6, name="fix", type="bugfix")
    old(2, name="few", type="feature")

    assert tool("summarize_old") == {"categories_summarized": 3, "memories_summarized": 19, "summaries_created": 3}
    assert tool("list_memories")["total"] == 5
    assert tool("list_memories", category="general/summary")["total"] == 2


@pytest.mark.seed("D17")
@pytest.mark.parametrize(
    ("more", "number"),
    [({}, 0), ({"days": 60}, 0), ({"days": 59}, 0), ({"days": 58}, 6), ({"older_than_days": 1}, 6), ({"days": 0}, 6)],
    ids=str,
)
def test_old_is_30_days_unless_told_otherwise_and_counts_from_the_last_edit(box, tool, old, more, number):
    uids = old(6)
    at("2026-01-02", box)
    for uid in uids:
        tool("update_memory", id=uid, subtitle="still true")
    at("2026-01-20" if not more else "2026-03-02", box)

    assert tool("summarize_old", **more)["memories_summarized"] == number


@pytest.mark.seed("D17")
@pytest.mark.parametrize("days", [-1, "x", 1e9, float("nan"), None])
def test_days_that_cannot_be_are_refused(tool, old, days):
    old(6)

    assert "days" in tool("summarize_old", days=days, code=1)
    assert tool("list_memories")["total"] == 6


@pytest.mark.seed("D17", "D15")
def test_sensitivities_are_never_mixed(box, tool, old):
    for level in ("public", "private", "secret", "unknown"):
        old(6, name=level, sensitivity=level)
    old(3, name="other", category="db")
    old(3, name="hidden", category="db", sensitivity="secret")

    assert tool("summarize_old")["summaries_created"] == 4

    found = tool("list_memories", include_private=True, include_secret=True, type="compressed_summary")["memories"]
    assert {one["sensitivity"] for one in found} == {"public", "private", "secret"}
    for one in found:
        others = {"public", "private", "secret", "unknown"} - {one["sensitivity"]}
        assert not [name for name in others if f"{name} 0" in one["content"]]
    assert contents(tool("list_memories", type="compressed_summary"))[0].count("public") == 6
    kept = [one for one in box.run("list", "--json").json if one["kind"] == "compressed_summary"]
    assert {one["sensitivity"] for one in kept} == {"public", "private", "secret", "unknown"}


@pytest.mark.seed("D17")
def test_what_is_pinned_decided_summarised_or_expired_is_left_alone(box, tool, old):
    pinned = old(6)[0]
    box.run("pin", pinned)
    old(6, name="decision", type="decision")
    old(6, name="summary", type="compressed_summary")
    old(6, name="expired", type="feature", ttl_days=1)

    assert tool("summarize_old")["summaries_created"] == 0
    assert tool("list_memories")["total"] == 18


@pytest.mark.seed("D17")
def test_a_summary_is_undone_as_a_whole(vault, box, tool, old):
    old(6)
    old(6, name="note", type="note")
    before, files = state(box), sorted(vault.rglob("*.json"))
    assert len(files) == 6
    tool("summarize_old")
    assert state(box) != before

    box.run("undo", "--yes")

    assert state(box) == before
    assert sorted(vault.rglob("*.json")) == files
    assert len(box.index()) == 6


@pytest.mark.seed("D17")
def test_summarising_again_finds_nothing(box, tool, old):
    old(6)
    tool("summarize_old")
    at("2026-09-01", box)

    assert tool("summarize_old")["summaries_created"] == 0


# -- D18: files -----------------------------------------------------------------------------------------------------


@pytest.mark.seed("D18")
@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("src/a_b.py", "src/aXb.py"),
        ("src/100%.py", "src/100 percent.py"),
        ("src/%", "src/a.py"),
        ("a.py", "src/a.py"),
        ("src/a.py", "src/a.pyc"),
        ('src/"quoted".py', "src/quoted.py"),
        ("src/Größe.py", "src/Grosse.py"),
        ("src\\a.py", "src/a.py"),
        ("src/A.py", "src/a.py"),
    ],
)
def test_a_path_is_taken_to_the_letter(tool, path, other):
    tool("store_memory", content="read", files_read=[path])
    tool("store_memory", content="modified", files_modified=["z.py", path])
    tool("store_memory", content="other", files_read=[other], files_modified=[other])

    assert set(contents(tool("search_by_file", file_path=path))) == {"read", "modified"}
    assert contents(tool("search_by_file", file_path=other)) == ["other"]
    assert tool("search_by_file", file_path=path, limit=1)["count"] == 1


@pytest.mark.seed("D18")
def test_a_path_of_the_project_is_the_same_however_it_is_spelt(box, tool):
    tool("store_memory", content="absolute", files_read=[str(box.root / "src/a.py")])
    tool("store_memory", content="relative", files_read=["src/a.py"])
    tool("store_memory", content="dotted", files_read=["./src/a.py"])
    tool("store_memory", content="outside", files_read=["/etc/hosts"])

    for path in ("src/a.py", "./src/a.py", str(box.root / "src/a.py")):
        assert set(contents(tool("search_by_file", path=path))) == {"absolute", "relative", "dotted"}
    assert contents(tool("search_by_file", file="/etc/hosts")) == ["outside"]


@pytest.mark.seed("D18")
@pytest.mark.parametrize("name", ["files_read", "files_modified"])
def test_a_path_that_an_update_brings_is_found_however_it_is_spelt(box, tool, name):
    path = str(box.root / "src/a.py")
    uid = tool("store_memory", content="x")["id"]
    tool("update_memory", id=uid, **{name: [path]})

    assert [tool("search_by_file", file_path=one)["count"] for one in (path, "src/a.py")] == [1, 1]


@pytest.mark.seed("D18")
def test_what_hides_in_a_path_is_cleaned_by_store_and_update_alike(tool):
    stored = tool("store_memory", content="x", files_read=["src/\u202eyp.a"])["id"]
    updated = tool("store_memory", content="y")["id"]
    tool("update_memory", id=updated, files_read=["src/\u202eyp.a"])

    assert [tool("get_memory", id=uid)["files_read"] for uid in (stored, updated)] == [["src/yp.a"], ["src/yp.a"]]


@pytest.mark.seed("D18")
def test_the_file_that_a_person_named_counts_too(box, tool):
    box.run("remember", "Keep it short", "--file", "src/a.py")

    assert contents(tool("search_by_file", file_path="src/a.py")) == ["Keep it short"]


# -- D19: where it lies ---------------------------------------------------------------------------------------------


class LetsGoBox(Box):
    """A user of LetsGo, who has never heard of RECOLLECT_HOME."""

    @property
    def env(self):
        return {name: value for name, value in super().env.items() if name != "RECOLLECT_HOME"}


@pytest.fixture
def letsgo(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    return LetsGoBox(tmp_path, tmp_path / "base", root)


def make_letsgo_database(path, mode):
    """What LetsGo itself would have made there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA journal_mode={mode}")
        database.executescript(
            "CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, content_hash TEXT NOT NULL, "
            "sensitivity TEXT DEFAULT 'public', created_at TEXT NOT NULL, updated_at TEXT NOT NULL);"
            "INSERT INTO memories VALUES ('0123456789ab', 'theirs', '', 'public', '2026-01-01', '2026-01-01');"
        )


def below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.seed("D19")
def test_the_store_lies_in_the_home_of_letsgo_where_there_is_no_other(letsgo):
    letsgo.settings["LETSGO_HOME"] = str(letsgo.home)

    asked(letsgo, "store_memory", content="x")

    assert (letsgo.home / "memory.db").is_file()
    lines = (letsgo.home / "logs" / "memory-journal.jsonl").read_text("utf-8").splitlines()
    assert "created" in [json.loads(line)["action"] for line in lines]
    assert contents(asked(letsgo, "list_memories")) == ["x"]


@pytest.mark.seed("D19")
def test_database_and_journal_of_letsgo_may_be_named_one_by_one(letsgo):
    letsgo.settings["LETSGO_MEMORY_DB"] = str(letsgo.folder / "deep" / "own.db")
    letsgo.settings["LETSGO_MEMORY_LOG"] = str(letsgo.folder / "logs" / "own.jsonl")

    asked(letsgo, "store_memory", content="x")

    assert (letsgo.folder / "deep" / "own.db").is_file()
    assert '"created"' in (letsgo.folder / "logs" / "own.jsonl").read_text("utf-8")
    assert not letsgo.home.exists()


@pytest.mark.seed("D19")
def test_a_home_of_our_own_comes_first(box, tool):
    theirs = box.folder / "letsgo"
    box.settings |= {
        "LETSGO_HOME": str(theirs),
        "LETSGO_MEMORY_DB": str(theirs / "m.db"),
        "LETSGO_MEMORY_LOG": str(theirs / "m.jsonl"),
    }

    tool("store_memory", content="x")

    assert not theirs.exists()
    assert mirror(box)[0]["action"] == "created"


@pytest.mark.seed("D19")
@pytest.mark.parametrize("named", ["LETSGO_HOME", "LETSGO_MEMORY_DB"])
@pytest.mark.parametrize(
    "mode",
    ["wal", "delete"],
)
def test_a_database_that_letsgo_made_is_refused_and_left_as_it_is(letsgo, named, mode):
    place = letsgo.home / "memory.db"
    make_letsgo_database(place, mode)
    letsgo.settings[named] = str(letsgo.home if named == "LETSGO_HOME" else place)
    before = place.read_bytes()

    for request in ({"operation": "list_memories"}, {"operation": "store_memory", "content": "x"}):
        done = letsgo.run("memory", json.dumps(request), code=1)
        assert "STORE_FOREIGN" in done.out + done.err
        assert "import" in done.out + done.err

    assert place.read_bytes() == before


@pytest.mark.seed("D19")
def test_nothing_is_put_beside_a_database_that_is_not_ours(letsgo):
    make_letsgo_database(letsgo.home / "memory.db", "wal")
    letsgo.settings["LETSGO_HOME"] = str(letsgo.home)
    before = below(letsgo.home)

    letsgo.run("memory", json.dumps({"operation": "list_memories"}), code=1)

    assert below(letsgo.home) == before


@pytest.mark.seed("D16", "D19")
def test_a_database_that_is_not_ours_is_told_in_json(letsgo):
    make_letsgo_database(letsgo.home / "memory.db", "wal")
    letsgo.settings["LETSGO_HOME"] = str(letsgo.home)

    done = letsgo.run("memory", json.dumps({"operation": "list_memories"}), code=1)

    assert done.json["success"] is False
    assert done.json["error"]["code"] == "STORE_FOREIGN"


@pytest.mark.seed("D19")
def test_what_letsgo_kept_can_be_taken_in(letsgo):
    make_letsgo_database(letsgo.folder / "old" / "memory.db", "delete")
    letsgo.settings["LETSGO_HOME"] = str(letsgo.home)

    letsgo.run("import", str(letsgo.folder / "old" / "memory.db"))

    assert contents(asked(letsgo, "list_memories")) == ["theirs"]


# -- undo -----------------------------------------------------------------------------------------------------------

FIRST = {"content": "first", "tags": ["a"], "ttl_days": 1, "type": "note"}
UNDOABLE = {
    "store": ("store_memory", {"content": "new"}),
    "merge": ("store_memory", {**FIRST, "tags": ["b"], "importance": 1, "sensitivity": "secret", "ttl_days": 2}),
    "update": ("update_memory", {"content": "other", "title": "Other", "tags": [], "sensitivity": "private"}),
    "retype": ("update_memory", {"type": "change", "category": "db"}),
    "delete": ("delete_memory", {}),
    "fact": ("store_fact", {"subject": "a", "predicate": "b", "object": "new"}),
    "refreshed fact": ("store_fact", {"subject": "a", "predicate": "b", "object": "c", "confidence": 0.1}),
    "deleted fact": ("delete_fact", {}),
    "purge": ("purge_expired", {}),
}


@pytest.mark.seed("D14", "D16")
@pytest.mark.parametrize("case", UNDOABLE)
def test_everything_that_an_operation_did_is_undone(vault, box, tool, case):
    uid = tool("store_memory", **FIRST)["id"]
    fact = tool("store_fact", subject="a", predicate="b", object="c")["id"]
    before, files, index = state(box), below(vault), box.index()
    operation, fields = UNDOABLE[case]
    box.now = "2026-03-09T12:00:00Z" if case == "purge" else "2026-03-01T13:00:00Z"
    named = {"update_memory": {"id": uid}, "delete_memory": {"id": uid}, "delete_fact": {"id": fact}}

    tool(operation, **named.get(operation, {}), **fields)
    assert state(box) != before
    box.run("undo", "--yes")

    assert state(box) == before
    assert below(vault) == files
    assert box.index() == index


@pytest.mark.seed("D14")
def test_what_was_stored_for_another_project_is_undone_and_nothing_in_its_place(box, tool):
    box.run("remember", "precious")
    tool("store_memory", content="elsewhere", project="other")

    box.run("undo", "--yes")

    assert [one["text"] for one in box.run("list", "--all-projects", "--json").json] == ["precious"]


@pytest.mark.seed("D14")
def test_undoing_a_delete_takes_every_tombstone_away(box, tool):
    uid = tool("store_memory", content="first text")["id"]
    tool("update_memory", id=uid, content="second text")
    tool("delete_memory", id=uid)

    box.run("undo", "--yes")

    assert taken_in(box, "first text") == {"created": 1}


@pytest.mark.seed("D11", "D14")
def test_a_use_is_nothing_to_undo(box, tool):
    uid = tool("store_memory", content="x")["id"]
    tool("get_memory", id=uid)

    box.run("undo", "--yes")

    assert total(box) == 0


# -- a real process -------------------------------------------------------------------------------------------------


@pytest.mark.seed("D16")
def test_a_real_process_answers_on_one_line_with_its_exit_code(box):
    command = [sys.executable, "-c", "from recollect.faces.cli import main; main()", "memory"]
    told = [
        subprocess.run(command, input=said, cwd=box.root, env=box.env, capture_output=True, timeout=60)
        for said in (b'{"operation": "list_memories"}', b'{"operation": "\xff\xfe"}')
    ]

    assert [done.returncode for done in told] == [0, 1]
    assert [json.loads(done.stdout)["success"] for done in told] == [True, False]
    assert all(done.stdout.count(b"\n") == 1 and b"Traceback" not in done.stderr for done in told)
