"""Our stemmer against the one that it stands for: FTS5's tokenizer `porter unicode61`, as apsw brings it along."""

import sysconfig
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.model.words import stemmer

LEAST_WORDS = 100_000
SUFFIXES = (  # noqa: SIM905
    "s es ies ss ed eed ing ating bling izing y ity ational tional enci anci izer logi bli alli entli eli ousli "
    "ization ation ator alism iveness fulness ousness aliti iviti biliti ical ness icate iciti ful ative alize al ance "
    "ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize e l ll lle lles"
).split()


@pytest.fixture(scope="module")
def porter() -> apsw.FTS5Tokenizer:
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["unicode61"])


def expected(porter: apsw.FTS5Tokenizer, text: str) -> list[tuple[int, int, str]]:
    """What FTS5 says, its places counted in characters instead of bytes."""
    data = text.encode("utf-8", "replace")
    at, places = 0, {0: 0}
    for number, sign in enumerate(text, 1):
        at += len(sign.encode("utf-8", "replace"))
        places[at] = number
    return [(places[start], places[end], stem) for start, end, stem in porter(data, apsw.FTS5_TOKENIZE_DOCUMENT, None)]


def stems(porter: apsw.FTS5Tokenizer, text: str) -> list[str]:
    return [stem for _, _, stem in porter(text.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None)]


def sources() -> Iterator[str]:
    """The texts of the standard library's modules."""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        yield path.read_text("utf-8", "replace")


def test_stems_of_a_hundred_thousand_words_are_those_of_the_index(porter):
    split = apsw.Connection(":memory:").fts5_tokenizer("unicode61", [])
    words: dict[str, None] = {}
    for text in sources():
        words |= dict.fromkeys(word for _, _, word in split(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None))
    words |= dict.fromkeys(f"{word}{suffix}" for word in list(words)[:2_000] for suffix in SUFFIXES)
    text = " ".join(words)
    assert len(words) >= LEAST_WORDS
    found = stemmer.tokens(text)
    assert [stem for _, _, stem in found] == stems(porter, text)
    assert all(text[start] == stem[0] for start, _, stem in found)  # a stem begins as its word
    assert stemmer.tokens(text, "ab") == [token for token in found if token[2][0] in "ab"]


def test_every_code_point_is_split_and_folded_as_in_the_index(porter):
    """Each one of the first two planes; beyond them FTS5 knows no character, so a sample does."""
    for codes in (*(range(first, first + 0x1000) for first in range(0, 0x20000, 0x1000)), range(0x20000, 0x110000, 97)):
        text = " ".join(f"{chr(code)} a{chr(code)}ing" for code in codes)
        assert [stem for _, _, stem in stemmer.tokens(text)] == stems(porter, text), codes


LETTERS = st.text(st.sampled_from("aeiouybcdlnrstwxz"), max_size=5)
MADE_UP = st.builds(
    lambda head, tail: head + "".join(tail), LETTERS, st.lists(st.sampled_from(SUFFIXES), min_size=1, max_size=3)
)


@given(st.one_of(st.text(), st.lists(MADE_UP).map(" ".join), st.lists(st.text(max_size=3) | MADE_UP).map("".join)))
def test_any_text_gives_the_words_and_places_of_the_index(porter, text):
    assert stemmer.tokens(text) == expected(porter, text)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 64 + "ing",
        "x" * 61 + "ing",
        "é" * 40 + "ings",
        "ab",
        "is",
        "aed",
        "eed",
        "sses",
        "ement",
        "e\u0301tés \u0301",
    ],
)
def test_words_at_the_edges_of_the_algorithm_are_those_of_the_index(porter, text):
    assert stemmer.tokens(text) == expected(porter, text)


def test_places_count_characters():
    assert stemmer.tokens("Éric's tests") == [(0, 4, "eric"), (5, 6, "s"), (7, 12, "test")]


def test_a_text_without_words_has_no_tokens():
    assert stemmer.tokens("") == stemmer.tokens(" …!\n\ud800") == []
