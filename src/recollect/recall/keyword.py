"""claude-memory's profile (B19-B23): points for the prompt's words in titles and tags. Import-light."""

from recollect.model.recall_values import DESCRIBED
from recollect.model.words import search_words
from recollect.policy.ranking import keyword_points
from recollect.recall.hit import Hit
from recollect.recall.query_terms import plain_terms, read_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.model.recall_values import TitleRow
    from recollect.recall.query_terms import QueryTerms
    from recollect.recall.question import Question
    from recollect.store.protocols.recall_source import RecallSource

SHORTEST_PROMPT = 10
CHECKED = 20
MOST_WORDS = 64


class Entry:
    """A memory as the index lists it, and the parts of its points."""

    __slots__ = ("parts", "row")

    def __init__(self, row: "TitleRow", **parts: float) -> None:
        self.row, self.parts = row, parts

    @property
    def points(self) -> float:
        """The sum of the parts."""
        return sum(self.parts.values())

    @property
    def order(self) -> "tuple[Any, ...]":
        """B23: most points first, then by kind, then as the index is sorted."""
        row = self.row
        priority = keyword_points.PRIORITY.get(row.kind, keyword_points.LAST)
        return -self.points, priority, row.kind, row.title.lower(), row.id


def rank(source: "RecallSource", question: "Question", limit: int) -> "tuple[QueryTerms, list[Hit]]":
    """Return the query terms and the memories that have points, best first; descriptions of kinds count too (B22)."""
    words = _words(source, question)
    described = {
        name.removeprefix(DESCRIBED): keyword_points.described(words, str(says))
        for name, says in question.settings.items()
        if name.startswith(DESCRIBED)
    }
    entries = _best(source, question, words, described, max(limit, CHECKED))
    entries.sort(key=lambda entry: entry.order)
    for entry in entries[:CHECKED]:  # B23: what stands behind is not looked at again
        entry.parts["fresh"] = keyword_points.fresh(entry.row.updated, question.scope.now)
    entries.sort(key=lambda entry: entry.order)
    terms = plain_terms({word: word for word in sorted(words)})
    return terms, [Hit(entry.row.id, entry.points, entry.parts) for entry in entries[:limit]]


def _words(source: "RecallSource", question: "Question") -> set[str]:
    """Return the words of a prompt; of a long one the heaviest, because each is looked for in every title."""
    if search_words.script_length(question.text.strip()) < SHORTEST_PROMPT:  # B19
        return set()
    found = keyword_points.words(question.text)
    if len(found) <= MOST_WORDS:
        return found
    return found & keyword_points.words(" ".join(read_terms(source, question).words.values()))


def _best(
    source: "RecallSource", question: "Question", words: set[str], described: dict[str, int], number: int
) -> list[Entry]:
    """Return at least `number` entries with the most points, and all that have as many as the last of them."""
    kinds = [kind for kind, points in described.items() if points]
    by_points: "dict[int, list[TitleRow]]" = {}
    for row in source.titles_with(question.scope, sorted(words), kinds):
        points = keyword_points.points(words, row.title, row.tags) + described.get(row.kind, 0)
        if points:
            by_points.setdefault(points, []).append(row)
    best: list[Entry] = []
    for points in sorted(by_points, reverse=True):
        for row in by_points[points]:
            of_kind = described.get(row.kind, 0)
            best.append(Entry(row, words=points - of_kind, described=of_kind))
        if len(best) >= number:
            break
    return best
