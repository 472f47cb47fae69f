"""Import and export: everything that can be read comes in once, everything else is named, and all of it goes out."""

import contextlib
import json
import os
import socket
from pathlib import Path
from typing import Any

import apsw
import pytest
from builders import Box, decision
from examples import IS_DEEP, few
from hypothesis import given
from hypothesis import strategies as st

import recollect
from recollect.model.memory import Memory

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"  # gitleaks:allow
WHEN = "2026-01-01T00:00:00Z"
LINE: dict[str, Any] = {
    "uid": "0199b3c00000aaaaaaaaaaaa", "slug": "from-elsewhere", "kind": "note", "title": "From elsewhere",
    "content": {"text": "what it says"}, "created_at": WHEN, "updated_at": WHEN,
}  # fmt: skip
FACT: dict[str, Any] = {
    "uid": "fact-0199b3c00000bbbbbbbbbbbb", "project": "shop", "subject": "the API", "predicate": "speaks",
    "object": "gRPC", "confidence": 0.75, "source": "0199b3c00000aaaaaaaaaaaa", "created_at": WHEN, "updated_at": WHEN,
}  # fmt: skip


def jsonl(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def put(box: Any, data: str | bytes, name: str = "in.jsonl") -> str:
    """A file outside the project."""
    path = box.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    return str(path)


def take_in(box: Any, data: str | bytes, *flags: str, name: str = "in.jsonl") -> dict[str, Any]:
    """Import some bytes; the report."""
    return box.run("import", put(box, data, name), "--json", *flags).json


def rows(box: Any, sql: str) -> list[tuple[Any, ...]]:
    """What the database says, past recollect."""
    connection = apsw.Connection(str(box.home / "memory.db"))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def everything(box: Any) -> dict[str, Any]:
    """Every memory and fact of every project and status, with every field."""
    images = [
        json.loads(image) for (image,) in rows(box, "SELECT image FROM memories UNION ALL SELECT image FROM facts")
    ]
    return {image["uid"]: image for image in images}


def whole(box: Any) -> dict[str, Any]:
    """The whole database, table by table, and every other file of the user's: to see that nothing changes."""
    # How vault files looked is a cache, and the index of words follows from the memories.
    tables = rows(
        box,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'memory_words%' AND name <> 'sightings'",
    )
    found: dict[str, Any] = {name: rows(box, f"SELECT * FROM {name}") for (name,) in tables}
    files = (path for top in (box.home, box.root) for path in top.rglob("*") if path.is_file())
    return found | {
        str(path): path.read_bytes() for path in files if ".git" not in path.parts and "memory.db" not in path.name
    }


def texts(box: Any, *flags: str) -> list[str]:
    return sorted(one["text"] for one in box.run("list", "--json", *flags).json)


def show(box: Any, name: str) -> dict[str, Any]:
    return box.run("show", name, "--json").json


@pytest.fixture
def plain(make_box: Any) -> Any:
    """A user in a repository without a vault."""
    box = make_box()
    box.run("list")
    return box


@pytest.fixture
def other(make_box: Any, plain: Any) -> Any:
    """Another user in the same checkout, with a HOME that is empty."""
    return make_box("other", root=plain.root)


# -- our own lines ------------------------------------------------------------------------------------------------


@pytest.fixture
def rich(plain: Any) -> Any:
    """A store with memories of many kinds, statuses, uses and histories, with lineage and facts."""
    box = plain
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file", "--tag", "db", "--file", "src/db.py",
            "--confidence", "0.8", "--importance", "0.9")  # fmt: skip
    box.run("remember", 'Zeilen\nmit ünïcode, "Anführung" und \\ Strich\t\u2028 und 🎈', "--title", "Ünïcode")
    box.run("remember", "only for a while", "--ttl-days", "3")
    box.run("remember", "gone by then", "--ttl-days", "1")
    box.run("remember", "seen everywhere", "--global")
    box.run("remember", "mine alone", "--sensitivity", "personal")
    box.run("remember", "nobody knows", "--sensitivity", "unknown")
    box.run("remember", "Goal", "--kind", "session_summary", "--set", "completed=parser", "--set", "next_actions=docs")
    box.run("remember", "was wrong")
    box.run("retire", "was-wrong", "--reason", "it is not so")
    box.run("remember", "on the shelf")
    box.run("archive", "on-the-shelf", "--reason", "old")
    box.run("remember", "first words")
    for number in range(3):
        box.run("edit", "first-words", "--text", f"words {number}", "--tag", f"tag{number}")
    box.run("pin", "use-sqlite")
    box.run("appreciate", "use-sqlite", "3")
    box.run("fact", "add", "the API", "speaks", "gRPC", "--confidence", "0.75", "--source", "use-sqlite")
    stored = box.run("memory", json.dumps({
        "operation": "store_memory", "content": "the cache was stale", "type": "bugfix", "concepts": ["gotcha"],
        "files_read": ["a.py"], "files_modified": ["b.py"], "session_id": "s1", "subtitle": "when it is slow",
    })).json["output"]["id"]  # fmt: skip
    box.run("memory", json.dumps({"operation": "get_memory", "id": stored, "session_id": "s2"}))
    for number in range(7):
        box.run("log", "append", "--session", "s3", "--category", "discovery", f"old find number {number}")
    box.now = "2026-04-20T12:00:00Z"
    box.run("memory", json.dumps({"operation": "summarize_old", "days": 30}))
    return box


def test_an_export_of_everything_comes_back_field_by_field_in_an_empty_home(rich, other):
    rich.run("export", str(rich.folder / "all.jsonl"), "--everything", "--all-projects")
    before = everything(rich)
    assert {one.get("status", "active") for one in before.values()} == {"active", "retired", "archived"}
    used = [field for one in before.values() for field in one]
    assert {"edits", "usage", "derived_from", "expires_at", "closed_reason", "concepts", "anchors"} <= set(used)
    other.now = rich.now
    report = other.run("import", "--exact", str(rich.folder / "all.jsonl"), "--json").json
    assert everything(other) == before
    assert sum(report["counts"].values()) == len(before)
    assert report["problems"] == []


def test_a_second_import_of_an_export_changes_nothing_and_says_known(rich, other):
    rich.run("export", str(rich.folder / "all.jsonl"), "--everything", "--all-projects")
    other.run("import", str(rich.folder / "all.jsonl"))
    before = whole(other)
    report = other.run("import", str(rich.folder / "all.jsonl"), "--json").json
    assert report["counts"] == {"known": len(everything(rich))}
    assert whole(other) == before


def test_an_export_taken_in_where_it_came_from_is_known(rich):
    rich.run("export", str(rich.folder / "all.jsonl"), "--everything", "--all-projects")
    before = whole(rich)
    report = rich.run("import", str(rich.folder / "all.jsonl"), "--json").json
    assert set(report["counts"]) == {"known"}
    assert whole(rich) == before


def full_line() -> dict[str, Any]:
    """A line with something in every field of a memory."""
    usage = {"hits": 4, "last_hit_at": WHEN, "last_session": 7, "created_session": 2, "appreciation": 3, "pinned": True}
    return {
        **LINE,
        "kind": "note",
        "tags": ["db", "ünïcode"],
        "concepts": ["gotcha"],
        "cue": "when the disk is full",
        "keywords": ["disk", "full"],
        "project": "github.com/ann/shop",
        "session": "s1",
        "origin": "tool",
        "channel": "operator",
        "files_read": ["a.py"],
        "files_modified": ["b.py"],
        "commit": "0" * 40,
        "branch": "topic",
        "anchors": [{"path": "src/db.py", "digest": "d41d8cd98f00b204e9800998ecf8427e"}],
        "derived_from": ["0199b3c00000cccccccccccc"],
        "links": [{"relation": "may_replace", "uid": "0199b3c00000dddddddddddd"}],
        "confidence": 0.25,
        "importance": 0.75,
        "sensitivity": "operational",
        "usage": usage,
        "scale": "task",
        "status": "retired",
        "expires_at": "2031-01-01T00:00:00Z",
        "closed_at": WHEN,
        "closed_reason": "it is not so",
        "edits": [{"date": WHEN, "summary": "s", "field": "tags", "old_value": ["a"], "new_value": {"b": [1, None]}}],
        "times_revised": 9,
    }


