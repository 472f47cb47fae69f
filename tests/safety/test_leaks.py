"""No way around the screening: what a credential must not get through."""

import json

import pytest

TOKEN = "8r7Q6p5O4n3M2l1K0j9I8h7G6f5E4d3C2b1A_phg"[::-1]


def holders(box) -> list[str]:
    files = [path for path in box.folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return [path.name for path in files if TOKEN.encode() in path.read_bytes()]


def tool(box, code: int | None = 0, **request):
    return box.run("memory", json.dumps(request), code=code).json


@pytest.mark.parametrize(
    "command",
    [
        ("log", "append", "--session", TOKEN, "some words"),
        ("off", "--session", TOKEN),
        ("memory", json.dumps({"operation": "store_memory", "content": "x", "session_id": TOKEN, "project": TOKEN})),
        ("fact", "add", "the CI", "uses", TOKEN),
        ("remember", "w " * 55 + f"{TOKEN} and more", "--kind", "decision", "--why", "y"),
        ("show", TOKEN, "--json"),
    ],
    ids=["session", "switch", "tool", "fact", "title", "error"],
)
def test_a_token_in_any_argument_reaches_neither_disk_nor_output(box, command):
    done = box.run(*command, code=None)
    assert TOKEN not in done.out + done.err
    assert TOKEN[:12] not in done.out + done.err
    assert holders(box) == []


@pytest.mark.parametrize(
    "parts",
    [("db password", "is", "hunter2Xyz!9q"), ("DB_PASSWORD", "=", "Sup3rS3cret!x"), ("db", "password", "Sommer2024!x")],
)
def test_the_parts_of_a_fact_are_read_together(box, parts):
    box.run("fact", "add", *parts)
    assert parts[2] not in box.run("fact", "list", "--json").out


def test_a_fact_is_as_private_as_what_it_was_learnt_from(box):
    uid = tool(box, operation="store_memory", content="The vault code", sensitivity="secret")["output"]["id"]
    tool(box, operation="store_fact", subject="vault", predicate="opens", object="at nine", source_memory_id=uid)
    assert tool(box, operation="query_facts")["output"]["facts"] == []
    tool(box, operation="delete_memory", id=uid)
    assert "opens" not in box.run("export", "-").out


def test_metadata_neither_writes_nor_prints_a_token(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.run("remember", "Use pnpm", "--title", "tools")
    box.run("metadata", "write_field", "memory/tools.md", "ours", TOKEN)
    assert holders(box) == []
    (box.root / "memory" / "raw.md").write_text(f"Deploy with {TOKEN}\n")
    assert TOKEN not in box.run("metadata", "description", "memory/raw.md").out


def test_the_index_does_not_repeat_a_token_of_a_file_that_was_edited_by_hand(box):
    box.run("remember", "Use pnpm", "--title", "tools")
    place = box.vault / "notes" / "tools.json"
    place.write_text(place.read_text().replace('"title": "tools"', f'"title": "tools {TOKEN}"'))
    box.run("index", "--rebuild")
    assert holders(box) == ["tools.json"], "the file is its owner's"
    assert TOKEN not in box.run("index", "--query", "tools").out


def test_a_named_sensitivity_of_an_imported_line_counts(box):
    (box.folder / "in.jsonl").write_text('{"text": "for me alone", "sensitivity": "secret"}\n')
    box.run("import", str(box.folder / "in.jsonl"))
    assert [one["sensitivity"] for one in box.run("list", "--json").json] == ["secret"]


def test_another_projects_memory_is_not_changed_by_its_id(make_box):
    here, there = make_box("ann"), make_box("ann2")
    there.home = here.home
    uid = tool(there, operation="store_memory", content="Theirs")["output"]["id"]
    for request in ({"operation": "update_memory", "title": "Ours"}, {"operation": "delete_memory"}):
        assert "another project" in tool(here, code=1, id=uid, **request)["error"]["message"]
    assert tool(there, operation="get_memory", id=uid)["output"]["title"] == "Theirs"


def test_a_record_that_only_the_log_has_survives_a_trim(make_box):
    box = make_box()
    box.run("log", "append", "--session", "s", "first")
    place = box.root / "MEMORY.md"
    foreign = place.read_text().splitlines()[-1].replace("first", "from elsewhere").replace('"id":"', '"id":"x')
    place.write_text(place.read_text() + foreign + "\n")
    box.run("log", "append", "--session", "s", "last")
    box.run("log", "trim", "--max-records", "1")
    assert "from elsewhere" in box.run("list", "elsewhere").out


def test_what_expired_is_offered_to_no_drafter_and_may_be_learnt_again_after_a_rebuild(box):
    box.now = "2026-01-01T00:00:00Z"
    box.run("remember", "Use kafka queues", "--kind", "decision", "--why", "y", "--ttl-days", "1")
    box.now = "2026-03-01T00:00:00Z"
    found = box.run("candidate", "--category", "decision", "--new-info", "kafka queues again").json
    assert found["candidate"] is None
    assert "kafka" not in box.run("index", "--query", "kafka").out.partition("for")[0]
    box.run("gc", "--yes")
    for left in box.home.glob("memory.db*"):
        left.unlink()
    (box.folder / "in.jsonl").write_text('{"text": "Use kafka queues"}\n')
    assert "created" in box.run("import", str(box.folder / "in.jsonl")).out


def test_a_retired_or_purged_record_leaves_the_log(make_box):
    box = make_box()
    box.run("log", "append", "--session", "s", "The box is blue")
    uid = box.run("list", "--json").json[0]["uid"]
    box.run("retire", uid)
    assert box.run("log", "list", "--json").json == []
    box.run("restore", uid)
    tool(box, operation="delete_memory", id=uid)
    assert "blue" not in (box.root / "MEMORY.md").read_text()
