"""Decide whether a memory is told with a prompt: the weights of words, the parts, and the floors. Import-light.

Each memory is judged by its own evidence. The score ranks memories and is no part of this: some memory always has the
best score.
"""

import math

from recollect.model.words.developer_words import EVERYDAY, FREQUENT, USUAL
from recollect.model.words.stop_words import COMMON_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# How telling a word is, whatever the store: a small store cannot know which words are rare.
COMMON_WEIGHT, EVERYDAY_WEIGHT, USUAL_WEIGHT, FREQUENT_WEIGHT, RARE_WEIGHT = 0.4, 1.2, 2.0, 2.8, 3.6
GIT_WEIGHT = 0.8
GIT_STEMS = frozenset(
    """branch chang comment commit conflict diff draft feedback git github gitlab main master merg messag origin pr pull
    push rebas repo repositori review squash""".split()  # noqa: SIM905
)
"""Words of version control: every request to commit or to review shares them with many memories."""
UNKNOWN_WEIGHT = 2.8
"""The most that a word weighs which no memory holds: it can only lower the coverage."""
SHORT_NUMBER = 3
SMOOTHING, RARE_FROM, LEAST_SHARE = 60, 3.5, 0.15
"""A word keeps its weight while few of the memories and 60 more hold it, one in 33; then it says less, down to 15 %."""
TELLING_FROM = 0.5
"""A word counts as telling from this weight on."""

MOST_EVIDENCE, MOST_WORDS = 15.0, 6
FEW_MEMORIES, FEWEST_MEMORIES = 20, 6
"""In a store of fewer memories less evidence is enough: fewer of them can match by chance."""
UNKNOWN_MEANING = 0.25
"""A similarity between that of memories that help and of others; it stands for that of a memory without a vector."""
LEAST_MATCH, SAME_WORD = 0.25, 0.99
SENTENCE_WORDS = 20
"""A memory without a title, and with at most so many words that are compared, is its own title."""
BIAS = -4.25
# Part, weight, what it measures. The weights were fitted by logistic regression (`scripts/fit_telling.py`).
PARTS = (
    ("evidence", 0.09, "Weight of the prompt's telling words in the memory, similar ones by similarity; at most 15."),
    ("named", 2.3, "Their share of all telling words of the prompt, 0 to 1, in the memory's title, tags and cue."),
    ("meaning", 6.1, "Cosine similarity of what the words of prompt and memory mean."),
    ("density", 6.5, "Telling words that both contain, per word of the memory."),
    ("length", -0.53, "Logarithm of the number of telling words in the prompt: with more words, more match by chance."),
    ("symbol", 0.5, "The prompt contains a name in code of the memory that few memories contain."),
    ("place", 1.5, "The prompt names a file of the memory."),
    ("few", 2.0, "Logarithm of 20 over the number of memories in the store, if it has fewer: less matches by chance."),
    ("verbatim", -1.2, "The memory repeats a turn or a session, and nobody decided that it should last."),
)
WEIGHTS = {name: weight for name, weight, _ in PARTS}


class Floor:
    """What a memory needs to be told with a prompt: one row of the table below."""

    __slots__ = ("certainty", "coverage", "evidence", "one_word", "rare", "words")

    def __init__(
        self, certainty: float, one_word: float = 0.0, *, evidence: float = 0.0, coverage: float = 0.0, words: int = 0,
        rare: float = math.inf,
    ) -> None:  # fmt: skip
        self.certainty = certainty
        """The least certainty, 0 to 1."""
        self.one_word = one_word
        """The least certainty where just one telling word is shared, as a request shares one with many memories."""
        self.evidence, self.coverage, self.words = evidence, coverage, words
        """The least evidence by telling words, their least share of the prompt, and the fewest that are the same."""
        self.rare = rare
        """Evidence by rarity in the store that is enough by itself, with `PLAIN_COVERAGE` of the prompt."""


