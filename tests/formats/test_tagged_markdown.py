import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.errors import UnreadableFile
from recollect.formats import tagged_markdown
from recollect.model import text
from recollect.model.content import Decision, Text
from recollect.model.memory import Memory, Usage

SEED = (Path(__file__).parent.parent / "golden" / "seed-000.md").read_bytes().decode()
NOW = "2026-01-02T03:04:05Z"
METADATA = '<memory-metadata>\n{\n  "frequency": 3\n}\n</memory-metadata>'
FRESH = """<memory-metadata>
{
  "frequency": 0,
  "last_accessed_session": 7,
  "created_session": 7,
  "appreciation": 0,
  "pinned": false
}
</memory-metadata>"""


def read(source, stem="a-memory"):
    return tagged_markdown.decode(source, stem=stem, uid="01", project="here", now=NOW)


def is_readable(source):
    try:
        return bool(read(source))
    except UnreadableFile:
        return False


def note(**fields):
    given_fields = {"kind": "note", "title": "A title", "content": Text(text="It says this."), **fields}
    return Memory(uid="01", slug="a-memory", project="here", created_at=NOW, updated_at=NOW, **given_fields)


# --- what hypothesis draws -------------------------------------------------------------------------------------------

TAGS = [f"<{slash}{tag}>" for tag in ("memory-metadata", "conditional", "fuzzy-match", "memory") for slash in ("", "/")]
any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
pieces = st.sampled_from(
    [*TAGS, "\n", "\n", "\r\n", " ", "\t", "\r", "\ufeff", "\u2028", "\x0b", "a, B", "&LT;memory>"]
)
tangles = st.lists(pieces | any_text, max_size=14).map("".join)
bodies = tangles.map(str.strip)
cues = bodies.map(lambda cue: cue.replace("&lt;", "").strip())
words = bodies.map(lambda word: word.replace(",", "").replace("&", "").lower().strip()).filter(bool)
titles = (any_text | st.sampled_from(["a-memory", "# Title", "<memory>"])).map(text.clean_line).filter(bool)
usages = st.builds(
    Usage,
    hits=st.integers(0, 99),
    last_session=st.integers(0, 99),
    created_session=st.integers(0, 99),
    appreciation=st.integers(-9, 9),
    pinned=st.booleans(),
)
memories = st.builds(
    note,
    kind=st.sampled_from(["note", "decision", "own_kind"]),
    title=titles,
    content=bodies.map(lambda body: Text(text=body)),
    tags=st.lists(any_text, max_size=3).map(tuple),
    cue=cues,
    keywords=st.lists(words, max_size=3).map(tuple),
    usage=usages,
)
blocks = st.fixed_dictionaries(
    {},
    optional={
        "frequency": st.integers(0, 9),
        "pinned": st.booleans(),
        "title": any_text,
        "kind": any_text,
        "tags": st.lists(any_text, max_size=3),
        "theirs": any_text,
    },
).map(lambda keys: f"<memory-metadata>\n{json.dumps(keys)}\n</memory-metadata>")
HINTS = [
    "<conditional>\nwhen\n</conditional>\n",
    "<fuzzy-match>\na, B\n</fuzzy-match>\n",
    "\n<memory>\nsaid\n</memory>\n",
]
ordinary = st.lists(st.sampled_from(HINTS) | tangles, max_size=4).map("".join)
files = (
    st.tuples(st.sampled_from(["", "", "\ufeff"]), blocks | st.just(""), ordinary | tangles)
    .map("".join)
    .filter(is_readable)
)
stems = st.sampled_from(["a-memory", "My_Memory", "日本"])


# --- the golden file -------------------------------------------------------------------------------------------------


