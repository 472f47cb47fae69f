"""CursorClaw's log: append, list, flush, scan and trim on MEMORY.md and the daily files (seed 003)."""

import json
import re
from contextlib import contextmanager

import pytest
from builders import IN_GIT
from examples import few
from hypothesis import assume, example, given
from hypothesis import strategies as st

from recollect.model.text import clean_body

NOW = "2026-03-01T12:00:00Z"
LOG, DAILY = "MEMORY.md", "memory/2026-03-01.md"
HEADER = """\
# MEMORY.md

What earlier sessions leave for later ones: one memory per line, the newest at the end.

"""
CHECKPOINT = "Pre-compaction memory flush checkpoint"


@pytest.fixture
def box(make_box):
    """A user in a git repository that keeps the log."""
    made = make_box()
    made.init("--layout", "log")
    return made


def append(box, text, *flags, session="s", code=0):
    return box.run("log", "append", "--session", session, *flags, text, code=code)


def listed(box, *flags):
    return box.run("log", "list", "--json", *flags).json


def texts(box, *flags):
    return [one["text"] for one in listed(box, *flags)]


def read(box, path=LOG):
    return (box.root / path).read_bytes().decode()


def both(box):
    """The bytes of both files, None for one that is not there."""
    places = [box.root / path for path in (LOG, DAILY)]
    return [place.read_bytes() if place.exists() else None for place in places]


def records(source):
    """The records of a file, read as CursorClaw reads them."""
    return [json.loads(line[2:]) for line in source.split("\n") if line.startswith('- {"id":')]


def said(source):
    return [one["text"] for one in records(source)]


def record(uid="u1", text="A text", **fields):
    """A record as CursorClaw writes it."""
    provenance = {"sourceChannel": "web", "confidence": 0.8, "timestamp": "2026-02-01T00:00:00.000Z"}
    provenance |= {"sensitivity": "operational"} | fields.pop("provenance", {})
    whole = {"id": uid, "sessionId": "s", "category": "note", "text": text} | fields | {"provenance": provenance}
    return "- " + json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def write(box, source, path=LOG):
    (box.root / path).write_bytes(source if isinstance(source, bytes) else source.encode())
    return source