def test_no_field_of_a_memory_is_lost_on_the_way_in_and_out(plain, other):
    said = full_line()
    assert set(said) == set(Memory.model_fields)
    take_in(plain, jsonl(said, {"fact": FACT}), "--exact")
    found = plain.run("export", "--all-projects").out.splitlines()
    assert [json.loads(line) for line in found] == [said, {"fact": FACT}]
    take_in(other, "\n".join(found), "--exact")
    assert everything(other) == {said["uid"]: said, FACT["uid"]: FACT}


def test_a_memory_of_a_kind_that_this_workspace_does_not_define_keeps_its_fields(plain):
    said = {**LINE, "kind": "incident", "content": {"impact": "checkout down", "steps": ["restart"]}}
    take_in(plain, jsonl(said), "--exact")
    assert everything(plain)[LINE["uid"]]["content"] == said["content"]


def test_two_records_that_say_the_same_both_survive_the_round_trip(plain, other):
    for session in ("s1", "s2"):
        plain.run("log", "append", "--session", session, "the build is slow")
    plain.run("export", str(plain.folder / "all.jsonl"))
    other.run("import", "--exact", str(plain.folder / "all.jsonl"))
    assert everything(other) == everything(plain)


def test_two_memories_that_came_to_say_the_same_both_survive_the_round_trip(plain, other):
    for text in ("first words", "second words"):
        plain.run("remember", text)
    plain.run("edit", "second-words", "--text", "first words")
    plain.run("export", str(plain.folder / "all.jsonl"))
    other.run("import", "--exact", str(plain.folder / "all.jsonl"))
    assert everything(other) == everything(plain)


def test_two_retired_memories_that_say_the_same_both_come_in_however_far_apart_they_stand(plain):
    def retired(number: int, says: str) -> dict[str, Any]:
        named = {"uid": f"0199b3c00000{number:012x}", "slug": f"retired-{number}", "content": {"text": says}}
        return {**LINE, **named, "status": "retired"}

    fillers = [retired(number, f"filler {number}") for number in range(1, 600)]
    take_in(plain, jsonl(retired(0, "the same"), *fillers, retired(600, "the same")))
    assert len(everything(plain)) == 601


def test_a_memory_that_is_kept_for_good_is_kept_for_good_after_an_import(plain, other):
    plain.settings["RECOLLECT_SAVE__RETENTION_DAYS"] = '{"session_summary": 0}'
    plain.run("remember", "Goal", "--kind", "session_summary")
    plain.run("export", str(plain.folder / "all.jsonl"))
    other.run("import", "--exact", str(plain.folder / "all.jsonl"))
    assert everything(other) == everything(plain)


def test_a_fact_keeps_its_confidence_its_times_and_its_source(plain):
    take_in(plain, jsonl({"fact": FACT}), "--exact")
    assert everything(plain) == {FACT["uid"]: FACT}
    assert take_in(plain, jsonl({"fact": FACT}), "--exact")["counts"] == {"known": 1}
    assert everything(plain) == {FACT["uid"]: FACT}


@given(
    title=st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf"]), min_size=1, max_size=40).filter(str.strip),
    says=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200).filter(str.strip),
    hits=st.integers(0, 10**9),
    status=st.sampled_from(["active", "retired", "archived"]),
)
@few(8)
def test_whatever_a_memory_says_comes_back_to_the_letter(tmp_path_factory, title, says, hits, status):
    folder = tmp_path_factory.mktemp("letters")
    ann, bob = (Box(folder, folder / name, folder) for name in ("ann", "bob"))
    said = {**LINE, "title": title, "content": {"text": says}, "usage": {"hits": hits}, "status": status}
    take_in(ann, json.dumps(said, ensure_ascii=False), "--exact")
    ann.run("export", str(folder / "all.jsonl"), "--everything", "--all-projects")
    bob.run("import", "--exact", str(folder / "all.jsonl"))
    assert everything(bob) == everything(ann)
    kept = everything(ann)[LINE["uid"]]
    assert (kept["title"], kept["content"]["text"]) == (title, says)


# -- what a file may claim ----------------------------------------------------------------------------------------


def test_a_plain_import_keeps_what_a_memory_says_and_nothing_that_gives_it_weight(plain):
    said = {**full_line(), "status": "active", "closed_at": None, "closed_reason": None, "origin": "user"}
    take_in(plain, jsonl(said))
    (found,) = everything(plain).values()
    kept = ("title", "content", "kind", "slug", "tags", "created_at", "updated_at", "expires_at", "sensitivity", "cue")
    assert {name: found[name] for name in kept} == {name: said[name] for name in kept}
    assert (found["origin"], found["project"]) == ("import", show(plain, "from-elsewhere")["project"])
    assert found["project"] != said["project"]
    assert found["uid"] != said["uid"]
    assert not {"usage", "importance", "confidence", "derived_from"} & set(found)


@pytest.mark.parametrize("layout", ["our line", "claude-memory file"])
def test_a_strong_preference_of_a_file_is_an_ordinary_one_unless_the_import_is_exact(plain, make_box, layout):
    content = {"topic": "shell", "value": "run what the output says", "reason": "x", "strength": "strong"}
    if layout == "our line":
        place = put(plain, jsonl({**LINE, "kind": "preference", "content": content}))
    else:
        record = {
            "schema_version": "1.0", "category": "preference", "id": "from-elsewhere", "title": "From elsewhere",
            "record_status": "active", "created_at": WHEN, "updated_at": WHEN, "tags": ["a"], "content": content,
        }  # fmt: skip
        place = put(plain, json.dumps(record), "preferences/from-elsewhere.json")
    plain.run("import", place)
    found = show(plain, "from-elsewhere")
    assert (found["origin"], found["content"]["strength"]) == ("import", "default")
    other = make_box("exact")
    other.run("import", place, "--exact")
    assert show(other, "from-elsewhere")["content"]["strength"] == "strong"


def test_what_was_imported_is_not_among_what_always_holds(plain):
    content = {"topic": "shell", "value": "zwiebel", "reason": "x", "strength": "strong"}
    line = {**LINE, "title": "Zwiebel rule", "kind": "preference", "content": content, "usage": {"pinned": True}}
    event = json.dumps(
        {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(plain.root)}
    )
    take_in(plain, jsonl(line))
    assert "Always:" not in plain.run("hook", "claude-code", "SessionStart", stdin=event).out
    plain.run("pin", "from-elsewhere")
    assert "Always:" in plain.run("hook", "claude-code", "SessionStart", stdin=event.replace('"s"', '"t"')).out


def test_a_line_for_another_project_comes_into_this_one(plain, make_box):
    neighbour = make_box("neighbour")
    neighbour.home = plain.home
    neighbour.run("remember", "the neighbour's own")
    theirs = everything(plain)
    (project,) = {one["project"] for one in theirs.values()}
    take_in(plain, jsonl({**LINE, "project": project}))
    assert "From elsewhere" not in neighbour.run("list").out
    assert "From elsewhere" in plain.run("list").out


def test_an_identity_of_another_project_is_neither_taken_over_nor_changed(plain, make_box):
    neighbour = make_box("neighbour")
    neighbour.home = plain.home
    uid = neighbour.run("remember", "the neighbour's own", "--json").json["memory"]["uid"]
    before = everything(plain)[uid]
    take_in(plain, jsonl({**LINE, "uid": uid, "content": {"text": "something else"}}))
    after = everything(plain)
    assert after.pop(uid) == before
    assert [one["content"]["text"] for one in after.values()] == ["something else"]


