"""The encoder: how likely each answer is, whatever the text."""

import time

import pytest

from recollect.policy.encoder import encoder
from recollect.policy.encoder.encoder import ANSWERS, LABELS, PAIRS, USERS, Span

PATIENCE_SECONDS = 60.0


def stated(message: str, part: str) -> dict[str, float]:
    start = message.index(part)
    return encoder.shares(USERS, message, Span(start, start + len(part)))


@pytest.mark.parametrize("question", LABELS)
def test_the_shares_of_all_answers_are_one_together(question):
    shares = encoder.shares(question, "we deploy from the release branch alone", Span(0, 39), "How do we deploy?")
    assert tuple(shares) == LABELS[question]
    assert sum(shares.values()) == pytest.approx(1)


def test_what_was_asked_before_is_answered_the_same():
    said = "ask Petra about the billing service"
    first = stated(said, said)
    (digest,) = [key for key, shares in encoder.answers().items() if shares == list(first.values())]
    del encoder.answers()[digest]
    assert stated(said, said) == pytest.approx(first)


def test_a_part_is_read_in_its_message():
    convention = "Fix the login. Then commit. In this repo we never squash release branches."
    detail = "Add a box to the login page. It never gets wider than 640 pixels. Then commit."
    assert stated(convention, "In this repo we never squash release branches.")["none"] < 0.5
    assert stated(detail, "It never gets wider than 640 pixels.")["none"] > 0.5


def test_a_part_far_behind_the_beginning_of_a_long_message_is_read_too():
    rule = "From now on amounts are always in minor units, never floats."
    message = f"{'Then look at the next page of the list and tell me what you see. ' * 60}{rule}"
    assert stated(message, rule)["none"] < 0.5


def test_what_the_user_asked_is_read_with_an_answer():
    said = "The port is read before the settings are loaded."
    with_question, without = (encoder.shares(ANSWERS, said, Span(0, 48), asked) for asked in ("Why does it fail?", ""))
    assert with_question != without


def test_pairs_are_read_in_their_order():
    assert encoder.relation("We use yarn.", "We moved from yarn to pnpm.") != encoder.relation(
        "We moved from yarn to pnpm.", "We use yarn."
    )


@pytest.mark.parametrize("said", ["", " ", "…", "\ud800", "😀😀😀", "qxzzt", "\x00", "金曜日のデプロイ"])
def test_any_text_gets_an_answer(said):
    for question in (USERS, ANSWERS, PAIRS):
        assert sum(encoder.shares(question, said, Span(0, len(said)), said).values()) == pytest.approx(1)


@pytest.mark.parametrize("said", ["a" * 1_000_000, "a. " * 300_000, "'" * 1_000_000, "_" * 500_000, "金" * 300_000])
def test_a_hostile_text_is_read_in_time(said):
    began = time.process_time()
    encoder.shares(USERS, said, Span(0, len(said)), said)
    assert time.process_time() - began < PATIENCE_SECONDS  # a quadratic step would take minutes
