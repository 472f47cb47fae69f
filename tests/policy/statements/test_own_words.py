"""Which words of a message are the user's own: rules with examples, offsets, and time on hostile input."""

import time

from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.policy.statements import own_words, pasted, statements, user_statements, voices

PATIENCE_SECONDS = 2.0
RULE = "always use tabs"


@each("rule", pasted.LINES)
def test_each_rule_about_a_line_takes_its_example_and_leaves_the_lines_around_it(rule):
    found = own_words.read(f"Hi there.\n{rule.example}\nNever use spaces.")
    assert rule.pattern.match(rule.example)
    assert RULE not in found.own
    assert "Hi there." in found.own
    assert "Never use spaces." in found.own


@each("rule", pasted.RESTS)
def test_each_heading_takes_the_rest_of_the_message(rule):
    found = own_words.read(f"Never use spaces.\n\n{rule.example}\n\n{RULE}\n\nand {RULE}")
    assert found.own.strip() == "Never use spaces."
    assert found.foreign[0].rule == rule.name


@each("rule", own_words.INTRODUCED)
def test_each_way_to_introduce_a_text_takes_what_follows(rule):
    said = rule.example if RULE in rule.example else f"{rule.example}\n{RULE}"
    found = own_words.read(said)
    assert RULE not in found.own
    assert found.foreign[-1].rule == rule.name


@each("rule", voices.NO_STATEMENT)
def test_a_question_a_doubt_a_text_to_work_on_and_what_is_imagined_state_nothing(rule):
    assert voices.voice(rule.example).own == ""
    assert user_statements.find(rule.example) == []


@each(
    ("opening", "closing"),
    ['""', "“”", "„“", "„”", "«»", "»«", "‹›", "「」", "『』", "‘’", "''", "``", "＂＂"],  # noqa: RUF001
)
def test_a_quoted_sentence_is_left_out_and_a_quoted_name_stays(opening, closing):
    quoted = f"{opening}from now on {RULE}, never spaces{closing}"
    assert own_words.read(f"the page has {quoted} on top").own == f"the page has {opening}…{closing} on top"
    named = f"use {opening}uv{closing} instead of {opening}pip{closing} from now on"
    assert own_words.read(named).own == named


@each("name", ["b", "em", "code"])
def test_formatting_is_the_users_emphasis(name):
    said = f"<{name}>always</{name}> use uv"
    assert own_words.read(said).own == said


def test_what_the_user_typed_behind_a_command_of_the_client_is_the_users():
    said = "<command-name>/plan</command-name>\n<command-args>From now on always use uv.</command-args>"
    assert "From now on always use uv." in own_words.read(said).own


@each(
    ("said", "own"),
    [
        ("as I said, always use tabs", True),
        ("as the style guide says, always use tabs", True),
        ("we always say tenant, never customer", True),
        ("never say done before the tests ran", True),
        ("a comment says why, never what", True),
        ("keep diffs under say 300 lines, always", True),
        ("Bob says always use tabs", False),
        ("you said we never use tabs", False),
        ("they told us to always use tabs", False),
        ("always use tabs, Bob says.", False),
        ("always use tabs, according to Bob", False),
        ("Always use tabs — Bob Miller", False),
        ("Bob: always use tabs", False),
        ("Tests: always use pytest", True),
        ("CI: never use latest images", True),
    ],
)
def test_a_sentence_is_somebody_elses_where_it_names_who_said_it(said, own):
    voice = voices.voice(said)
    assert (voice.own == said) is own
    assert bool(voice.attributed) is not own


def test_the_next_sentence_takes_the_one_before_it_back():
    [before, after] = voices.voices(["Always use tabs.", "That is wrong, we never do."])
    assert before.own == ""
    assert after.own == "we never do."


@given(st.text(alphabet="ab \n\"'`<>/:>|#-+,.«»„“「」", max_size=200))
def test_ranges_lie_inside_of_the_message_and_nothing_is_added_to_it(said):
    found = own_words.read(said)
    assert all(0 <= part.start <= part.end <= len(said) for part in found.foreign)
    assert set(found.own) <= set(said) | set(" \n…")


HOSTILE = {
    "one sign": "a" * 100_000, "quotes": '"' * 10_000, "opened quotes": "„" * 10_000, "apostrophes": "'a " * 30_000,
    "backticks": "`" * 30_000, "tags": "<a>" * 10_000, "nested tags": "<a>" * 10_000 + "</a>" * 10_000,
    "open tags": "<a " * 30_000, "empty lines": "\n" * 100_000, "blanks": " " * 100_000, "commas": "a," * 50_000,
    "speakers": "bob says " * 10_000, "fields": "a: b\n" * 20_000, "introductions": "from the log " * 8_000,
    "fences": "```" * 30_000, "hyphens": "-" * 100_000, "asides": "and " * 30_000,
    "dots": "a." * 50_000, "tasks": "add the text " * 9_000,
}  # fmt: skip


@each("said", HOSTILE.values())
def test_whatever_is_pasted_is_read_in_time(said):
    before = time.process_time()
    voices.voices(statements.sentences(own_words.read(said).own))
    voices.voice(said[: own_words.MOST_CHARS])
    assert time.process_time() - before < PATIENCE_SECONDS
