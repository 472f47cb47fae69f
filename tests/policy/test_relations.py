"""How two texts relate: shared terms, the same words."""

import pytest

from recollect.policy.capture.relations import Closeness, relates

PNPM = "Always use pnpm in this repo, never npm, because of the lockfile."


@pytest.mark.parametrize(
    ("new", "old", "closeness"),
    [
        ("the importer is slow", "redis has a cluster mode", Closeness.UNRELATED),
        ("the importer is slow", "rewrite the importer", Closeness.MENTIONED),
        ("the importer writes parquet", "parquet of the importer", Closeness.SAME_SUBJECT),
        ("importer parquet redis", "redis parquet importer", Closeness.SAME_SUBJECT),
        ("importer parquet redis cluster", "cluster redis parquet importer", Closeness.SAME_STATEMENT),
    ],
)
def test_texts_are_close_by_the_number_of_terms_that_they_share(new, old, closeness):
    assert relates(new, old).closeness is closeness


def test_other_numbers_are_seen():
    before, later = "The API allows 10 requests per second.", "The API allows 20 requests per second."
    assert relates(later, before).has_other_numbers
    assert not relates(before, before).has_other_numbers


def test_texts_are_the_same_from_most_of_their_words_on():
    assert relates(PNPM, PNPM).likeness == 1.0
    assert relates(PNPM, PNPM).is_same
    assert not relates("Deploy on Fridays only.", PNPM).is_same
    assert relates("", PNPM).likeness == 0.0


def test_a_shared_identifier_is_told_from_everyday_words():
    assert relates("raise retry_count", "retry_count is 3").shares_identifier
    assert not relates("raise the timeout", "the timeout is short").shares_identifier
