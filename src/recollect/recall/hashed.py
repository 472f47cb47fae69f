"""CursorClaw's ranking (C10): the cosine of hashed word counts, over the newest memories.

Vectors that the worker left are compared by sqlite-vec; without either, a text is counted when it is asked for.
"""

import apsw

from recollect.policy.ranking import hashing
from recollect.recall.query_terms import QueryTerms, Question, stemmer
from recollect.recall.search import Hit
from recollect.store.reader import vectors
from recollect.store.reader.reader import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_HITS = 50
DEFAULTS = {"log.max_vectors": 3_000}  # C10
HIDDEN_AS_WELL = 2
# Numbers are sorted by the index alone, before a row is read.
NEWEST = """
SELECT memories.id, {likeness}, CASE WHEN NOT {is_kept} THEN text END
FROM (
    SELECT id AS late FROM memories WHERE project IN (?1, 'global') AND status = 'active' ORDER BY id DESC LIMIT {pool}
) JOIN memories ON memories.id = late LEFT JOIN evidence ON evidence.id = late WHERE {visible}
ORDER BY late DESC LIMIT {number}
"""
# A byte that is full may stand for more: then the text itself is counted.
IS_KEPT = "(hashed IS NOT NULL AND NOT instr(hashed, x'7f'))"
LIKENESS = f"CASE WHEN {IS_KEPT} THEN 1 - vec_distance_cosine(vec_int8(hashed), vec_int8(x'{{vector}}')) END"


def ranked(db: apsw.Connection, question: Question, limit: int) -> "tuple[QueryTerms, list[Hit]]":
    """What shares words with the question, most alike first; between one and fifty of them."""
    known: dict[bytes, int] = {}
    counted = hashing.counts(question.text, known)
    words = {token.decode(): token.decode() for token in known}
    hits = []
    for number, likeness, text in _newest(db, question, counted) if counted else ():
        score = likeness if text is None else hashing.similarity(counted, hashing.counts(text, known))
        if score and score > 0:
            hits.append(Hit(number, score, {"similarity": score}))
    hits.sort(key=lambda hit: (-hit.score, -hit.id))
    return QueryTerms(stemmer(db), words, dict.fromkeys(words, 1.0)), hits[: max(1, min(MOST_HITS, limit))]


def _newest(db: apsw.Connection, question: Question, counted: dict[int, int]) -> "list[tuple[Any, ...]]":
    """The newest memories: number, and how alike or, where that is not known, the text. The earliest fall out (C10)."""
    is_kept, likeness = "0", "NULL"
    if max(counted.values()) < hashing.MOST_COUNTED and vectors.load(db):
        is_kept, likeness = IS_KEPT, LIKENESS.format(vector=hashing.packed(counted).hex())
    most = int((DEFAULTS | dict(question.settings))["log.max_vectors"])
    pool = -1 if question.scope else most * HIDDEN_AS_WELL  # filters may leave little of the newest
    sql = NEWEST.format(is_kept=is_kept, likeness=likeness, pool=pool, visible=question.visible, number=most)
    return rows(db, sql, question.bound())
