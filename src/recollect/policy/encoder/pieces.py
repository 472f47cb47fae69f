"""Split text into the pieces of words that the encoder knows, with the place of each in the text."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 40
_NO_SIGNS = re.compile("[\ud800-\udfff]")
"""Halves of signs, which no text in UTF-8 can have."""


class Pieces(NamedTuple):
    """The pieces of a text by their numbers, and where each stands in it."""

    numbers: list[int]
    spans: list[tuple[int, int]]

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Return the first piece inside a part of the text, and the piece behind the last; equal for none."""
        inside = [place for place, (first, last) in enumerate(self.spans) if first >= start and last <= end]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)


class Splitter:
    """Splits texts by a list of known pieces; `##` begins those that continue a word."""

    def __init__(self, known: Sequence[str]) -> None:
        numbers = {piece: number for number, piece in enumerate(known)}
        self.begin, self.end = numbers[BEGIN], numbers[END]
        self._splitter = Tokenizer(WordPiece(numbers, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD))
        self._splitter.normalizer = BertNormalizer(lowercase=True)
        self._splitter.pre_tokenizer = BertPreTokenizer()

    def split(self, text: str) -> Pieces:
        """Return the pieces of a text, in small letters; a word of which no piece is known is one unknown piece."""
        found = self._splitter.encode(_NO_SIGNS.sub(" ", text), add_special_tokens=False)
        return Pieces(found.ids, found.offsets)
