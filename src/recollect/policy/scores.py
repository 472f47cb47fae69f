"""Formulas that turn a memory into a number."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.model.memory import Memory
from recollect.model.query import Weight
from recollect.policy import ranks
from recollect.policy.ranks import recency


def keeping(weight: Weight, now: float) -> float:
    """What a memory is worth at the cap: importance + .1·ln(1+hits) + .2·recency."""
    return weight.importance + 0.1 * math.log(1 + weight.hits) + 0.2 * recency(weight.updated, now)


def trust(memory: Memory, created: float | None, now: float) -> float:
    """0.3 + 0.5·(1 - e^(-hits/5)) + 0.2·min(1, age/30 days), times the confidence (D6)."""
    return ranks.trust(memory.usage.hits, memory.confidence, created, now)


def match(points: float, best: float, words: Sequence[str], memory: Memory) -> float:
    """How well a memory answers: its rank among the hits, and the words in its text and its title (D7, D8)."""
    title, text = memory.title.lower(), f"{memory.text} {memory.cue}".lower()
    titled = sum(word in title for word in words) / len(words)
    covered = sum(word in text or word in title for word in words) / len(words)
    return 0.60 * (points / best if best > 0 else 0.0) + 0.25 * covered + 0.15 * titled


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of a scored match, each between 0 and 1 (D4)."""

    match: float
    recency: float
    importance: float
    trust: float

    def total(self, weights: "Score") -> float:
        """The weighted sum."""
        return (
            weights.match * self.match
            + weights.recency * self.recency
            + weights.importance * self.importance
            + weights.trust * self.trust
        )
