"""Hashed vectors of texts: words counted in 128 buckets (C10). Import-light, because hooks ask."""

import math
from _sha1 import sha1  # type: ignore[import-not-found]

BUCKETS = 128
MOST_TOKENS = 2_000
SHORTEST_TOKEN = 2
MOST_COUNTED = 127
"""What a byte of a kept vector counts up to."""
_TOKEN_SIGNS = b"abcdefghijklmnopqrstuvwxyz0123456789_"
_SPACED = bytes(sign if sign in _TOKEN_SIGNS else 32 for sign in range(256))


def tokens(text: str) -> list[bytes]:
    """Lower-case words of letters, digits and `_`, two signs or more, at most two thousand."""
    found = text.lower().encode("utf-8", "replace").translate(_SPACED).split()
    return [word for word in found if len(word) >= SHORTEST_TOKEN][:MOST_TOKENS]


def bucket(token: bytes) -> int:
    """The first four bytes of its SHA-1, the highest first, modulo 128."""
    return int.from_bytes(sha1(token).digest()[:4], "big") % BUCKETS


def counts(text: str, known: dict[bytes, int] | None = None) -> dict[int, int]:
    """How often a word of each bucket occurs; `known` remembers buckets from one text to the next."""
    known = {} if known is None else known
    found: dict[int, int] = {}
    for token in tokens(text):
        place = known.get(token)
        if place is None:
            place = known[token] = bucket(token)
        found[place] = found.get(place, 0) + 1
    return found


def packed(counted: dict[int, int]) -> bytes:
    """Counts as they are kept: a byte for each bucket."""
    return bytes(min(MOST_COUNTED, counted.get(place, 0)) for place in range(BUCKETS))


def vector(text: str) -> bytes:
    """How often a word of each bucket occurs, as it is kept."""
    return packed(counts(text))


def similarity(one: dict[int, int], other: dict[int, int]) -> float:
    """The dot product of both, each brought to length 1; nothing is like an empty text."""
    length = math.sqrt(_squares(one) * _squares(other))
    return sum([number * other.get(place, 0) for place, number in one.items()]) / length if length else 0.0


def _squares(counted: dict[int, int]) -> int:
    return sum([number * number for number in counted.values()])