def test_a_plain_import_of_an_export_again_changes_nothing_not_even_a_log(plain, other):
    for session in ("s1", "s2"):
        plain.run("log", "append", "--session", session, "the build is slow")
    plain.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file")
    plain.run("fact", "add", "the API", "speaks", "gRPC", "--source", "use-sqlite")
    plain.run("export", str(plain.folder / "all.jsonl"))
    other.run("import", str(plain.folder / "all.jsonl"))
    before = everything(other)
    assert len(before) == 4
    assert other.run("import", str(plain.folder / "all.jsonl"), "--json").json["counts"] == {"known": 4}
    assert everything(other) == before
    (fact,) = [one for one in before.values() if one["uid"].startswith("fact-")]
    assert fact["source"] in before


def test_the_help_says_what_an_exact_import_keeps(plain):
    said = " ".join(plain.run("import", "--help").out.split())
    assert "--exact" in said
    assert "pins and strength are not" in said


# -- lines that hold a text and little else -----------------------------------------------------------------------


def test_a_text_alone_becomes_a_note_of_now(plain):
    assert take_in(plain, jsonl({"text": "Use pnpm, never npm"}))["counts"] == {"created": 1}
    found = show(plain, "use-pnpm-never-npm")
    assert (found["kind"], found["title"], found["text"]) == ("note", "Use pnpm, never npm", "Use pnpm, never npm")
    assert (found["origin"], found["status"], found["created_at"]) == ("import", "active", plain.now)


@pytest.mark.parametrize(
    ("field", "value", "becomes"),
    [
        ("title", "A better title", {"title": "A better title", "slug": "a-better-title"}),
        ("kind", "learned", {"kind": "learned"}),
        ("kind", None, {"kind": "note"}),
        ("tags", ["Web", "api"], {"tags": ["api", "web"]}),
        ("tags", None, {"tags": ["untagged"]}),
        ("actor", "ann", {"channel": "ann"}),
        ("session", "s-17", {"session": "s-17"}),
        ("created_at", "2025-06-01T10:00:00+02:00", {"created_at": "2025-06-01T08:00:00Z"}),
        ("created_at", "2025-06-01", {"created_at": "2025-06-01T00:00:00Z", "updated_at": "2025-06-01T00:00:00Z"}),
        ("files", ["src/a.py"], {"anchors": [{"path": "src/a.py", "digest": None}]}),
    ],
)  # fmt: skip
def test_a_line_may_say_more_than_its_text(plain, field, value, becomes):
    report = take_in(plain, jsonl({"text": "some words", field: value}))
    assert report["problems"] == []
    (found,) = plain.run("list", "--json").json
    assert {name: found[name] for name in becomes} == becomes
    assert found["text"] == "some words"


def test_a_line_with_all_of_it_is_one_memory(plain):
    line = {"text": "all of it", "title": "T", "kind": "decision", "tags": ["a"], "actor": "ann", "session": "s",
            "created_at": WHEN, "files": ["f"]}  # fmt: skip
    take_in(plain, jsonl(line))
    found = show(plain, "t")
    assert (found["kind"], found["content"], found["channel"]) == ("decision", {"text": "all of it"}, "ann")


