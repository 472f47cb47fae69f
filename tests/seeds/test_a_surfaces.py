"""The surfaces of the hook-agent memory: show, appreciate, archive, metadata, reconcile, presearch (seed 000)."""

import fcntl
import json
import os
import re
import time
from pathlib import Path

import pytest
from builders import Box

GOLDEN = Path(__file__).parent.parent / "golden" / "seed-000.md"
USAGE = {
    "frequency": ("hits", 3),
    "last_accessed_session": ("last_session", 9),
    "created_session": ("created_session", 2),
    "appreciation": ("appreciation", 4),
    "pinned": ("pinned", True),
}
FRESH = {
    "frequency": 0,
    "last_accessed_session": 0,
    "created_session": 0,
    "appreciation": 0,
    "pinned": False,
}
BODY = "Use pnpm, never npm.\n\nIts lock file: `pnpm-lock.yaml` — größer ☃."


@pytest.fixture
def box(make_box):
    """A user in a git repository whose memories are markdown files."""
    made = make_box()
    made.init("--layout", "markdown")
    return made


def tagged(body, metadata=None, *, hints=""):
    """A whole file of format A."""
    block = json.dumps(FRESH if metadata is None else metadata, indent=2)
    return f"<memory-metadata>\n{block}\n</memory-metadata>\n\n{hints}<memory>\n{body}\n</memory>\n"


def put(box, path, source):
    """A file as a person or another program leaves it."""
    place = box.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(source if isinstance(source, bytes) else source.encode())
    return place


def metadata_of(source):
    return json.loads(re.match(r"<memory-metadata>\r?\n(.*?)</memory-metadata>", source, re.DOTALL)[1])


def metadata(box, path):
    """What the metadata block of a file says, read past recollect."""
    return metadata_of((box.root / path).read_text("utf-8"))


def behind_metadata(place):
    return place.read_bytes().partition(b"</memory-metadata>")[2]


def usage(box, name):
    return box.run("show", name, "--json").json["usage"]