def tree(folder):
    """Every file below a folder, with its bytes."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def memories(box):
    return sorted(one["text"] for one in box.run("list", "--all", "--json").json)


def ended(process):
    out, problem = process.communicate(timeout=100)
    assert "Traceback" not in problem, problem
    return process.returncode, out, problem


# -- C1, C3: append -------------------------------------------------------------------------------------------------


@pytest.mark.seed("C1", "C3")
@pytest.mark.parametrize("is_on", [True, False], ids=["layout log", "without init"])
def test_append_writes_one_line_to_both_files_and_nothing_else(make_box, is_on):
    box = make_box()
    if is_on:
        box.run("init", "--layout", "log")
    before = tree(box.root)

    uid = box.run("log", "append", "--session", "s1", "--category", "learned", "Größer\n☃", "--json").json["memory"][
        "uid"
    ]

    line = (
        f'- {{"id":"{uid}","sessionId":"s1","category":"learned","text":"Größer\\n☃","provenance":'
        f'{{"sourceChannel":"operator","confidence":1,"timestamp":"{NOW}","sensitivity":"public"}}}}\n'
    )
    assert (read(box), read(box, DAILY)) == (HEADER + line, line)
    assert set(tree(box.root)) == {LOG, DAILY, *before}
    append(box, "Another")
    assert read(box).startswith(HEADER + line)
    assert said(read(box)) == said(read(box, DAILY)) == ["Größer\n☃", "Another"]


@pytest.mark.seed("C3")
@pytest.mark.parametrize("dash", [("-",), ()], ids=["-", "no text"])
def test_the_text_may_come_from_standard_input(box, dash):
    box.run("log", "append", "--session", "s", *dash, stdin="first line\n\n- {second}\n")

    assert said(read(box)) == ["first line\n\n- {second}"]


@pytest.mark.seed("C1")
def test_the_daily_file_is_that_of_the_utc_day(box):
    box.now = "2026-02-28T23:30:00-05:00"
    append(box, "late")
    box.now = "2026-03-02T00:30:00+05:00"
    append(box, "early")

    assert said(read(box)) == said(read(box, DAILY)) == ["late", "early"]
    stamps = [one["provenance"]["timestamp"] for one in records(read(box))]
    assert stamps == ["2026-03-01T04:30:00Z", "2026-03-01T19:30:00Z"]


@pytest.mark.seed("C1", "C2")
@pytest.mark.parametrize(
    "source",
    [
        "# Ours\n\nno newline at the end",
        "# Ours\r\n\r\n- [ ] a task\r\n",
        "\ufeff# Ours\n",
        "- 5\n- {half",
        "\n\n",
        "- é",
    ],
)
def test_what_stands_in_the_files_already_is_kept_to_the_letter(box, source):
    (box.root / "memory").mkdir()
    write(box, source)
    write(box, source, DAILY)

    append(box, "First")
    append(box, "Second")

    for path in (LOG, DAILY):
        assert read(box, path).startswith(source)
        assert read(box, path).removeprefix(source).lstrip("\n").startswith('- {"id":')
        assert said(read(box, path))[-2:] == ["First", "Second"]
    assert texts(box) == ["First", "Second"]


@pytest.mark.seed("C3")
@pytest.mark.parametrize(
    ("level", "label"),
    [
        ("private-user", "private-user"),
        ("personal", "private-user"),
        ("private", "private-user"),
    ],
)
def test_what_is_for_its_owner_alone_stays_out_of_both_files_and_is_listed(box, level, label):
    append(box, "For everybody")
    before = tree(box.root)

    append(box, "The wifi word is tulip", "--sensitivity", level)

    assert tree(box.root) == before
    assert [(one["text"], one["provenance"]["sensitivity"]) for one in listed(box)] == [
        ("For everybody", "public"),
        ("The wifi word is tulip", label),
    ]


@pytest.mark.seed("C3")
def test_a_secret_record_is_listed_only_when_it_is_asked_for(box):
    append(box, "For everybody", "--sensitivity", "operational")
    before = tree(box.root)
    append(box, "The wifi word is tulip", "--sensitivity", "secret")
    theirs = record("u2", "CursorClaw's own secret", provenance={"sensitivity": "secret"})
    write(box, read(box) + theirs + "\n")

    assert DAILY in before
    assert tree(box.root) == before | {LOG: before[LOG] + theirs.encode() + b"\n"}
    assert texts(box) == texts(box, "--session", "s") == ["For everybody"]
    assert "tulip" not in box.run("log", "list").out
    assert sorted(texts(box, "--secret")) == ["CursorClaw's own secret", "For everybody", "The wifi word is tulip"]
    assert "tulip" in box.run("log", "list", "--session", "s", "--secret").out


@pytest.mark.seed("C3")
@pytest.mark.parametrize("flags", [(), ("--sensitivity", "public")], ids=["classified", "called public"])
def test_a_credential_reaches_neither_file_nor_list(box, flags):
    word = "".join(reversed("oT5eUaQ1pGs6FdJ3cH8zYw4BtRv9NmL2qK7x_phg"))

    append(box, f"the token is {word}", *flags)

    assert not [path for path, data in tree(box.folder).items() if word.encode() in data]
    assert (box.root / LOG).exists(), "without the credential it is an ordinary record"
    assert word not in box.run("log", "list", "--secret").out
    assert "the token is [redacted:" in texts(box, "--secret")[0]
    assert texts(box) == texts(box, "--secret")


@pytest.mark.seed("C3")
def test_personal_data_is_noticed_and_kept_in_the_store(box):
    append(box, "Ask ann.smith@gmail.com about the invoices")

    assert both(box) == [None, None]
    assert [one["provenance"]["sensitivity"] for one in listed(box)] == ["private-user"]


@pytest.mark.seed("C3")
@pytest.mark.parametrize(
    "is_on",
    [True, False],
    ids=["layout log", "without init"],
)
def test_a_record_that_is_made_secret_later_leaves_both_files(make_box, is_on):
    box = make_box()
    if is_on:
        box.run("init", "--layout", "log")
    append(box, "The wifi word is tulip")

    box.run("edit", "the-wifi-word-is-tulip", "--sensitivity", "secret")

    assert (texts(box), texts(box, "--secret")) == ([], ["The wifi word is tulip"])
    assert "tulip" not in read(box) + read(box, DAILY)


@pytest.mark.seed("C3")
def test_a_record_that_is_made_public_later_is_still_listed(box):
    append(box, "No longer private", "--sensitivity", "private")

    box.run("edit", "no-longer-private", "--sensitivity", "public")

    assert texts(box) == ["No longer private"]


@pytest.mark.seed("C3")
def test_records_are_listed_by_session_oldest_first(box):
    for hour, session, flags in (
        ("12", "a", ()),
        ("09", "b", ()),
        ("10", "a", ("--sensitivity", "private")),
        ("08", "a", ("--sensitivity", "secret")),
        ("11", "a", ()),
    ):
        box.now = f"2026-03-01T{hour}:00:00Z"
        append(box, f"at {hour}", *flags, session=session)

    assert texts(box) == ["at 09", "at 10", "at 11", "at 12"]
    assert texts(box, "--session", "a") == ["at 10", "at 11", "at 12"]
    assert texts(box, "--session", "a", "--secret") == ["at 08", "at 10", "at 11", "at 12"]
    assert texts(box, "--session", "b") == ["at 09"]
    assert texts(box, "--session", "c") == []
    lines = box.run("log", "list", "--session", "b").out.splitlines()
    assert [line.split() for line in lines] == [
        ["time", "session", "category", "text"],
        ["2026-03-01T09:00:00Z", "b", "note", "at", "09"],
    ]


@pytest.mark.seed("C3")
def test_a_log_without_records_is_listed_as_such(make_box):
    box = make_box()

    assert (listed(box), box.run("log", "list").out) == ([], "No records found.\n")
    assert tree(box.root) == {}


@pytest.mark.seed("C3")
def test_records_of_cursorclaw_are_listed_as_they_are(box):
    lines = [record("u1", "One", category="turn-summary"), record("u2", "Two", category="My Topic", sessionId="main")]
    write(box, f"# Theirs\n\n{lines[0]}\n{lines[1]}\n")

    assert [f"- {json.dumps(one, separators=(',', ':'))}" for one in listed(box)] == lines
    assert read(box) == f"# Theirs\n\n{lines[0]}\n{lines[1]}\n"


@pytest.mark.seed("C3")
def test_the_empty_session_is_a_session_like_any_other(box):
    append(box, "Of no session", session="")

    assert texts(box, "--session", "") == ["Of no session"]


@pytest.mark.seed("C1", "C3")
@pytest.mark.parametrize(
    "category",
    [
        *("note", "learned", "user-preference", "turn-summary", "compaction", "heartbeat", "decision"),
        *("architecture", "my topic", "größe", "x_y", "c++", "日本"),
    ],
)
@pytest.mark.parametrize("level", ["public", "private"])
def test_a_category_comes_back_as_it_was_given(box, category, level):
    append(box, "A text", "--category", category, "--sensitivity", level)

    assert [one["category"] for one in listed(box)] == [category]
    if level == "public":
        assert [one["category"] for one in records(read(box)) + records(read(box, DAILY))] == [category] * 2


@pytest.mark.seed("C1")
@pytest.mark.parametrize(
    ("given", "kept"), [("Architecture", "architecture"), ("Decision", "decision"), ("a,b", "a b")]
)
def test_a_category_is_kept_as_a_tag_is_in_small_letters_without_commas(box, given, kept):
    append(box, "A text", "--category", given)

    assert [one["category"] for one in listed(box)] == [kept]


@pytest.mark.seed("C3")
def test_without_a_category_it_is_a_note(box):
    append(box, "A text")

    assert [one["category"] for one in listed(box)] == ["note"]


@pytest.mark.seed("C3")
def test_the_same_text_again_is_another_record(box):
    for session in ("a", "a", "b"):
        append(box, "The same", session=session)

    assert [one["sessionId"] for one in listed(box)] == ["a", "a", "b"]
    assert len({one["id"] for one in records(read(box)) + records(read(box, DAILY))}) == 3


@pytest.mark.seed("C3")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("A text",), 2),
        (("--session", "s", "--sensitivity", "hidden", "A text"), 2),
        (("--session", "s", "A text", "more"), 2),
        (("--session", "s", ""), 1),
        (("--session", "s", " \n\t"), 1),
        (("--session", "s", "\u200b\u202e\x07"), 1),
    ],
)
def test_an_append_that_says_too_little_leaves_nothing(box, args, code):
    before = tree(box.root)

    box.run("log", "append", *args, stdin="", code=code)

    assert tree(box.root) == before
    assert memories(box) == []


@pytest.mark.seed("C3")
@pytest.mark.parametrize(
    "command",
    [
        ("log", "append", "--session", "s", "A text"),
        ("log", "flush", "--session", "s"),
    ],
    ids=lambda command: command[1],
)
def test_an_agent_leaves_nothing_in_a_session_that_is_switched_off(box, command):
    before = tree(box.root)
    box.run("off", "--session", "s")

    done = box.run(*command, code=None)

    assert (done.code, done.err.partition("\n")[0]) == (1, "OFF")
    assert tree(box.root) == before


@pytest.mark.seed("C3")
@pytest.mark.parametrize("path", [LOG, DAILY])
def test_a_link_is_not_followed_out_of_the_project(box, path):
    outside = box.folder / "outside.md"
    outside.write_text("outside\n", "utf-8")
    (box.root / "memory").mkdir()
    (box.root / path).symlink_to(outside)

    append(box, "A text", code=1)

    assert outside.read_text("utf-8") == "outside\n"
    assert memories(box) == []


# -- C4: flush ------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C4")
@pytest.mark.parametrize("is_on", [True, False], ids=["layout log", "without init"])
def test_flush_leaves_a_checkpoint_in_both_files(make_box, is_on):
    box = make_box()
    if is_on:
        box.run("init", "--layout", "log")

    box.run("log", "flush", "--session", "s1")
    box.run("log", "flush", "--session", "s1")

    about = {"sourceChannel": "system", "confidence": 1, "timestamp": NOW, "sensitivity": "operational"}
    wanted = {"sessionId": "s1", "category": "compaction", "text": CHECKPOINT, "provenance": about}
    for path in (LOG, DAILY):
        assert [{**one, "id": ""} for one in records(read(box, path))] == [{"id": "", **wanted}] * 2
    assert texts(box, "--session", "s1") == [CHECKPOINT] * 2
    assert "Error: " in box.run("log", "flush", code=2).err


# -- C5: scan -------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C5")
@pytest.mark.parametrize("category", ["user-preference", "theme", "favourite colour"])
def test_another_text_than_the_first_of_its_session_and_category_is_a_contradiction(box, category):
    for text in ("dark", "light", "dark", "blue"):
        append(box, text, "--category", category)
    append(box, "light", "--category", category, session="another")
    append(box, "light", "--category", "another-category")
    first, second, _, fourth, *_ = (one["id"] for one in listed(box))
    before = tree(box.root)

    done = box.run("log", "scan")

    assert done.out.splitlines() == [
        f"{second}: Potential contradiction with {first} in category {category}",
        f"{fourth}: Potential contradiction with {first} in category {category}",
        "6 records, 2 findings.",
    ]
    assert box.run("log", "scan", "--json").json == {
        "records": 6,
        "findings": [
            {"id": uid, "category": category, "message": f"Potential contradiction with {first} in category {category}"}
            for uid in (second, fourth)
        ],
        "stray_lines": [],
    }
    assert tree(box.root) == before


@pytest.mark.seed("C5")
@pytest.mark.parametrize("category", ["note", "turn-summary", "learned", "compaction", "decision", "heartbeat"])
def test_what_a_session_has_many_of_does_not_contradict_itself(box, category):
    for text in ("dark", "light"):
        append(box, text, "--category", category)

    assert box.run("log", "scan").out == "2 records, 0 findings.\n"


@pytest.mark.seed("C5")
@pytest.mark.parametrize(
    ("stamp", "is_stale"),
    [
        ("2025-11-01T12:00:00Z", False),
        ("2025-11-01T11:59:59.000Z", True),
        ("2025-11-01T11:59:59", True),
        ("2025-11-01T13:59:59+02:00", True),
        ("2025-11-01", True),
        ("2030-01-01T00:00:00Z", False),
        ("0001-01-01T00:00:00+14:00", False),
        ("long ago", False),
        ("1", False),
        ("", False),
    ],
)
def test_a_record_older_than_120_days_is_stale_and_one_without_a_time_never_is(box, stamp, is_stale):
    write(box, record("u1", provenance={"timestamp": stamp}) + "\n")

    found = box.run("log", "scan", "--json").json

    assert found["records"] == 1
    assert [(one["id"], one["message"]) for one in found["findings"]] == (
        [("u1", "Stale memory record older than 120 days")] if is_stale else []
    )


@pytest.mark.seed("C2", "C5")
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(
    ("line", "is_stray"),
    [
        ("- 5", True),
        ("- true", True),
        ("- null", True),
        ('- "text"', True),
        ("- []", True),
        ("- {}", True),
        ("- [ ] a task", True),
        ("- NaN", True),
        ("- " + "[" * 100_000, True),
        ("- " + "9" * 5_000, True),
        (record()[:-1], True),
        (record()[:40], True),
        (record().replace('"id":"u1"', '"id":5'), True),
        (record().replace('"provenance":{', '"provenance":5,"x":{'), True),
        (record(text="a\0b").replace("\\u0000", "\0"), True),
        ("plain\0text", False),
        ("-5", False),
        ("\u2028\x85\x0b", False),
        ("", False),
    ],
    ids=lambda value: repr(value)[:25],
)
def test_no_line_stops_the_scan_the_list_or_the_trim(box, line, is_stray, newline):
    source = newline.join([record("u1", "One"), line, record("u2", "Two"), ""])
    write(box, source)

    found = box.run("log", "scan", "--json").json

    assert found == {"records": 2, "findings": [], "stray_lines": [2] if is_stray else []}
    assert box.run("log", "scan").out.endswith("2 records, 0 findings.\n")
    assert texts(box) == ["One", "Two"]
    assert read(box) == source
    box.run("log", "trim", "--max-records", "1")
    assert read(box) == newline.join([line, record("u2", "Two"), ""])


@pytest.mark.seed("C2", "C5")
@pytest.mark.parametrize("uid", ["my id", "größe", "x" * 300, "a\tb"], ids=["space", "not ASCII", "long", "tab"])
def test_an_id_that_is_like_none_of_ours_stops_nothing(box, uid):
    write(box, "\n".join([record("u1", "One"), record(uid, "Odd"), record("u2", "Two"), ""]))

    box.run("log", "scan")

    assert [text for text in texts(box) if text != "Odd"] == ["One", "Two"]
    box.run("log", "trim", "--max-records", "1")
    assert said(read(box))[-1] == "Two"


@pytest.mark.seed("C5")
@pytest.mark.parametrize(
    "source",
    [b"\xff\n" + record().encode() + b"\n", b"<<<<<<< ours\n- 5\n=======\n- 6\n>>>>>>> theirs\n"],
    ids=["not UTF-8", "conflict"],
)
@pytest.mark.parametrize("command", [("scan",), ("list",), ("trim", "--max-records", "1")], ids=lambda one: one[0])
def test_a_file_that_is_no_text_is_named_and_left_alone(box, source, command):
    write(box, source)

    done = box.run("log", *command, code=1)

    assert done.err.startswith("READ_ERROR\ntarget: MEMORY.md\n")
    assert "\nfix: " in done.err
    assert (box.root / LOG).read_bytes() == source
    append(box, "is appended all the same")
    assert (box.root / LOG).read_bytes().startswith(source)


@pytest.mark.seed("C5")
def test_a_scan_of_no_file_finds_nothing_and_makes_none(box):
    assert box.run("log", "scan").out == "0 records, 0 findings.\n"
    assert both(box) == [None, None]


# -- C6: trim -------------------------------------------------------------------------------------------------------

STRAY = "- 5\n\nhand-written — ☃\n- [ ] a task\n\t- {half"


@pytest.fixture
def logged(box):
    """Four records, a header, and lines among them that are none."""
    for number in range(4):
        append(box, f"record {number}")
    head, first, second, third, fourth = re.split(r"(?m)^(?=- \{)", read(box))
    write(box, f"{head}{first}{STRAY}\n{second}{third}\n{fourth}afterword")
    return box


@pytest.mark.seed("C6")
def test_trim_takes_the_oldest_records_out_of_the_file_alone(logged):
    head, first, stray, second, third, fourth = re.split(r"(?m)^(?=- \{|- 5)", read(logged))
    before = logged.run("list", "--json").json, read(logged, DAILY)

    done = logged.run("log", "trim", "--max-records", "2")

    assert done.out == "Trimmed 2 records.\n"
    assert read(logged) == head + stray + third + fourth
    assert head == HEADER
    assert (first + second).count("\n") == 2
    assert (logged.run("list", "--json").json, read(logged, DAILY)) == before
    assert said(before[1]) == [f"record {number}" for number in range(4)]
    assert texts(logged) == ["record 2", "record 3"]
    assert logged.run("log", "trim", "--max-records", "2").out == "Trimmed 0 records.\n"


@pytest.mark.seed("C6")
def test_trim_keeps_within_characters_and_drops_no_more_than_it_must(logged):
    source = read(logged)
    lines = [line for line in source.split("\n") if line.startswith('- {"id"')]
    size = len(source) - len(lines[0]) - 1

    logged.run("log", "trim", "--max-chars", str(len(source)))
    assert read(logged) == source
    logged.run("log", "trim", "--max-chars", str(len(source) - 1))
    assert (len(read(logged)), said(read(logged))) == (size, ["record 1", "record 2", "record 3"])
    logged.run("log", "trim", "--max-chars", str(size - 1), "--max-records", "3")
    assert said(read(logged)) == ["record 2", "record 3"]


@pytest.mark.seed("C6")
@pytest.mark.parametrize(
    "limits", [("--max-chars", "1"), ("--max-records", "1"), ("--max-chars", "1", "--max-records", "1")]
)
def test_the_newest_record_header_and_stray_lines_always_stay(logged, limits):
    without = re.sub(r'(?m)^- \{"id".*\n', "", read(logged))

    logged.run("log", "trim", *limits)

    assert said(read(logged)) == ["record 3"]
    assert re.sub(r'(?m)^- \{"id".*\n', "", read(logged)) == without


@pytest.mark.seed("C6")
def test_what_is_trimmed_is_appended_to_the_archive(logged):
    lines = [line for line in read(logged).split("\n") if line.startswith('- {"id"')]
    write(logged, "# Old records, no newline at the end", "old.md")

    assert logged.run("log", "trim", "--max-records", "3", "--archive", "old.md").out == "Trimmed 1 record to old.md.\n"
    logged.run("log", "trim", "--max-records", "3", "--archive", "old.md")
    done = logged.run("log", "trim", "--max-records", "1", "--archive", "logs/deep/old.md", "--json")

    assert done.json == {"trimmed": 2, "archive": "logs/deep/old.md"}
    assert read(logged, "old.md") == f"# Old records, no newline at the end\n{lines[0]}\n"
    assert read(logged, "logs/deep/old.md") == f"{lines[1]}\n{lines[2]}\n"


@pytest.mark.seed("C6")
@pytest.mark.parametrize("archive", ["../old.md", "/OUTSIDE/old.md", "logs/../../old.md", "link/old.md", "memory"])
def test_an_archive_outside_the_project_is_refused_and_nothing_is_trimmed(logged, archive):
    (logged.root / "link").symlink_to(logged.folder)
    before, outside = tree(logged.root), set(tree(logged.folder))

    done = logged.run(
        "log", "trim", "--max-records", "1", "--archive", archive.replace("/OUTSIDE", str(logged.folder)), code=1
    )

    assert "fix: " in done.err
    assert (tree(logged.root), set(tree(logged.folder))) == (before, outside)


@pytest.mark.seed("C6")
@pytest.mark.parametrize(
    "spelt",
    [
        LOG,
        *(spelt for spelt in ("./MEMORY.md", "memory/../MEMORY.md", "MEMORY.md/", "/ROOT/MEMORY.md")),
    ],
)
def test_the_log_is_not_its_own_archive(logged, spelt):
    archive = spelt.replace("/ROOT", str(logged.root))

    logged.run("log", "trim", "--max-records", "1", "--archive", archive, code=1)

    assert said(read(logged)) == [f"record {number}" for number in range(4)]


@pytest.mark.seed("C6")
@IN_GIT
def test_gits_own_files_are_no_archive(logged):
    before = (logged.root / ".git/config").read_bytes()

    logged.run("log", "trim", "--max-records", "1", "--archive", ".git/config", code=1)

    assert (logged.root / ".git/config").read_bytes() == before


@pytest.mark.seed("C6")
@pytest.mark.parametrize(
    "args", [(), ("--max-records", "0"), ("--max-records", "-1"), ("--max-chars", "x"), ("--archive", "old.md")]
)
def test_trim_needs_a_limit(logged, args):
    before = tree(logged.root)

    assert "Error: " in logged.run("log", "trim", *args, code=2).err
    assert tree(logged.root) == before


@pytest.mark.seed("C6")
def test_trimming_no_file_makes_none(box):
    assert box.run("log", "trim", "--max-records", "1", "--archive", "old.md").out == "Trimmed 0 records.\n"
    assert not (box.root / "old.md").exists()
    assert both(box) == [None, None]


@pytest.mark.seed("C6")
@pytest.mark.parametrize("verb", ["append", "remember"])
def test_the_window_of_the_settings_follows_each_record(box, verb):
    box.settings |= {"RECOLLECT_LOG__MAX_RECORDS": "2", "RECOLLECT_LOG__ARCHIVE": "logs/old.md"}

    for number in range(5):
        box.run("remember", f"record {number}") if verb == "remember" else append(box, f"record {number}")
        assert said(read(box)) == [f"record {one}" for one in range(max(0, number - 1), number + 1)]

    assert read(box).startswith(HEADER)
    assert said(read(box, "logs/old.md")) == ["record 0", "record 1", "record 2"]
    assert said(read(box, DAILY)) == memories(box) == [f"record {number}" for number in range(5)]
    assert texts(box) == ["record 3", "record 4"]


@pytest.mark.seed("C6")
def test_a_window_that_is_smaller_than_one_record_keeps_the_one_just_written(box):
    box.settings |= {"RECOLLECT_LOG__MAX_CHARS": "1"}

    for number in range(3):
        append(box, f"record {number}")
        assert said(read(box)) == [f"record {number}"]


@pytest.mark.seed("C6")
def test_the_window_may_be_set_by_cursorclaws_own_file(box):
    write(box, json.dumps({"continuity": {"memoryMaxRecords": 1, "memoryArchivePath": "old.md"}}), "continuity.json")

    for number in range(3):
        append(box, f"record {number}")

    assert (said(read(box)), said(read(box, "old.md"))) == (["record 2"], ["record 0", "record 1"])


@pytest.mark.seed("C6")
@pytest.mark.parametrize("archive", ["../old.md", "/tmp/old.md", "~/old.md"])
def test_an_archive_setting_that_leads_outside_is_refused(box, archive):
    box.settings |= {"RECOLLECT_LOG__MAX_RECORDS": "1", "RECOLLECT_LOG__ARCHIVE": archive}

    assert "log.archive" in append(box, "A text", code=1).err
    assert both(box) == [None, None]


@pytest.mark.seed("C6")
def test_a_log_that_grew_too_large_can_still_be_trimmed(box):
    append(box, "The newest")
    newest = read(box).removeprefix(HEADER)
    filler = [record(f"u{number}", "plain words " * 1_700) for number in range(250)]
    write(box, "\n".join([HEADER, *filler, newest]))
    assert (box.root / LOG).stat().st_size > 5_000_000

    box.run("log", "trim", "--max-records", "1")

    assert texts(box) == ["The newest"]


@IN_GIT
@pytest.mark.seed("C6")
def test_a_trim_is_committed_where_everything_is(box):
    box.settings |= {"RECOLLECT_VAULT__AUTO_COMMIT": "true"}
    for number in range(3):
        append(box, f"record {number}")

    box.run("log", "trim", "--max-records", "1")

    assert box.git("status", "--short", LOG) == ""


# -- undo -----------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C3")
@pytest.mark.parametrize("is_on", [True, False], ids=["layout log", "without init"])
def test_undo_takes_the_line_out_of_both_files(make_box, is_on):
    box = make_box()
    if is_on:
        box.run("init", "--layout", "log")
    append(box, "Stays")
    write(box, read(box) + "- 5\r\n\nhand-written\n")
    before = both(box)
    box.now = "2026-03-01T23:59:59Z"
    append(box, "Goes")
    box.now = "2026-03-02T12:00:00Z"

    box.run("undo")

    assert both(box) == before
    assert texts(box) == memories(box) == ["Stays"]
    assert not (box.root / "memory/2026-03-02.md").exists()


@pytest.mark.seed("C3")
def test_undo_finds_the_line_wherever_it_stands_and_leaves_what_came_after(box):
    append(box, "Goes")
    write(box, read(box) + record("u9", "Written by CursorClaw since") + "\nno newline at the end")

    box.run("undo")

    assert read(box) == HEADER + record("u9", "Written by CursorClaw since") + "\nno newline at the end"
    assert read(box, DAILY) == ""


@pytest.mark.seed("C3")
def test_undo_takes_the_daily_line_out_also_where_the_log_is_gone(make_box):
    box = make_box()
    append(box, "Goes")
    (box.root / LOG).unlink()

    box.run("undo")

    assert "Goes" not in read(box, DAILY)


@pytest.mark.seed("C3")
def test_undo_of_an_import_leaves_no_line_behind(box):
    source = box.draft('{"text": "An imported fact", "created_at": "2025-01-31T12:00:00Z"}\n', "old.jsonl")
    box.run("import", source)
    assert "An imported fact" in read(box)

    box.run("undo")

    assert [path for path, data in tree(box.root).items() if b"An imported fact" in data] == []


@pytest.mark.seed("C3")
def test_undo_of_making_a_record_secret_brings_it_back(box):
    append(box, "Hidden by mistake")
    box.run("edit", "hidden-by-mistake", "--sensitivity", "secret")

    box.run("undo")

    assert texts(box) == said(read(box)) == said(read(box, DAILY)) == ["Hidden by mistake"]


@pytest.mark.seed("C3")
@pytest.mark.parametrize(
    "day",
    [
        "2026-03-01",
        "2026-03-02",
    ],
)
def test_a_purge_takes_the_lines_out_and_its_undo_brings_the_record_back(box, day):
    append(box, "Goes and comes")
    before = both(box)
    box.run("purge", "goes-and-comes", "--yes")
    assert texts(box) == []
    box.now = f"{day}T18:00:00Z"

    box.run("undo")

    assert texts(box) == ["Goes and comes"]
    assert both(box) == before


# -- many at once ---------------------------------------------------------------------------------------------------


@pytest.mark.seed("C3", "C6")
@pytest.mark.parametrize("window", [{}, {"RECOLLECT_LOG__MAX_RECORDS": "2", "RECOLLECT_LOG__ARCHIVE": "old.md"}])
def test_eight_appends_at_once_lose_nothing_and_leave_whole_lines(box, window):
    append(box, "record")
    box.settings |= window

    started = [
        box.fork("log", "append", "--session", f"s{number}", f"record {number}\n" + "x" * 5_000) for number in range(8)
    ]
    assert [end for end in map(ended, started) if end[0]] == []

    old = read(box, "old.md") if window else ""
    wanted = sorted(["record", *(f"record {number}\n" + "x" * 5_000 for number in range(8))])
    assert sorted(said(old) + said(read(box))) == sorted(said(read(box, DAILY))) == memories(box) == wanted
    assert len(said(read(box))) == (2 if window else 9)
    assert read(box).startswith(HEADER)
    for source in (read(box).removeprefix(HEADER), read(box, DAILY), old):
        assert [line for line in source.splitlines() if not line.startswith('- {"id":')] == []
    assert list(box.root.rglob(".recollect-*.*")) + list(box.root.rglob(".index.lockdir")) == []


# -- a disk that refuses --------------------------------------------------------------------------------------------


@contextmanager
def read_only(place):
    mode = place.stat().st_mode
    place.chmod(0o500 if place.is_dir() else 0o400)
    try:
        yield
    finally:
        place.chmod(mode)


def assert_refused(end):
    code, out, problem = end
    assert (code, out) == (1, "")
    assert problem.startswith("DISK_ERROR\n")
    assert "\nfix: " in problem


@pytest.mark.seed("C3")
@pytest.mark.parametrize("path", [LOG, DAILY, "memory"])
def test_a_read_only_file_or_folder_leaves_both_files_as_they_were(box, path):
    append(box, "Stays")
    before = both(box)

    with read_only(box.root / path):
        end = ended(box.fork("log", "append", "--session", "s", "Refused", is_unprivileged=True))

    assert_refused(end)
    assert both(box) == before
    assert memories(box) == ["Stays"]
    append(box, "Goes on")
    assert said(read(box)) == said(read(box, DAILY)) == ["Stays", "Goes on"]


@pytest.mark.seed("C6")
def test_a_read_only_project_leaves_log_and_archive_as_they_were(logged):
    write(logged, "# Old\n", "old.md")
    before = tree(logged.root)

    with read_only(logged.root):
        trim = ("log", "trim", "--max-records", "1", "--archive", "old.md")
        end = ended(logged.fork(*trim, is_unprivileged=True))

    assert_refused(end)
    assert tree(logged.root) == before


@pytest.mark.seed("C3")
def test_a_first_append_that_fails_leaves_no_file(box):
    (box.root / DAILY).mkdir(parents=True)

    assert append(box, "A text", code=1).err.startswith("DISK_ERROR\n")

    assert not (box.root / LOG).exists()


def limited(box, size, *command):
    return ended(box.fork(*command, limit=size))


FILLER = "filler, to be larger than what the database needs\n" * 8_000


@pytest.mark.seed("C3")
@pytest.mark.parametrize("path", [LOG, DAILY])
@pytest.mark.parametrize("room", [0, 60])
def test_a_full_disk_leaves_both_files_as_they_were(box, path, room):
    append(box, "Stays")
    write(box, read(box, path) + FILLER, path)
    before = both(box)

    end = limited(box, (box.root / path).stat().st_size + room, "log", "append", "--session", "s", "Refused")

    assert_refused(end)
    assert path in end[2]
    assert both(box) == before
    assert memories(box) == ["Stays"]


@pytest.mark.seed("C6")
@pytest.mark.parametrize("room", [0, 60])
def test_an_archive_that_does_not_fit_keeps_the_records_in_the_log(logged, room):
    write(logged, FILLER, "old.md")
    before = tree(logged.root)

    end = limited(logged, len(FILLER) + room, "log", "trim", "--max-records", "1", "--archive", "old.md")

    assert_refused(end)
    assert tree(logged.root) == before


# -- whatever is said -----------------------------------------------------------------------------------------------

TANGLES = [
    "\n",
    "\r\n",
    "\t",
    "- {",
    '"',
    "\\",
    "\\u0000",
    "}",
    "\u2028",
    "\x85",
    "\x1b[2J",
    "</memory>",
    "👨‍👩‍👧",
    "\ufeff",
]
tangled = st.lists(st.sampled_from(TANGLES) | st.text(max_size=20), max_size=8).map("".join)


@pytest.mark.seed("C1", "C3")
@few(8)
@given(text=tangled, level=st.sampled_from(["public", "operational", "private-user"]))
@example(text="- {}\n- 5\r\nend", level="public")
@example(text="x" * 20_000, level="public")
def test_any_text_comes_back_from_the_list_and_the_log_stays_readable(box, text, level):
    wanted = clean_body(text).strip()
    assume(wanted)
    before = len(listed(box))

    args = ("log", "append", "--session", f"s{before}", "--sensitivity", level, "-", "--json")
    made = box.run(*args, stdin=text).json
    assume(not made["notes"])  # it looked like a credential, which is taken out

    uid = made["memory"]["uid"]
    assert [(one["id"], one["text"]) for one in listed(box, "--session", f"s{before}")] == [(uid, wanted)]
    assert len(listed(box)) == before + 1
    if level != "private-user":
        for path in (LOG, DAILY):
            lines = read(box, path).removeprefix(HEADER).split("\n")
            assert lines[-1] == ""
            assert all(json.loads(line.removeprefix("- "))["id"] for line in lines[:-1])
            assert json.loads(lines[-2].removeprefix("- "))["text"] == wanted


garbage = (
    st.text(max_size=30).map(lambda line: line.replace("\n", " "))
    | st.sampled_from(["- 5", "- true", "- {}", "# Head", "", "- {half", "\ufeff", "\r", "- [ ] task", "\0"])
).filter(lambda line: not line.startswith(("<<<<<<<", "=======", ">>>>>>>")))


@pytest.mark.seed("C6")
@few(8)
@given(
    lines=st.lists(garbage | st.integers(0, 300), max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
    end=st.booleans(),
    limits=st.tuples(st.integers(0, 4), st.integers(0, 1500)).filter(any),
)
def test_no_garbage_around_records_loses_one_through_a_trim(box, lines, newline, end, limits):
    """A number stands for a record with so long a text."""
    whole = [line if isinstance(line, str) else record(f"u{at}", "x" * line) for at, line in enumerate(lines)]
    places = [at for at, line in enumerate(lines) if not isinstance(line, str)]
    write(box, newline.join(whole) + newline * end)
    (box.root / "old.md").unlink(missing_ok=True)
    max_records, max_chars = limits

    trim = ("log", "trim", "--max-records", str(max_records), "--max-chars", str(max_chars), "--archive", "old.md")
    number = box.run(*trim, "--json").json["trimmed"]

    gone, kept = places[:number], places[number:]
    left = [line for at, line in enumerate(whole) if at not in gone]
    assert read(box) == newline.join(left) + newline * end
    assert (read(box, "old.md") if gone else "") == "".join(f"{whole[at]}\n" for at in gone)
    assert len(kept) >= min(1, len(places))
    if len(kept) > 1:
        assert not max_records or len(kept) <= max_records
        assert not max_chars or len(read(box)) <= max_chars
    if gone:
        before = len(read(box)) + len(whole[gone[-1]]) + len(newline)
        assert len(kept) >= max_records > 0 or before > max_chars > 0


@pytest.mark.seed("C2", "C5")
@few(8)
@given(source=st.binary(max_size=200) | tangled.map(str.encode))
@example(source=b"\xef\xbb\xbf- 5")
def test_no_bytes_break_a_scan(box, source):
    write(box, source)

    done = box.run("log", "scan", code=None)

    assert done.code == 0 or done.err.startswith("READ_ERROR\n")
    assert (box.root / LOG).read_bytes() == source
