"""Finding memories by what they say."""

from dataclasses import dataclass, replace

from recollect.lifecycle.space import Space
from recollect.model import clock
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.model.text import search_words
from recollect.policy import ranks, scores
from recollect.policy.scores import Score


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found, and why it stands where it stands."""

    memory: Memory
    score: float
    parts: Score


def scored(space: Space, asked: str, query: Query, *, limit: int, min_score: float | None = None) -> list[Hit]:
    """LetsGo's ranking: match, recency, importance and trust, weighed as configured (D4, D48)."""
    rules, now = space.config.recall, space.clock().timestamp()
    words = search_words(asked)
    found = space.store.search(words, replace(query, limit=max(rules.candidates, limit)))
    best = max((points for _, points in found), default=0.0)
    weights = Score(**rules.weights.model_dump())
    least = rules.min_score if min_score is None else min_score  # a zero is a zero (D16)
    hits = [_weighed(one.memory, scores.match(points, best, words, one.memory), weights, now) for one, points in found]
    hits.sort(key=lambda hit: -hit.score)
    return [hit for hit in hits if hit.score >= least][:limit]


def _weighed(memory: Memory, match: float, weights: Score, now: float) -> Hit:
    recency = ranks.recency(clock.seconds(memory.updated_at), now)
    trust = scores.trust(memory, clock.seconds(memory.created_at), now)
    parts = Score(match, recency, memory.importance, trust)
    return Hit(memory, parts.total(weights), parts)
