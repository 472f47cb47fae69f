"""claude-memory's ranking (B19-B23): points for the prompt's words in titles and tags."""

import apsw

from recollect.policy.ranking import keyword_points
from recollect.recall.query_terms import QueryTerms, Question, read, stemmer
from recollect.recall.search import Hit
from recollect.store.reader.reader import DESCRIBED, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHORTEST_PROMPT = 10
CHECKED = 20
MOST_WORDS = 64
# With the limit, SQLite puts what is searched together once for each memory, and not for each word.
FOUND = """
SELECT id, kind, title, tags, updated FROM (
    SELECT id, kind, title, tags, updated, lower(title) || char(10) || tags AS said FROM memories
    WHERE {visible} LIMIT -1
) WHERE {holding}
"""
# Words are of letters and digits alone, so they stand in the statement as they are.
HOLDING = "instr(said, '{}')"


class Entry:
    """A memory as the index lists it, and what its points are made of."""

    __slots__ = ("id", "kind", "parts", "title", "updated")

    def __init__(self, row: "tuple[Any, ...]", **parts: float) -> None:
        self.id, self.kind, self.title, _, self.updated = row
        self.parts = parts

    @property
    def points(self) -> float:
        """All of them."""
        return sum(self.parts.values())

    @property
    def order(self) -> "tuple[Any, ...]":
        """B23: most points first, then by kind, then as the index is sorted."""
        return (
            -self.points,
            keyword_points.PRIORITY.get(self.kind, keyword_points.LAST),
            self.kind,
            self.title.lower(),
            self.id,
        )


def ranked(db: apsw.Connection, question: Question, limit: int) -> "tuple[QueryTerms, list[Hit]]":
    """What has points, best first; what the user describes a kind by counts too (B22)."""
    words = _words(db, question)
    described = {
        name.removeprefix(DESCRIBED): keyword_points.described(words, str(says))
        for name, says in question.settings.items()
        if name.startswith(DESCRIBED)
    }
    entries = sorted(_best(db, question, words, described, max(limit, CHECKED)), key=lambda one: one.order)
    for one in entries[:CHECKED]:  # B23: what stands behind is not looked at again
        one.parts["fresh"] = keyword_points.fresh(one.updated, question.now)
    entries.sort(key=lambda one: one.order)
    asked = QueryTerms(stemmer(db), {word: word for word in sorted(words)}, dict.fromkeys(words, 1.0))
    return asked, [Hit(one.id, one.points, one.parts) for one in entries[:limit]]


def _words(db: apsw.Connection, question: Question) -> set[str]:
    """The words of a prompt; of a long one those that tell most, because each is looked for in every title."""
    if len(question.text.strip()) < SHORTEST_PROMPT:  # B19
        return set()
    found = keyword_points.words(question.text)
    return (
        found if len(found) <= MOST_WORDS else found & keyword_points.words(" ".join(read(db, question).words.values()))
    )


def _best(
    db: apsw.Connection, question: Question, words: set[str], described: dict[str, int], number: int
) -> list[Entry]:
    """At least that many with the most points, and all that have as many as the last of them."""
    by_points: "dict[int, list[tuple[Any, ...]]]" = {}
    for row in _found(db, question, words, described):
        worth = keyword_points.points(words, row[2], row[3].split("\n")) + described.get(row[1], 0)
        if worth:
            by_points.setdefault(worth, []).append(row)
    best: list[Entry] = []
    for worth in sorted(by_points, reverse=True):
        for row in by_points[worth]:
            by_kind = described.get(row[1], 0)
            best.append(Entry(row, words=worth - by_kind, described=by_kind))
        if len(best) >= number:
            break
    return best


def _found(
    db: apsw.Connection, question: Question, words: set[str], described: dict[str, int]
) -> "list[tuple[Any, ...]]":
    """What may have points: it holds one of the words somewhere, or is of a kind that is described by them."""
    holding = [HOLDING.format(word) for word in sorted(words)]
    holding += ["kind = " + apsw.format_sql_value(kind) for kind, worth in described.items() if worth]
    if not holding:
        return []
    sql = FOUND.format(visible=question.visible, holding=" OR ".join(holding))
    return rows(db, sql, question.bound())
