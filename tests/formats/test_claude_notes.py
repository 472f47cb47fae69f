import itertools

from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.formats import claude_notes, memory_log
from recollect.model import text
from recollect.model.content import Text
from recollect.model.memory import Memory

NOW = "2026-03-01T12:00:00Z"
TOPIC = """\
---
name: no-mocks-in-tests
description: "Tests use a real database, \\"never\\" a mock"
metadata:
  node_type: memory
  type: feedback
  originSessionId: 19d7fc05
  modified: 2026-02-03T04:05:06.789Z
---

Use a real database, see [[test-setup]].

**Why:** a mock hid a broken migration.
"""


def topic(source, stem="no_mocks"):
    return claude_notes.decode_topic(source, stem=stem, uid="7f1c", project="here", now=NOW)


def index(source, *topics):
    numbers = (f"uid{number}" for number in itertools.count(1))
    return claude_notes.decode_index(source, topics=topics, uid=lambda: next(numbers), project="here", now=NOW)


def said(source, *topics):
    return [(memory.title, memory.text) for memory in index(source, *topics)]


def headed(*lines, body="What it says."):
    return "\n".join(["---", *lines, "---", body])


# --- a topic file ----------------------------------------------------------------------------------------------------


def test_a_topic_is_read_as_a_memory():
    assert topic(TOPIC) == Memory(
        uid="7f1c",
        slug="no-mocks",
        kind="user_preference",
        title="no mocks in tests",
        content=Text(
            text="Use a real database, see [[test-setup]].\n\n**Why:** a mock hid a broken migration.",
        ),
        tags=("claude", "feedback"),
        cue='Tests use a real database, "never" a mock',
        project="here",
        session="19d7fc05",
        origin="import",
        created_at="2026-02-03T04:05:06Z",
        updated_at="2026-02-03T04:05:06Z",
    )


@each("line_end", ["\n", "\r\n"])
@each("before", ["", "\ufeff", "\n\n"])
def test_byte_order_mark_and_line_ends_do_not_matter(before, line_end):
    assert topic(before + TOPIC.replace("\n", line_end)) == topic(TOPIC)


@each(
    ("line", "kind", "tags"),
    [
        ("type: user", "user_preference", ("claude", "user")),
        ("type: feedback", "user_preference", ("claude", "feedback")),
        ("type: project", "learned", ("claude", "project")),
        ("type: 'Reference'", "note", ("claude", "reference")),
        ("metadata:\n  type: project", "learned", ("claude", "project")),
        ("metadata:\n    keywords:\n      - one\n      - two\n    type: project", "learned", ("claude", "project")),
        ("type: user\nmetadata:\n  type: project", "learned", ("claude", "project")),
        ("type: recipe", "note", ("claude", "recipe")),
        ("type:", "note", ("claude",)),
        ("name: x", "note", ("claude",)),
    ],
)
def test_the_type_decides_the_kind_and_is_a_tag(line, kind, tags):
    memory = topic(headed(line))

    assert (memory.kind, memory.tags) == (kind, tags)


@each(
    ("line", "cue"),
    [
        ("description: plain: with a colon # and this", "plain: with a colon # and this"),
        ("description: 'it''s quoted'", "it's quoted"),
        (r'description: "caf\u00e9 \"x\""', 'café "x"'),
        (r'description: "no \q escape"', r"no \q escape"),
        ("description: >-\n  folded\n  lines: two", "folded lines: two"),
        ("description: wrapped\n  in: the middle", "wrapped in: the middle"),
        ('description: "half a quote', '"half a quote'),
        ("description:", ""),
    ],
)
def test_the_description_is_the_cue(line, cue):
    assert topic(headed("name: x", line)).cue == cue