BAD_LINES: dict[str, tuple[str | bytes, str]] = {
    "text is a number": ('{"text": 5}', "text"),
    "text is a list": ('{"text": ["a"]}', "text"),
    "text and title are missing": ('{"kind": "note"}', "text"),
    "text is empty": ('{"text": "  "}', "text"),
    "text is null": ('{"text": null}', "text"),
    "title is a number": ('{"text": "a", "title": 1}', "title"),
    "kind is a list": ('{"text": "a", "kind": []}', "kind"),
    "kind is unknown": ('{"text": "a", "kind": "nonsense"}', "kind"),
    "tags is a text": ('{"text": "a", "tags": "web"}', "tags"),
    "tags holds numbers": ('{"text": "a", "tags": [1]}', "tags"),
    "actor is an object": ('{"text": "a", "actor": {}}', "actor"),
    "session is a number": ('{"text": "a", "session": 7}', "session"),
    "files is a text": ('{"text": "a", "files": "a.py"}', "files"),
    "created_at is a number": ('{"text": "a", "created_at": 17}', "created_at"),
    "created_at is no time": ('{"text": "a", "created_at": "yesterday"}', "created_at"),
    "prose": ("this is prose", "not JSON"),
    "half a line": ('{"text": "a", "title"', "not JSON"),
    "an array": ('["text"]', "JSON object"),
    "a number": ("17", "JSON object"),
    "null": ("null", "JSON object"),
    "raw NUL": (b'{"text": "a\0b"}', "not JSON"),
    "deep": ("[" * 100_000, "not JSON"),
    "half a surrogate pair": ('{"text": "\\ud800 a"}', "title"),
    "a memory without its fields": ('{"uid": "u1"}', "slug"),
    "a memory with a field that there is not": (json.dumps({**LINE, "colour": "red"}), "colour"),
    "a memory with a wrong status": (json.dumps({**LINE, "status": "asleep"}), "status"),
    "a memory whose slug leads elsewhere": (json.dumps({**LINE, "slug": "../../etc/passwd"}), "slug"),
    "a memory whose content does not fit": (json.dumps({**LINE, "kind": "decision", "content": {"a": 1}}), "content"),
    "a memory whose importance is no number": (json.dumps({**LINE, "importance": float("nan")}), "importance"),
    "a fact without parts": ('{"fact": {"uid": "fact-1"}}', "project"),
    "a fact that is none": ('{"fact": 5}', ""),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_cannot_be_read_is_named_and_set_aside_and_the_others_come_in(plain, name):
    bad, named = BAD_LINES[name]
    data = bad.encode() if isinstance(bad, str) else bad
    report = take_in(plain, b'{"text": "before"}\n' + data + b'\n{"text": "after"}\n')
    assert texts(plain) == ["after", "before"]
    assert report["counts"] == {"not read": 1, "created": 2}
    (problem,) = report["problems"]
    assert problem.startswith(f"{plain.folder / 'in.jsonl'}:2: ")
    assert named in problem
    assert Path(report["set_aside"]).read_bytes().rstrip(b"\n") == data
    assert Path(report["set_aside"]).stat().st_mode & 0o077 == 0


def test_a_line_of_more_than_four_million_bytes_is_named_and_stays_in_its_file_alone(plain):
    huge = json.dumps({"text": "x" * 4_100_000}).encode()
    report = take_in(plain, b'{"text": "before"}\n' + huge + b'\n{"text": "after"}\n')
    assert texts(plain) == ["after", "before"]
    assert report["counts"] == {"not read": 1, "created": 2}
    assert report["problems"] == [f"{plain.folder / 'in.jsonl'}:2: longer than 4,000,000 bytes; it is left where it is"]
    assert report["set_aside"] is None


@pytest.mark.parametrize(
    "line",
    [
        '{"text": "a", "tags": {}}',
        '{"text": "a", "files": 0}',
        b'{"text": "caf\xe9"}',
        json.dumps({**LINE, "uid": ""}),
        json.dumps({**LINE, "uid": "fact-1"}),
        json.dumps({**LINE, "uid": "\ud800"}),
        json.dumps({**LINE, "usage": {"hits": 2**63}}),
        json.dumps({**LINE, "edits": [{"date": WHEN, "summary": "s", "old_value": "X"}]}).replace(
            '"X"', "[" * 300 + "]" * 300
        ),
    ],
    ids=["tags", "files", "utf-8", "empty uid", "fact's uid", "surrogate uid", "hits", "deep edit"],
)
def test_a_line_that_is_not_fit_to_be_kept_is_named_too(plain, line):
    data = line.encode() if isinstance(line, str) else line
    report = take_in(plain, b'{"text": "before"}\n' + data + b'\n{"text": "after"}\n')
    assert texts(plain, "--all-projects") == ["after", "before"]
    assert [problem.split(": ")[0] for problem in report["problems"]] == [f"{plain.folder / 'in.jsonl'}:2"]


def test_a_line_whose_kind_would_expire_beyond_the_end_of_the_calendar_is_kept_for_good(plain):
    take_in(plain, jsonl({"text": "a", "kind": "session_summary", "created_at": "9999-12-01"}, {"text": "after"}))
    assert texts(plain) == ["a", "after"]


def test_unknown_fields_are_named_and_the_rest_of_the_line_comes_in(plain):
    report = take_in(plain, jsonl({"text": "words", "colour": "red", "size": 3}))
    assert report["counts"] == {"created": 1}
    assert report["problems"] == [f"{plain.folder / 'in.jsonl'}:1: ignored: colour, size"]
    assert report["set_aside"] is None


def test_a_byte_order_mark_windows_line_ends_and_blank_lines_do_no_harm(plain):
    data = b'\xef\xbb\xbf{"text": "one"}\r\n\r\n  \r\n{"text": "two"}\r\n{"text": "three"}'
    assert take_in(plain, data)["counts"] == {"created": 3}
    assert texts(plain) == ["one", "three", "two"]


@pytest.mark.parametrize("data", [b"", b"\n\n\n", b"\xef\xbb\xbf", b" "])
def test_an_empty_file_gives_nothing(plain, data):
    report = take_in(plain, data)
    assert (report["counts"], report["problems"], report["set_aside"]) == ({}, [], None)
    assert "Imported: nothing" in plain.run("import", put(plain, data)).out


def test_a_character_that_hides_is_taken_out_of_an_imported_text(plain):
    take_in(plain, jsonl({"text": "a\u0000b\u202ec", "title": "x\u200by"}))
    (found,) = plain.run("list", "--json").json
    assert (found["title"], found["text"]) == ("xy", "abc")


def test_the_report_for_people_names_what_could_not_be_read_and_where_it_is_now(plain):
    done = plain.run("import", put(plain, 'prose\n{"text": "good"}\n'))
    assert "1 x JSON lines" in done.out
    assert "1 created, 1 not read" in done.out
    assert f"{plain.folder / 'in.jsonl'}:1: not JSON" in done.out
    place = done.out.split("set aside in")[1].strip()
    assert Path(place).read_text() == "prose\n"


def test_the_report_for_people_shows_twenty_problems_and_counts_the_others(plain):
    done = plain.run("import", put(plain, "prose\n" * 25))
    assert done.out.count(": not JSON") == 20
    assert "and 5 more" in done.out


def test_what_was_set_aside_before_is_still_there_after_the_next_import(plain):
    first, second = take_in(plain, "junk one")["set_aside"], take_in(plain, "junk two")["set_aside"]
    assert Path(first).read_text() == "junk one\n"
    assert Path(second).read_text() == "junk two\n"


def test_a_secret_in_a_line_that_cannot_be_read_is_not_set_aside_in_clear(plain):
    report = take_in(plain, f"my token is {TOKEN}")
    assert TOKEN not in Path(report["set_aside"]).read_text()
    assert not holds(plain.home, TOKEN)


def holds(folder: Path, value: str) -> bool:
    return any(value.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_secrets_are_taken_out_on_the_way_in(plain):
    lines = [
        {"text": f"the token is {TOKEN} for CI", "title": f"Token {TOKEN}", "tags": [TOKEN]},
        {**LINE, "content": {"text": f"deploy with {TOKEN}"}, "edits": [
            {"date": WHEN, "summary": f"was {TOKEN}", "old_value": TOKEN}]},
        {"fact": {**FACT, "object": TOKEN}},
    ]  # fmt: skip
    report = take_in(plain, jsonl(*lines))
    assert sum(report["counts"].values()) == 3
    assert any("taken out" in note for note in report["notes"])
    assert not holds(plain.home, TOKEN)
    by_text = {one["text"]: one for one in plain.run("list", "--json", "--all-projects").json}
    assert by_text["the token is [redacted:github-token] for CI"]["sensitivity"] == "public"


def test_personal_data_makes_a_text_line_private_but_never_changes_what_an_export_says(plain):
    take_in(plain, jsonl({"text": "ask jane.doe@firma.de"}, {**LINE, "content": {"text": "ask joe@firma.de"}}))
    levels = {one["text"]: one["sensitivity"] for one in plain.run("list", "--json", "--all-projects").json}
    assert levels == {"ask jane.doe@firma.de": "private", "ask joe@firma.de": "public"}


@given(garbage=st.lists(st.binary(max_size=60), min_size=2, max_size=6))
@few(8)
def test_whatever_bytes_a_file_holds_the_valid_lines_between_them_come_in(tmp_path_factory, garbage):
    folder = tmp_path_factory.mktemp("bytes")
    box = Box(folder, folder / "store", folder)
    valid = [jsonl({"text": f"valid line {number}"}).encode() for number in range(len(garbage) - 1)]
    pieces = [piece for pair in zip(garbage, [*valid, b""], strict=True) for piece in pair]
    report = take_in(box, b"\n".join(pieces))
    assert set(texts(box)) >= {f"valid line {number}" for number in range(len(valid))}
    not_read = report["counts"].get("not read", 0)
    assert not_read == len([one for one in report["problems"] if "ignored:" not in one])


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["text", "title", "kind", "tags", "actor", "session", "created_at", "files", "fact", "x"])


@given(said=st.lists(st.dictionaries(names, values, max_size=4), max_size=5))
@few(8)
def test_whatever_the_fields_of_a_line_hold_the_next_line_comes_in(tmp_path_factory, said):
    folder = tmp_path_factory.mktemp("fields")
    box = Box(folder, folder / "store", folder)
    report = take_in(box, jsonl(*said, {"text": "the last line"}))
    assert "the last line" in texts(box)
    assert sum(report["counts"].values()) == len(said) + 1


# -- once only ----------------------------------------------------------------------------------------------------


def test_a_text_that_stands_twice_in_a_file_comes_in_once_with_the_tags_of_both(plain):
    report = take_in(plain, jsonl({"text": "same", "tags": ["a"]}, {"text": "same", "tags": ["b"]}, {"text": "same"}))
    assert report["counts"] == {"created": 1, "merged": 1, "known": 1}
    (found,) = plain.run("list", "--json").json
    assert found["tags"] == ["a", "b"]


def test_a_text_that_is_known_comes_in_no_second_time(plain):
    plain.run("remember", "known already")
    before = everything(plain)
    assert take_in(plain, jsonl({"text": "known already"}))["counts"] == {"known": 1}
    assert everything(plain) == before


def test_the_same_lines_again_change_nothing(plain):
    data = jsonl({"text": "one", "tags": ["a"]}, {"text": "two", "files": ["x"]}, {"text": f"three {TOKEN}"})
    take_in(plain, data)
    before = whole(plain)
    assert take_in(plain, data)["counts"] == {"known": 3}
    assert whole(plain) == before


@pytest.mark.parametrize("actor", ["operator", "system"])
def test_lines_of_any_actor_come_in_once(plain, actor):
    data = jsonl({"text": "the build is slow", "actor": actor, "session": "s1"})
    take_in(plain, data)
    assert take_in(plain, data)["counts"] == {"known": 1}
    assert texts(plain) == ["the build is slow"]


def test_a_memory_whose_identity_is_known_is_left_as_it_is(plain):
    take_in(plain, jsonl(LINE), "--exact")
    changed = {**LINE, "title": "Another title", "content": {"text": "other words"}}
    assert take_in(plain, jsonl(changed), "--exact")["counts"] == {"known": 1}
    assert everything(plain) == {LINE["uid"]: LINE}


def test_an_identity_that_stands_twice_in_a_file_counts_once(plain):
    report = take_in(plain, jsonl(LINE, {**LINE, "content": {"text": "other"}}), "--exact")
    assert report["counts"] == {"known": 1, "created": 1}
    assert everything(plain) == {LINE["uid"]: LINE}


def test_two_memories_of_one_name_both_come_in(plain):
    second = {**LINE, "uid": "0199b3c00000dddddddddddd", "content": {"text": "other words"}}
    take_in(plain, jsonl(LINE, second))
    assert sorted(one["slug"] for one in everything(plain).values()) == ["from-elsewhere", "from-elsewhere-2"]


def test_a_purged_text_is_not_imported_but_may_be_remembered(plain):
    plain.run("remember", "never again")
    plain.run("purge", "never-again")
    retired = {**LINE, "project": show_project(plain), "content": {"text": "never again"}, "status": "retired"}
    data = jsonl({"text": "never again"}, {"text": " never again\n"}, retired)
    assert take_in(plain, data, "--dry-run")["counts"] == {"purged before": 3}
    assert take_in(plain, data)["counts"] == {"purged before": 3}
    assert texts(plain, "--all") == []
    plain.run("remember", "never again")
    assert texts(plain) == ["never again"]


def show_project(box: Any) -> str:
    with_one = box.run("remember", "to see the project", "--json").json["memory"]
    box.run("undo")
    return with_one["project"]


def test_a_purged_text_that_held_a_secret_is_not_imported_either(plain):
    made = plain.run("remember", f"the token is {TOKEN} for CI", "--json").json["memory"]
    plain.run("purge", made["uid"])
    assert take_in(plain, jsonl({"text": f"the token is {TOKEN} for CI"}))["counts"] == {"purged before": 1}
    assert texts(plain, "--all") == []


def test_a_purged_text_that_was_remembered_again_is_known(plain):
    plain.run("remember", "never again")
    plain.run("purge", "never-again")
    plain.run("remember", "never again")
    assert take_in(plain, jsonl({"text": "never again"}))["counts"] == {"known": 1}


# -- dry run ------------------------------------------------------------------------------------------------------


MIXED = jsonl({"text": "known"}, {"text": "new"}, {"text": "new"}, LINE, LINE, {"text": "odd", "zip": 1}) + "prose\n"


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(box):
    box.run("remember", "known")
    before = whole(box)
    forecast = take_in(box, MIXED, "--dry-run")
    assert whole(box) == before
    assert forecast["set_aside"] is None
    done = take_in(box, MIXED)
    assert done["counts"] == {"known": 3, "created": 3, "not read": 1}
    assert forecast["counts"] == {"known": 1, "known or merged": 2, "created": 3, "not read": 1}
    assert (forecast["problems"], forecast["sources"]) == (done["problems"], done["sources"])
    assert take_in(box, MIXED, "--dry-run")["counts"] == {"known or merged": 4, "known": 2, "not read": 1}


def test_a_dry_run_says_so(box):
    assert "Would import: 1 created" in box.run("import", put(box, jsonl({"text": "a"})), "--dry-run").out


def test_a_dry_run_in_a_checkout_never_met_before_changes_nothing(plain):
    before = whole(plain)
    take_in(plain, jsonl({"text": "new"}), "--dry-run")
    assert whole(plain) == before


def test_a_dry_run_leaves_a_changed_vault_file_for_the_next_command(box):
    box.run("remember", "in the vault")
    place = box.vault / "notes" / "in-the-vault.json"
    place.write_text(place.read_text().replace("in the vault", "changed by hand"))
    before = whole(box)
    take_in(box, jsonl({"text": "new"}), "--dry-run")
    assert whole(box) == before


def test_a_dry_run_knows_a_text_whose_secret_was_taken_out(plain):
    plain.run("remember", f"the token is {TOKEN} for CI")
    data = jsonl({"text": f"the token is {TOKEN} for CI"})
    assert take_in(plain, data, "--dry-run")["counts"] == {"known or merged": 1}


def test_a_dry_run_counts_facts_as_the_import_does(plain):
    data = jsonl({"fact": FACT}, {"fact": {**FACT, "uid": "fact-2"}})
    forecast = take_in(plain, data, "--dry-run")["counts"]
    assert forecast == take_in(plain, data)["counts"]


# -- undo, size ---------------------------------------------------------------------------------------------------


def test_undo_takes_back_the_whole_import_and_nothing_else(box):
    box.run("remember", "was here before", "--tag", "old")
    before, files = everything(box), sorted(path.name for path in box.vault.rglob("*"))
    data = jsonl({"text": "one"}, {"text": "two"}, {"text": "was here before", "tags": ["new"]}, LINE)
    take_in(box, data)
    assert len(everything(box)) == 4
    box.run("undo")
    assert everything(box) == before
    assert sorted(path.name for path in box.vault.rglob("*")) == files
    assert box.run("doctor").code == 0
    assert take_in(box, data)["counts"] == {"created": 3, "merged": 1}


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_undo_takes_back_the_facts_of_an_import_too(plain, flags):
    plain.run("remember", "was here before")
    before = everything(plain)
    take_in(plain, jsonl({"text": "one"}, {"fact": FACT}))
    plain.run("undo", *flags)
    assert everything(plain) == before


def test_undo_takes_back_twelve_hundred_lines_at_once(plain):
    plain.run("remember", "was here before")
    lines = jsonl(*({"text": f"line number {number}"} for number in range(1200)))
    assert take_in(plain, lines)["counts"] == {"created": 1200}
    assert len(plain.run("undo", "--json").json) == 1200
    assert texts(plain, "--all") == ["was here before"]
    assert plain.run("undo", "--dry-run").out.count("created") == 1


def test_thousands_of_lines_come_in_and_go_out(plain):
    most = 10_000 if IS_DEEP else 2_000
    lines = jsonl(*({"text": f"line {number} of many", "tags": [f"t{number % 7}"]} for number in range(most)))
    assert take_in(plain, lines)["counts"] == {"created": most}
    out = plain.run("export").out.splitlines()
    assert len(out) == most
    assert {json.loads(line)["content"]["text"] for line in out} == {f"line {n} of many" for n in range(most)}
    assert len(plain.run("list", str(most - 1), "--json").json) == 1


# -- with a vault -------------------------------------------------------------------------------------------------


def test_an_import_where_the_vault_is_on_writes_the_files_and_the_index(box):
    take_in(box, jsonl({"text": "Use pnpm"}, {"text": "ask jane.doe@firma.de"}, {"text": "found", "kind": "learned"}))
    assert box.file("notes/use-pnpm.json")["content"] == {"text": "Use pnpm"}
    assert box.file("learned/found.json")["title"] == "found"
    assert len(list(box.vault.glob("*/*.json"))) == 2, "what is private stays in the store"
    assert len(box.index()) == 2
    assert box.run("reconcile").out == ""
    assert box.run("doctor").code == 0


def test_an_import_into_the_markdown_layout_writes_markdown(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    take_in(box, jsonl({"text": "Use pnpm"}, {**LINE, "project": show_project(box), "status": "archived"}))
    assert "Use pnpm" in (box.root / "memory" / "use-pnpm.md").read_text()
    assert "what it says" in (box.root / "memory-cold" / "from-elsewhere.md").read_text()
    assert box.run("reconcile").out == ""


def test_a_kind_that_is_switched_off_is_not_imported(plain):
    plain.settings["RECOLLECT_SAVE__DISABLED_KINDS"] = '["runbook"]'
    for flags in (("--dry-run",), ()):
        report = take_in(plain, jsonl({"text": "a", "kind": "runbook"}, {"text": "b"}), *flags)
        assert report["counts"] == {"runbook: switched off": 1, "created": 1}
    assert texts(plain) == ["b"]


def test_an_import_is_a_persons_command_and_goes_on_where_memory_is_off(plain):
    plain.run("off")
    assert take_in(plain, jsonl({"text": "mine"}))["counts"] == {"created": 1}


def test_the_library_imports_and_reports_each_item(plain, monkeypatch):
    for name, value in plain.env.items():
        monkeypatch.setenv(name, value)
    ticks: list[int] = []
    with recollect.open(plain.root) as space:
        done = space.import_from(put(plain, jsonl({"text": "a"}, {"text": "b"}) + "prose\n"), tick=ticks.append)
    assert done.counts == {"created": 2, "not read": 1}
    assert sum(ticks) == 3


# -- the seeds' layouts -------------------------------------------------------------------------------------------


def markdown(says: str, **metadata: object) -> str:
    block = json.dumps(metadata, indent=2)
    return f"<memory-metadata>\n{block}\n</memory-metadata>\n\n<memory>\n{says}\n</memory>\n"


def record(uid: str, says: str, category: str = "note", sensitivity: str = "public", session: str = "s1") -> str:
    provenance = {"sourceChannel": "operator", "confidence": 1, "timestamp": "2026-02-01T10:00:00.000Z",
                  "sensitivity": sensitivity}  # fmt: skip
    said = {"id": uid, "sessionId": session, "category": category, "text": says, "provenance": provenance}
    return "- " + json.dumps(said, separators=(",", ":")) + "\n"


def build_a(root: Path) -> None:
    (root / "memory").mkdir(parents=True)
    (root / "memory-cold").mkdir()
    usage = {"frequency": 7, "last_accessed_session": 12, "created_session": 3, "appreciation": 2, "pinned": True}
    (root / "memory" / "use-pnpm.md").write_text(markdown("Use pnpm.", **usage))
    (root / "memory" / "bare.md").write_text("Just words, without tags.\n")
    cold = {"frequency": 1, "last_accessed_session": 2, "created_session": 1, "appreciation": 0, "pinned": False}
    (root / "memory-cold" / "use-npm.md").write_text(markdown("Use npm.", **cold))


def build_b(root: Path) -> None:
    folder = root / ".claude" / "memory" / "decisions"
    folder.mkdir(parents=True)
    content = decision()["content"]
    (folder / "use-sqlite.json").write_text(json.dumps(decision()))
    retired = {"record_status": "retired", "retired_at": "2026-01-02T00:00:00Z", "retired_reason": "slow"}
    old = decision(
        id="use-csv", title="Use CSV", content={**content, "decision": "use CSV"}, times_updated=3, **retired
    )
    (folder / "use-csv.json").write_text(json.dumps(old))
    (root / ".claude" / "memory" / "index.md").write_text("# Memory Index\n")
    (root / ".claude" / "memory" / "memory-config.json").write_text("{}")


def build_c(root: Path) -> None:
    (root / "memory").mkdir(parents=True, exist_ok=True)
    (root / "tmp").mkdir()
    both = record("r1", "the first record") + record("r2", "the second", "learned", "private-user", "s2")
    (root / "MEMORY.md").write_text("# MEMORY.md\n\n" + both)
    (root / "memory" / "2026-02-01.md").write_text(both + record("r3", "trimmed from the log"))
    summaries = "".join(
        f"\n## Summary (2026-01-{day})\n\n- {says}\n" for day, says in (("01", "early"), ("08", "later"))
    )
    (root / "LONGMEMORY.md").write_text(f"# LONGMEMORY.md\n{summaries}")
    store = {"experiences": [{"id": "e1", "text": "Deploys fail on Fridays", "timestamp": 1_760_000_000_000}]}
    (root / "tmp" / "experience-store.json").write_text(json.dumps(store))


def build_d(root: Path, name: str = "memories.db") -> None:
    root.mkdir(parents=True, exist_ok=True)
    database = apsw.Connection(str(root / name))
    database.execute("""
        CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT, category TEXT, importance REAL, sensitivity TEXT,
            tags TEXT, created_at TEXT, updated_at TEXT, expires_at TEXT, title TEXT, subtitle TEXT, type TEXT,
            concepts TEXT, files_read TEXT, files_modified TEXT, session_id TEXT, project TEXT, accessed_count INT);
        CREATE TABLE facts (id TEXT, subject TEXT, predicate TEXT, object TEXT, confidence REAL,
            source_memory_id TEXT, created_at TEXT, updated_at TEXT);
        INSERT INTO memories VALUES ('m1', 'The cache was stale', 'general', 0.7, 'public', '["cache"]',
            '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', NULL, 'Stale cache', 'when slow', 'bugfix', '["gotcha"]',
            '["a.py"]', '["b.py"]', 's1', NULL, 4);
        INSERT INTO memories VALUES ('m2', 'Only for me', 'infra', 0.4, 'private', '[]', '2026-01-03T00:00:00Z',
            '2026-01-03T00:00:00Z', NULL, 'Mine', '', 'discovery', '[]', '[]', '[]', 's1', NULL, 0);
        INSERT INTO facts VALUES ('f1', 'cache', 'lives in', 'redis', 0.9, 'm1', '2026-01-01T00:00:00Z',
            '2026-01-01T00:00:00Z');
    """)
    database.close()


def build_claude(root: Path) -> None:
    root.mkdir(parents=True, exist_ok=True)
    (root / "MEMORY.md").write_text("# Notes\n\n- [No mocks](no-mocks.md) — never\n\n## Build\nUse make test.\n")
    (root / "no-mocks.md").write_text(
        "---\nname: no-mocks\ndescription: when writing tests\nmetadata:\n  type: feedback\n"
        "  modified: 2026-01-05T00:00:00.000Z\n---\nNever mock the database.\n"
    )


BUILDERS = {"A": build_a, "B": build_b, "C": build_c, "D": build_d, "Claude": build_claude}
HELD = {
    "A": {"Use pnpm.", "Just words, without tags.", "Use npm."},
    "B": {"storage\nuse SQLite\none file", "storage\nuse CSV\none file"},
    "C": {"the first record", "the second", "trimmed from the log", "- early", "- later", "Deploys fail on Fridays"},
    "D": {"The cache was stale", "Only for me"},
    "Claude": {"Use make test.", "Never mock the database."},
}


@pytest.fixture
def built(plain: Any) -> Any:
    """Build a seed's layout in a folder of its own."""

    def build(*names: str) -> Path:
        root = plain.folder / "foreign"
        for name in names:
            BUILDERS[name](root)
        return root

    return build


@pytest.mark.parametrize("seed", BUILDERS)
def test_every_memory_of_a_seeds_layout_comes_in_once(plain, built, seed):
    root = built(seed)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    forecast = plain.run("import", str(root), "--dry-run", "--json").json
    report = plain.run("import", str(root), "--json").json
    assert (report["problems"], report["set_aside"]) == ([], None)
    assert texts(plain, "--all") == sorted(HELD[seed])
    assert report["counts"]["created"] == len(HELD[seed])
    known = sum(number for name, number in report["counts"].items() if name in ("known", "merged"))
    assert sum(number for name, number in forecast["counts"].items() if "known" in name) == known
    for what in ("created", "asserted"):
        assert forecast["counts"].get(what) == report["counts"].get(what)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("seed", BUILDERS)
def test_a_seeds_layout_imported_again_changes_nothing(plain, built, seed):
    root = built(seed)
    plain.run("import", str(root))
    before = everything(plain)
    again = plain.run("import", str(root), "--json").json
    assert set(again["counts"]) == {"known"}
    assert everything(plain) == before


@pytest.mark.seed("A2")
def test_markdown_memories_keep_their_usage_and_the_cold_ones_are_archived(plain, built):
    plain.run("import", str(built("A")))
    warm, cold = show(plain, "use-pnpm"), show(plain, "use-npm")
    assert (warm["status"], cold["status"]) == ("active", "archived")
    assert warm["usage"] == {"hits": 7, "last_hit_at": None, "last_session": 12, "created_session": 3,
                             "appreciation": 2, "pinned": False}  # fmt: skip
    assert (cold["usage"]["hits"], cold["usage"]["last_session"]) == (1, 2)
    plain.run("restore", "use-npm")
    assert show(plain, "use-npm")["status"] == "active"


@pytest.mark.seed("B1")
def test_claude_memorys_files_keep_status_reason_and_count(plain, built):
    plain.run("import", str(built("B")))
    found = show(plain, "use-csv")
    assert (found["status"], found["closed_reason"], found["times_revised"]) == ("retired", "slow", 3)
    assert found["content"]["decision"] == "use CSV"
    assert show(plain, "use-sqlite")["tags"] == ["sqlite", "storage"]


@pytest.mark.parametrize("part", [".claude/memory", ".claude/memory/decisions/use-sqlite.json"])
def test_a_vault_or_one_of_its_files_may_be_named_itself(plain, built, part):
    plain.run("import", str(built("B") / part))
    assert show(plain, "use-sqlite")["content"]["decision"] == "use SQLite"


def test_the_index_of_a_vault_is_never_a_memory(plain, built):
    plain.run("import", str(built("B") / ".claude"), code=None)
    assert texts(plain, "--all") in ([], sorted(HELD["B"]))


def test_each_record_of_a_log_comes_in_once_with_its_id_session_and_sensitivity(plain, built):
    plain.run("import", str(built("C")))
    assert {"r1", "r2", "r3", "e1"} <= set(everything(plain))
    second = everything(plain)["r2"]
    assert (second["kind"], second["session"], second["sensitivity"]) == ("learned", "s2", "personal")
    assert everything(plain)["e1"]["created_at"] == "2025-10-09T08:53:20Z"
    long = plain.run("list", "--json", "--kind", "compaction").json
    assert sorted(one["title"] for one in long) == ["Summary (2026-01-01)", "Summary (2026-01-08)"]


def test_a_long_term_file_that_begins_with_a_heading_loses_nothing(plain):
    root = plain.folder / "foreign"
    root.mkdir()
    (root / "LONGMEMORY.md").write_text("## Summary (2026-01-01)\n\n- early\n\n## Summary (2026-01-08)\n\n- later\n")
    plain.run("import", str(root))
    assert texts(plain) == ["- early", "- later"]


def test_a_stray_bullet_of_a_log_is_named_with_its_line(plain, built):
    root = built("C")
    with (root / "MEMORY.md").open("a") as file:
        file.write('- {"id": "r9", "text": "half\n- a stray bullet\n' + record("r4", "after the stray one"))
    report = plain.run("import", str(root), "--json").json
    number = (root / "MEMORY.md").read_text().split("\n").index('- {"id": "r9", "text": "half') + 1
    assert report["problems"] == [f"{root / 'MEMORY.md'}:{number}: looks like a record, but is none"]
    assert Path(report["set_aside"]).read_text() == '- {"id": "r9", "text": "half\n'
    assert "after the stray one" in texts(plain)


@pytest.mark.seed("D13")
def test_a_letsgo_database_gives_memories_with_their_use_and_facts_with_their_source(plain, built):
    report = plain.run("import", str(built("D")), "--json").json
    assert report["counts"] == {"created": 2, "asserted": 1}
    by_title = {one["title"]: one for one in everything(plain).values() if "title" in one}
    stale, mine = by_title["Stale cache"], by_title["Mine"]
    assert (stale["kind"], stale["usage"]["hits"], stale["cue"]) == ("bugfix", 4, "when slow")
    assert (stale["files_read"], stale["files_modified"], stale["concepts"]) == (["a.py"], ["b.py"], ["gotcha"])
    assert (mine["sensitivity"], mine["tags"]) == ("private", ["category:infra"])
    (fact,) = plain.run("fact", "list", "--json").json
    assert (fact["subject"], fact["object"], fact["confidence"]) == ("cache", "redis", 0.9)
    assert fact["source"] == stale["uid"]


def test_an_expired_memory_of_letsgo_comes_in_once(plain, built):
    root = built("D")
    database = apsw.Connection(str(root / "memories.db"))
    database.execute("UPDATE memories SET expires_at = '2026-02-01T00:00:00Z'")
    database.close()
    for _ in range(2):
        plain.run("import", str(root))
    assert len(everything(plain)) == 3


def test_a_letsgo_database_is_found_in_its_own_folder_and_by_its_name(plain):
    build_d(plain.folder / "foreign" / ".letsgo", "memory.db")
    assert plain.run("import", str(plain.folder / "foreign"), "--json").json["counts"]["created"] == 2
    assert plain.run("import", str(plain.folder / "foreign/.letsgo/memory.db"), "--json").json["counts"] == {"known": 3}


def test_claudes_own_notes_come_in_with_cue_kind_and_time(plain, built):
    report = plain.run("import", str(built("Claude")), "--json").json
    assert set(report["sources"].values()) == {"memory log", "Claude's note"}
    found = show(plain, "no-mocks")
    assert (found["kind"], found["cue"]) == ("user_preference", "when writing tests")
    assert found["created_at"] == "2026-01-05T00:00:00Z"
    assert "no-mocks.md" not in "".join(texts(plain)), "a pointer says nothing of its own"


def test_a_folder_that_is_named_like_a_note_does_no_harm(plain, built):
    root = built("Claude")
    (root / "docs.md").mkdir()
    plain.run("import", str(root))
    assert texts(plain) == sorted(HELD["Claude"])


def test_several_layouts_in_one_folder_all_come_in(plain, built):
    root = built("A", "B", "C", "D")
    (root / "more.jsonl").write_text(jsonl({"text": "a line beside them"}))
    plain.run("import", str(root))
    wanted = HELD["A"] | HELD["B"] | HELD["C"] | HELD["D"] | {"a line beside them"}
    assert texts(plain, "--all") == sorted(wanted)


def test_a_folder_with_nothing_to_import_is_a_clear_error(plain):
    folder = plain.folder / "foreign"
    folder.mkdir()
    (folder / "README.txt").write_text("nothing")
    (folder / "app.db").write_bytes(b"SQLite format 3\0")
    done = plain.run("import", str(folder), code=1)
    assert done.err.startswith("INPUT_ERROR")
    assert str(folder) in done.err
    assert ".claude/memory/" in done.err


def test_a_place_that_is_not_there_is_wrong_usage(plain):
    assert "does not exist" in plain.run("import", str(plain.folder / "nowhere"), code=2).err


BROKEN = {
    ".claude/memory/decisions/broken.json": b"{",
    ".claude/memory/decisions/merge.json": b"<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b\n",
    ".claude/memory/decisions/Not A Slug.json": json.dumps(decision()).encode(),
    ".claude/memory/runbooks/wrong-kind.json": json.dumps(decision()).encode(),
    "memory/broken.md": b"<memory-metadata>\n{\n</memory-metadata>\n<memory>\nx\n</memory>\n",
    "memory/latin.md": b"caf\xe9",
    "memory/2026-02-02.md": b"caf\xe9",
    "LONGMEMORY.md": b"\xff\xfe",
    "tmp/experience-store.json": b"not json",
    "broken.jsonl": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("path", BROKEN)
def test_a_broken_file_among_good_ones_is_named_and_the_others_come_in(plain, built, path):
    root = built("A", "B")
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(BROKEN[path])
    report = plain.run("import", str(root), "--json").json
    assert [problem.startswith(str(place)) for problem in report["problems"]] == [True]
    assert texts(plain, "--all") == sorted(HELD["A"] | HELD["B"])


def test_a_damaged_letsgo_database_that_is_named_is_named_back(plain):
    report = take_in(plain, b"SQLite format 3\0" + b"\xff" * 5000, name="memories.db")
    assert report["counts"] == {"not read": 1}
    assert str(plain.folder / "memories.db") in report["problems"][0]


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_file_whose_name_is_not_utf8_is_named_as_far_as_it_can_be(plain, flags):
    folder = plain.folder / "foreign"
    folder.mkdir()
    with open(os.path.join(os.fsencode(folder), b"odd\xff.jsonl"), "wb") as file:  # noqa: PTH118, PTH123
        file.write(b'{"text": "odd name"}\nprose\n')
    plain.run("import", str(folder), *flags)
    assert texts(plain) == ["odd name"]


def test_importing_the_project_one_is_in_changes_nothing(box):
    box.run("remember", "one")
    box.run("remember", "two")
    box.run("retire", "two")
    before, files = everything(box), sorted(path.name for path in box.vault.rglob("*"))
    box.run("import", str(box.root))
    assert everything(box) == before
    assert sorted(path.name for path in box.vault.rglob("*")) == files


def test_a_seeds_layout_comes_into_a_vault_as_files(box, make_box):
    root = box.folder / "foreign"
    build_b(root)
    box.run("import", str(root))
    assert box.file("decisions/use-sqlite.json")["content"]["decision"] == "use SQLite"
    assert box.file("decisions/use-csv.json")["record_status"] == "retired"
    assert box.run("reconcile").out == ""


# -- export -------------------------------------------------------------------------------------------------------


def test_an_export_is_one_json_object_a_line_on_standard_output(plain):
    says = "one\ntwo\u2028three\u0085four"
    take_in(plain, jsonl({**LINE, "content": {"text": says}}))
    plain.run("fact", "add", "a", "is", "b")
    done = plain.run("export", "--all-projects")
    first, second = (json.loads(line) for line in done.out.removesuffix("\n").split("\n"))
    assert first["content"] == {"text": says}
    assert second["fact"]["object"] == "b"
    assert done.err == ""


def test_an_export_to_a_file_says_how_many_lines_it_wrote(plain):
    plain.run("remember", "one")
    place = plain.folder / "out.jsonl"
    place.write_text("an older, much longer export that has to go away entirely" * 50)
    assert f"Wrote 1 line to {place}" in plain.run("export", str(place), "--force").out
    assert json.loads(place.read_text())["title"] == "one"
    told = plain.run("export", str(place), "--json", "--force").json
    assert told == {"lines": 1, "held_back": {}, "path": str(place)}


def test_an_empty_store_exports_nothing(plain):
    assert plain.run("export").out == ""


def test_what_is_not_for_others_is_held_back_and_told_on_standard_error(plain, other):
    for level in ("public", "operational", "personal", "private", "secret", "unknown"):
        plain.run("remember", f"this is {level}", "--sensitivity", level)
    done = plain.run("export")
    assert [json.loads(line)["title"] for line in done.out.splitlines()] == ["this is public", "this is operational"]
    for level in ("personal", "private", "secret", "unknown"):
        assert f"1 {level}" in done.err
    assert "--everything" in done.err
    all_of_it = plain.run("export", "--everything")
    assert len(all_of_it.out.splitlines()) == 6
    assert all_of_it.err == ""
    take_in(other, all_of_it.out, "--exact")
    assert everything(other) == everything(plain)


def test_an_export_holds_every_status_but_only_this_project_unless_asked(plain, make_box):
    second = make_box("second")
    second.home = plain.home
    second.run("remember", "of the second project")
    plain.run("remember", "of the first")
    plain.run("retire", "of-the-first")
    plain.run("remember", "of all", "--global")
    assert {json.loads(line)["title"] for line in plain.run("export").out.splitlines()} == {"of the first", "of all"}
    told = plain.run("export", "--all-projects").out.splitlines()
    assert {json.loads(line)["title"] for line in told} == {"of the first", "of all", "of the second project"}


def test_a_secret_that_an_older_version_kept_does_not_leave_with_an_export(plain):
    plain.run("remember", "the token is PLACEHOLDER", "--sensitivity", "public")
    plain.run("fact", "add", "token", "is", "PLACEHOLDER")
    connection = apsw.Connection(str(plain.home / "memory.db"))
    for table in ("memories", "facts"):
        connection.execute(f"UPDATE {table} SET image = replace(image, 'PLACEHOLDER', ?)", (TOKEN,))
    connection.close()
    out = plain.run("export", "--everything").out
    assert TOKEN not in out
    assert out.count("[redacted:github-token]") >= 2


@pytest.mark.parametrize("place", ["no/such/folder/out.jsonl", "a-file/out.jsonl"])
def test_an_export_to_a_place_that_cannot_be_written_is_a_disk_error(plain, place):
    (plain.folder / "a-file").write_text("")
    done = plain.run("export", str(plain.folder / place), code=1)
    assert done.err.startswith("DISK_ERROR")
    assert str(plain.folder / place) in done.err
    assert "fix: " in done.err


def test_an_export_over_a_folder_is_wrong_usage(plain):
    assert "is a directory" in plain.run("export", str(plain.root), code=2).err


def test_an_export_changes_nothing(rich):
    before = whole(rich)
    rich.run("export", "--everything", "--all-projects")
    assert whole(rich) == before


# -- where an export is written -----------------------------------------------------------------------------------


def test_an_export_does_not_overwrite_a_file_unless_forced(plain):
    plain.run("remember", "one")
    place = plain.folder / "thesis.txt"
    place.write_text("ten years of work")
    done = plain.run("export", str(place), code=1)
    assert done.err.startswith("INPUT_ERROR")
    assert "--force" in done.err
    assert place.read_text() == "ten years of work"
    plain.run("export", str(place), "--force")
    assert json.loads(place.read_text())["title"] == "one"
    assert place.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in plain.folder.glob(".recollect-*")] == []


@pytest.mark.parametrize("flags", [(), ("--force",)])
@pytest.mark.parametrize("thing", ["link", "dangling link", "link to a device", "pipe", "socket"])
def test_an_export_follows_no_link_and_waits_for_no_pipe(plain, thing, flags):
    plain.run("remember", "one")
    place, target = plain.folder / "out.jsonl", plain.folder / "target"
    if thing == "pipe":
        os.mkfifo(place)
    elif thing == "socket":
        with contextlib.chdir(plain.folder), socket.socket(socket.AF_UNIX) as end:
            end.bind(place.name)
    else:
        place.symlink_to("/dev/full" if thing == "link to a device" else target)
    if thing == "link":
        target.write_text("somebody's")
    process = plain.fork("export", str(place), *flags)
    out, said = process.communicate(timeout=30)
    assert process.returncode == 1, (out, said)
    assert said.startswith("INPUT_ERROR")
    assert target.read_text() == "somebody's" if thing == "link" else not target.exists()


def test_an_export_may_have_any_name(plain):
    plain.run("remember", "one")
    for name in ("a\nb.jsonl", "a\tb.jsonl", "a\"b'c.jsonl", "-x.jsonl"):
        place = plain.folder / "out" / name
        place.parent.mkdir(exist_ok=True)
        plain.run("export", "--", str(place))
        assert json.loads(place.read_text())["title"] == "one"
        report = plain.run("import", "--json", "--", str(place)).json
        assert report["counts"] == {"known": 1}
    assert len(list((plain.folder / "out").iterdir())) == 4


def test_a_line_needs_a_text_or_a_title_and_the_problem_shows_one(box):
    place = box.folder / "lines.jsonl"
    place.write_text('{"title": "CI takes 12 minutes"}\n{"kind": "note"}\n', "utf-8")
    said = box.run("import", str(place)).out
    assert "Imported: 1 created, 1 not read" in said
    assert 'lines.jsonl:2: it has no "text"; a line is {"text": "Use pnpm"' in said
    assert "Imported: nothing; 1 known already, 1 not read" in box.run("import", str(place)).out
