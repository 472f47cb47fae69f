"""LetsGo's ranking (D4-D8): how well a memory matches, how recent, how important and how trusted it is."""

import apsw

from recollect.model.search_words import POINTS
from recollect.policy.ranking import ranks, scores
from recollect.recall.query_terms import QueryTerms, Question, stemmer
from recollect.recall.search import Hit
from recollect.store.reader.reader import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

POOLS = (300, -1)
# Sorted by the expression, as `hybrid` does.
FOUND = f"""
SELECT id, -points, title, text || ' ' || cue, updated, importance, hits, image ->> '$.confidence', created
FROM (
    SELECT rowid AS found, {POINTS} AS points FROM memory_words
    WHERE memory_words MATCH ?3 ORDER BY points LIMIT ?4
) JOIN memories ON id = found WHERE {{visible}} ORDER BY points LIMIT {{number}}
"""
TOO_LITTLE = "below the least score"
WEIGHT = "recall.weights."
DEFAULTS = {
    "recall.candidates": scores.CANDIDATES,
    "recall.min_score": scores.LEAST_SCORE,
    **{WEIGHT + name: weight for name, weight in scores.WEIGHTS.items()},
}


def ranked(db: apsw.Connection, question: Question, limit: int) -> "tuple[QueryTerms, list[Hit]]":
    """The candidates, best first; what scores too little is not to be shown by itself."""
    words = scores.search_words(question.text.encode("utf-8", "replace").decode())
    settings: "dict[str, Any]" = DEFAULTS | dict(question.settings)
    found = _found(db, question, words, max(settings["recall.candidates"], limit))
    weights = {name: float(settings[WEIGHT + name]) for name in scores.WEIGHTS}
    hits = weighed(found, words, question.now, weights=weights, min_score=settings["recall.min_score"])
    return QueryTerms(stemmer(db), {word: word for word in words}, dict.fromkeys(words, 1.0)), hits[:limit]


def _found(db: apsw.Connection, question: Question, words: list[str], number: int) -> "list[tuple[Any, ...]]":
    """The best by their words; of all that match only where the first few are not for here."""
    found: "list[tuple[Any, ...]]" = []
    if not words:
        return found
    either = " OR ".join('"' + word.replace('"', " ").replace("\0", " ") + '"' for word in words)
    sql = FOUND.format(visible=question.visible, number=number)
    for pool in POOLS:
        found = rows(db, sql, question.bound(either, max(pool, number) if pool > 0 else pool))
        if len(found) >= number:
            break
    return found


def weighed(
    found: "Iterable[tuple[Any, ...]]", words: "Collection[str]", now: float, *, weights: "Mapping[str, float]",
    min_score: float,
) -> list[Hit]:  # fmt: skip
    """Rows of memories as hits, best first.

    A row: number, points (more is better), title, text, updated, importance, hits, confidence, created.
    """
    read = list(found)
    best = max((row[1] for row in read), default=0.0)
    hits = []
    for number, points, title, text, updated, importance, uses, confidence, created in read:
        parts = {
            # D7: a rank is a share of the best one's, so that it counts however few words the store holds.
            "match": scores.match(points / best if best > 0 else 0.0, words, title, text),
            "recency": ranks.recency(updated, now),
            "importance": importance,
            "trust": ranks.trust(uses, confidence, created, now),
        }
        score = scores.total(parts, weights)
        hits.append(Hit(number, score, parts, "" if score >= min_score else TOO_LITTLE))
    return sorted(hits, key=lambda hit: -hit.score)