def tree(folder):
    """Every file below a folder, with its bytes."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def at_once(box, commands):
    """Run each command as a process of its own, all at the same time; what each printed."""
    started = [box.fork(*command) for command in commands]
    ends = [process.communicate(timeout=100) for process in started]
    assert [(process.returncode, end) for process, end in zip(started, ends, strict=True) if process.returncode] == []
    return [out for out, _ in ends]


# -- A5: reconcile --------------------------------------------------------------------------------------------------


@pytest.mark.seed("A5")
def test_reconcile_names_each_file_that_it_gives_tags_counts_them_and_is_silent_afterwards(box):
    put(box, "memory/bare.md", "bare\n")
    put(box, "memory/whole.md", tagged("whole"))
    put(box, "memory-cold/cold.md", "cold\n")

    lines = box.run("reconcile").out.splitlines()

    assert lines[:3] == [
        "Ensured metadata: memory/bare.md",
        "Ensured metadata: memory-cold/cold.md",
        "Reconciled: 2 files",
    ]
    assert sorted(lines[3:]) == [
        "read: memory-cold/cold.md",
        "read: memory/bare.md",
        "read: memory/whole.md",
    ]
    again = box.run("reconcile")
    assert (again.out, again.err) == ("", "")


@pytest.mark.seed("A5")
def test_new_metadata_holds_the_current_session_number_in_the_cold_folder_too(box):
    box.run("session", "--set", "7")
    for path in ("memory/bare.md", "memory-cold/cold.md"):
        put(box, path, "text\n")

    box.run("reconcile")

    wanted = FRESH | {"created_session": 7, "last_accessed_session": 7}
    assert (metadata(box, "memory/bare.md"), metadata(box, "memory-cold/cold.md")) == (wanted, wanted)
    assert (usage(box, "bare")["created_session"], usage(box, "cold")["last_session"]) == (7, 7)
    assert [one["slug"] for one in box.run("list", "--json").json] == ["bare"]


@pytest.mark.seed("A5")
def test_metadata_that_is_there_keeps_its_session_number(box):
    put(box, "memory/old.md", tagged("text", FRESH | {"created_session": 2}))
    box.run("session", "--set", "7")

    assert "Ensured" not in box.run("reconcile").out
    assert metadata(box, "memory/old.md")["created_session"] == 2


@pytest.mark.seed("A5")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"\n{BODY}\n\n", tagged(BODY)),
        ("", tagged("")),
        (f"<memory>\n{BODY}\n</memory>\n", tagged(BODY)),
        (tagged(BODY).replace("<memory>\n", "").replace("</memory>\n", ""), tagged(BODY)),
        (tagged(BODY, {"frequency": 3, "ours": "kept"}), tagged(BODY, {"frequency": 3, "ours": "kept"})),
    ],
    ids=["no tag", "empty", "memory tag only", "metadata only", "both"],
)
def test_every_file_has_both_tags_after_reconcile_and_says_what_it_said(box, source, expected):
    place = put(box, "memory/foo.md", source)

    box.run("reconcile")

    assert place.read_text("utf-8") == expected
    assert box.run("reconcile").out == ""


@pytest.mark.seed("A5")
@pytest.mark.parametrize(
    "source",
    [
        b"<memory-metadata>\n{broken\n</memory-metadata>\n\n<memory>\nText\n</memory>\n",
        b"<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n",
        b"\xff\xfe not UTF-8\n",
    ],
    ids=["broken metadata", "conflict", "not UTF-8"],
)
def test_reconcile_leaves_a_file_that_it_cannot_read_alone_and_does_the_others(box, source):
    place = put(box, "memory/broken.md", source)
    put(box, "memory/bare.md", "bare\n")

    out = box.run("reconcile").out

    assert place.read_bytes() == source
    assert "Ensured metadata: memory/bare.md\nReconciled: 1 files\n" in out
    assert "not read: memory/broken.md" in out


@pytest.mark.seed("A5")
def test_a_projects_own_files_are_not_touched_where_the_layout_is_not_on(make_box):
    box = make_box()
    box.run("init")
    put(box, "memory/notes.md", "the project's own\n")

    assert box.run("reconcile").out == ""
    assert (box.root / "memory/notes.md").read_text("utf-8") == "the project's own\n"


@pytest.mark.seed("A5")
def test_metadata_that_says_session_0_keeps_it_as_well(box):
    place = put(box, "memory/old.md", tagged("text"))
    box.run("session", "--set", "7")

    box.run("reconcile")
    box.run("appreciate", "memory/old.md", "1")

    assert place.read_text("utf-8") == tagged("text", FRESH | {"appreciation": 1})


@pytest.mark.seed("A5")
def test_a_memory_that_is_remembered_is_born_in_the_current_session(box):
    box.run("session", "--set", "7")
    box.run("remember", "Use pnpm")

    assert metadata(box, "memory/use-pnpm.md")["created_session"] == 7


def test_the_session_number_is_counted_per_project_and_can_be_set(box):
    other = Box(box.folder, box.home, box.folder / "other")
    other.root.mkdir()

    assert box.run("session").out == "0\n"
    assert box.run("session", "--set", "7").out == "7\n"
    assert box.run("session", "--json").json == {"session": 7}
    assert other.run("session").out == "0\n"
    for wrong in ("-1", "x", "1.5", ""):
        assert "Error: " in box.run("session", "--set", wrong, code=2).err
    assert box.run("session").out == "7\n"


# -- A33: show NAME --content ---------------------------------------------------------------------------------------


@pytest.mark.seed("A33")
@pytest.mark.parametrize(
    "name",
    [
        "foo",
        "foo.md",
        "memory/foo.md",
    ],
)
def test_content_is_the_body_and_nothing_else(box, name):
    hints = "<conditional>\nwhen installing\n</conditional>\n\n<fuzzy-match>\nnpm, yarn\n</fuzzy-match>\n\n"
    put(box, "memory/foo.md", tagged(BODY, hints=hints))

    done = box.run("show", name, "--content")

    assert (done.out, done.err) == (f"{BODY}\n", "")


@pytest.mark.seed("A33")
@pytest.mark.parametrize(
    "name",
    [
        "foo",
        "foo.md",
        "memory-cold/foo.md",
    ],
)
def test_content_of_an_archived_memory_is_shown_as_well(box, name):
    put(box, "memory/foo.md", tagged(BODY))
    box.run("archive", "memory/foo.md")

    assert box.run("show", name, "--content").out == f"{BODY}\n"


@pytest.mark.seed("A33")
def test_a_body_that_quotes_its_own_tags_is_shown_to_its_end(box):
    body = "It ends with\n</memory>\nand starts with <memory>.\n<memory-metadata>\n{}\n</memory-metadata>\nThe end."
    put(box, "memory/foo.md", tagged(body))
    golden = GOLDEN.read_text("utf-8")
    put(box, "memory/golden.md", golden)

    assert box.run("show", "memory/foo.md", "--content").out == f"{body}\n"
    whole = golden.partition("<memory>\n")[2].rpartition("</memory>")[0].strip()
    assert "</memory>" in whole
    assert box.run("show", "golden", "--content").out == f"{whole}\n"


@pytest.mark.seed("A33")
def test_content_is_what_the_file_says_now(box):
    place = put(box, "memory/foo.md", "First\n")
    assert box.run("show", "foo", "--content").out == "First\n"

    place.write_text("Second, and longer\n", "utf-8")

    assert box.run("show", str(place), "--content").out == "Second, and longer\n"
    assert box.run("show", "foo", "--content", "--json").json == "Second, and longer"


@pytest.mark.seed("A33")
@pytest.mark.parametrize("name", ["nope", "nope.md", "memory/nope.md", "memory-cold/foo.md", "../foo", "memory"])
def test_a_memory_that_is_not_there_is_an_error(box, name):
    put(box, "memory/foo.md", "Text\n")

    done = box.run("show", name, "--content", code=1)

    assert done.out == ""
    assert done.err.startswith("NOT_FOUND")


@pytest.mark.seed("A33")
def test_content_takes_exactly_one_name(box):
    assert "Error: " in box.run("show", "--content", code=2).err
    assert "Error: " in box.run("show", "foo", "bar", "--content", code=2).err


@pytest.mark.seed("A33")
def test_a_path_is_read_from_the_folder_that_the_caller_stands_in(box):
    put(box, "memory/foo.md", "Text\n")
    (box.root / "src").mkdir()

    assert box.run("show", "../memory/foo.md", "--content", cwd=box.root / "src").out == "Text\n"


# -- A34: archive and restore ---------------------------------------------------------------------------------------


@pytest.mark.seed("A34")
@pytest.mark.parametrize("name", ["foo", "Foo_Bar", "2026-02-29-notes"])
@pytest.mark.parametrize("source", [tagged(BODY, FRESH | {"ours": 1}), f"{BODY}\n"], ids=["tagged", "no metadata"])
def test_an_archived_memory_moves_to_the_cold_folder_as_it_is(box, name, source):
    put(box, f"memory/{name}.md", source)

    assert box.run("archive", f"memory/{name}.md").out == f"Archived memory/{name}.md to memory-cold/\n"

    assert not (box.root / f"memory/{name}.md").exists()
    assert (box.root / f"memory-cold/{name}.md").read_text("utf-8") == source
    assert box.run("list", "--json").json == []
    assert [one["status"] for one in box.run("list", "--all", "--json").json] == ["archived"]
    assert "retired" not in box.run("reconcile").out


@pytest.mark.seed("A34")
@pytest.mark.parametrize("is_known", [False, True])
def test_archive_overwrites_nothing_in_the_cold_folder(box, is_known):
    warm = put(box, "memory/foo.md", tagged("the warm one"))
    if is_known:
        box.run("reconcile")
    cold = put(box, "memory-cold/foo.md", tagged("the cold one"))
    before = warm.read_bytes(), cold.read_bytes()

    done = box.run("archive", "memory/foo.md", code=1)

    assert "fix: " in done.err
    assert (warm.read_bytes(), cold.read_bytes()) == before
    assert "memory-cold/foo.md: has the same name as memory/foo.md" in box.run("reconcile").out


@pytest.mark.seed("A34")
def test_archive_takes_exactly_one_memory_that_is_there(box):
    put(box, "memory/foo.md", "Text\n")
    before = tree(box.root)

    assert "NOT_FOUND" in box.run("archive", "memory/nope.md", code=1).err
    assert "Error: " in box.run("archive", code=2).err
    assert "Error: " in box.run("archive", "memory/foo.md", "memory/bar.md", code=2).err
    assert tree(box.root) == before


@pytest.mark.seed("A34")
def test_a_memory_without_a_file_is_archived_in_the_store(box):
    box.run("remember", "The wifi word is tulip", "--sensitivity", "private")

    assert box.run("archive", "the-wifi-word-is-tulip").out.startswith("archived note/the-wifi-word-is-tulip")
    assert list((box.root / "memory-cold").iterdir()) == []


@pytest.mark.seed("A34")
def test_restore_moves_the_file_back_as_it_was(box):
    place = put(box, "memory/foo.md", tagged(BODY, FRESH | {"ours": 1}))
    before = place.read_bytes()
    box.run("archive", "memory/foo.md")

    assert "memory/foo.md" in box.run("restore", "memory-cold/foo.md").out

    assert place.read_bytes() == before
    assert list((box.root / "memory-cold").iterdir()) == []
    assert [one["status"] for one in box.run("list", "--all", "--json").json] == ["active"]


@pytest.mark.seed("A34")
def test_restore_overwrites_nothing_in_the_warm_folder(box):
    put(box, "memory/foo.md", tagged("the old one"))
    box.run("archive", "memory/foo.md")
    put(box, "memory/foo.md", tagged("the new one"))
    before = tree(box.root)

    box.run("restore", "memory-cold/foo.md", code=1)

    assert tree(box.root) == before


@pytest.mark.seed("A34")
def test_a_file_that_is_moved_by_hand_between_the_folders_is_archived_or_restored(box):
    warm = put(box, "memory/foo.md", tagged(BODY))
    box.run("reconcile")
    cold = box.root / "memory-cold/foo.md"

    warm.rename(cold)
    assert [one["status"] for one in box.run("list", "--all", "--json").json] == ["archived"]
    cold.rename(warm)
    assert [one["status"] for one in box.run("list", "--all", "--json").json] == ["active"]


# -- A35: appreciate ------------------------------------------------------------------------------------------------


@pytest.mark.seed("A35")
def test_appreciate_adds_to_file_and_store_and_says_so(box):
    place = put(box, "memory/x.md", tagged(BODY, FRESH | {"frequency": 5, "ours": [1, 2]}))
    rest = behind_metadata(place)

    first = box.run("appreciate", "memory/x.md", "3")
    second = box.run("appreciate", "memory/x.md", "4")

    assert first.out == "Bumped appreciation of memory/x.md by +3 (now 3)\n"
    assert second.out == "Bumped appreciation of memory/x.md by +4 (now 7)\n"
    assert metadata(box, "memory/x.md") == FRESH | {"frequency": 5, "appreciation": 7, "ours": [1, 2]}
    assert behind_metadata(place) == rest
    assert (usage(box, "x")["appreciation"], usage(box, "x")["hits"]) == (7, 5)
    assert box.run("reconcile").out == ""


@pytest.mark.seed("A35")
@pytest.mark.parametrize("bonus", ["0", "-1", "-0", "many", "1.5", "", "1e3", "0x10", "99999999999999999999"])
def test_only_a_positive_whole_number_is_added(box, bonus):
    put(box, "memory/x.md", tagged(BODY))
    before = tree(box.root)

    done = box.run("appreciate", "memory/x.md", bonus, code=2)

    assert done.out == ""
    assert "Error: " in done.err
    assert tree(box.root) == before


@pytest.mark.seed("A35")
def test_appreciate_takes_a_memory_that_is_there_and_a_number(box):
    assert "NOT_FOUND" in box.run("appreciate", "memory/nope.md", "1", code=1).err
    assert "Error: " in box.run("appreciate", "memory/nope.md", code=2).err
    assert "Error: " in box.run("appreciate", code=2).err


@pytest.mark.seed("A35")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_without_metadata_gets_it_and_keeps_its_body(box, newline):
    place = put(box, "memory/x.md", f"<memory>\n{BODY}\n</memory>\n\nafterword".replace("\n", newline))
    body = place.read_bytes()

    assert box.run("appreciate", "memory/x.md", "2").out == "Bumped appreciation of memory/x.md by +2 (now 2)\n"

    assert metadata(box, "memory/x.md")["appreciation"] == 2
    assert place.read_bytes().endswith(body)
    assert usage(box, "x")["appreciation"] == 2


@pytest.mark.seed("A35")
def test_metadata_that_appreciate_creates_is_as_whole_as_that_of_reconcile(box):
    box.run("session", "--set", "7")
    put(box, "memory/x.md", "Text\n")

    box.run("appreciate", "memory/x.md", "2")

    wanted = FRESH | {"appreciation": 2, "created_session": 7, "last_accessed_session": 7}
    assert metadata(box, "memory/x.md") == wanted


@pytest.mark.seed("A35")
def test_a_memory_that_is_only_in_the_store_is_valued_as_well(box):
    box.run("remember", "The wifi word is tulip", "--sensitivity", "private", "--title", "wifi")
    box.run("remember", "Use SQLite", "--kind", "decision", "--why", "one file")
    before = tree(box.root)

    assert box.run("appreciate", "wifi", "2").out == "Bumped appreciation of wifi by +2 (now 2)\n"
    assert box.run("appreciate", "wifi", "2").out == "Bumped appreciation of wifi by +2 (now 4)\n"
    assert box.run("appreciate", "decision/use-sqlite", "1", "--json").json["memory"]["usage"]["appreciation"] == 1
    assert (usage(box, "wifi")["appreciation"], usage(box, "use-sqlite")["appreciation"]) == (4, 1)
    assert tree(box.root) == before


@pytest.mark.seed("A35")
def test_an_archived_memory_is_valued_where_it_lies(box):
    put(box, "memory/x.md", tagged(BODY))
    box.run("archive", "memory/x.md")

    assert box.run("appreciate", "memory-cold/x.md", "2").out.endswith("(now 2)\n")
    assert metadata(box, "memory-cold/x.md")["appreciation"] == 2
    assert not (box.root / "memory/x.md").exists()


@pytest.mark.seed("A35")
def test_what_was_written_by_hand_before_is_counted_from(box):
    place = put(box, "memory/x.md", tagged(BODY, FRESH | {"appreciation": 2}))
    box.run("appreciate", "memory/x.md", "1")
    place.write_text(tagged("Another body", FRESH | {"appreciation": 40}), "utf-8")

    assert box.run("appreciate", "memory/x.md", "2").out.endswith("(now 42)\n")
    assert box.run("show", "x", "--content").out == "Another body\n"


@pytest.mark.seed("A35")
def test_a_sum_that_nothing_can_hold_is_refused(box):
    place = put(box, "memory/x.md", tagged(BODY, FRESH | {"appreciation": 2**53}))
    box.run("reconcile")
    before = place.read_bytes()

    box.run("appreciate", "memory/x.md", "1", code=1)

    assert place.read_bytes() == before
    assert [one["slug"] for one in box.run("list", "--json").json] == ["x"]


@pytest.mark.seed("A35")
def test_twenty_at_once_are_twenty_and_the_body_is_whole(box):
    place = put(box, "memory/x.md", f"<memory>\n{BODY}\n</memory>\n")
    body = place.read_bytes()

    said = at_once(box, [("appreciate", "memory/x.md", "1")] * 20)

    assert sorted(int(re.search(r"now (\d+)", out)[1]) for out in said) == list(range(1, 21))
    assert metadata(box, "memory/x.md")["appreciation"] == 20
    assert usage(box, "x")["appreciation"] == 20
    assert place.read_bytes().endswith(body)
    assert list(box.root.rglob(".recollect-*")) + list(box.root.rglob(".index.lockdir")) == []


def until_it_waits_for(folder, process):
    """A process that waits for a folder's lock has the folder open, from one look to the next."""
    looks, deadline = 0, time.monotonic() + 60
    while looks < 300:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        opened = set()
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            try:
                opened.add(str(link.readlink()))
            except FileNotFoundError:
                continue
        looks = looks + 1 if str(folder) in opened else 0


