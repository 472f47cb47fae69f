"""Formulas of the profile `scored`, and of which memory gives way at a cap. Import-light, because hooks use it."""

import math

from recollect.model.words.search_words import parts
from recollect.model.words.stop_words import STOP_WORDS
from recollect.policy.ranking import ranks
from recollect.policy.ranking.ranks import recency

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from recollect.model.memory import Memory
    from recollect.model.query import Weight

WEIGHTS = {"match": 0.55, "recency": 0.20, "importance": 0.15, "trust": 0.10}
"""The default weights of the parts of a scored search (D4)."""
LEAST_SCORE = 0.35
CANDIDATES = 25
MOST_WORDS = 8
SIGNS = "\"'`.,;:!?()[]{}<>"


def keeping(weight: "Weight", now: float) -> float:
    """Return what a memory is worth at a cap: importance + 0.1·ln(1+hits) + 0.2·recency; the lowest gives way."""
    return weight.importance + 0.1 * math.log(1 + weight.hits) + 0.2 * recency(weight.updated, now)


def trust(memory: "Memory", created: float | None, now: float) -> float:
    """Return (0.3 + 0.5·(1 - e^(-hits/5)) + 0.2·min(1, age/30 days)) · confidence (D6)."""
    return ranks.trust(memory.usage.hits, memory.confidence, created, now)


def search_words(question: str) -> list[str]:
    """Return the words of a question that a scored search looks for: at most eight, each once (D7).

    Text without spaces between words is looked for by pairs of characters, as the index holds it.
    """
    bare = [word.strip(SIGNS) for word in question.lower().split()]
    if not question.isascii():
        bare = [part for word in bare for part in parts(word).split() or [word]]
    words = (word for word in bare if len(word) > 2 - (not word.isascii()) and word not in STOP_WORDS)
    return list(dict.fromkeys(words))[:MOST_WORDS]


def match(share: float, words: "Collection[str]", title: str, text: str) -> float:
    """Return 0.60·share + 0.25·(words in text or title) + 0.15·(words in title), as shares of all words (D7, D8).

    `share` is the memory's rank as a share of the best one.
    """
    title, text = title.lower(), text.lower()
    titled = sum(word in title for word in words) / len(words)
    covered = sum(word in text or word in title for word in words) / len(words)
    return 0.60 * share + 0.25 * covered + 0.15 * titled


def total(parts: "Mapping[str, float]", weights: "Mapping[str, float]") -> float:
    """Return the weighted sum of the parts (D4)."""
    return sum(weights[name] * value for name, value in parts.items())
