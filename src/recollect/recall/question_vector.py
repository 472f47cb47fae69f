"""The vector of a question: the sum of what its words mean in a prompt. Import-light: plain arithmetic, no numpy."""

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.recall.query_terms import QueryTerms
    from recollect.store.protocols.recall_source import RecallSource

DIMENSIONS = 256
SCALE = 254


def add_vector(source: "RecallSource", terms: "QueryTerms") -> None:
    """Give the terms their vector; how telling a word is shows in the length of its own.

    Names of people are left out: they would find what was said to them. Where vectors cannot be compared the vector
    stays empty, and `missing_vectors` says why.
    """
    keys = [key for stem, key in terms.keys.items() if stem not in terms.naming]
    if not keys:
        return
    terms.missing_vectors = source.missing_vectors()
    if terms.missing_vectors:
        return
    whole = [0] * DIMENSIONS
    for kept in source.asked_words(keys).values():
        whole = [own + part for own, part in zip(whole, memoryview(kept).cast("b"), strict=True)]
    terms.vector = _packed(whole)


def _packed(vector: list[int]) -> bytes:
    """Return a vector of length 1 as a signed byte for each part; empty where it is all zeros."""
    length = math.sqrt(sum(part * part for part in vector))
    if not length:
        return b""
    return bytes(round(max(-127.0, min(127.0, SCALE * part / length))) & 255 for part in vector)
