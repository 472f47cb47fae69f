"""What is asked: the words that may tell one memory from another, what each says, and what they mean."""

import apsw

from recollect.model import search_words
from recollect.model.stop_words import COMMON_WORDS
from recollect.policy.ranking import fusion, ranks
from recollect.store.reader.reader import VISIBLE, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_WORDS = 32
COMMON_SHARE, COMMON_LEAST, AT_LEAST = 0.015, 50, 3
MOST_HOLDING = 3_000
FEW_WORDS = 5
EARLIER_WORTH = 0.6
MOST_ACTORS = 200


class Question:
    """What is asked, where and when; and the conditions that an answer has to meet."""

    __slots__ = ("earlier", "files", "now", "project", "scope", "settings", "text", "values")

    def __init__(
        self, text: str, *, project: str, now: float, files: "tuple[str, ...]" = (), earlier: str = "",
        scope: str = "", values: "tuple[Any, ...]" = (), settings: "Mapping[str, Any] | None" = None,
    ) -> None:  # fmt: skip
        self.text, self.project, self.now, self.files, self.earlier = text, project, now, files, earlier
        self.scope, self.values = scope, values
        self.settings = settings or {}
        """What the seeds' own rankings may be told; they know what holds otherwise."""

    @property
    def visible(self) -> str:
        """SQL: what may be shown here and now, and passes the filters. It stands last, as its values do."""
        return f"{VISIBLE} AND {self.scope}" if self.scope else VISIBLE

    def bound(self, *more: "Any") -> "tuple[Any, ...]":
        """The values of a statement that asks for `visible`: project, now, its own, the filters'."""
        return (self.project, self.now, *more, *self.values)


class QueryTerms:
    """The telling words of a question: stem → word, what each says, and the numbers they are known by."""

    __slots__ = ("_stem", "actors", "keys", "lacking", "naming", "places", "sought", "vector", "words", "worth")

    def __init__(self, stem: apsw.FTS5Tokenizer, words: dict[str, str], worth: dict[str, float]) -> None:
        self._stem, self.words, self.worth = stem, words, worth
        self.keys: dict[str, int] = {}
        self.sought: list[str] = []
        """The words to look for: those that not every other memory holds."""
        self.actors: set[str] = set()
        self.naming: set[str] = set()
        self.places: set[int] = set()
        self.vector = b""
        self.lacking = ""
        """What could not be compared, and why."""

    def weights(self) -> list[float]:
        """What each word counts."""
        return [min(self.worth[stem], fusion.MOST_WORTH) for stem in self.words]

    def places_in(self, text: str) -> list[tuple[int, int]]:
        """Where words of the question stand in a text, from sign to sign."""
        data = text.encode("utf-8", "replace")
        found: "Any" = self._stem(data, apsw.FTS5_TOKENIZE_DOCUMENT, None)
        spans = [(start, end) for start, end, stem in found if stem in self.words]
        return [
            (len(data[:start].decode("utf-8", "ignore")), len(data[:end].decode("utf-8", "ignore")))
            for start, end in spans
        ]

    def keys_of(self, text: str) -> list[int]:
        """The keys of a text's first words."""
        return [search_words.key(stem) for stem in search_words.stems(text)][: search_words.HEAD_WORDS]


def stemmer(db: apsw.Connection) -> apsw.FTS5Tokenizer:
    """The tokenizer of the index itself."""
    name, *options = search_words.TOKENIZER
    return db.fts5_tokenizer(name, options)


def read(db: apsw.Connection, question: Question) -> QueryTerms:
    """A question's words, each once, the rarest of a long one; of a question that says little, also those before it."""
    stem = stemmer(db)
    found = search_words.all_stems(question.text)
    before = {}
    if question.earlier and len(found) <= FEW_WORDS:
        before = {one: word for one, word in search_words.all_stems(question.earlier).items() if one not in found}
    holding, total = _document_counts(db, [*found, *before])
    worth = {one: _worth(word, total, holding.get(one, 0)) for one, word in found.items()}
    worth |= {one: EARLIER_WORTH * _worth(word, total, holding.get(one, 0)) for one, word in before.items()}
    every = found | before
    best = sorted(every, key=lambda one: -worth[one])[:MOST_WORDS]
    asked = QueryTerms(stem, {one: every[one] for one in best}, {one: worth[one] for one in best})
    asked.keys = {one: search_words.key(one) for one in best}
    asked.sought = [every[one] for one in _rare(best, holding, total)] or [every[one] for one in best[:AT_LEAST]]
    asked.places = {search_words.place_key(path) for path in (*question.files, *search_words.paths(question.text))}
    _name_actors(db, question, asked)
    return asked


def _rare(best: list[str], holding: "Mapping[str, int]", total: int) -> list[str]:
    """The words that few memories hold, the most telling first, as long as they are few together: each is scored."""
    most, together, rare = max(total * COMMON_SHARE, COMMON_LEAST), 0, []
    for stem in best:
        number = holding.get(stem, 0)
        if number <= most and together + number <= MOST_HOLDING:
            together += number
            rare.append(stem)
    return rare


def _worth(word: str, total: int, holding: int) -> float:
    """What a word says. One that no memory holds can only be matched by words like it: it says less."""
    if word.lower() in COMMON_WORDS:
        return ranks.COMMON_WORTH
    rarity = ranks.rarity(total, holding)
    return rarity if holding else min(rarity, ranks.UNKNOWN_WORTH)


def _name_actors(db: apsw.Connection, question: Question, asked: QueryTerms) -> None:
    """Which of the people who ever said something here are named."""
    sql = "SELECT DISTINCT actor FROM memories WHERE project IN (?, 'global') AND actor <> '' LIMIT ?"
    for (actor,) in rows(db, sql, (question.project, MOST_ACTORS)):
        naming = search_words.stems(actor)
        if naming and all(one in asked.words for one in naming):
            asked.actors.add(actor)
            asked.naming |= set(naming)


def _document_counts(db: apsw.Connection, stems: list[str]) -> tuple[dict[str, int], int]:
    """How many memories hold each word. The words that many hold are in a table: counting them would take long."""
    holes = ",".join("?" * len(stems))
    frequent: dict[str, int] = dict(
        rows(db, f"SELECT term, holding FROM frequent_terms WHERE term IN ({holes})", stems)
    )
    rare = [stem for stem in stems if stem not in frequent]
    holes = ",".join("?" * len(rare))
    counted: dict[str, int] = dict(rows(db, f"SELECT term, doc FROM memory_terms WHERE term IN ({holes})", rare))
    total = db.execute("SELECT coalesce(max(id), 0) FROM memories").get
    return frequent | counted, int(total)