@pytest.mark.seed("A1", "A2", "A7", "A8", "A9")
def test_seed_000_is_read_as_the_memory_that_it_is():
    memory = read(SEED, "memory-system")

    assert memory.slug == "memory-system"
    assert memory.kind == "note"
    assert memory.title.startswith("The automatic memory system uses three hook-driven subagents")
    assert len(memory.title) == 120
    assert memory.cue.startswith("Recall if the user prompt mentions memory recall, memory update")
    assert memory.keywords[:4] == ("recall hook", "update hook", "forgetting hook", "memory_recall")
    assert len(memory.keywords) == 12
    assert memory.usage == Usage(hits=57, last_session=560, created_session=0, appreciation=0, pinned=True)
    assert memory.text.endswith("when hook scripts, settings, or the agent() startup flow change.")
    assert memory.text.count("</memory>") == 1
    assert (memory.uid, memory.project, memory.created_at, memory.updated_at) == ("01", "here", NOW, NOW)


@pytest.mark.seed("A4")
def test_seed_000_comes_back_byte_for_byte():
    assert tagged_markdown.encode(read(SEED), like=SEED) == SEED


@pytest.mark.seed("A4")
def test_one_use_of_seed_000_changes_its_metadata_and_nothing_else():
    memory = read(SEED)
    used = memory.having(usage=memory.usage.model_copy(update={"hits": 58, "last_session": 561}))

    changed = SEED.replace('"frequency": 57', '"frequency": 58', 1)
    changed = changed.replace('"last_accessed_session": 560', '"last_accessed_session": 561', 1)
    assert tagged_markdown.encode(used, like=SEED) == changed


# --- metadata --------------------------------------------------------------------------------------------------------


@pytest.mark.seed("A2", "A3")
@each(
    ("source", "expected"),
    [
        (METADATA, {"frequency": 3}),
        (METADATA + "\n" + METADATA.replace("3", "4"), {"frequency": 3}),
        ("\ufeff" + METADATA, {"frequency": 3}),
        (METADATA.replace("\n", "\r\n"), {"frequency": 3}),
        ('<memory-metadata>\n{"a": "</memory-metadata>"}\n</memory-metadata>', {"a": "</memory-metadata>"}),
        ("\n" + METADATA, None),
        ("text\n" + METADATA, None),
        ('<memory-metadata>{"frequency": 3}\n</memory-metadata>', None),
        ('<memory-metadata>\n{"frequency": 3}</memory-metadata>', None),
        ('<memory-metadata>\n{"frequency": 3}\n', None),
        ("", None),
    ],
)
def test_metadata_is_the_block_that_opens_the_file(source, expected):
    assert tagged_markdown.read_metadata(source) == expected


@pytest.mark.seed("A3")
@each("inside", ["{", "[1]", "5", "", "null", "[" * 100_000, "9" * 5_000, '{"a": 1'])
def test_metadata_that_is_not_a_json_object_is_refused(inside):
    source = f"<memory-metadata>\n{inside}\n</memory-metadata>\n<memory>\nx\n</memory>\n"

    with pytest.raises(UnreadableFile, match="the metadata block is"):
        tagged_markdown.read_metadata(source)
    with pytest.raises(UnreadableFile, match="the metadata block is"):
        tagged_markdown.encode(note(), like=source)


@pytest.mark.seed("A3")
def test_an_unreadable_file_is_named():
    with pytest.raises(UnreadableFile) as refusal:
        read("<memory-metadata>\n{\n</memory-metadata>\n", "broken")

    assert refusal.value.target == "broken.md"


@pytest.mark.seed("A2")
def test_metadata_that_is_missing_means_defaults():
    assert read("<memory>\nx\n</memory>\n").usage == Usage()


@pytest.mark.seed("A2", "A4")
def test_written_metadata_is_indented_by_two_and_keeps_every_other_byte():
    rest = "  \r\n\n<memory>\n é </memory> tail\n\n"

    written = tagged_markdown.write_metadata(METADATA + rest, {"frequency": 4, "who": "Zoë"})

    assert written == '<memory-metadata>\n{\n  "frequency": 4,\n  "who": "Zoë"\n}\n</memory-metadata>' + rest


@pytest.mark.seed("A4")
def test_written_metadata_keeps_the_line_ends_and_the_byte_order_mark():
    source = "\ufeff<memory-metadata>\r\n{}\r\n</memory-metadata>\r\n<memory>\r\nx\r\n</memory>"

    written = tagged_markdown.write_metadata(source, {"frequency": 1})

    assert written == source.replace("{}", '{\r\n  "frequency": 1\r\n}')


