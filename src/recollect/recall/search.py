"""Finding what a question is about: the one recall that hooks, commands, the library and the evaluation share."""

import apsw

from recollect.lazy import load
from recollect.model.found_memory import FoundMemory
from recollect.store.reader.reader import SELECTED, VISIBLE, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.recall.query_terms import QueryTerms, Question

# A profile is a module with a function `ranked`: question in, candidates best first out.
PROFILES = {
    "hybrid": "recollect.recall.hybrid",
    "keyword": "recollect.recall.keyword",
    "scored": "recollect.recall.scored",
    "hashed": "recollect.recall.hashed",
}
DEFAULT = "hybrid"
WEIGHED = 30
SHOW = f"SELECT id, {SELECTED} FROM memories NOT INDEXED WHERE id IN ({{ids}}) AND json_valid(image) AND {VISIBLE}"


class Hit:
    """A candidate of a ranking: which memory, its score and what it is made of, and why it is not to be shown."""

    __slots__ = ("certainty", "coverage", "evidence", "id", "matched", "parts", "score", "verdict")

    def __init__(self, number: int, score: float, parts: dict[str, float] | None = None, verdict: str = "") -> None:
        self.id, self.score, self.parts, self.verdict = number, score, parts or {}, verdict
        self.evidence = self.coverage = self.certainty = 0.0
        self.matched: list[str] = []


def find(
    db: apsw.Connection, question: "Question", profile: str = DEFAULT, limit: int = WEIGHED
) -> "tuple[QueryTerms, list[FoundMemory]]":
    """The memories that have to do with a question, best first; each with its score, its parts, and its verdict."""
    asked, hits = load(PROFILES.get(profile, PROFILES[DEFAULT])).ranked(db, question, limit)
    hits = [hit for hit in hits if hit.score > 0 or hit.evidence]  # a score is relative, evidence is not
    ids = ",".join(str(hit.id) for hit in hits)
    kept = {row[0]: row[1:] for row in rows(db, SHOW.format(ids=ids), (question.project, question.now))}
    return asked, [FoundMemory(kept[hit.id], hit) for hit in hits if hit.id in kept]
