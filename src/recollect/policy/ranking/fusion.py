"""How evidence becomes a rank: one table of weights for every kind of store, and the formulas. Import-light.

Evidence compares a memory with a question; context asks its neighbours in the session; rules read the question itself.
"""

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# What a memory's beginning holds, a bit each.
HAS_TIME, HAS_NUMBER, HAS_NAME, IS_QUESTION, BY_A_PERSON = 1, 2, 4, 8, 16
MOST_WORTH = 6.0
LONG_WORDS, LONG_FILED_WORDS = 25, 35
NEIGHBOUR, SESSION = 0.6, 0.35

# Part, weight, what it says. Fitted by softmax regression over dialogues, long chats and a coding history together,
# which count alike, and checked across folds; what is worth nothing beside the others is not here.
PARTS = (
    ("words", 0.36, "The question's words and words like them, by what each says; long memories have to show more."),
    ("meaning", 0.30, "The cosine of the pooled vectors."),
    ("around", 0.33, "The same words where a neighbour or the session says them."),
    ("answers", 0.43, "It follows a question that was like this one."),
    ("next", 0.10, "What follows it answers the question."),
    ("before", 0.18, "A short memory lives from what was said two steps before it."),
    ("session", 0.67, "The three best of its session."),
    ("actor", 2.3, "The one person who is named said it."),
    ("mine", 0.5, "Asked of oneself, and a person said it."),
    ("date", 3.3, "It is of the time that is named: a month, a day, `last week`."),
    ("when", 1.0, "Asked for a time, and it names one."),
    ("number", 1.1, "Asked for a number, and it has one."),
    ("who", 1.2, "Asked for a name or a place, and it has one."),
    ("named", 3.2, "How much of the question stands in its title, its tags or its cue."),
    ("place", 2.5, "It is about a file that is in play, or that the question names."),
    ("importance", 3.1, "How much it matters: decides where memories compete on equal evidence (D4)."),
    ("recency", 0.05, "How lately it was changed (D5), between equals."),
    ("trust", 0.3, "How often it was of use (D6)."),
)
WEIGHTS = {name: weight for name, weight, _ in PARTS}

# Whether to speak at all: by what the prompt is like, by the best memory's score, by how much the prompt says.
# Fitted on the tune half of the coding benchmark; absolute evidence alone hardly tells such prompts apart.
CERTAIN_FROM = 0.75
LEAST_EVIDENCE, LEAST_COVERAGE = 4.0, 0.15
SHORT_EVIDENCE, SHORT_COVERAGE = 3.0, 0.4
# What says nearly all that was asked, in the same words, is told whatever the prompt looks like.
PLAIN_EVIDENCE, PLAIN_COVERAGE = 8.0, 0.8
LEAST_OF_BEST = 0.5


def is_enough(evidence: float, coverage: float) -> bool:
    """Whether a memory has enough to do with a question; a short question needs less of it, but more of the whole."""
    if coverage >= SHORT_COVERAGE:
        return evidence >= SHORT_EVIDENCE
    return evidence >= LEAST_EVIDENCE and coverage >= LEAST_COVERAGE


def certainty(need: float, best_score: float, words: int) -> float:
    """How certain it is that something helps here: 0 to 1."""
    return 1 / (1 + math.exp(-(2.67 * need + 0.161 * best_score + 0.62 * math.log(1 + words) - 1.2)))


def length_norm(size: int, share: float, *, is_filed: bool) -> float:
    """How much more a long memory has to show for the same rank; a short one is not better for being shorter.

    What was filed under a title of its own rambles less than what was said.
    """
    return 1 - share + share * max(1.0, size / (LONG_FILED_WORDS if is_filed else LONG_WORDS))


def standard(values: "Sequence[float]") -> list[float]:
    """Each value in standard deviations from the mean of all."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    return [(value - mean) / spread if spread > 1e-9 else 0.0 for value in values]


def total(parts: dict[str, float]) -> float:
    """The weighted sum."""
    return sum(WEIGHTS[name] * value for name, value in parts.items())
