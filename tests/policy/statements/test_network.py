"""The network that reads a user's sentence in its message."""

import time

import pytest

from recollect.policy.statements import network


def test_the_shares_of_all_kinds_are_one_together():
    shares = network.load().shares("Fix the login page.", "we deploy from the release branch alone", "Then commit.")
    assert tuple(shares) == network.KINDS
    assert sum(shares.values()) == pytest.approx(1)


def test_a_part_without_words_states_nothing():
    assert network.load().shares("before", "", "behind")["none"] == 1


def test_words_that_nobody_has_seen_are_read_too():
    shares = network.load().shares("", "qxzzt lives in /srv/qxzzt-9", "")
    assert 0 < shares["none"] < 1


def test_names_with_marks_are_one_word():
    assert network.words("don't edit src/api.ts, v2 is it_s own") == [
        "don't", "edit", "src/api.ts", ",", "v2", "is", "it_s", "own",
    ]  # fmt: skip


@pytest.mark.parametrize("said", ["a" * 1_000_000, "a." * 500_000, "'" * 1_000_000, "_" * 500_000, "金" * 500_000])
def test_a_hostile_text_is_read_in_time(said):
    began = time.process_time()
    network.load().shares(said, said, said)
    assert time.process_time() - began < 20  # a quadratic step would take minutes
