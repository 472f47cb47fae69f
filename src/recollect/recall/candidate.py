"""A candidate of the hybrid ranking, with its matches and the parts of its score. Import-light."""

from recollect.policy.ranking import fusion
from recollect.recall import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from recollect.model.recall_values import CandidateRow

    Similar = dict[int, list[tuple[int, float]]]
    """For the key of each word that counts: the positions of the terms that it matches, and how well (0 to 1)."""


class Candidate:
    """A memory, how it matches each query term, and what that adds up to."""

    __slots__ = (
        "certainty", "coverage", "evidence", "id", "match", "matched", "named_match", "parts", "row", "score", "size",
        "verdict",
    )  # fmt: skip

    def __init__(self, row: "CandidateRow", similar: "Similar") -> None:
        self.row, self.id = row, row.id
        keys: "Any" = row.keys
        if keys is None:  # the worker has not indexed it yet: its words are read now
            keys, row.named = query_terms.keys_of(row.text), 0
        self.size = len(keys)
        """How many words of the memory are compared."""
        self.match = _matches(keys, similar)
        """Position of a term → how well the memory matches it; terms that it does not match are left out."""
        self.named_match = _matches(keys[: row.named], similar) if row.named and self.match else {}
        """The same for the words of its title, tags and cue."""
        self.parts: dict[str, float] = {}
        self.score = self.evidence = self.coverage = self.certainty = 0.0
        self.matched: list[str] = []
        self.verdict = ""

    def length_norm(self, share: float) -> float:
        """Return what evidence is divided by, so that long memories do not win by their length."""
        return fusion.length_norm(self.size, share, is_filed=self.row.named > 0)


def _matches(keys: "Any", similar: "Similar") -> "dict[int, float]":
    """Return how well terms are matched: 1 by the same word, less by a similar one."""
    match: "dict[int, float]" = {}
    for key in similar.keys() & keys:
        for position, similarity in similar[key]:
            if similarity > match.get(position, 0.0):
                match[position] = similarity
    return match


def evidence(weights: list[float], match: "dict[int, float]") -> float:
    """Return the weight of all terms that are matched."""
    return sum([weights[position] * share for position, share in match.items()])


def raise_matches(match: "dict[int, float]", others: "dict[int, float]", share: float) -> None:
    """Raise each match to a share of another's, where that is more."""
    for position, similarity in others.items():
        if share * similarity > match.get(position, 0.0):
            match[position] = share * similarity


def best_of_sessions(candidates: "Iterable[Candidate]") -> "dict[Any, dict[int, float]]":
    """Return, for each session, how well its memories together match each term."""
    best: "dict[Any, dict[int, float]]" = {}
    for candidate in candidates:
        if candidate.row.session is not None:
            raise_matches(best.setdefault(candidate.row.session, {}), candidate.match, 1.0)
    return best
