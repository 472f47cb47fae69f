"""The query terms: weighted stems of a question, and the keys and vector they are compared by. Import-light."""

from recollect.model.words import search_words, stemmer
from recollect.model.words.stop_words import COMMON_WORDS
from recollect.policy.ranking import fusion, prompt_text, ranks, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.recall.question import Question
    from recollect.store.protocols.recall_source import RecallSource

MOST_TERMS = 32
COMMON_SHARE, COMMON_LEAST, AT_LEAST = 0.015, 50, 3
MOST_HOLDING = 3_000
FEW_WORDS = 5
FEW_SHARE = 0.05
EARLIER_WORTH = 0.6


class QueryTerms:
    """The terms of a question: stem → word, with the weight of each."""

    __slots__ = (
        "actors", "keys", "missing_vectors", "naming", "places", "searched", "symbols", "telling", "total", "vector",
        "weights", "words",
    )  # fmt: skip

    def __init__(self, words: dict[str, str], weights: dict[str, float]) -> None:
        self.words = words
        """Stem → the word as it stands in the question."""
        self.weights = weights
        """Stem → weight: the rarer a word is among the memories, the more it says."""
        self.keys: dict[str, int] = {}
        """Stem → the number that stands for it in the index."""
        self.searched: list[str] = []
        """The words to look for in the index: those that few memories hold."""
        self.actors: set[str] = set()
        """People that the question names."""
        self.naming: set[str] = set()
        """The stems of the question that name them."""
        self.places: set[int] = set()
        """Keys of the files that are named or in play."""
        self.telling: list[float] = []
        """For each term in order how telling it is in general; 0 for words that are only of the prompt before."""
        self.symbols: dict[int, bool] = {}
        """Positions of the terms that are names in code; whether few memories contain each."""
        self.total = 0
        """About how many memories the store has."""
        self.vector = b""
        self.missing_vectors = ""
        """Why meanings could not be compared; empty where they were."""

    def capped_weights(self) -> list[float]:
        """Return the weight of each term in order, none above the cap."""
        return [min(self.weights[stem], fusion.MOST_WORTH) for stem in self.words]

    def places_in(self, text: str) -> list[tuple[int, int]]:
        """Return where terms of the question stand in a text: start and end, in characters."""
        letters = {stem[:1] for stem in self.words}  # a stem begins as its word
        return [(start, end) for start, end, stem in stemmer.tokens(text, letters) if stem in self.words]


def plain_terms(words: "Mapping[str, str]") -> QueryTerms:
    """Return terms that all weigh the same, for the rankings that weigh words in their own way."""
    return QueryTerms(dict(words), dict.fromkeys(words, 1.0))


def keys_of(text: str) -> list[int]:
    """Return the keys of a text's first words."""
    return [search_words.key(stem) for stem in search_words.stems(text)][: search_words.HEAD_WORDS]


def read_terms(source: "RecallSource", question: "Question") -> QueryTerms:
    """Return the terms of a question; of a long one the heaviest, of a short one also those of the prompt before."""
    found = search_words.all_stems(question.text)
    before: dict[str, str] = {}
    if question.earlier and len(found) <= FEW_WORDS:
        earlier = search_words.all_stems(question.earlier)
        before = {stem: word for stem, word in earlier.items() if stem not in found}
    holding, total = source.document_counts([*found, *before])
    weights = {stem: _weight(word, total, holding.get(stem, 0)) for stem, word in found.items()}
    weights |= {stem: EARLIER_WORTH * _weight(word, total, holding.get(stem, 0)) for stem, word in before.items()}
    every = found | before
    best = sorted(every, key=lambda stem: -weights[stem])[:MOST_TERMS]
    terms = QueryTerms({stem: every[stem] for stem in best}, {stem: weights[stem] for stem in best})
    terms.keys = {stem: search_words.key(stem) for stem in best}
    terms.searched = [every[stem] for stem in _rare(best, holding, total) or best[:AT_LEAST]]
    terms.places = {search_words.place_key(path) for path in (*question.files, *search_words.paths(question.text))}
    _add_telling(question, found, terms, holding, total)
    _add_actors(source, question, terms)
    return terms


def _add_telling(
    question: "Question", found: "Mapping[str, str]", terms: QueryTerms, holding: "Mapping[str, int]", total: int
) -> None:
    """Give the terms what a memory is judged by: the weights of the prompt's own words, and its names in code."""
    text = prompt_text.own_words(question.text)
    own = found if text == question.text else search_words.all_stems(text)
    terms.total = total
    names, few = prompt_text.symbols(text), max(AT_LEAST, FEW_SHARE * total)
    for position, (stem, word) in enumerate(terms.words.items()):
        held = holding.get(stem, 0)
        weight = telling.word_weight(stem, word, held, total) if stem in own else 0.0
        terms.telling.append(weight)
        if word.lower() in names:
            terms.symbols[position] = 0 < held <= few and weight >= telling.FREQUENT_WEIGHT


def _rare(best: list[str], holding: "Mapping[str, int]", total: int) -> list[str]:
    """Return the stems that few memories hold, as long as they are few together: each hit has to be scored."""
    most, together, rare = max(total * COMMON_SHARE, COMMON_LEAST), 0, []
    for stem in best:
        number = holding.get(stem, 0)
        if number <= most and together + number <= MOST_HOLDING:
            together += number
            rare.append(stem)
    return rare


def _weight(word: str, total: int, holding: int) -> float:
    """Return the weight of a word. One that no memory holds can only be matched by similar words: it weighs less."""
    if word.lower() in COMMON_WORDS:
        return ranks.COMMON_WORTH
    rarity = ranks.rarity(total, holding)
    return rarity if holding else min(rarity, ranks.UNKNOWN_WORTH)


def _add_actors(source: "RecallSource", question: "Question", terms: QueryTerms) -> None:
    """Find which of the people who ever said something here are named."""
    for actor in source.actors(question.scope.project):
        naming = search_words.stems(actor)
        if naming and all(stem in terms.words for stem in naming):
            terms.actors.add(actor)
            terms.naming |= set(naming)