@each(
    ("source", "title"),
    [
        (headed("name: deploy-on-friday"), "deploy on friday"),
        (headed("name: feedback_ui_timeouts"), "feedback ui timeouts"),
        (headed("name: Deploy on-call first"), "Deploy on-call first"),
        (headed("name: deploy"), "deploy"),
        (headed("name:", "type: user", body="\n## The heading\ntext"), "The heading"),
        ("First line\nsecond", "First line"),
        ("", "no_mocks"),
        (headed("name: " + "w" * 130), "w" * 119 + "…"),
        (headed("name: a -> b"), "a - b"),
    ],
)
def test_the_title_is_the_name_or_the_first_line_or_the_files_name(source, title):
    assert topic(source).title == title


@each(
    "source",
    [
        "---\nname: x\nno end",
        "---\nSome prose between two rules\n---\nmore",
        "---\nweather: fine\n---\nno field that we know",
        "text\n---\nname: x\n---",
        "---",
        "---\n---\nempty",
    ],
)
def test_what_is_not_frontmatter_is_part_of_the_body(source):
    memory = topic(source)

    assert (memory.text, memory.kind, memory.cue) == (source, "note", "")


def test_a_topic_without_a_body_says_its_description():
    assert topic(headed("name: x-y", "description: the hook", body="")).text == "the hook"
    assert topic(headed("name: x-y", body="")).text == "x y"


def test_a_rule_inside_the_body_does_not_end_it():
    assert topic(headed("name: x", body="above\n---\nbelow")).text == "above\n---\nbelow"


@each("modified", ["", "yesterday", "0001-01-01T00:00:00+14:00"])
def test_a_topic_that_does_not_tell_its_time_is_of_now(modified):
    assert topic(headed("name: x", f"modified: {modified}")).created_at == NOW


def test_a_name_without_latin_letters_still_gives_a_slug():
    assert topic("日本", stem="日本").slug == "note-" + text.sha256("日本")[:8]


@given(st.text(st.characters()), st.text(st.characters()))
def test_no_topic_at_all_makes_the_reader_fail(source, stem):
    topic(source, stem)
    topic(headed(source), stem)


lines_of_frontmatter = st.lists(
    st.sampled_from(["name:", "metadata:", "  type: user", "description: >", '"', "  ", "- x", "#", "\t", "'"])
    | st.text(st.characters(), max_size=8),
    max_size=6,
)


@given(lines_of_frontmatter)
def test_no_frontmatter_at_all_makes_the_reader_fail(lines):
    assert topic(headed("name: x", *lines)).uid == "7f1c"


# --- the index -------------------------------------------------------------------------------------------------------


INDEX = """\
Remember to be brief.

# Memory Index

## Feedback
- [No mocks](no_mocks.md) — use a real database
- [Style](style.md) — short sentences

## Deployment
- [Hosts](hosts.md) — where it runs
- Deploys go out at noon.

Never on Fridays, see [hosts](hosts.md).

### Rollback
Run `make rollback`.
"""


def test_a_section_that_says_something_of_its_own_is_a_note():
    assert said(INDEX, "no_mocks.md", "style.md", "hosts.md") == [
        ("Remember to be brief.", "Remember to be brief."),
        ("Deployment", "- Deploys go out at noon.\n\nNever on Fridays, see [hosts](hosts.md)."),
        ("Rollback", "Run `make rollback`."),
    ]


def test_a_section_is_read_as_a_memory():
    assert index("## Deploy at noon\n\nNever on Fridays.\n") == [
        Memory(
            uid="uid1",
            slug="deploy-at-noon",
            kind="note",
            title="Deploy at noon",
            content=Text(text="Never on Fridays."),
            tags=("claude",),
            project="here",
            origin="import",
            created_at=NOW,
            updated_at=NOW,
        )
    ]


