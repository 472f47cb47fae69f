import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.formats import memory_log
from recollect.model import text
from recollect.model.content import Text
from recollect.model.kinds import KINDS
from recollect.model.memory import Memory

STAMP = "2026-01-02T03:04:05.678Z"
LINE = (
    '- {"id":"7f1c","sessionId":"main","category":"turn-summary","text":"Pizza é\\u0007\\nat noon",'
    '"provenance":{"sourceChannel":"web","confidence":0.75,'
    f'"timestamp":"{STAMP}","sensitivity":"private-user"}}}}'
)


def line(**changes):
    record = json.loads(LINE.removeprefix("- "))
    provenance = record["provenance"]
    for key, value in changes.items():
        (provenance if key in provenance else record)[key] = value
    return "- " + json.dumps(record)


def read(source):
    return memory_log.decode_line(source, project="here")


def logged(**fields):
    given_fields = {"kind": "note", "content": Text(text="said"), "origin": "assistant", "channel": "web", **fields}
    return Memory(uid="7f1c", slug="said", title="said", created_at=STAMP, updated_at=STAMP, **given_fields)


# --- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C1")
def test_a_record_is_read_as_a_memory():
    assert read(LINE) == Memory(
        uid="7f1c",
        slug="pizza-e",
        kind="turn_summary",
        title="Pizza é",
        content=Text(text="Pizza é\x07\nat noon"),
        project="here",
        session="main",
        origin="assistant",
        channel="web",
        confidence=0.75,
        sensitivity="personal",
        created_at=STAMP,
        updated_at=STAMP,
    )


