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
UNKNOWN_MEANING, HALF_KNOWN = 0.25, 30
"""A similarity between that of memories that help and of others. It stands for the missing one of a memory without a
vector, and for half of the similarity in a store of 30 memories: what so few share is taken for what all texts share.
"""
LEAST_MATCH, SAME_WORD = 0.25, 0.99
SENTENCE_WORDS = 20
"""A memory without a title, and with at most so many words that are compared, is its own title."""
BIAS = -4.4
# Part, weight, what it measures. The weights were fitted by logistic regression (`scripts/fit_telling.py`).
PARTS = (
    ("evidence", 0.27, "Weight of the prompt's telling words in the memory, similar ones by similarity; at most 15."),
    ("coverage", 0.95, "Their share of all telling words of the prompt, 0 to 1."),
    ("named", 2.0, "The same share for the memory's title, tags and cue."),
    ("strongest", 0.32, "The weight of the most telling word that both contain."),
    ("meaning", 5.6, "Cosine similarity of the vectors of prompt and memory."),
    ("density", 4.7, "Telling words that both contain, per word of the memory."),
    ("length", -0.92, "Logarithm of the number of telling words in the prompt: with more words, more match by chance."),
    ("symbol", 0.5, "The prompt contains a name in code of the memory that few memories contain."),
    ("place", 1.5, "The prompt names a file of the memory."),
    ("few", 2.0, "Logarithm of 20 over the number of memories in the store, if it has fewer: less matches by chance."),
    ("verbatim", -1.2, "The memory repeats a turn or a session, and nobody decided that it should last."),
)
WEIGHTS = {name: weight for name, weight, _ in PARTS}

# Floors of the certainty, 0 to 1.
ASKED_FROM, TOLD_FROM = 0.2, 0.38
"""For a question, and for any other prompt: who asks wants to be told something."""
TOLD_WORDS = 2
"""A request shares one word with many memories."""
ASKED_BY_ONE_WORD, TOLD_BY_ONE_WORD = 0.33, 0.8
"""The floors where only one telling word is shared."""
ASKED_EVIDENCE, TOLD_EVIDENCE = 1.6, 3.4
"""One everyday word in common is too little for a question, one usual word for a request."""
PLAIN_EVIDENCE, PLAIN_COVERAGE = 12.5, 0.36
"""Evidence by rarity in the store that is enough by itself, more than two rare words, and its share of the prompt."""
VERBATIM_PLAIN_EVIDENCE, VERBATIM_PLAIN_FROM = 18.0, 0.4
"""The same for a turn, three rare words, with a least certainty."""
SMALL_STORE = 60
FEW_EVIDENCE, FEW_COVERAGE, FEW_FROM = 5.0, 0.38, 0.3
"""What a turn needs in a store of fewer than 60 memories: less is distilled there, and less matches by chance."""
CHORE_FROM = 0.75
RUNBOOK_FROM, RUNBOOK_PLAIN_FROM, RUNBOOK_PLAIN_COVERAGE = 0.5, 0.8, 0.6
"""For a prompt with an error; and for one that has the words of a runbook, but none that says that something failed."""
RUNBOOK_COVERAGE = 0.8
"""The share of a question's telling words in a runbook from which on it asks about that failure."""
OF_BEST = 0.5
"""Share of the best certainty that each further memory needs."""
LEAST_WHOLE = 2.5
"""A request whose telling words weigh less together names nothing: "can you fix it?"."""
VERBATIM_FROM = 0.24
VERBATIM_EVIDENCE, VERBATIM_COVERAGE, VERBATIM_WORDS = 8.0, 0.4, 3
"""What a turn needs instead of `TOLD_FROM`: it is long, and shares words by chance."""
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


def meaning(similarity: float | None, total: int) -> float:
    """Return the part `meaning`: the similarity of the vectors, the more of it the more memories the store has."""
    if similarity is None:
        return UNKNOWN_MEANING
    share = total / (total + HALF_KNOWN)
    return share * similarity + (1 - share) * UNKNOWN_MEANING


class TellingParts:
    """What a prompt and one memory have in common."""

    __slots__ = ("parts", "words")

    def __init__(
        self, weights: "list[float]", match: "Mapping[int, float]", named: "Mapping[int, float]", size: int
    ) -> None:
        whole = sum(weights) or 1.0
        same = [weights[position] for position, share in match.items() if share > SAME_WORD]
        evidence = _sum(weights, match)
        self.words = sum(1 for weight in same if weight > TELLING_FROM)
        """How many telling words both contain."""
        telling = sum(1 for weight in weights if weight > TELLING_FROM)
        self.parts = {
            "evidence": min(evidence, MOST_EVIDENCE),
            "coverage": evidence / whole,
            "named": _sum(weights, named) / whole,
            "strongest": max(same, default=0.0),
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