@each(
    "line",
    [
        "- [Hosts](hosts.md) — where it runs",
        "- [Hosts](hosts.md)",
        "  * [Hosts](./hosts.md): where",
        "+ [Hosts (all)](memory/hosts.md#top) - where",
        "1. [Hosts [old]](hosts.md) -- where",
        "- **[Hosts](hosts.md)** → where",
        "- hosts.md: where it runs",
        "- `hosts.md` — where it runs",
        "- hosts.md",
        "[[hosts]]",
        "- [[Hosts]] — where",
        "- [[hosts|All hosts]]",
        "See [hosts.md](hosts.md) — where it runs",
        "- [Hosts](hosts.md), [Style](style.md) — both",
        "- [My style](my-style.md)",
    ],
)
def test_a_line_that_only_points_at_a_topic_is_not_a_memory(line):
    assert said(f"# Index\n\n{line}\n", "hosts", "style.md", "my_style.md") == []


@each(
    "line",
    [
        "- [Hosts](elsewhere.md) — where it runs",
        "- [Hosts](hosts.md), [Other](elsewhere.md)",
        "- [Hosts](https://example.invalid/hosts) — where",
        "- [Hosts](https://example.invalid/memory/hosts.md) — where",
        "- [Hosts](docs/hosts.md) — where",
        "[Hosts](hosts.md) are rebooted on Mondays",
        "[Hosts](hosts.md)-based setups are old",
        "Reboot the [hosts](hosts.md)",
        "- hosts.md is out of date",
        "- [ ] reboot the hosts",
        "- [[elsewhere]]",
        "hosts",
    ],
)
def test_a_line_that_says_more_is_kept(line):
    assert said(f"# Index\n\n{line}\n", "hosts.md") == [("Index", line)]


def test_a_number_sign_in_a_block_of_code_is_no_heading():
    source = "## Setup\n```sh\n# install\nmake\n```\n## Next\ntext"

    assert said(source) == [("Setup", "```sh\n# install\nmake\n```"), ("Next", "text")]


def test_deeper_headings_stay_in_the_text():
    assert said("## One\n#### Deep\ntext\n#not a heading") == [("One", "#### Deep\ntext\n#not a heading")]


@each("source", ["", "\n\n", "# Only\n## Headings\n", "# Rules\n\n---\n\n***\n"])
def test_sections_that_say_nothing_vanish(source):
    assert said(source) == []


RECORD = (
    '- {"id":"1","sessionId":"main","category":"note","text":"said",'
    '"provenance":{"sourceChannel":"web","confidence":1,"timestamp":"2026-01-01T00:00:00Z","sensitivity":"public"}}'
)


@each("header", ["", "# CursorClaw Memory\n\nWhat this file is.\n\n", memory_log.HEADER])
def test_a_log_of_records_is_left_to_its_own_reader(header):
    assert said(f"{header}{RECORD}\n{RECORD[:40]}\n- a stray bullet\n") == []


def test_our_own_log_without_records_says_nothing():
    assert said(memory_log.HEADER) == []


def test_a_record_among_notes_is_not_a_note():
    assert said(f"## Notes\n- one\n- two\n- three\n{RECORD}\n") == [("Notes", "- one\n- two\n- three")]


@given(st.text(st.characters()), st.lists(st.text(st.characters(), max_size=6), max_size=3))
def test_no_index_at_all_makes_the_reader_fail(source, topics):
    index(source, *topics)


pieces = st.sampled_from(
    ["[", "]", "(", ")", "a.md", "*", "`", "- ", ", ", " ", "#", "\n", "```", "|", "---\n", "a: b"]
)


@given(st.lists(pieces, max_size=40).map("".join))
def test_no_markdown_at_all_makes_the_reader_fail(source):
    index(source, "a.md")
    topic(source)


@each("piece", ["[", "[[", "[a](a.md), ", "a_", "a.md,", "* ", "# ", "[[a|", "`", " "])
def test_a_long_line_takes_no_longer_than_it_is(piece):
    index("x\n" + piece * 20_000 + "!", "a.md")
    topic(headed("name: " + piece * 20_000 + "!"))