# Who asks wants to be told something; a chore needs nothing known. A turn is long, and shares words by chance.
FLOORS = {
    "question": Floor(0.3),
    "request": Floor(0.48, 0.8),
    "chore": Floor(0.75),
    "runbook, question": Floor(0.5, evidence=1.6, coverage=0.8),
    "runbook, error": Floor(0.5, evidence=3.4),
    "runbook, request": Floor(0.8, evidence=3.4, coverage=0.6),
    "turn, question": Floor(0.24, evidence=8.0, coverage=0.4, words=3, rare=18.0),
    "turn, request": Floor(0.42, evidence=8.0, coverage=0.4, words=3, rare=18.0),
}
"""For each case, what a memory needs. A turn counts as asked for if the prompt names its file or its symbol."""
PLAIN_COVERAGE = 0.36
SMALL_STORE, FEW_EVIDENCE, FEW_COVERAGE = 60, 5.0, 0.38
"""In a store of fewer memories a turn needs only so much evidence by rarity: less is distilled there."""
OF_BEST = 0.6
"""Share of the best certainty that each further memory needs."""
LEAST_WHOLE = 2.5
"""A request whose telling words weigh less together names nothing: "can you fix it?"."""
NEW_EVIDENCE = 8.0
"""The telling words that a turn needs beside a distilled memory which does not have them."""
MOST_VERBATIM = 1
RUNBOOK = "runbook"

TOO_LITTLE = "too little in common with the prompt"
NOTHING_NAMED = "the prompt names nothing to look for"
NO_ERROR = "a runbook, and the prompt reports no error"
SAME_COMMAND = "an earlier turn of the same command"
SAID_BETTER = "a memory that was distilled says it"
FAR_BELOW = "certainty far below the best"


def word_weight(stem: str, word: str, holding: int, total: int) -> float:
    """Return how telling a word of a prompt is: by how developers use it, less where many memories hold it."""
    weight = _general_weight(stem, word)
    if not holding:
        return min(weight, UNKNOWN_WEIGHT)
    share = holding / (total + SMOOTHING)
    return weight * min(1.0, max(LEAST_SHARE, -math.log(share) / RARE_FROM))


def names_something(words: "Mapping[str, str]") -> bool:
    """Whether words, by stem, name something to work on; "look at the changes in this branch" does not."""
    return sum(_general_weight(stem, word) for stem, word in words.items()) >= LEAST_WHOLE


def _general_weight(stem: str, word: str) -> float:
    if word.lower() in COMMON_WORDS:
        return COMMON_WEIGHT
    if stem in GIT_STEMS or (word.isdigit() and len(word) < SHORT_NUMBER):
        return GIT_WEIGHT
    if stem in EVERYDAY:
        return EVERYDAY_WEIGHT
    if stem in USUAL:
        return USUAL_WEIGHT
    return FREQUENT_WEIGHT if stem in FREQUENT else RARE_WEIGHT


def few(total: int) -> float:
    """Return the part `few`: 0 for a store of 20 memories or more, at most 1.2, for one of six."""
    return math.log(FEW_MEMORIES / max(FEWEST_MEMORIES, min(total, FEW_MEMORIES)))


class TellingParts:
    """What a prompt and one memory have in common."""

    __slots__ = ("coverage", "parts", "words")

    def __init__(
        self, weights: "list[float]", match: "Mapping[int, float]", named: "Mapping[int, float]", size: int
    ) -> None:
        whole = sum(weights) or 1.0
        same = [weights[position] for position, share in match.items() if share > SAME_WORD]
        evidence = _sum(weights, match)
        self.coverage = evidence / whole
        """The share of the prompt's telling words that the memory contains, 0 to 1."""
        self.words = sum(1 for weight in same if weight > TELLING_FROM)
        """How many telling words both contain."""
        telling = sum(1 for weight in weights if weight > TELLING_FROM)
        self.parts = {
            "evidence": min(evidence, MOST_EVIDENCE),
            "named": _sum(weights, named) / whole,
            "density": self.words / max(8, size),
            "length": math.log(1 + telling),
        }
        """The parts of `PARTS` by name; the caller adds the others."""

    def certainty(self) -> float:
        """Return the probability, 0 to 1, that the memory helps with the prompt."""
        total = BIAS + sum(WEIGHTS[name] * value for name, value in self.parts.items())
        return 1 / (1 + math.exp(-total))


def _sum(weights: "list[float]", match: "Mapping[int, float]") -> float:
    return sum(weights[position] * share for position, share in match.items() if share > LEAST_MATCH)
