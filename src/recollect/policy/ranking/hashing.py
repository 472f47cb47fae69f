"""Hashed vectors of texts: words counted in 128 buckets (C10). Import-light, because hooks use it."""

import math
from _sha1 import sha1  # type: ignore[import-not-found]

from recollect.model.words import search_words

BUCKETS = 128
MOST_TOKENS = 2_000
SHORTEST_TOKEN = 2
MOST_COUNTED = 127
"""The largest count in a stored vector, which has a byte for each bucket."""
_TOKEN_SIGNS = b"abcdefghijklmnopqrstuvwxyz0123456789_"
_SPACED = bytes(sign if sign in _TOKEN_SIGNS else 32 for sign in range(256))


def tokens(text: str) -> list[bytes]:
    """Return the lower-case words of letters, digits and `_`, of two characters or more, at most 2,000.

    Words of scripts that are not Latin, which C10 does not know, come after them.
    """
    found = text.lower().encode("utf-8", "replace").translate(_SPACED).split()
    words = [word for word in found if len(word) >= SHORTEST_TOKEN][:MOST_TOKENS]
    others = () if text.isascii() else search_words.other_scripts(text)
    return [*words, *(word.encode("utf-8", "replace") for word in others)][:MOST_TOKENS]


def bucket(token: bytes) -> int:
    """Return a token's bucket: the first four bytes of its SHA-1, big-endian, modulo 128."""
    return int.from_bytes(sha1(token).digest()[:4], "big") % BUCKETS


def counts(text: str, known: dict[bytes, int] | None = None) -> dict[int, int]:
    """Return how often a word of each bucket occurs; `known` caches buckets between texts."""
    known = {} if known is None else known
    found: dict[int, int] = {}
    for token in tokens(text):
        place = known.get(token)
        if place is None:
            place = known[token] = bucket(token)
        found[place] = found.get(place, 0) + 1
    return found


def packed(counted: dict[int, int]) -> bytes:
    """Return counts as they are stored: a byte for each bucket."""
    return bytes(min(MOST_COUNTED, counted.get(place, 0)) for place in range(BUCKETS))


def vector(text: str) -> bytes:
    """Return a text's counts as they are stored."""
    return packed(counts(text))


def similarity(left: dict[int, int], right: dict[int, int]) -> float:
    """Return the cosine of two counts; 0 if either is empty."""
    length = math.sqrt(_squares(left) * _squares(right))
    return sum([number * right.get(place, 0) for place, number in left.items()]) / length if length else 0.0


def _squares(counted: dict[int, int]) -> int:
    return sum([number * number for number in counted.values()])