@pytest.fixture
def raced(box):
    """A memory that somebody rewrote while `appreciate` had looked at it and waited for its turn."""
    put(box, "memory/x.md", tagged(BODY))
    box.run("reconcile")
    held = os.open(box.root / "memory", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        process = box.fork("appreciate", "memory/x.md", "1")
        until_it_waits_for(box.root / "memory", process)
        put(box, "memory/x.md", tagged("Another body", FRESH | {"frequency": 9, "appreciation": 4}))
    finally:
        os.close(held)
    out, problem = process.communicate(timeout=100)
    assert process.returncode == 0, problem
    return box, out


@pytest.mark.seed("A35")
def test_counters_that_were_written_meanwhile_are_counted_from(raced):
    box, out = raced

    assert out == "Bumped appreciation of memory/x.md by +1 (now 5)\n"
    assert metadata(box, "memory/x.md") == FRESH | {"frequency": 9, "appreciation": 5}


@pytest.mark.seed("A35")
def test_a_body_that_was_written_meanwhile_reaches_the_store(raced):
    box, _ = raced

    box.run("reconcile")

    assert box.run("show", "x", "--content").out == "Another body\n"
    assert [one["text"] for one in box.run("list", "--json").json] == ["Another body"]


# -- A10: metadata --------------------------------------------------------------------------------------------------


@pytest.mark.seed("A10")
def test_read_prints_the_metadata_and_defaults_where_there_is_none(box):
    put(box, "memory/bare.md", "Text\n")
    put(box, "memory/x.md", tagged("Text", {"frequency": 3, "ours": {"a": None}}))

    assert box.run("metadata", "read", "memory/bare.md").json == FRESH
    done = box.run("metadata", "read", "memory/x.md")
    assert done.json == FRESH | {"frequency": 3, "ours": {"a": None}}
    assert done.out == json.dumps(done.json, indent=2) + "\n"


@pytest.mark.seed("A10")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("5", 5),
        ("0.5", 0.5),
        ("true", True),
        ("null", None),
        ('"5"', "5"),
        ('[1, {"a": null}]', [1, {"a": None}]),
        ("hello world", "hello world"),
        ("größer ☃", "größer ☃"),
        ("{broken", "{broken"),
        ("True", "True"),
        ("", ""),
        ("9" * 5000, "9" * 5000),
        ("[" * 100_000, "[" * 100_000),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_field_is_written_as_json_or_else_as_text(box, value, expected):
    place = put(box, "memory/x.md", tagged(BODY, FRESH | {"before": 1}))
    rest = behind_metadata(place)

    said = box.run("metadata", "write_field", "memory/x.md", "ours", value).json

    assert said == FRESH | {"before": 1, "ours": expected}
    assert metadata(box, "memory/x.md") == said
    assert behind_metadata(place) == rest
    assert box.run("reconcile").out == ""


@pytest.mark.seed("A10")
@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_whatever_is_written_the_metadata_is_json_for_everybody(box, value):
    place = put(box, "memory/x.md", tagged(BODY))

    box.run("metadata", "write_field", "--", "memory/x.md", "ours", value, code=None)

    block = place.read_text("utf-8").partition("</memory-metadata>")[0]
    assert not re.search(r'"ours": -?(NaN|Infinity)', block)


@pytest.mark.seed("A10")
def test_half_a_surrogate_pair_harms_nothing(box):
    put(box, "memory/x.md", tagged(BODY))

    box.run("metadata", "write_field", "memory/x.md", "ours", '"\\ud83d"', code=None)

    assert box.run("metadata", "read", "memory/x.md").json["pinned"] is False


@pytest.mark.seed("A10")
@pytest.mark.parametrize("key", USAGE)
def test_a_written_field_is_taken_into_the_store(box, key):
    put(box, "memory/x.md", tagged(BODY))
    box.run("reconcile")
    field, value = USAGE[key]

    box.run("metadata", "write_field", "memory/x.md", key, json.dumps(value))

    assert usage(box, "x")[field] == value
    assert [one["usage"][field] for one in box.run("list", "--json").json] == [value]


@pytest.mark.seed("A10")
@pytest.mark.parametrize("key", ["frequency", "last_accessed_session"])
def test_a_counter_can_be_set_back(box, key):
    put(box, "memory/x.md", tagged(BODY, FRESH | {key: 5}))
    box.run("reconcile")

    box.run("metadata", "write_field", "memory/x.md", key, "2")
    box.run("appreciate", "memory/x.md", "1")

    assert metadata(box, "memory/x.md")[key] == 2


@pytest.mark.seed("A10")
def test_a_counter_that_is_no_number_is_kept_out_of_the_store_until_it_is_mended(box):
    put(box, "memory/x.md", tagged(BODY, FRESH | {"frequency": 5}))
    box.run("reconcile")

    done = box.run("metadata", "write_field", "memory/x.md", "frequency", "many")

    assert (done.json["frequency"], usage(box, "x")["hits"]) == ("many", 5)
    assert "not read" in done.err
    assert "memory/x.md: frequency" in box.run("reconcile").out
    box.run("metadata", "write_field", "memory/x.md", "frequency", "6")
    assert (box.run("reconcile").out, usage(box, "x")["hits"]) == ("", 6)


@pytest.mark.seed("A10")
def test_a_counter_beyond_what_a_database_holds_disables_nothing(box):
    put(box, "memory/other.md", tagged("Another"))
    put(box, "memory/x.md", tagged(BODY, FRESH | {"frequency": 10**20}))

    assert "Another" in [one["text"] for one in box.run("list", "--json").json]


@pytest.mark.seed("A10")
def test_a_kind_that_nobody_knows_costs_no_file(box):
    place = put(box, "memory/x.md", tagged(BODY))
    box.run("metadata", "write_field", "memory/x.md", "kind", "recipe", code=None)

    box.run("pin", "x", code=None)

    assert place.exists()


@pytest.mark.seed("A10")
@pytest.mark.parametrize("block", ["{broken", "[1, 2]", '"text"', "", "5"])
def test_broken_metadata_is_named_and_the_file_stays_as_it_is(box, block):
    source = f"<memory-metadata>\n{block}\n</memory-metadata>\n\n<memory>\nText\n</memory>\n"
    place = put(box, "memory/x.md", source)

    for command in (("read", "memory/x.md"), ("write_field", "memory/x.md", "ours", "1")):
        done = box.run("metadata", *command, code=1)
        assert done.out == ""
        assert done.err.startswith("READ_ERROR\n")
        assert "metadata block" in done.err
        assert "\nfix: " in done.err
    assert place.read_text("utf-8") == source
    assert box.run("metadata", "description", "memory/x.md").out == "Text\n"


@pytest.mark.seed("A10")
@pytest.mark.parametrize("number", [(), ("12",)], ids=["current session", "named session"])
def test_ensure_creates_the_tags_once(box, number):
    box.run("session", "--set", "7")
    place = put(box, "memory/x.md", f"{BODY}\n")

    assert box.run("metadata", "ensure", "memory/x.md", *number).out == "created\n"

    session = int(number[0]) if number else 7
    wanted = FRESH | {"created_session": session, "last_accessed_session": session}
    assert place.read_text("utf-8") == tagged(BODY, wanted)
    assert usage(box, "x")["created_session"] == session
    assert box.run("metadata", "ensure", "memory/x.md", "99").out == "exists\n"
    assert place.read_text("utf-8") == tagged(BODY, wanted)


@pytest.mark.seed("A7", "A10")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (tagged("First\nsecond", hints="<conditional>\nwhen asked\n</conditional>\n\n"), "when asked"),
        (tagged("First\nsecond", hints="<conditional>\n \n</conditional>\n\n"), "First"),
        (tagged("\n\nFirst\nsecond"), "First"),
        ("<p>\n\nPlain\n", "Plain"),
        ("<memory>\n\n</memory>\n\nBehind\n", "Behind"),
        ("", "some-name"),
    ],
    ids=["cue", "empty cue", "first line", "plain line", "empty memory", "name"],
)
def test_description_is_the_cue_or_the_first_line_or_the_name(box, source, expected):
    put(box, "memory/some-name.md", source)

    assert box.run("metadata", "description", "memory/some-name.md").out == f"{expected}\n"