@pytest.mark.seed("C2")
@each(
    "stray",
    [
        "",
        "-",
        "- ",
        "- 5",
        "- true",
        "- null",
        '- "text"',
        "- []",
        "- {}",
        "- buy milk",
        "- NaN",
        "- " + "[" * 100_000,
        "- " + "9" * 5_000,
        "# MEMORY.md",
        LINE[:-1],
        LINE[: len(LINE) // 2],
        LINE.removeprefix("- "),
        LINE.replace("- ", "-", 1),
        LINE.replace("- ", "* ", 1),
        LINE + ",",
        LINE.replace("0.75", "NaN"),
        line(id=5),
        line(id=""),
        line(sessionId=None),
        line(category=["note"]),
        line(text=None),
        line(text={"a": 1}),
        line(provenance=None),
        line(provenance="web"),
        line(provenance={}),
        line(sourceChannel=None),
        line(timestamp=1_700_000_000),
    ],
)
def test_a_line_that_is_not_a_whole_record_is_ignored(stray):
    assert read(stray) is None
    assert memory_log.decode(f"{stray}\n{LINE}\n", project="here") == [read(LINE)]


@pytest.mark.seed("C2")
@each("around", ["{}", "  {}  ", "\t{}\r", "\ufeff{}"])
def test_white_space_around_a_record_does_not_matter(around):
    assert read(around.format(LINE)) == read(LINE)


@pytest.mark.seed("C1")
@each(
    ("category", "kind", "tags"),
    [
        ("note", "note", ()),
        ("turn-summary", "turn_summary", ()),
        ("user-preference", "user_preference", ()),
        ("compaction", "compaction", ()),
        ("heartbeat", "heartbeat", ()),
        ("learned", "learned", ()),
        ("Recipe-Box", "note", ("Recipe-Box",)),
        ("", "note", ()),
    ],
)
def test_a_category_is_a_kind_or_else_the_tag_of_a_note(category, kind, tags):
    memory = read(line(category=category))

    assert (memory.kind, memory.tags) == (kind, tags)


@each(
    ("label", "sensitivity"),
    [
        ("public", "public"),
        ("operational", "operational"),
        ("private-user", "personal"),
        ("secret", "secret"),
        ("personal", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
        (["secret"], "unknown"),
    ],
)
def test_a_label_that_nobody_knows_is_not_taken_for_public(label, sensitivity):
    assert read(line(sensitivity=label)).sensitivity == sensitivity


@each(
    ("written", "confidence"),
    [(1, 1.0), (0.5, 0.5), (7, 1.0), (-1, 0.0), (10**400, 1.0), ("1", None), (None, None), (True, None)],
)
def test_confidence_is_a_share_or_nothing(written, confidence):
    assert read(line(confidence=written)).confidence == confidence


@each(("channel", "origin"), [("operator", "user"), ("web", "assistant"), ("system", "assistant")])
def test_only_the_operator_speaks_for_the_user(channel, origin):
    assert (read(line(sourceChannel=channel)).origin, read(line(sourceChannel=channel)).channel) == (origin, channel)


@each(
    ("says", "title", "slug"),
    [
        ("\n First  \nsecond", "First", "first"),
        ("w" * 130, "w" * 119 + "…", "w" * 80),
        ("日本\nmore", "日本", "note-" + text.sha256("日本\nmore")[:8]),
        ("", "", "note-" + text.sha256("")[:8]),
    ],
)
def test_the_title_is_the_first_line_of_the_text(says, title, slug):
    memory = read(line(text=says))

    assert (memory.title, memory.slug, memory.text) == (title, slug, says)


def test_a_session_without_a_name_is_no_session():
    assert read(line(sessionId="")).session is None


def test_half_an_emoji_and_a_nul_do_not_cost_the_memory():
    assert read(line(text="cut \ud83d here\0")).text == "cut \ufffd here\ufffd"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
KEYS = ["id", "sessionId", "category", "text", "sourceChannel", "confidence", "timestamp", "sensitivity", "provenance"]


@pytest.mark.seed("C2")
@given(st.text(st.characters()) | st.text(st.characters()).map("- ".__add__))
def test_no_text_at_all_makes_the_reader_fail(anything):
    read(anything)
    memory_log.decode(anything, project="here")


@pytest.mark.seed("C2")
@given(st.sampled_from(KEYS), json_values, st.integers(0, len(LINE)))
def test_no_record_at_all_makes_the_reader_fail(key, value, length):
    read(line(**{key: value}))
    read(line(**{key: value})[:length])


# --- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C1")
def test_a_record_is_written_as_javascript_would_in_the_fixed_order_of_its_keys():
    assert memory_log.encode_line(read(LINE)) == LINE


@each(("confidence", "written"), [(1.0, "1"), (0.0, "0"), (0.75, "0.75"), (None, "null")])
def test_a_whole_number_has_no_decimals(confidence, written):
    assert f'"confidence":{written},' in memory_log.encode_line(logged(confidence=confidence))


@each(
    ("fields", "category"),
    [
        ({"kind": "turn_summary"}, "turn-summary"),
        ({"kind": "note"}, "note"),
        ({"kind": "own_kind"}, "own-kind"),
        ({"kind": "note", "tags": ("recipe",)}, "recipe"),
        ({"kind": "note", "tags": ("decision",)}, "note"),
        ({"kind": "note", "tags": ("a", "b")}, "note"),
        ({"kind": "learned", "tags": ("recipe",)}, "learned"),
    ],
)
def test_the_category_is_the_kind_or_the_tag_that_was_the_category(fields, category):
    assert json.loads(memory_log.encode_line(logged(**fields))[2:])["category"] == category


@each(
    ("sensitivity", "label"),
    [
        ("public", "public"),
        ("operational", "operational"),
        ("personal", "private-user"),
        ("private", "private-user"),
        ("secret", "secret"),
        ("unknown", "unknown"),
    ],
)
def test_every_sensitivity_has_a_label(sensitivity, label):
    record = json.loads(memory_log.encode_line(logged(sensitivity=sensitivity))[2:])

    assert record["provenance"]["sensitivity"] == label


@each(
    ("origin", "channel", "written"),
    [("user", None, "operator"), ("assistant", None, "system"), ("tool", None, "system"), ("user", "web", "web")],
)
def test_a_memory_without_a_channel_gets_the_one_that_fits_its_origin(origin, channel, written):
    record = json.loads(memory_log.encode_line(logged(origin=origin, channel=channel))[2:])

    assert record["provenance"]["sourceChannel"] == written


lines_of_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
messy_texts = st.lists(
    st.sampled_from(["\n", "\r\n", "\u2028", "\u2029", "\x85", '"', "\\", "- {}"]) | lines_of_text
).map("".join)
records = st.builds(
    logged,
    kind=st.sampled_from(sorted(KINDS)),
    content=messy_texts.map(lambda says: Text(text=says)),
    session=st.none() | lines_of_text,
    channel=lines_of_text | st.just("operator"),
    confidence=st.none() | st.floats(0, 1),
    sensitivity=st.sampled_from(["public", "operational", "personal", "secret", "unknown"]),
)


@pytest.mark.seed("C1")
@given(records)
def test_a_memory_is_one_line_and_the_line_is_that_memory(memory):
    written = memory_log.encode_line(memory)
    again = read(written)

    assert "\n" not in written
    kept = ("uid", "kind", "text", "channel", "confidence", "sensitivity", "created_at", "updated_at")
    assert [getattr(again, field) for field in kept] == [getattr(memory, field) for field in kept]
    assert again.session == (memory.session or None)
    assert memory_log.encode_line(again) == written


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.seed("C1", "C2")
def test_all_records_are_read_in_order_whatever_stands_between_them():
    first, second = line(id="1", text="one"), line(id="2", text="two")
    source = f"{memory_log.HEADER}{first}\n- 5\nprose\n\n{second}\r\n{first[:40]}"

    assert [memory.uid for memory in memory_log.decode(source, project="here")] == ["1", "2"]


@pytest.mark.seed("C2")
@each("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c"])
def test_a_line_separator_inside_a_text_does_not_break_its_record(separator):
    memory = logged(content=Text(text=f"a{separator}b"))
    source = memory_log.HEADER + memory_log.encode_line(memory) + "\n"

    assert [found.text for found in memory_log.decode(source, project="here")] == [f"a{separator}b"]


@pytest.mark.seed("C1")
def test_our_own_header_is_short_and_holds_no_record():
    assert memory_log.HEADER.startswith("# MEMORY.md\n")
    assert memory_log.HEADER.endswith("\n")
    assert 2 <= memory_log.HEADER.count("\n") <= 4
    assert memory_log.decode(memory_log.HEADER, project="here") == []


@pytest.mark.seed("C1")
@each(
    ("moment", "name"),
    [
        (datetime(2026, 1, 2, 23, 59, tzinfo=UTC), "memory/2026-01-02.md"),
        (datetime(2026, 1, 2, 23, 0, tzinfo=timezone(timedelta(hours=-5))), "memory/2026-01-03.md"),
        (datetime(2026, 1, 2, 0, 30, tzinfo=timezone(timedelta(hours=2))), "memory/2026-01-01.md"),
    ],
)
def test_a_day_is_a_day_in_utc(moment, name):
    assert memory_log.daily_name(moment) == name


@pytest.mark.seed("C1")
@each(
    ("name", "expected"),
    [
        ("2026-01-02.md", True),
        ("2026-01-02.md\n", False),
        ("2026-1-2.md", False),
        ("2026-01-02.markdown", False),
        ("2026-01-02xmd", False),
        ("a2026-01-02.md", False),
        ("memory/2026-01-02.md", False),
        ("٢٠٢٦-01-02.md", False),
        ("MEMORY.md", False),
    ],
)
def test_a_daily_file_is_known_by_its_name(name, expected):
    assert memory_log.is_daily_name(name) is expected
