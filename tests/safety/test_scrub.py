"""Scrub: a leaked value is gone from every file of ours, looked for byte by byte, and everything else still works."""

import base64
import html
import json
import os
import random
import shlex
import shutil
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from builders import IN_GIT, Box
from examples import IS_DEEP, few
from hypothesis import given
from hypothesis import strategies as st
from safety import worker

from recollect.store.sqlite.migrations import MIGRATIONS

VALUE = "Zwiebel+4711/Lauch"
VALUES = {
    "mixed": VALUE,
    "digits": "8412-7755-31",
    "quotes": "sagt \"Zwiebel\" 'Lauch' 4711",
    "backslashes": "Zwiebel\\4711\\nLauch\\\\",
    "lines": "Zwiebel\n4711\r\nLauch\n\tPorree",
    "plain lines": "Zwiebel 4711\nLauch 0815\nPorree",
    "lower non-ASCII": "zwiebel·käse·straße·4711",
    "emoji": "🧅🧅🧅🧅🧅🧅 4711",
    "wildcards": "Zwie%bel_47*11?",
    "a query": 'Zwiebel" OR "1"="1',
    "FTS operators": "NEAR(Zwiebel Lauch) AND NOT *",
    "SQL": "Zwiebel'); DROP TABLE memories;--",
    "a path": "../../Zwiebel/../4711",
    "markup": "<memory>Zwiebel</memory> & [4711](x)",
    "braces": '{"Zwiebel": [4711]}',
    "a regular expression": r"Zwie(bel|\d+)[47]11$",
}