@pytest.mark.seed("A10")
@pytest.mark.parametrize(
    "args",
    [
        (),
        ("read",),
        ("read", "memory/x.md", "more"),
        ("write_field", "memory/x.md"),
        ("write_field", "memory/x.md", "key"),
        ("write_field", "memory/x.md", "key", "value", "more"),
        ("ensure", "memory/x.md", "1", "2"),
        ("ensure", "memory/x.md", "seven"),
        ("ensure", "memory/x.md", "²"),
        ("description", "memory/x.md", "more"),
        ("erase", "memory/x.md"),
    ],
    ids=" ".join,
)
def test_wrong_usage_of_metadata_changes_nothing(box, args):
    put(box, "memory/x.md", "Text\n")
    before = tree(box.root)

    done = box.run("metadata", *args, code=2)

    assert done.out == ""
    assert "Error: " in done.err
    assert tree(box.root) == before


@pytest.mark.seed("A10")
@pytest.mark.parametrize("path", ["memory/nope.md", "memory", "nowhere/nope.md"])
@pytest.mark.parametrize("action", ["read", "write_field", "ensure", "description"])
def test_a_file_that_is_not_there_is_an_error_and_is_not_made(box, action, path):
    done = box.run("metadata", action, path, *(["key", "value"] if action == "write_field" else []), code=1)

    assert "no such file" in done.err
    assert not (box.root / "memory/nope.md").exists()
    assert not (box.root / "nowhere").exists()


