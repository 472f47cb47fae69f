"""The vector of a question, from the vectors of its words. Import-light: plain arithmetic, no numpy."""

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.recall.query_terms import QueryTerms
    from recollect.store.protocols.recall_source import RecallSource

DIMENSIONS = 256
SCALE = 254


def add_vector(source: "RecallSource", terms: "QueryTerms") -> None:
    """Give the terms their vector: the sum of the words' vectors, without the direction that all memories share.

    Each word counts by the root of its weight. Names of people are left out: they would find what was said to them.
    Where vectors cannot be compared the vector stays empty, and `missing_vectors` says why.
    """
    weights = {key: terms.weights[stem] for stem, key in terms.keys.items() if stem not in terms.naming}
    if not weights:
        return
    terms.missing_vectors = source.missing_vectors()
    if terms.missing_vectors:
        return
    whole = [0.0] * DIMENSIONS
    for key, kept in source.word_vectors(weights).items():
        vector = memoryview(kept).cast("b")
        weight = math.sqrt(weights[key] / (sum(part * part for part in vector) or 1))
        whole = [own + weight * part for own, part in zip(whole, vector, strict=True)]
    terms.vector = _packed(_without(_unit(whole), source.shared_direction()))


def _without(vector: list[float], direction: bytes) -> list[float]:
    if not direction:
        return vector
    shared = [part / 127 for part in memoryview(direction).cast("b")]
    share = sum(own * part for own, part in zip(vector, shared, strict=True))
    return _unit([own - share * part for own, part in zip(vector, shared, strict=True)])


def _unit(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(part * part for part in vector))
    return [part / length for part in vector] if length else vector


def _packed(vector: list[float]) -> bytes:
    """Return a vector as a signed byte for each part; empty where it is all zeros."""
    return bytes(round(max(-127.0, min(127.0, SCALE * part))) & 255 for part in vector) if any(vector) else b""