def spellings(value: str) -> set[str]:
    """How a value may stand in a file, in lower case."""
    plain = {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    return {one.lower() for one in plain}


def holders(folder: Path, value: str) -> list[str]:
    """The files below a folder that hold a value, in their bytes or their name, in any case; past recollect."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            said = path.read_bytes().decode("utf-8", "surrogateescape").lower() + "\n" + path.name.lower()
            found += [str(path.relative_to(folder)) for spelling in spellings(value) if spelling in said]
    return sorted(set(found))


def memories(box: Any) -> dict[str, Any]:
    """Every memory as the database keeps it, past recollect."""
    return {row["uid"]: json.loads(row["image"]) for row in worker.rows(box, "SELECT uid, image FROM memories")}


def scrub(box: Any, value: str, *flags: str, code: int | None = 0) -> Any:
    return box.run("scrub", "-", *flags, stdin=value, code=code)


def assert_gone(box: Any, value: str, folder: Path | None = None) -> None:
    """It was there, it is scrubbed, it is nowhere, and the program says so."""
    assert holders(folder or box.folder, value), "the test put it nowhere"
    done = scrub(box, value)
    assert "contains the value any more" in done.out
    assert "still in:" not in done.out
    assert holders(folder or box.folder, value) == []


def assert_works(box: Any) -> None:
    """Store, journal and vault agree, commands work, and a lost database comes back the same."""
    assert box.run("doctor").code == 0
    assert box.run("reconcile").out == ""
    assert list(box.root.rglob(".recollect-*")) == list(box.root.rglob(".index.lockdir")) == []
    before, facts = memories(box), worker.rows(box, "SELECT uid, image FROM facts ORDER BY uid")
    box.run("list", "--all")
    for left in box.home.glob("memory.db*"):
        left.unlink()
    box.run("list")
    assert memories(box) == before
    assert worker.rows(box, "SELECT uid, image FROM facts ORDER BY uid") == facts
    box.run("remember", "life goes on")
    assert "life goes on" in box.run("list", "life").out
    assert box.run("doctor").code == 0


def tool(box: Any, **request: object) -> Any:
    return box.run("memory", json.dumps(request)).json["output"]


# -- where it may stand -------------------------------------------------------------------------------------------


def in_a_body(box: Any, value: str) -> None:
    box.run("remember", f"before {value} after", "--title", "Plain")


def in_an_older_revision(box: Any, value: str) -> None:
    box.run("remember", f"before {value} after", "--title", "Plain")
    box.run("edit", "plain", "--text", "nothing here any more")


def in_a_purged_memory(box: Any, value: str) -> None:
    box.run("remember", f"before {value} after", "--title", "Plain")
    box.run("purge", "plain")


def in_what_was_undone(box: Any, value: str) -> None:
    box.run("remember", f"before {value} after", "--title", "Plain")
    box.run("undo")


def in_a_field(box: Any, value: str) -> None:
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", f"because {value} says so")


def in_a_reason(box: Any, value: str) -> None:
    box.run("remember", "Use CSV", "--title", "Plain")
    box.run("retire", "plain", "--reason", f"it was {value}")


def in_a_file_that_it_is_about(box: Any, value: str) -> None:
    box.run("remember", "Use CSV", "--title", "Plain", "--file", f"src/{value}.py")


def in_a_fact(box: Any, value: str) -> None:
    box.run("fact", "add", "the door", "opens with", value)
    box.run("fact", "add", value, "is", "the code")


def in_a_fact_that_was_taken_back(box: Any, value: str) -> None:
    uid = box.run("fact", "add", "the door", "opens with", value, "--json").json[0]["uid"]
    box.run("fact", "rm", uid, "--reason", f"not {value}")


def in_a_session(box: Any, value: str) -> None:
    tool(box, operation="store_memory", content="some words that are kept", session_id=value, title="Plain")


def in_a_session_that_is_off(box: Any, value: str) -> None:
    box.run("off", "--session", value)
    box.run("off", "--session", f"{value}-2")
    box.run("on", "--session", f"{value}-2")


def in_a_memory_that_stays_in_the_store(box: Any, value: str) -> None:
    box.run("remember", f"before {value} after", "--title", "Plain", "--sensitivity", "private")
    box.run("remember", f"everywhere {value}", "--title", "Everywhere", "--global")


def in_a_title(box: Any, value: str) -> None:
    box.run("remember", "some words", "--title", f"About {value} here")


def in_a_title_that_is_nothing_else(box: Any, value: str) -> None:
    box.run("remember", "some words", "--title", value)


def in_a_tag(box: Any, value: str) -> None:
    box.run("remember", "some words", "--title", "Plain", "--tag", value, "--tag", "other")


def in_a_name_that_it_had_before(box: Any, value: str) -> None:
    box.run("remember", "some words", "--title", f"About {value}")
    slug = box.run("list", "--json").json[0]["slug"]
    box.run("edit", slug, "--title", "Something else entirely")


def in_a_kind_of_ones_own(box: Any, value: str) -> None:
    (box.root / ".recollect.toml").write_text('[kinds.incident]\nfolder = "incidents"\nfields = {impact = "text"}\n')
    box.run("remember", f"down because of {value}", "--kind", "incident", "--title", "Plain")


def in_a_record_of_the_log(box: Any, value: str) -> None:
    box.run("log", "append", "--session", "s", "--category", "turn-summary", f"before {value} after")


def in_a_file_of_the_runtime_folder(box: Any, value: str) -> None:
    box.run("remember", "some words", "--title", "Plain")
    (box.folder / "in.jsonl").write_text(f"junk {value}\n")
    box.run("import", str(box.folder / "in.jsonl"))
    (box.folder / "in.jsonl").unlink()
    (box.home / "runtime" / "draft.json").write_text(json.dumps({"title": value}))


PLACES: list[Callable[[Any, str], None]] = [
    in_a_body, in_an_older_revision, in_a_purged_memory, in_what_was_undone, in_a_field, in_a_reason,
    in_a_file_that_it_is_about, in_a_fact, in_a_fact_that_was_taken_back, in_a_session, in_a_session_that_is_off,
    in_a_memory_that_stays_in_the_store, in_a_title, in_a_title_that_is_nothing_else, in_a_tag,
    in_a_name_that_it_had_before, in_a_kind_of_ones_own, in_a_record_of_the_log, in_a_file_of_the_runtime_folder,
]  # fmt: skip
NAMED_PLACES = [pytest.param(place, id=place.__name__) for place in PLACES]


@pytest.mark.parametrize("place", NAMED_PLACES)
def test_wherever_a_value_stands_it_is_gone_afterwards_and_everything_works(box, place):
    box.run("remember", "another memory")
    place(box, VALUE)
    assert_gone(box, VALUE)
    assert "another memory" in box.run("list", "another").out
    assert_works(box)


@pytest.mark.parametrize("place", NAMED_PLACES if IS_DEEP else NAMED_PLACES[::3])
def test_a_value_of_small_letters_and_digits_is_gone_too(box, place):
    place(box, "zwiebel4711")
    assert_gone(box, "zwiebel4711")
    assert_works(box)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_whatever_a_value_looks_like_it_is_gone_from_a_body(box, value):
    in_a_body(box, value)
    box.run("remember", "another memory")
    assert_gone(box, value)
    assert box.run("show", "plain", "--json").json["text"] == "before [scrubbed] after"
    assert_works(box)


@pytest.mark.parametrize("value", list(VALUES.values())[::2], ids=list(VALUES)[::2])
def test_whatever_a_value_looks_like_it_is_gone_from_the_history_and_the_facts(box, value):
    in_a_purged_memory(box, value)
    in_an_older_revision(box, value)
    in_a_reason(box, value)
    box.run("fact", "add", "the door", "opens with", value)
    assert_gone(box, value)
    assert_works(box)


@pytest.mark.parametrize("value", ["GEHEIM-KÄSE-ÄÖÜ", "ПАРОЛЬ-4711", "Ünïcode-ÉCLAIR"])
def test_a_value_with_capital_letters_beyond_ascii_is_gone(box, value):
    in_a_body(box, value)
    assert_gone(box, value)


def test_a_letter_that_becomes_two_in_lower_case_is_gone_too(box):
    in_a_body(box, "İSTANBUL-4711")
    assert_gone(box, "İSTANBUL-4711")


def test_a_value_that_was_written_in_capitals_is_gone_too(box):
    in_a_body(box, "ZWIEBEL-UND-LAUCH")
    assert_gone(box, "Zwiebel-und-Lauch")


def test_a_title_of_full_length_may_hold_a_short_value(box):
    box.run("remember", "some words", "--title", ("Zw!e71 " * 18)[:119])
    assert_gone(box, "Zw!e71")
    assert_works(box)


def test_a_slug_of_full_length_may_hold_a_short_value(box):
    box.run("remember", "some words", "--title", "Zw!e71 " + "x" * 74)
    assert_gone(box, "Zw!e71")
    assert_works(box)


def test_two_values_that_were_whole_names_leave_two_memories(box):
    for value, says in (("Zwiebel+4711", "the first says this"), ("Porree+0815", "the second says that")):
        box.run("remember", says, "--title", value)
        assert_gone(box, value)
    assert sorted(one["text"] for one in box.run("list", "--json").json) == [
        "the first says this",
        "the second says that",
    ]
    assert_works(box)


def test_a_memory_that_has_the_name_already_keeps_its_text_and_file(box):
    box.run("remember", "was called so all the time", "--title", "Scrubbed")
    box.run("remember", "held the value", "--title", VALUE)
    assert_gone(box, VALUE)
    found = {one["text"]: one["slug"] for one in box.run("list", "--json").json}
    assert set(found) == {"was called so all the time", "held the value"}
    assert len(list(box.vault.glob("notes/*.json"))) == 2
    assert_works(box)


@given(value=st.text("ABCxyz019\"\\'%_*-.:/ \n\t{}[]$äé€🧅", min_size=8, max_size=30))
@few(6)
def test_any_value_is_gone_and_what_stood_around_it_is_not(tmp_path_factory, value):
    value = value.strip("\n") + ("" if sum(sign.isalpha() for sign in value) > 4 else "xyzAB")
    folder = tmp_path_factory.mktemp("any")
    box = Box(folder, folder / "store", folder / "project")
    box.root.mkdir()
    box.run("init")
    box.run("remember", f"before <{value}> after", "--title", "Plain", "--json")
    assert_gone(box, value)
    assert box.run("show", "plain", "--json").json["text"] == "before <[scrubbed]> after"


# -- layouts, checkouts, other files ------------------------------------------------------------------------------


@pytest.mark.parametrize("layouts", [("markdown",), ("log",), ("json", "markdown", "log")], ids=" ".join)
def test_a_value_is_gone_from_the_files_of_every_layout(make_box, layouts):
    box = make_box()
    box.run("init", *(flag for layout in layouts for flag in ("--layout", layout)))
    for number, title in enumerate(("Plain", f"About {VALUE}")):
        box.run("remember", f"{number}: {VALUE}", "--title", title, "--tag", VALUE)
    box.run("remember", f"cold {VALUE}", "--title", "Cold")
    box.run("archive", "cold")
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", VALUE)
    in_a_record_of_the_log(box, VALUE)
    assert_gone(box, VALUE)
    assert box.run("doctor").code == 0
    assert box.run("reconcile").out == ""
    if "log" in layouts:
        said = (box.root / "MEMORY.md").read_text() + (box.root / "memory" / "2026-03-01.md").read_text()
        assert said.count("[scrubbed]") >= 2
        assert box.run("log", "scan", "--json").json["stray_lines"] == []


def test_a_value_is_gone_from_logs_that_somebody_else_wrote(box):
    for name in ("MEMORY.md", "LONGMEMORY.md", "memory/2026-01-01.md"):
        place = box.root / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"# By hand\n\nsomething {VALUE}\n", "utf-8")
    assert_gone(box, VALUE)
    assert (box.root / "LONGMEMORY.md").read_text() == "# By hand\n\nsomething [scrubbed]\n"


@pytest.mark.parametrize("name", ["MEMORY.md", "LONGMEMORY.md", "memory/2026-01-01.md", "memory/bare.md"])
def test_a_value_of_several_lines_is_gone_from_plain_text(make_box, name):
    box = make_box()
    box.run("init", "--layout", "markdown", "--layout", "log")
    (box.root / name).write_text(f"# By hand\n\n{VALUES['plain lines']}\n\nmore\n", "utf-8")
    assert_gone(box, VALUES["plain lines"])
    assert "# By hand" in (box.root / name).read_text()


def test_a_value_is_gone_from_the_archive_of_the_log(make_box):
    box = make_box()
    (box.root / ".recollect.toml").write_text('[log]\nmax_records = 1\narchive = "old/log.md"\n')
    box.run("init", "--layout", "log")
    for text in (f"first {VALUE}", "second", "third"):
        box.run("log", "append", "--session", "s", text)
    assert VALUE in (box.root / "old" / "log.md").read_text()
    assert_gone(box, VALUE)


def test_a_value_is_gone_from_an_archive_that_was_named_on_the_command_line(box):
    for text in (f"first {VALUE}", "second"):
        box.run("log", "append", "--session", "s", text)
    box.run("log", "trim", "--max-records", "1", "--archive", "old-log.md")
    assert VALUE in (box.root / "old-log.md").read_text()
    assert_gone(box, VALUE)


def test_a_value_is_gone_from_a_vault_that_lies_elsewhere(make_box):
    box = make_box()
    (box.root / ".recollect.toml").write_text('[vault]\nroot = "docs/brain"\n')
    box.run("init")
    in_a_body(box, VALUE)
    assert (box.root / "docs/brain/notes/plain.json").exists()
    assert_gone(box, VALUE)
    assert "[scrubbed]" in box.run("show", "plain").out


@pytest.fixture
def pair(box: Any) -> tuple[Any, Any]:
    """Two checkouts of one repository, both with a vault, one HOME."""
    box.run("remember", "shared words", "--title", "Shared")
    box.git("add", "-A")
    box.git("commit", "-qm", "first")
    second = Box(box.folder, box.home, box.folder / "second", box.now)
    box.git("clone", "-q", str(box.root), str(second.root))
    second.accept()
    return box, second


@IN_GIT
def test_a_value_is_gone_from_another_checkout_of_the_repository(pair):
    first, second = pair
    place = second.vault / "notes" / "shared.json"
    place.write_text(place.read_text().replace("shared words", f"words {VALUE}"))
    second.run("list")
    second.run("remember", "only there", "--title", f"About {VALUE}", "--tag", VALUE)
    assert_gone(first, VALUE)
    assert "words [scrubbed]" in second.run("show", "shared").out
    assert second.run("doctor").code == 0
    assert first.run("doctor").code == 0


def test_a_value_is_gone_from_the_vault_of_another_project(box, make_box):
    other = make_box("another")
    other.home, other.settings = box.home, {"RECOLLECT_CONFIG": str(box.folder / "config.toml")}
    other.run("init")
    in_a_body(other, VALUE)
    assert_gone(box, VALUE)
    assert holders(other.folder, VALUE) == []
    assert "before [scrubbed] after" in other.run("show", "plain").out


def test_a_value_is_gone_from_the_vault_of_another_project_that_lies_elsewhere(box, make_box):
    other = make_box("another")
    other.home, other.settings = box.home, {"RECOLLECT_CONFIG": str(box.folder / "config.toml")}
    (other.root / ".recollect.toml").write_text('[vault]\nroot = "docs/brain"\n')
    other.run("init")
    other.run("remember", "some words", "--title", f"About {VALUE}", "--tag", VALUE)
    assert_gone(box, VALUE)
    assert holders(other.folder, VALUE) == []
    assert other.run("doctor").code == 0


@pytest.mark.parametrize("name", ["backups/memory-2026-02-28.db", "hook.log", "receipts/1.json"])
def test_no_file_of_the_stores_own_folder_is_passed_over(box, name):
    in_a_body(box, VALUE)
    place = box.home / name
    place.parent.mkdir(exist_ok=True)
    if place.suffix == ".db":
        shutil.copy(box.home / "memory.db", place)
    else:
        place.write_text(f"said {VALUE}")
    done = scrub(box, VALUE, code=None)
    assert holders(box.folder, VALUE) == [] or (done.code == 1 and name in done.out)


@pytest.mark.parametrize("name", ["notes/plain.json.invalid.1772366400", "notes/old/plain.json", "notes/plain.json~"])
def test_no_file_of_a_vault_is_passed_over(box, name):
    in_a_body(box, VALUE)
    place = box.vault / name
    place.parent.mkdir(exist_ok=True)
    shutil.copy(box.vault / "notes" / "plain.json", place)
    done = scrub(box, VALUE, code=None)
    assert holders(box.folder, VALUE) == [] or (done.code == 1 and name in done.out)


@IN_GIT
def test_a_checkout_that_is_no_longer_there_does_no_harm(pair):
    first, second = pair
    in_a_body(first, VALUE)
    shutil.rmtree(second.root)
    assert_gone(first, VALUE)


def back_up(box: Any, name: str) -> Path:
    place = box.home / name
    shutil.copy(box.home / "memory.db", place)
    return place


@pytest.mark.parametrize("name", ["memory.db.before-0002", "memory.db.before-0003"])
def test_a_value_is_gone_from_a_backup_which_stays_a_database(box, name):
    box.run("remember", "another memory")
    in_a_title(box, VALUE)
    in_a_body(box, VALUE)
    backup = back_up(box, name)
    assert_gone(box, VALUE)
    connection = apsw.Connection(str(backup))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    texts = {text for (text,) in connection.execute("SELECT text FROM memories")}
    assert texts == {"another memory", "some words", "before [scrubbed] after"}
    connection.close()


def test_a_value_is_gone_from_a_backup_of_the_first_schema(box):
    box.run("remember", "another memory")
    connection = apsw.Connection(str(box.home / "memory.db.before-0002"))
    connection.execute(MIGRATIONS[0][1])
    columns = "uid, project, kind, slug, status, title, text, tags, digest, revision, image"
    row = ("u1", "p", "note", "s", "active", f"About {VALUE}", VALUE, VALUE.lower(), "d", "r", json.dumps(VALUE))
    connection.execute(f"INSERT INTO memories ({columns}) VALUES ({', '.join('?' * 11)})", row)
    connection.close()
    assert_gone(box, VALUE)
    connection = apsw.Connection(str(box.home / "memory.db.before-0002"))
    assert connection.execute("SELECT title, text FROM memories").fetchall() == [("About [scrubbed]", "[scrubbed]")]
    connection.close()


KEY_LINES = [random.Random(number).randbytes(36).hex() for number in range(6)]
KEY = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *KEY_LINES, "-----END RSA PRIVATE KEY-----"])


def test_a_private_key_that_an_older_version_kept_is_gone(box):
    """Today it would not come in; every file is made to hold it, past recollect."""
    box.run("remember", "before PLACEHOLDER after", "--title", "Plain")
    box.run("edit", "plain", "--tag", "more")
    escaped = json.dumps(KEY)[1:-1]
    connection = apsw.Connection(str(box.home / "memory.db"))
    connection.execute("UPDATE memories SET text = replace(text, 'PLACEHOLDER', ?)", (KEY,))
    for table, column in (("memories", "image"), ("journal", "before"), ("journal", "after")):
        connection.execute(f'UPDATE {table} SET "{column}" = replace("{column}", \'PLACEHOLDER\', ?)', (escaped,))
    connection.close()
    for place in (box.home / "journal.jsonl", box.vault / "notes" / "plain.json"):
        place.write_text(place.read_text().replace("PLACEHOLDER", escaped))
    assert_gone(box, KEY)
    assert holders(box.folder, KEY_LINES[2]) == []
    assert_works(box)


def overwrite_header(place: Path) -> None:
    place.write_bytes(random.Random(1).randbytes(100) + place.read_bytes()[100:])


def overwrite_schema(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:100] + b"\0" * 3000 + place.read_bytes()[3100:])


def cut_off(place: Path) -> None:
    os.truncate(place, place.stat().st_size - 5000)


@pytest.mark.parametrize("damage", [overwrite_header, overwrite_schema, cut_off], ids=lambda one: one.__name__)
def test_a_value_is_gone_from_a_damaged_database_that_was_set_aside(box, damage):
    for number in range(20):
        box.run("remember", f"{number}: {VALUE} {'filler ' * 100}", "--title", f"Plain {number}")
    damage(back_up(box, "memory.db.damaged-1"))
    assert_gone(box, VALUE)
    assert_works(box)


@pytest.mark.parametrize(
    "value",
    [
        "quotes",
        "backslashes",
        "plain lines",
        "lower non-ASCII",
        "emoji",
    ],
)
def test_a_value_that_is_escaped_is_gone_from_a_damaged_database(box, value):
    in_a_body(box, VALUES[value])
    overwrite_schema(back_up(box, "memory.db.damaged-1"))
    assert_gone(box, VALUES[value])


def test_a_value_is_gone_after_a_real_repair(box):
    in_a_body(box, VALUE)
    overwrite_header(box.home / "memory.db")
    box.run("doctor", "--repair")
    assert {path.name for path in box.home.iterdir()} >= {"memory.db.damaged-1", "journal.jsonl.old-1"}
    assert_gone(box, VALUE)
    assert_works(box)


def test_a_value_is_gone_from_the_write_ahead_log(box):
    in_a_body(box, VALUE)
    scrub(box, VALUE)
    assert not (box.home / "memory.db-wal").exists() or VALUE.encode() not in (box.home / "memory.db-wal").read_bytes()


def test_a_value_is_gone_from_a_journal_that_lies_elsewhere(make_box):
    box = make_box()
    box.settings["RECOLLECT_JOURNAL"] = str(box.folder / "logs" / "journal.jsonl")
    box.run("init")
    in_an_older_revision(box, VALUE)
    assert holders(box.folder / "logs", VALUE)
    assert_gone(box, VALUE)


def test_a_value_is_gone_from_the_runtime_folder_of_a_store_that_lies_elsewhere(make_box):
    box = make_box()
    box.settings = {"RECOLLECT_HOME": "", "LETSGO_MEMORY_DB": str(box.folder / "elsewhere" / "memory.db")}
    (box.folder / "in.jsonl").write_text(f"junk {VALUE}\n")
    box.run("import", str(box.folder / "in.jsonl"))
    (box.folder / "in.jsonl").unlink()
    assert_gone(box, VALUE)


def test_files_beside_a_journal_that_lies_elsewhere_are_not_touched(make_box):
    box = make_box()
    box.settings["RECOLLECT_JOURNAL"] = str(box.folder / "documents" / "journal.jsonl")
    box.run("init")
    in_a_body(box, VALUE)
    theirs = box.folder / "documents" / "taxes" / "letter.txt"
    theirs.parent.mkdir()
    theirs.write_text(f"Dear {VALUE}")
    scrub(box, VALUE, code=None)
    assert theirs.read_text() == f"Dear {VALUE}"


@pytest.mark.parametrize("is_on", [True, False])
def test_source_code_in_a_folder_called_memory_is_not_touched(make_box, is_on):
    box = make_box()
    if is_on:
        box.run("init")
    in_a_body(box, VALUE)
    source = box.root / "memory" / "src" / "allocator.c"
    source.parent.mkdir(parents=True)
    source.write_text(f'char *key = "{VALUE}";')
    scrub(box, VALUE, code=None)
    assert source.read_text() == f'char *key = "{VALUE}";'


def test_the_rest_of_the_repository_is_not_touched(box):
    in_a_body(box, VALUE)
    theirs = box.root / "src" / "main.py"
    theirs.parent.mkdir()
    theirs.write_text(f'KEY = "{VALUE}"')
    target = box.folder / "outside.json"
    target.write_text(VALUE)
    (box.vault / "notes" / "link.json").symlink_to(target)
    assert "contains the value any more" in scrub(box, VALUE).out
    assert theirs.read_text() == f'KEY = "{VALUE}"'
    assert target.read_text() == VALUE


def test_every_file_is_as_private_as_it_was(box):
    in_a_title(box, VALUE)
    place = next(box.vault.glob("notes/*.json"))
    place.chmod(0o640)
    back_up(box, "memory.db.before-0002").chmod(0o600)
    scrub(box, VALUE)
    assert {path.stat().st_mode & 0o777 for path in box.home.rglob("*") if path.is_file()} == {0o600}
    assert not list(box.folder.rglob(".recollect-*"))


# -- afterwards ---------------------------------------------------------------------------------------------------


def test_the_memory_says_scrubbed_where_the_value_was_and_is_found_by_its_other_words(box):
    box.run("remember", f"the door opens with {VALUE} at night", "--title", f"About {VALUE} here", "--tag", VALUE,
            "--tag", "door")  # fmt: skip
    scrub(box, VALUE)
    (found,) = box.run("list", "--json").json
    assert found["title"] == "About [scrubbed] here"
    assert found["slug"] == "about-scrubbed-here"
    assert found["text"] == "the door opens with [scrubbed] at night"
    assert sorted(found["tags"]) == ["[scrubbed]", "door"]
    assert box.file("notes/about-scrubbed-here.json")["id"] == "about-scrubbed-here"
    (line,) = box.index()
    assert line.startswith("- [NOTE] About [scrubbed] here -> .claude/memory/notes/about-scrubbed-here.json #tags:")
    assert len(box.run("list", "door", "night", "--json").json) == 1
    assert box.run("list", "Zwiebel", "--json").json == []
    assert tool(box, operation="search_memories", query="door night", min_score=0)["count"] == 1


def test_undo_after_a_scrub_does_not_bring_the_value_back(box):
    in_an_older_revision(box, VALUE)
    scrub(box, VALUE)
    for _ in range(3):
        done = box.run("undo", code=None)
        assert done.code == 0 or done.err.startswith("UNDO_ERROR"), done
        assert holders(box.folder, VALUE) == []
    assert_works(box)


def test_undo_after_a_scrub_goes_back_to_the_older_text_without_the_value(box):
    in_an_older_revision(box, VALUE)
    box.run("list")
    scrub(box, VALUE)
    box.run("undo", code=None)
    assert box.run("show", "plain", "--json").json["text"] in ("before [scrubbed] after", "nothing here any more")


def test_a_purged_text_that_was_scrubbed_is_not_relearned_from_its_file(box):
    in_a_purged_memory(box, VALUE)
    scrub(box, VALUE)
    assert box.run("list", "--all", "--json").json == []


def test_a_second_scrub_finds_nothing(box):
    in_a_title(box, VALUE)
    scrub(box, VALUE)
    assert "0 memories and 0 files" in scrub(box, VALUE).out


def test_scrubbing_twice_two_values_of_one_text_leaves_both_marks(box):
    box.run("remember", f"{VALUE} and Porree+0815 apart", "--title", "Plain")
    scrub(box, VALUE)
    scrub(box, "Porree+0815")
    assert box.run("show", "plain", "--json").json["text"] == "[scrubbed] and [scrubbed] apart"
    assert_works(box)


# -- how it is asked ----------------------------------------------------------------------------------------------


def test_the_value_may_be_an_argument_or_come_on_standard_input(box):
    for number, how in enumerate((("scrub", VALUE), ("scrub", "-"), ("scrub",))):
        box.run("remember", f"{number} {VALUE}", "--title", f"Plain {number}")
        done = box.run(*how, stdin=f"{VALUE}\r\n")
        assert "Removed from 1 memory" in done.out
        assert holders(box.folder, VALUE) == []


@pytest.mark.parametrize("value", ["", "a", "12345", "Käse!", "\n"])
def test_a_value_that_is_too_short_is_refused_and_nothing_changes(box, value):
    box.run("remember", "a 12345 Käse!")
    before = worker.snapshot(box.vault), memories(box)
    done = scrub(box, value, code=1)
    assert done.err.startswith("INPUT_ERROR")
    assert "6 characters" in done.err
    assert (worker.snapshot(box.vault), memories(box)) == before


@pytest.mark.parametrize("value", ["      ", "\t\t\t\t\t\t\t", "----------", "      \n"])
def test_a_value_without_a_letter_or_digit_is_refused(box, value):
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file", "--file", "a.py")
    box.run("remember", f"x {value} y")
    assert scrub(box, value, code=1).err.startswith("INPUT_ERROR")
    assert_works(box)


def test_a_dry_run_names_the_places_and_changes_nothing(box):
    in_a_title(box, VALUE)
    before = holders(box.folder, VALUE), worker.snapshot(box.root), memories(box)
    done = scrub(box, VALUE, "--dry-run")
    assert "The value is in 1 memory" in done.out
    assert "note/about-zwiebel-4711-lauch-here" in done.out
    for path in ("journal.jsonl", "memory.db", "about-zwiebel-4711-lauch-here.json", "index.md"):
        assert path in done.out
    assert "contains the value any more" not in done.out
    assert (holders(box.folder, VALUE), worker.snapshot(box.root), memories(box)) == before
    told = scrub(box, VALUE, "--dry-run", "--json").json
    assert told["left"] == told["files"]
    assert told["memories"] == ["note/about-zwiebel-4711-lauch-here"]


def test_the_report_for_machines_says_that_nothing_is_left(box):
    in_a_body(box, VALUE)
    told = scrub(box, VALUE, "--json").json
    assert (told["memories"], told["left"], told["in_git"]) == (["note/plain"], [], [])
    assert told["rows"] > 0


def test_a_value_that_is_nowhere_is_said_to_be_nowhere(box):
    box.run("remember", "another memory")
    before = worker.snapshot(box.root), memories(box), (box.home / "journal.jsonl").read_bytes()
    done = scrub(box, VALUE)
    assert "0 memories and 0 files" in done.out
    assert "contains the value any more" in done.out
    assert (worker.snapshot(box.root), memories(box), (box.home / "journal.jsonl").read_bytes()) == before


@pytest.mark.parametrize(
    "value", ["an%ther%", "an_ther memory", "anoth%r", "mem_ry*", '"another" OR x', "NEAR(another memory)", "a'b\"c`d"]
)
def test_signs_of_sql_and_fts_stand_for_themselves(box, value):
    box.run("remember", "another memory, and a second one")
    before = memories(box)
    assert "0 memories and 0 files" in scrub(box, value).out
    assert memories(box) == before
    assert_works(box)


@IN_GIT
def test_git_is_mentioned_where_it_keeps_the_history_of_a_file(box):
    in_a_body(box, VALUE)
    assert "git tracks" not in scrub(box, VALUE, "--dry-run").out
    box.git("add", "-A")
    box.git("commit", "-qm", "with the value")
    done = scrub(box, VALUE)
    assert "git tracks some of these files" in done.out
    assert "contains the value any more" in done.out
    assert holders(box.folder, VALUE) == []


def test_a_file_that_cannot_be_written_is_a_disk_error_and_a_second_try_finishes(box):
    in_a_body(box, VALUE)
    place = box.vault / "notes"
    place.chmod(0o500)
    try:
        end = box.fork("scrub", VALUE, is_unprivileged=True)
        _, said = end.communicate(timeout=60)
    finally:
        place.chmod(0o700)
    assert end.returncode == 1
    assert said.startswith("DISK_ERROR"), said
    assert "fix: " in said
    assert_gone(box, VALUE)
    assert_works(box)


def test_a_word_that_is_merely_like_the_value_stays(box):
    box.run("remember", "the code is (lauchsuppe)!", "--title", "Plain")
    box.run("remember", "we had lauchsuppe on Monday", "--title", "Lunch")
    scrub(box, "(lauchsuppe)!")
    assert box.run("show", "lunch", "--json").json["text"] == "we had lauchsuppe on Monday"


def test_a_name_that_is_merely_like_the_value_stays(box):
    box.run("remember", "the code is (lauchsuppe)!", "--title", "Plain")
    box.run("remember", "we had lauchsuppe on Monday")
    scrub(box, "(lauchsuppe)!")
    assert box.run("show", "we-had-lauchsuppe-on-monday", "--json").json["title"] == "we had lauchsuppe on Monday"


# -- values that are also words of ours ---------------------------------------------------------------------------


def assert_refused_or_sound(box: Any, value: str) -> None:
    """Refused with nothing changed; or done, and every memory is still there and everything works."""
    before = memories(box)
    done = scrub(box, value, code=None)
    if done.code == 1 and done.err:
        assert "fix: " in done.err, done
        assert memories(box) == before
    assert len(box.run("list", "--json").json) == len(before)
    assert_works(box)


@pytest.mark.parametrize(
    "word",
    ["content", "active", "created", "decision", "status", "rationale", "decisions", "because", "project", "public"],
)
def test_a_value_that_is_also_a_word_of_the_formats_does_not_break_them(box, word):
    box.run("remember", f"it says {word} here", "--kind", "decision", "--why", f"{word} it is", "--title", "Plain")
    assert_refused_or_sound(box, word)


def test_a_value_that_is_also_the_name_of_the_project_does_not_lose_its_memories(make_box):
    maker = make_box()
    root = maker.folder / "geheimkunde"
    root.mkdir()
    box = Box(maker.folder, maker.home, root)
    box.run("init")
    box.run("remember", "the customer is geheimkunde", "--title", "Plain")
    assert_refused_or_sound(box, "geheimkunde")


def test_a_value_that_is_also_a_part_of_an_identity_does_not_lose_the_memory(box):
    uid = box.run("remember", "some words", "--json").json["memory"]["uid"]
    assert_refused_or_sound(box, uid[:8])
    assert box.run("show", uid, "--json").json["text"] == "some words"


def test_a_value_that_is_also_a_date_leaves_the_times_of_memories_alone(box):
    box.run("remember", "born on 2026-03-01, they say", "--title", "Plain")
    scrub(box, "2026-03-01", code=None)
    assert box.run("show", "plain", "--json").json["created_at"] == box.now


# -- any escaping, and every file of our home ---------------------------------------------------------------------


def escaped_units(value: str, form: str) -> str:
    data = value.encode("utf-16-be")
    return "".join(form.format(int.from_bytes(data[at : at + 2], "big")) for at in range(0, len(data), 2))


ESCAPINGS: dict[str, Callable[[str], str]] = {
    "JSON": json.dumps,
    "JSON in JSON": lambda value: json.dumps({"output": json.dumps({"line": value})}),
    "JSON in JSON in JSON": lambda value: json.dumps(json.dumps(json.dumps(value))),
    "every letter as \\u": lambda value: f'"{escaped_units(value, chr(92) + "u{:04x}")}"',
    "every letter as \\U in capitals": lambda value: f'"{escaped_units(value, chr(92) * 2 + "u{:04X}")}"',
    "bytes as \\x": lambda value: "".join(f"\\x{byte:02x}" for byte in value.encode()),
    "percent": lambda value: urllib.parse.quote(value, safe=""),
    "percent in small letters": lambda value: urllib.parse.quote(value, safe="").lower(),
    "percent, every byte": lambda value: "".join(f"%{byte:02X}" for byte in value.encode()),
    "percent twice": lambda value: urllib.parse.quote(urllib.parse.quote(value, safe=""), safe=""),
    "a form": urllib.parse.quote_plus,
    "HTML": html.escape,
    "HTML twice": lambda value: html.escape(html.escape(value)),
    "HTML by numbers": lambda value: "".join(f"&#{ord(sign)};" for sign in value),
    "HTML by hexadecimal numbers": lambda value: "".join(f"&#x{ord(sign):04X};" for sign in value),
    "a shell": shlex.quote,
    "a shell inside JSON": lambda value: json.dumps(shlex.quote(value)),
    "Python": repr,
    "SQL": lambda value: "'" + value.replace("'", "''") + "'",
    "CSV": lambda value: '"' + value.replace('"', '""') + '"',
    **{
        f"base64 after {before} and before {after} bytes": lambda value, before=before, after=after: base64.b64encode(
            b"p" * before + value.encode() + b"q" * after
        ).decode()
        for before in range(3)
        for after in range(3)
    },
    "base64 for URLs": lambda value: base64.urlsafe_b64encode(b"??" + value.encode() + b">>").decode(),
    "base64 of JSON": lambda value: base64.b64encode(json.dumps({"key": value}).encode()).decode(),
}
LEAKED = "Zwiebel+4711/'Käse\" & <Lauch>"
FILES = (
    "inbox/00001772366400000000-1-0001.event.tried", "aside/00001772366400000000-1-0001.event", "hook.log",
    "hook.log.old", "runtime/recalled-s", "runtime/dropped", "journal.jsonl.old-1", "memory.db.damaged-1-wal",
)  # fmt: skip


@pytest.mark.parametrize("escaping", ESCAPINGS)
def test_a_value_is_gone_from_every_file_of_our_home_however_it_is_escaped(box, escaping):
    box.run("remember", "another memory")
    said = ESCAPINGS[escaping](LEAKED)
    places = [box.home / name for name in FILES]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        binary = b"\0\1" if place.name.endswith("-wal") else b""
        place.write_bytes(binary + f"claude-code Stop - -\n\n{said} and more\n".encode())
    found = scrub(box, LEAKED, "--dry-run", "--json").json["files"]
    assert {str(place) for place in places} <= set(found)
    done = scrub(box, LEAKED)
    assert "contains the value any more" in done.out
    for place in places:
        data = place.read_bytes()
        assert said.encode() not in data
        assert b" and more\n" in data
    assert len(places[-1].read_bytes()) == len(f"claude-code Stop - -\n\n{said} and more\n".encode()) + 2
    assert scrub(box, LEAKED, "--dry-run", "--json").json["files"] == []
    assert "another memory" in box.run("list").out


@pytest.mark.parametrize(
    "escaping", ["JSON", "JSON in JSON", "JSON in JSON in JSON", "every letter as \\u", "a shell inside JSON"]
)
def test_json_that_held_the_value_is_json_afterwards(box, escaping):
    box.run("remember", "another memory")
    place = box.home / "aside" / "1.event"
    place.parent.mkdir()
    place.write_text(ESCAPINGS[escaping](LEAKED))
    scrub(box, LEAKED)
    assert "[scrubbed]" in str(json.loads(place.read_text()))


@pytest.mark.parametrize(
    "escaping", ["percent", "JSON in JSON", "base64 after 1 and before 2 bytes", "HTML by numbers"]
)
def test_a_value_is_gone_from_memories_journal_and_backups_however_it_is_escaped(box, escaping):
    said = ESCAPINGS[escaping](LEAKED)
    place = box.folder / "in.jsonl"
    place.write_text(json.dumps({"text": f"the output was {said} there", "title": "Plain"}) + "\n")
    box.run("import", str(place))
    place.unlink()
    (box.home / "backups").mkdir()
    shutil.copy(box.home / "memory.db", box.home / "backups" / "memory-2026-02-01.db")
    told = scrub(box, LEAKED, "--json").json
    assert (told["memories"], told["left"]) == (["note/plain"], [])
    assert said not in box.run("show", "plain", "--json").json["text"]
    assert_works(box)


def test_settings_kept_for_uninstall_lose_the_value_and_are_put_back_with_the_placeholder(box):
    settings = box.folder / ".claude" / "settings.json"
    settings.parent.mkdir()
    before = {"model": "opus", "env": {"TOKEN": VALUE, "OTHER": "stays"}, "permissions": {"allow": ["Bash(ls)"]}}
    settings.write_text(json.dumps(before, indent=2))
    box.run("install", "claude-code")
    done = scrub(box, VALUE)
    assert "contains the value any more" in done.out
    assert f"`recollect uninstall` will restore {settings} with [scrubbed]" in done.out
    for install in json.loads((box.home / "installs.json").read_text())["installs"]:
        for held in install["files"]:
            assert VALUE.encode() not in base64.b64decode(held["original"] or "")
    assert json.loads(settings.read_text())["env"]["TOKEN"] == VALUE, "another program's file is not ours to change"
    box.run("uninstall", "claude-code")
    after = json.loads(settings.read_text())
    assert after == {**before, "env": {"TOKEN": "[scrubbed]", "OTHER": "stays"}}


def test_settings_whose_value_reaches_over_quotation_marks_stay_json(box):
    settings = box.folder / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"env": {"TOKEN": "Zwiebel4711"}, "model": "opus"}')
    box.run("install", "claude-code")
    assert "contains the value any more" in scrub(box, '"Zwiebel4711"}').out
    box.run("uninstall", "claude-code")
    assert json.loads(settings.read_text())["model"] == "opus"


def test_what_lies_outside_is_named_and_left_alone(box):
    transcript = box.folder / ".claude" / "projects" / "p" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(VALUE)
    in_a_body(box, VALUE)
    for flags in (("--dry-run",), ()):
        said = scrub(box, VALUE, *flags).out
        for word in (str(transcript.parent.parent), "git's history", "backups", "change the credential"):
            assert word in said
    assert transcript.read_text() == VALUE
    assert len(scrub(box, VALUE, "--json").json["not_looked_at"]) == 4


def test_a_file_of_ours_that_cannot_be_read_keeps_scrub_from_saying_gone(box):
    in_a_body(box, VALUE)
    place = box.home / "backups" / "locked"
    place.parent.mkdir()
    place.write_text("nobody knows")
    place.chmod(0o000)
    end = box.fork("scrub", VALUE, "--yes", is_unprivileged=True)
    out, said = end.communicate(timeout=60)
    place.chmod(0o600)
    assert end.returncode == 1, (out, said)
    assert "contains the value any more" not in out
    assert_gone(box, VALUE)


def test_a_folder_whose_name_is_the_value_is_named_with_its_column(make_box):
    maker = make_box()
    root = maker.folder / "geheimkunde"
    root.mkdir()
    box = Box(maker.folder, maker.home, root)
    box.run("init")
    done = scrub(box, "geheimkunde", code=1)
    assert "contains the value any more" not in done.out
    assert "checkouts.root" in done.out


def test_a_link_in_a_vault_does_not_lead_scrub_out_of_it(box):
    outside = box.folder / "outside"
    outside.mkdir()
    (outside / "notes.md").write_text(VALUE)
    (box.vault / "more").symlink_to(outside)
    (box.home / "more").symlink_to(outside)
    in_a_body(box, VALUE)
    assert "contains the value any more" in scrub(box, VALUE).out
    assert (outside / "notes.md").read_text() == VALUE