@pytest.mark.seed("A10")
@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
def test_metadata_works_on_any_file_without_init_and_touches_no_other(make_box, git):
    box = make_box(git=git)
    place = put(box, "notes/x.md", "Text\n")

    assert box.run("metadata", "ensure", "notes/x.md").out == "created\n"
    assert box.run("metadata", "write_field", str(place), "ours", "1").json["ours"] == 1
    assert box.run("-C", str(box.root), "metadata", "read", "notes/x.md", cwd=box.folder).json["ours"] == 1
    assert list(tree(box.root)) == ["notes/x.md"]
    assert box.run("list", "--all", "--json").json == []


@pytest.mark.seed("A10")
@pytest.mark.parametrize(("path", "number"), [("memory/x.md", 20), ("../outside/x.md", 5)])
def test_fields_that_are_written_at_once_all_survive(box, path, number):
    place = put(box, path, f"<memory>\n{BODY}\n</memory>\n")
    body = place.read_bytes()

    at_once(box, [("metadata", "write_field", path, f"key-{one}", str(one)) for one in range(number)])

    assert metadata(box, path) == FRESH | {f"key-{one}": one for one in range(number)}
    assert place.read_bytes().endswith(body)
    assert list(box.folder.rglob(".recollect-*.*")) == []


# -- A11-A15: presearch ---------------------------------------------------------------------------------------------


