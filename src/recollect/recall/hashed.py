"""CursorClaw's profile (C10): the cosine of hashed word counts, over the newest memories. Import-light."""

from recollect.policy.ranking import hashing
from recollect.recall.hit import Hit
from recollect.recall.query_terms import plain_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.recall.query_terms import QueryTerms
    from recollect.recall.question import Question
    from recollect.store.protocols.recall_source import RecallSource

MOST_HITS = 50
MAX_VECTORS = "log.max_vectors"
DEFAULTS = {MAX_VECTORS: 3_000}  # C10


def rank(source: "RecallSource", question: "Question", limit: int) -> "tuple[QueryTerms, list[Hit]]":
    """Return the query terms and the memories that share words with the question, most similar first (1 to 50)."""
    known: dict[bytes, int] = {}
    counted = hashing.counts(question.text, known)
    most = int((DEFAULTS | dict(question.settings))[MAX_VECTORS])
    # Counts that an older version kept know no other scripts: for such a question the texts are counted.
    is_packable = bool(counted) and max(counted.values()) < hashing.MOST_COUNTED and all(map(bytes.isascii, known))
    packed = hashing.packed(counted) if is_packable else b""
    terms = plain_terms({token.decode(): token.decode() for token in known})
    hits = []
    for row in source.newest(question.scope, packed, most) if counted else ():
        score = row.similarity
        if row.text is not None:
            score = hashing.similarity(counted, hashing.counts(row.text, known))
        if score and score > 0:
            hits.append(Hit(row.id, score, {"similarity": score}))
    hits.sort(key=lambda hit: (-hit.score, -hit.id))
    return terms, hits[: max(1, min(MOST_HITS, limit))]
