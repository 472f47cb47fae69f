"""LetsGo's profile (D4-D8): match, recency, importance and trust, weighed as configured. Import-light."""

from recollect.policy.ranking import ranks, scores
from recollect.recall.hit import Hit
from recollect.recall.query_terms import plain_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from recollect.model.recall_values import WordMatch
    from recollect.recall.query_terms import QueryTerms
    from recollect.recall.question import Question
    from recollect.store.protocols.recall_source import RecallSource

TOO_LOW = "score below recall.min_score"
MIN_SCORE, CANDIDATES, WEIGHT = "recall.min_score", "recall.candidates", "recall.weights."
DEFAULTS = {
    CANDIDATES: scores.CANDIDATES,
    MIN_SCORE: scores.LEAST_SCORE,
    **{WEIGHT + name: weight for name, weight in scores.WEIGHTS.items()},
}


def rank(source: "RecallSource", question: "Question", limit: int) -> "tuple[QueryTerms, list[Hit]]":
    """Return the query terms and the best hits; one that scores below the setting gets a verdict."""
    words = scores.search_words(question.text.encode("utf-8", "replace").decode())
    settings: "dict[str, Any]" = DEFAULTS | dict(question.settings)
    found = source.word_matches(question.scope, words, max(settings[CANDIDATES], limit))
    weights = {name: float(settings[WEIGHT + name]) for name in scores.WEIGHTS}
    hits = _scored(found, words, question.scope.now, weights, settings[MIN_SCORE])
    return plain_terms({word: word for word in words}), hits[:limit]


def _scored(
    found: "list[WordMatch]", words: "Collection[str]", now: float, weights: "Mapping[str, float]", min_score: float
) -> list[Hit]:
    best = max((match.points for match in found), default=0.0)
    hits = []
    for match in found:
        parts = {
            # D7: points are a share of the best one's, so that they count however few words the store holds.
            "match": scores.match(match.points / best if best > 0 else 0.0, words, match.title, match.text),
            "recency": ranks.recency(match.updated, now),
            "importance": match.importance,
            "trust": ranks.trust(match.hits, match.confidence, match.created, now),
        }
        score = scores.total(parts, weights)
        hits.append(Hit(match.id, score, parts, "" if score >= min_score else TOO_LOW))
    return sorted(hits, key=lambda hit: -hit.score)