@pytest.mark.seed("A4")
def test_broken_metadata_can_be_written_over():
    written = tagged_markdown.write_metadata("<memory-metadata>\n{oops\n</memory-metadata>\nrest", {"frequency": 3})

    assert written == METADATA + "\nrest"


@pytest.mark.seed("A4", "A6")
def test_metadata_written_to_a_bare_file_builds_the_whole_structure():
    assert tagged_markdown.write_metadata("bare", {"frequency": 3}) == METADATA + "\n\n<memory>\nbare\n</memory>\n"


def test_half_a_surrogate_pair_in_a_foreign_key_stays_writable():
    source = '<memory-metadata>\n{"theirs": "\\ud83d"}\n</memory-metadata>\n<memory>\nx\n</memory>\n'

    written = tagged_markdown.encode(read(source).having(usage=Usage(hits=1)), like=source)

    assert '"theirs": "\\ud83d"' in written
    assert written.encode()


@pytest.mark.seed("A2")
@each(
    ("key", "value"),
    [
        ("frequency", "5"),
        ("frequency", True),
        ("frequency", 1.0),
        ("last_accessed_session", None),
        ("created_session", []),
        ("appreciation", {}),
        ("pinned", 1),
        ("pinned", "yes"),
        ("title", 5),
        ("kind", None),
        ("tags", "one"),
        ("tags", [1]),
        ("tags", [str(number) for number in range(13)]),
        ("title", "a\0b"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_by_its_key(key, value):
    source = tagged_markdown.write_metadata("x", {key: value})

    with pytest.raises(UnreadableFile, match=key):
        read(source)


@each("source", ["a\0b", METADATA + "\n<memory>\n\0\n</memory>\n"])
def test_a_file_with_a_nul_is_refused(source):
    with pytest.raises(UnreadableFile, match="NUL"):
        read(source)


# --- structure -------------------------------------------------------------------------------------------------------


@pytest.mark.seed("A5", "A6")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(METADATA + "\n<memory>x</memory>", METADATA + "\n<memory>x</memory>", id="both"),
        pytest.param(METADATA + "\n\n x \n\n", METADATA + "\n\n<memory>\nx\n</memory>\n", id="metadata only"),
        pytest.param("<memory>\nx\n</memory>", FRESH + "\n\n<memory>\nx\n</memory>", id="memory only"),
        pytest.param("x", FRESH + "\n\n<memory>\nx\n</memory>\n", id="neither"),
        pytest.param("", FRESH + "\n\n<memory>\n\n</memory>\n", id="empty"),
        pytest.param("\ufeffx", "\ufeff" + FRESH + "\n\n<memory>\nx\n</memory>\n", id="byte order mark"),
        pytest.param(
            "a\r\nb", (FRESH + "\n\n<memory>\na\nb\n</memory>\n").replace("\n", "\r\n"), id="line ends of the file"
        ),
        pytest.param(
            METADATA + "\n<conditional>c</conditional>\n<fuzzy-match>k</fuzzy-match>\nx",
            METADATA + "\n\n<conditional>c</conditional>\n<fuzzy-match>k</fuzzy-match>\n\n<memory>\nx\n</memory>\n",
            id="the cue stays a cue",
        ),
        pytest.param(
            "<conditional>\n<memory>\n</conditional>\nx",
            FRESH + "\n\n<memory>\n<conditional>\n<memory>\n</conditional>\nx\n</memory>\n",
            id="a tag inside what looks like a cue",
        ),
        pytest.param("<memory>\nx", FRESH + "\n\n<memory>\n<memory>\nx\n</memory>\n", id="never closed"),
        pytest.param(
            "The <memory> and </memory> tags",
            FRESH + "\n\n<memory>\nThe <memory> and </memory> tags\n</memory>\n",
            id="prose that names the tags",
        ),
    ],
)
def test_every_file_ends_up_with_both_tags(source, expected):
    assert tagged_markdown.ensure(source, 7) == expected


@pytest.mark.seed("A5", "A6")
@given(files)
def test_ensuring_twice_changes_nothing_more_and_nothing_that_is_said(source):
    once = tagged_markdown.ensure(source, 7)

    assert tagged_markdown.ensure(once, 8) == once
    assert re.match("\ufeff?<memory-metadata>", once)
    assert "</memory>" in once
    assert tagged_markdown.body(once) == tagged_markdown.body(source)
    assert tagged_markdown.keywords(once) == tagged_markdown.keywords(source)
    assert read(once).cue == read(source).cue


# --- what a file says ------------------------------------------------------------------------------------------------


@pytest.mark.seed("A7")
@each(
    ("source", "expected"),
    [
        ("<conditional>\nWhen asked\n</conditional>\n<memory>\nbody\n</memory>", "When asked"),
        ("<conditional>\nWhen asked\nor told\n</conditional>\n<memory>\nbody\n</memory>", "When asked\nor told"),
        ("<conditional>When asked</conditional><memory>body</memory>", "When asked"),
        (
            "<conditional>\nfirst\n</conditional>\n<conditional>\nsecond\n</conditional>\n<memory>\nx\n</memory>",
            "first",
        ),
        ("\ufeff<conditional>When asked</conditional>\nbody", "When asked"),
        ("<conditional>\n \n</conditional>\n<memory>\n\n  # Body \nmore\n</memory>", "# Body"),
        ("<memory>\nbody\n<conditional>\nquoted\n</conditional>\n</memory>", "body"),
        (METADATA + "\n<memory>\n\n</memory>\nplain", "plain"),
        (METADATA + "\n<div>\n\n  plain \n", "plain"),
        (METADATA + "\n<div>\n", "stem"),
        (METADATA, "stem"),
        ("", "stem"),
    ],
)
def test_a_memory_is_described_by_its_cue_then_its_first_line_then_its_name(source, expected):
    assert tagged_markdown.description(source, "stem") == expected


@pytest.mark.seed("A8")
@each(
    ("source", "expected"),
    [
        (
            "<fuzzy-match>\nOne, two words ,,THREE,\n</fuzzy-match>\n<memory>\nx\n</memory>",
            ("one", "two words", "three"),
        ),
        ("<fuzzy-match>a,b</fuzzy-match><memory>x</memory>", ("a", "b")),
        ("<fuzzy-match>\n</fuzzy-match>\n<memory>\nx\n</memory>", ()),
        ("<fuzzy-match>\nnever closed\n<memory>\nx\n</fuzzy-match>\n</memory>", ()),
        ("<memory>\n<fuzzy-match>\nquoted\n</fuzzy-match>\n</memory>", ()),
        ("<conditional>\n<fuzzy-match>\na\n</fuzzy-match>\n</conditional>\n<memory>\nx\n</memory>", ()),
        ("In prose <fuzzy-match>a</fuzzy-match>\n<memory>\nx\n</memory>", ()),
        ("<fuzzy-match>a</fuzzy-match>\nno memory tag", ("a",)),
        ("x", ()),
    ],
)
def test_keywords_are_split_at_commas_trimmed_and_lower_cased(source, expected):
    assert tagged_markdown.keywords(source) == expected


@pytest.mark.seed("A9")
@each(
    ("source", "expected"),
    [
        ("<memory>\n  body \n\n</memory>\n", "body"),
        ("<memory>body</memory>", "body"),
        ("<conditional>c</conditional> <memory>body</memory>", "body"),
        (METADATA + "<memory>body</memory>", "body"),
        ("<memory>\r\na\r\nb\r\n</memory>\r\n", "a\r\nb"),
        ("<memory>\nquotes </memory> itself\n</memory>\nand a tail", "quotes </memory> itself"),
        ("<memory>\n<memory>\ninner\n</memory>\n</memory>", "<memory>\ninner\n</memory>"),
        ("<conditional>\nwhen <memory> is named\n</conditional>\n<memory>\nbody\n</memory>", "body"),
        (METADATA + "\n\n all of it \n", "all of it"),
        (METADATA + "\n<conditional>\nc\n</conditional>\n all of it \n", "all of it"),
        (METADATA + "\n<conditional>\nnever closed", "<conditional>\nnever closed"),
        ("\ufeffbare", "bare"),
        ("<memory>\nnever closed", "<memory>\nnever closed"),
        ("", ""),
    ],
)
def test_the_body_is_what_stands_up_to_the_last_closing_tag(source, expected):
    assert tagged_markdown.body(source) == expected


@each(
    ("body", "stem", "slug", "title"),
    [
        ("\n## A *title* ##\nmore", "My_Note", "my-note", "A *title* ##"),
        ("one\u200b \x07line", "x", "x", "one line"),
        ("w" * 130, "x", "x", "w" * 119 + "…"),
        ("###\nmore", "My_Note", "my-note", "My_Note"),
        ("", "日本", "note-" + text.sha256("日本")[:8], "日本"),
        ("said", "\udce9", "note-" + text.sha256("?")[:8], "said"),
    ],
)
def test_the_title_is_the_first_line_and_the_slug_is_the_files_name(body, stem, slug, title):
    memory = read(f"<memory>\n{body}\n</memory>", stem)

    assert (memory.slug, memory.title) == (slug, title)


def test_a_file_whose_name_is_its_only_title_and_is_not_unicode_is_refused():
    with pytest.raises(UnreadableFile, match="title"):
        read("", "\udce9")


def test_title_kind_and_tags_may_stand_in_the_metadata():
    source = tagged_markdown.write_metadata(
        "# Lead\n", {"title": " Own\u200b title ", "kind": "odd", "tags": ["A", "b"]}
    )

    memory = read(source)

    assert (memory.title, memory.kind, memory.tags) == ("Own title", "odd", ("A", "b"))


# --- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.seed("A1", "A2")
def test_a_new_file_has_its_blocks_in_the_seeds_order():
    memory = note(
        content=Text(text="# A title\n\nIt says this."),
        cue="When asked.",
        keywords=("one", "two words"),
        usage=Usage(hits=1, last_hit_at=NOW, last_session=7, created_session=5, appreciation=2, pinned=True),
    )

    assert tagged_markdown.encode(memory) == (
        "<memory-metadata>\n"
        "{\n"
        '  "frequency": 1,\n'
        '  "last_accessed_session": 7,\n'
        '  "created_session": 5,\n'
        '  "appreciation": 2,\n'
        '  "pinned": true\n'
        "}\n"
        "</memory-metadata>\n"
        "\n"
        "<conditional>\nWhen asked.\n</conditional>\n"
        "\n"
        "<fuzzy-match>\none, two words\n</fuzzy-match>\n"
        "\n"
        "<memory>\n# A title\n\nIt says this.\n</memory>\n"
    )


def test_metadata_holds_title_kind_and_tags_only_where_nothing_else_says_them():
    plain = tagged_markdown.encode(note(title="It says this."))
    full = tagged_markdown.encode(note(title="Another", kind="odd", tags=("t",)))

    assert not {"title", "kind", "tags"} & set(tagged_markdown.read_metadata(plain))
    assert tagged_markdown.read_metadata(full).items() >= {"title": "Another", "kind": "odd"}.items()
    assert tagged_markdown.read_metadata(full)["tags"] == ["t"]


@pytest.mark.seed("A4")
@each(
    ("fields", "old", "new"),
    [
        ({"cue": "Now"}, "<conditional> When </conditional>", "<conditional>\nNow\n</conditional>"),
        ({"cue": ""}, "<conditional> When </conditional>", "<conditional>\n</conditional>"),
        ({"keywords": ("c",)}, "<fuzzy-match>A,b</fuzzy-match>", "<fuzzy-match>\nc\n</fuzzy-match>"),
        ({"content": Text(text="x\n</memory>\ny"), "title": "x"}, "  body", "x\n</memory>\ny\n"),
        ({"usage": Usage(hits=4)}, '{"frequency":3, "theirs":1}', '{\n  "frequency": 4,\n  "theirs": 1\n}'),
        ({"kind": "k"}, '{"frequency":3, "theirs":1}', '{\n  "frequency": 3,\n  "theirs": 1,\n  "kind": "k"\n}'),
    ],
)
def test_a_change_touches_only_its_own_block(fields, old, new):
    like = (
        '<memory-metadata>\n{"frequency":3, "theirs":1}\n</memory-metadata>\nstray\n'
        "<conditional> When </conditional>\n\n\n<fuzzy-match>A,b</fuzzy-match> stray\n<memory>\n  body</memory>tail"
    )

    assert tagged_markdown.encode(read(like).having(**fields), like=like) == like.replace(old, new)


@pytest.mark.seed("A1")
def test_a_cue_and_keywords_are_added_before_the_body_in_the_seeds_order():
    like = METADATA + "\n\n<memory>\nbody\n</memory>\n"

    written = tagged_markdown.encode(read(like).having(cue="When", keywords=("k",)), like=like)

    hints = "\n\n<conditional>\nWhen\n</conditional>\n\n<fuzzy-match>\nk\n</fuzzy-match>"
    assert written == METADATA + hints + "\n\n<memory>\nbody\n</memory>\n"


def test_keywords_are_added_where_no_stray_tag_swallows_them():
    like = METADATA + "\n<fuzzy-match>\n<conditional>\nWhen\n</conditional>\n<memory>\nbody\n</memory>\n"

    again = read(tagged_markdown.encode(read(like).having(keywords=("k",)), like=like))

    assert (again.cue, again.keywords, again.text) == ("When", ("k",), "body")


@each(
    ("memory", "like"),
    [
        (note(content=Text(text="  body \n"), title="body"), "<memory>\nbody</memory>"),
        (note(cue="&lt;memory>", title="It says this."), "<conditional>&lt;memory></conditional>\nIt says this."),
        (note(title=""), "It says this."),
    ],
)
def test_what_the_format_cannot_tell_apart_is_no_change(memory, like):
    assert tagged_markdown.encode(memory, like=like) == like


def test_a_memory_that_says_nothing_keeps_its_title():
    memory = note(title="A Memory!", content=Text(text=""))

    assert read(tagged_markdown.encode(memory)) == memory


def test_a_changed_body_keeps_the_old_title():
    like = METADATA + "\n\n<memory>\nOld\n</memory>\n"

    written = tagged_markdown.encode(read(like).having(content=Text(text="New")), like=like)

    assert (read(written).title, read(written).text) == ("Old", "New")


def test_a_title_that_the_body_says_again_leaves_the_metadata():
    like = tagged_markdown.encode(note(title="Other"))

    written = tagged_markdown.encode(note(title="It says this."), like=like)

    assert '"title"' in like
    assert '"title"' not in written


def test_the_time_of_the_last_hit_is_not_written():
    like = tagged_markdown.encode(note())

    assert tagged_markdown.encode(note(usage=Usage(last_hit_at=NOW)), like=like) == like


def test_content_with_fields_is_written_as_its_text():
    decision = Decision(status="accepted", context="why", decision="what", rationale=("because",))

    assert tagged_markdown.body(tagged_markdown.encode(note(content=decision))) == decision.as_text()


def test_a_nul_is_left_out_so_that_the_file_can_be_read_again():
    memory = note(content=Text(text="a\0b"), cue="c\0d", keywords=("e\0f",), tags=("g\0h",))

    again = read(tagged_markdown.encode(memory))

    assert (again.text, again.cue, again.keywords, again.tags) == ("ab", "cd", ("ef",), ("gh",))


@given(memories)
def test_what_is_written_is_read_back_as_the_same_memory(memory):
    assert read(tagged_markdown.encode(memory)) == memory


@pytest.mark.seed("A4")
@given(files, stems)
def test_a_file_that_says_the_same_comes_back_byte_for_byte(source, stem):
    assert tagged_markdown.encode(read(source, stem), like=source) == source


@given(memories, files)
def test_any_memory_can_be_written_into_any_file(memory, like):
    written = tagged_markdown.encode(memory, like=like)

    assert read(written) == memory
    assert tagged_markdown.encode(memory, like=written) == written


@each("piece", ["<conditional>\n", "</conditional><fuzzy-match>", "<memory>\n", "   \n", "\n<x "])
def test_half_a_megabyte_of_stray_tags_is_still_read(piece):
    source = "<conditional>" + piece * (500_000 // len(piece))

    assert read(source).text
