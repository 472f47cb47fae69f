"""Looking after memories: health, gc, and switching memory off and on for agents."""

import json
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest
from builders import Box, decision

DAY_1, DAY_2, DAY_8, DAY_31 = (f"2026-03-{day:02}T12:00:00Z" for day in (1, 2, 8, 31))


def health(box: Any) -> dict[str, Any]:
    return box.run("health", "--json").json


def titles(box: Any, *flags: str) -> list[str]:
    return sorted(one["title"] for one in box.run("list", "--json", *flags).json)


def whole(box: Any, *, without: tuple[str, ...] = ("sightings",)) -> dict[str, Any]:
    """Every table (how files looked is a cache) and every other file of the user's."""
    connection = apsw.Connection(str(box.home / "memory.db"))
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'memory_words%'"
    tables = [name for (name,) in connection.execute(named) if name not in without]
    found: dict[str, Any] = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
    connection.close()
    files = (path for path in box.folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return found | {str(path): path.read_bytes() for path in files if "memory.db" not in path.name}


# -- health -------------------------------------------------------------------------------------------------------


@pytest.mark.seed("B29")
def test_health_counts_memories_by_kind_and_status(box):
    for number in range(4):
        box.run("remember", f"note {number}")
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file")
    box.run("retire", "note-1")
    box.run("archive", "note-2")
    assert health(box)["counts"] == {"note": {"active": 2, "retired": 1, "archived": 1}, "decision": {"active": 1}}
    table = [line.split() for line in box.run("health").out.splitlines()]
    for row in (["decision", "1", "0", "0"], ["note", "2", "1", "1"], ["all", "3", "1", "1"]):
        assert row in table


def test_health_counts_this_project_and_what_is_seen_everywhere(box, make_box):
    other = make_box("other")
    other.home = box.home
    other.run("remember", "of another project")
    box.run("remember", "mine")
    box.run("remember", "everywhere", "--global")
    box.run("fact", "add", "a", "is", "b")
    assert health(box)["counts"] == {"note": {"active": 2}}
    assert health(box)["facts"] == 1
    assert health(other)["counts"] == {"note": {"active": 2}}
    assert health(other)["facts"] == 0


def test_health_tells_how_many_memories_are_new(box):
    for number, now in enumerate(("2026-02-01T12:00:00Z", DAY_1, DAY_8, DAY_8, "2026-03-09T11:00:00Z")):
        box.now = now
        box.run("remember", f"note {number}")
    box.now = "2026-03-09T12:00:00Z"
    assert health(box)["growth"] == {"1": 3, "7": 3, "30": 4}
    assert "3 in 1 day, 3 in 7 days, 4 in 30 days" in box.run("health").out


@pytest.mark.seed("B29")
def test_a_memory_is_heavily_revised_from_the_sixth_revision_on(box):
    box.run("remember", "some words", "--title", "Words")
    for number in range(6):
        assert health(box)["heavy"] == []
        assert health(box)["health"] == "GOOD"
        box.run("edit", "words", "--text", f"version {number}")
    found = health(box)
    assert (found["heavy"], found["health"]) == (["note/words"], "NEEDS ATTENTION")
    said = box.run("health").out
    assert "Often revised" in said
    assert "note/words: 6 revisions" in said
    assert "Health: NEEDS ATTENTION" in said
    box.run("retire", "words")
    assert health(box)["health"] == "GOOD", "nobody needs to look after what is retired"


@pytest.mark.seed("B29")
def test_a_retirement_is_recent_for_seven_days(box):
    box.run("remember", "some words", "--title", "Words")
    box.run("retire", "words", "--reason", "wrong all along")
    assert health(box)["retired_lately"] == ["note/words"]
    assert "note/words: wrong all along" in box.run("health").out
    box.now = DAY_8
    assert health(box)["retired_lately"] == ["note/words"]
    box.now = "2026-03-08T12:00:01Z"
    assert health(box)["retired_lately"] == []
    assert health(box)["health"] == "GOOD"


def write_a_line(index: Path) -> None:
    index.write_text(index.read_text() + "- [NOTE] By hand -> .claude/memory/notes/nowhere.json\n")


def take_a_line(index: Path) -> None:
    index.write_text("# Memory Index\n")


def change_a_line(index: Path) -> None:
    index.write_text(index.read_text().replace("some words", "other words"))


def remove(index: Path) -> None:
    index.unlink()


@pytest.mark.seed("B29")
@pytest.mark.parametrize("damage", [write_a_line, take_a_line, change_a_line, remove], ids=lambda one: one.__name__)
def test_health_says_when_the_index_does_not_match_the_files(box, damage):
    box.run("remember", "some words")
    assert health(box)["index"] == "in sync with the files"
    damage(box.vault / "index.md")
    found = health(box)
    assert (found["index"], found["health"]) == ("out of sync", "NEEDS ATTENTION")
    assert any("recollect reconcile" in issue for issue in found["issues"])
    box.run("reconcile")
    assert health(box)["health"] == "GOOD"


def test_health_names_a_file_that_could_not_be_taken_in(box):
    box.run("remember", "some words")
    (box.vault / "notes" / "broken.json").write_text("{")
    found = health(box)
    assert found["health"] == "NEEDS ATTENTION"
    assert any(issue.startswith(".claude/memory/notes/broken.json: not JSON") for issue in found["issues"])


def test_health_sees_a_file_that_was_just_put_there(box):
    (box.vault / "decisions").mkdir()
    (box.vault / "decisions" / "use-sqlite.json").write_text(json.dumps(decision(times_updated=9)))
    found = health(box)
    assert found["counts"] == {"decision": {"active": 1}}
    assert found["heavy"] == ["decision/use-sqlite"]


def test_health_counts_what_has_expired_and_says_what_to_do(box):
    box.run("remember", "for a day", "--ttl-days", "1")
    assert health(box)["expired"] == 0
    box.now = DAY_2
    found = health(box)
    assert (found["expired"], found["health"]) == (1, "NEEDS ATTENTION")
    assert "1 expired memories: `recollect gc` erases them" in box.run("health").out
    box.run("gc")
    assert health(box)["health"] == "GOOD"


def test_health_without_a_vault_says_so(make_box):
    box = make_box()
    assert health(box) == {
        "counts": {}, "growth": {"1": 0, "7": 0, "30": 0}, "heavy": [], "retired_lately": [], "expired": 0, "facts": 0,
        "index": "no index here", "health": "GOOD", "issues": [], "limits": [], "doctor": [],
    }  # fmt: skip
    assert "no index here" in box.run("health").out


def test_health_leaves_the_vault_of_an_untrusted_clone_alone(box):
    box.run("remember", "some words")
    shutil.rmtree(box.home)
    assert health(box)["counts"] == {}


def test_health_works_with_the_markdown_layout(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown")
    box.run("remember", "some words")
    assert health(box)["counts"] == {"note": {"active": 1}}
    assert health(box)["health"] == "GOOD"


# -- gc -----------------------------------------------------------------------------------------------------------


def test_gc_erases_what_has_expired_and_it_may_be_learnt_again(box):
    box.run("remember", "for a day", "--ttl-days", "1")
    box.run("remember", "for good")
    box.now = DAY_2
    assert box.run("gc", "--json").json.items() >= {"collected": 0, "expired": 1}.items()
    assert titles(box, "--all") == ["for good"]
    assert [path.name for path in box.vault.glob("*/*.json")] == ["for-good.json"]
    assert len(box.index()) == 1
    assert box.run("doctor").code == 0
    (box.folder / "in.jsonl").write_text('{"text": "for a day"}\n')
    assert box.run("import", str(box.folder / "in.jsonl"), "--json").json["counts"] == {"created": 1}


def test_what_expires_in_a_second_is_not_erased_yet(box):
    box.run("remember", "for a day", "--ttl-days", "1")
    box.now = "2026-03-02T11:59:59Z"
    assert box.run("gc", "--json").json.items() >= {"collected": 0, "expired": 0}.items()


@pytest.mark.seed("B30")
def test_gc_collects_what_was_retired_for_the_grace_period(box):
    box.run("remember", "some words", "--title", "Words")
    box.run("retire", "words", "--reason", "wrong")
    place = box.vault / "notes" / "words.json"
    box.now = "2026-03-31T11:59:59Z"
    assert box.run("gc", "--json").json["collected"] == 0
    assert place.exists()
    box.now = DAY_31
    done = box.run("gc")
    assert "Deleted 1 file of retired memories, erased 0 expired." in done.out
    assert not place.exists()
    assert box.run("show", "words", "--json").json["status"] == "archived"
    box.run("restore", "words")
    assert place.exists()
    assert box.run("gc", "--json").json.items() >= {"collected": 0, "expired": 0}.items()


def test_gc_erases_what_was_retired_where_the_settings_say_so(box):
    (box.root / ".recollect.toml").write_text("[forget]\narchive_retired = false\ngrace_days = 3\n")
    box.run("remember", "some words", "--title", "Words")
    box.run("retire", "words")
    box.now = "2026-03-04T12:00:00Z"
    assert box.run("gc", "--json").json["collected"] == 1
    assert titles(box, "--all") == []
    (box.folder / "in.jsonl").write_text('{"text": "some words"}\n')
    told = box.run("import", str(box.folder / "in.jsonl"), "--json").json
    assert told["counts"] == {"purged before": 1}, "it was forgotten on purpose"


def test_what_gc_did_can_be_undone(box):
    box.run("remember", "some words", "--title", "Words")
    box.run("retire", "words")
    box.now = DAY_31
    box.run("gc")
    box.run("undo")
    assert box.run("show", "words", "--json").json["status"] == "retired"
    assert (box.vault / "notes" / "words.json").exists()


def test_gc_touches_no_other_project(box, make_box):
    other = make_box("other")
    other.home = box.home
    other.run("init")
    other.run("remember", "for a day there", "--ttl-days", "1")
    other.run("remember", "some words", "--title", "Words")
    other.run("retire", "words")
    box.now = other.now = "2026-05-01T12:00:00Z"
    assert box.run("gc", "--json").json.items() >= {"collected": 0, "expired": 0}.items()
    assert other.run("gc", "--json").json.items() >= {"collected": 1, "expired": 1}.items()


def test_gc_with_nothing_to_do_changes_nothing(box):
    box.run("remember", "some words")
    before = whole(box)
    assert "Deleted 0 files of retired memories, erased 0 expired." in box.run("gc").out
    assert whole(box) == before


# -- off and on ---------------------------------------------------------------------------------------------------


STORE = {"operation": "store_memory", "content": "an agent says this"}
REQUESTS = [
    STORE,
    {"operation": "search_memories", "query": "words"},
    {"operation": "list_memories"},
    {"operation": "store_fact", "subject": "a", "predicate": "is", "object": "b"},
    {"operation": "query_facts"},
    {"operation": "purge_expired"},
    {"operation": "nonsense"},
]


def ask(box: Any, request: dict[str, Any], *, cwd: Path | None = None) -> dict[str, Any]:
    return box.run("memory", json.dumps(request), cwd=cwd, code=None).json


def is_off(box: Any, cwd: Path | None = None, **more: object) -> bool:
    """Whether an agent is refused there."""
    reply = ask(box, {"operation": "list_memories", **more}, cwd=cwd)
    return not reply["success"] and reply["error"]["code"] == "OFF"


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one["operation"])
def test_the_memory_tool_refuses_everything_where_memory_is_off(box, request_):
    box.run("remember", "some words")
    box.run("off")
    before = whole(box)
    done = box.run("memory", json.dumps(request_), code=1)
    assert done.json["success"] is False
    assert done.json["error"]["code"] == "OFF"
    assert str(box.root) in done.json["error"]["message"]
    assert "recollect on" in done.json["error"]["fix"]
    assert whole(box) == before


def test_a_refused_request_in_a_checkout_never_met_changes_nothing(make_box):
    box = make_box()
    box.run("off")
    before = whole(box)
    assert is_off(box)
    assert whole(box) == before


def write(box: Any, action: str, *flags: str, cwd: Path | None = None, to: str = "") -> Any:
    target = to or ".claude/memory/decisions/use-sqlite.json"
    return box.run("write", "--action", action, "--target", target, *flags, cwd=cwd, code=None)


@pytest.mark.parametrize("action", ["create", "update", "delete", "archive"])
def test_write_refuses_where_memory_is_off_and_keeps_the_draft(box, action):
    if action != "create":
        write(box, "create", "--category", "decision", "--input", box.draft(decision()))
    draft = box.draft(decision(title="Use SQLite 3"), "second.json")
    box.run("off")
    before = whole(box)
    done = write(box, action, "--category", "decision", "--input", draft)
    assert done.code == 1
    assert done.out.startswith("OFF\n")
    assert "fix: " in done.out
    assert whole(box) == before
    assert Path(draft).exists()


@pytest.mark.parametrize(
    "command",
    [
        ("log", "append", "--session", "s", "words"),
        ("log", "flush", "--session", "s"),
    ],
    ids=lambda one: one[1],
)
@pytest.mark.parametrize("what", [("off",), ("off", "--session", "s")], ids=["folder", "session"])
def test_the_log_refuses_where_memory_is_off(box, command, what):
    box.run(*what)
    before = whole(box)
    done = box.run(*command, code=1)
    assert done.err.startswith("OFF\n")
    assert whole(box) == before
    assert json.loads(box.run(*command, "--json", code=1).err)["error"] == "OFF"


def test_a_persons_own_commands_go_on_where_memory_is_off(box):
    box.run("off")
    box.run("remember", "mine all the same")
    assert "mine all the same" in box.run("show", "mine-all-the-same").out
    assert titles(box) == ["mine all the same"]
    box.run("edit", "mine-all-the-same", "--tag", "x")
    box.run("retire", "mine-all-the-same")
    box.run("undo")
    box.run("export")
    box.run("reconcile")
    assert box.run("doctor").code == 0
    assert f"{box.root} is switched off" in box.run("health").out


@pytest.fixture
def tree(box: Any) -> Any:
    """A project with folders: a/b and c."""
    (box.root / "a" / "b").mkdir(parents=True)
    (box.root / "c").mkdir()
    (box.root / "ab").mkdir()
    return box


def test_off_holds_in_the_folder_and_below_it_and_nowhere_else(tree):
    assert tree.run("off", cwd=tree.root / "a").out == f"Memory is off for agents in folder {tree.root / 'a'}.\n"
    assert [is_off(tree, tree.root / name) for name in ("a", "a/b", "c", "ab", ".")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert tree.run("on", cwd=tree.root / "a").out == f"Memory is on for agents in folder {tree.root / 'a'}.\n"
    assert not is_off(tree, tree.root / "a" / "b")


def test_off_at_the_root_holds_in_every_folder_but_not_in_another_project(tree, make_box):
    other = make_box("other")
    other.home = tree.home
    tree.run("off")
    assert all(is_off(tree, tree.root / name) for name in ("a", "a/b", "c", "."))
    assert not is_off(other)


def test_a_folder_above_several_projects_may_be_switched_off(box, make_box):
    other = Box(box.folder, box.home, box.folder / "other")
    other.root.mkdir()
    other.git("init", "-q", "-b", "main")
    box.run("off", cwd=box.folder)
    assert is_off(box)
    assert is_off(other)


def test_a_folder_named_by_an_option_is_switched(tree):
    tree.run("-C", str(tree.root / "a"), "off")
    assert is_off(tree, tree.root / "a")
    assert not is_off(tree)


def test_write_refuses_in_a_folder_that_is_switched_off_below_the_root(tree):
    tree.run("off", cwd=tree.root / "a")
    flags = ("--category", "decision", "--input", tree.draft(decision()))
    done = write(tree, "create", *flags, cwd=tree.root / "a", to="../.claude/memory/decisions/use-sqlite.json")
    assert done.out.startswith("OFF\n")
    assert titles(tree) == []


def test_on_in_a_folder_below_one_that_is_off_says_that_it_is_still_off(tree):
    tree.run("off", cwd=tree.root / "a")
    done = tree.run("on", cwd=tree.root / "a" / "b")
    assert f"But it is still off: {tree.root / 'a'} is switched off." in done.out
    assert tree.run("on", "--json", cwd=tree.root / "a" / "b").json == {
        "on": f"folder:{tree.root / 'a' / 'b'}",
        "still_off": f"{tree.root / 'a'} is switched off",
    }
    assert is_off(tree, tree.root / "a" / "b")
    assert tree.run("on", "--json", cwd=tree.root / "a").json["still_off"] is None
    assert not is_off(tree, tree.root / "a" / "b")


def test_a_session_is_switched_off_alone(box):
    assert box.run("off", "--session", "s1", "--json").json == {"off": "session:s1"}
    assert is_off(box, session_id="s1")
    assert not is_off(box, session_id="s2")
    assert not is_off(box)
    assert box.run("on", "--session", "s1").out == "Memory is on for agents in session s1.\n"
    assert not is_off(box, session_id="s1")


def test_a_session_that_is_on_again_in_a_folder_that_is_off_is_still_off(box):
    box.run("off")
    box.run("off", "--session", "s1")
    assert "is switched off" in box.run("on", "--session", "s1").out
    assert is_off(box, session_id="s1")
    box.run("on")
    assert not is_off(box, session_id="s1")


def test_off_and_on_may_be_said_twice(box):
    box.run("on")
    box.run("off")
    box.run("off")
    assert is_off(box)
    box.run("on")
    box.run("on")
    assert not is_off(box)


def test_an_empty_session_is_refused(box):
    assert box.run("off", "--session", "", code=None).code in (1, 2)
    assert not is_off(box)


def test_a_request_whose_session_is_no_text_is_refused_where_memory_is_off(box):
    box.run("off")
    assert is_off(box, session_id=5)
    assert is_off(box, session_id=None)
    for request in ([], 5, None, "text"):
        assert box.run("memory", json.dumps(request), code=1).json["error"]["code"] == "OFF"


def test_what_is_off_stays_off_when_the_database_is_lost(box):
    box.run("remember", "some words")
    box.run("off")
    for left in box.home.glob("memory.db*"):
        left.unlink()
    assert titles(box) == ["some words"]
    assert is_off(box)