def summary(done):
    """The one line of JSON on standard error."""
    assert done.err.count("\n") == 1
    return json.loads(done.err)


@pytest.fixture
def shelf(box):
    """Three memories, and what is none."""
    put(box, "memory/redis.md", tagged("The cache.\nIt evicts by LRU."))
    cue = "<conditional>\nwhen asked\nabout nginx\n</conditional>\n\n<fuzzy-match>\nProxy, ingress\n</fuzzy-match>\n\n"
    put(box, "memory/front-door.md", tagged("A text.\nIt mentions kubernetes.", hints=cue))
    put(box, "memory/postgres.md", "The rows.\n")
    put(box, "memory/.hidden-redis.md", "Redis\n")
    put(box, "memory/redis.txt", "Redis\n")
    (box.root / "memory/folder-redis.md").mkdir()
    (box.root / "memory/link-redis.md").symlink_to(box.root / "memory/redis.md")
    return box


@pytest.mark.seed("A11", "A15")
def test_pointers_are_printed_sorted_and_the_numbers_on_standard_error(shelf):
    done = shelf.run("presearch", "memory", "off", stdin="Is it the REDIS or the ingress? redis!")

    assert done.out == "- memory/front-door.md — when asked about nginx\n- memory/redis.md — The cache.\n"
    assert summary(done) == {"keywords": ["redis", "ingress"], "matched": 2, "total": 3, "pass_all": False}
    assert list(summary(done)) == ["keywords", "matched", "total", "pass_all"]


@pytest.mark.seed("A11")
def test_the_whole_text_is_searched_only_when_it_is_on_and_off_is_the_default(shelf):
    on, off, default = (
        shelf.run("presearch", "memory", *switch, stdin="kubernetes") for switch in (("on",), ("off",), ())
    )

    assert on.out == "- memory/front-door.md — when asked about nginx\n"
    assert (off.out, default.out) == ("", "")
    assert summary(off) == summary(default) == {"keywords": ["kubernetes"], "matched": 0, "total": 3, "pass_all": False}


@pytest.mark.seed("A11")
def test_recall_narrows_by_keywords_first_only_where_agent_conf_says_so(box):
    def setting(name):
        return {one["setting"]: one["value"] for one in box.run("config", "--json").json}[f"recall.{name}"]

    assert (setting("presearch"), setting("presearch_content")) == (False, False)
    put(box, "agent.conf", "MEMORY_RECALL_PRESEARCH=on   # narrow first\nMEMORY_RECALL_PRESEARCH_CONTENT=on\n")
    assert (setting("presearch"), setting("presearch_content")) == (True, True)


@pytest.mark.seed("A12", "A15")
@pytest.mark.parametrize("prompt", ["", " \n", "please fix the problem with this file", "a ä 7", "…"])
@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_prompt_without_keywords_finds_nothing(shelf, prompt, switch):
    done = shelf.run("presearch", "memory", switch, stdin=prompt)

    assert done.out == ""
    assert summary(done) == {"keywords": [], "matched": 0, "total": 3, "pass_all": False}


@pytest.mark.seed("A15")
def test_a_folder_that_is_not_there_or_is_empty_finds_nothing(box):
    for folder in ("nowhere", "memory", str(box.folder / "nowhere"), ".recollect.toml"):
        done = box.run("presearch", folder, "on", stdin="redis")
        assert done.out == ""
        assert summary(done) == {"keywords": ["redis"], "matched": 0, "total": 0, "pass_all": False}


@pytest.mark.seed("A15")
@pytest.mark.parametrize("args", [(), ("memory", "maybe"), ("memory", "on", "more")], ids=" ".join)
def test_wrong_usage_of_presearch_prints_no_pointers(shelf, args):
    done = shelf.run("presearch", *args, stdin="redis", code=2)

    assert done.out == ""
    assert "Error: " in done.err


@pytest.mark.seed("A13", "A14", "A15")
def test_presearch_finds_by_name_keyword_description_part_and_near_spelling(box):
    put(box, "memory/api-limits.md", tagged("Text", hints="<fuzzy-match>\nThrottling\n</fuzzy-match>\n"))
    put(box, "memory/plain.md", "About authentication\n")

    def found(prompt):
        return re.findall(r"memory/(\S+)\.md", box.run("presearch", "memory", "off", stdin=prompt).out)

    assert (found("API"), found("throttling"), found("throttl")) == (["api-limits"],) * 3
    assert (found("authentcation"), found("authentic"), found("ap")) == (["plain"], ["plain"], [])


@pytest.mark.seed("A15")
def test_presearch_needs_neither_init_nor_a_store_and_leaves_nothing_behind(make_box):
    box = make_box(git=False)
    put(box, "notes/redis.md", b"\xff\xfe about redis \x1b[2J\n")
    before = tree(box.folder)

    done = box.run("presearch", "notes", "on", stdin="redis")

    assert done.out.startswith("- memory/redis.md — ")
    assert "\x1b" not in done.out
    assert tree(box.folder) == before


@pytest.mark.seed("A15")
def test_pointers_as_json_are_one_document(shelf):
    done = shelf.run("presearch", "memory", "off", "--json", stdin="redis")

    assert done.json == {
        "keywords": ["redis"],
        "matched": 1,
        "total": 3,
        "pass_all": False,
        "pointers": [{"file": "redis.md", "description": "The cache."}],
    }
    assert done.err == ""


@pytest.mark.seed("A15")
def test_one_file_that_cannot_be_read_does_not_disable_the_search(shelf):
    put(shelf, "memory/huge.md", "x" * 4_000_001)

    assert shelf.run("presearch", "memory", "off", stdin="redis").out == "- memory/redis.md — The cache.\n"


@pytest.mark.seed("A15")
def test_daily_logs_are_not_memories(make_box):
    box = make_box()
    box.run("init", "--layout", "markdown", "--layout", "log")
    box.run("remember", "About redis", "--title", "cache")

    done = box.run("presearch", "memory", "on", stdin="redis")

    assert (done.out, summary(done)["total"]) == ("- memory/cache.md — About redis\n", 1)


@pytest.mark.seed("A15")
def test_the_folder_is_read_from_the_project_that_is_named(shelf):
    done = shelf.run("-C", str(shelf.root), "presearch", "memory", "off", stdin="redis", cwd=shelf.folder)

    assert summary(done)["matched"] == 1
