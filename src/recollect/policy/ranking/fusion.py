"""How the profile `hybrid` scores a memory: the table of weights, and the formulas. Import-light.

Some parts compare a memory with the question, some look at its neighbours in the session, some read the question alone.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Flags of what the beginning of a memory's text contains, a bit each.
HAS_TIME, HAS_NUMBER, HAS_NAME, IS_QUESTION, BY_A_PERSON = 1, 2, 4, 8, 16
MOST_WORTH = 6.0
LONG_WORDS, LONG_FILED_WORDS = 25, 35
NEIGHBOUR, SESSION = 0.6, 0.35

# Part, weight, what it measures. The weights were fitted by softmax regression over dialogues, long chats and a coding
# history with equal shares, and cross-validated; parts that added nothing were left out.
PARTS = (
    ("words", 0.40, "The question's words and similar words, by their rarity; less for long memories."),
    ("meaning", 0.43, "Cosine similarity of what the words of question and memory mean."),
    ("around", 0.34, "The question's words in neighbouring memories and in the session."),
    ("answers", 0.64, "The memory follows a question that is similar to this one."),
    ("next", 0.10, "The next memory of the session matches the question."),
    ("before", 0.21, "For a short memory: how well the memory two steps before it matches."),
    ("session", 0.85, "The mean evidence of the three best memories of its session."),
    ("actor", 1.1, "The question names exactly one person, and the memory is by that person."),
    ("mine", 0.43, "First-person question, and the memory was written by the user."),
    ("date", 3.9, "The memory is from the time that the question names: a month, a day, `last week`."),
    ("when", 1.1, "The question asks for a time, and the memory contains one."),
    ("number", 1.2, "The question asks for a number, and the memory contains one."),
    ("who", 1.3, "The question asks for a name or a place, and the memory contains a name."),
    ("named", 2.5, "The share of the question that occurs in the memory's title, tags or cue."),
    ("place", 3.7, "The memory is about a file of the current session, or one that the question names."),
    ("importance", 2.9, "The memory's importance (D4); decides between memories that match equally well."),
    ("recency", 0.05, "How recently the memory was changed (D5); decides between equals."),
    ("trust", 0.3, "How often the memory was used (D6)."),
    ("stale", -1.0, "The memory names code that is gone from this branch."),
)
WEIGHTS = {name: weight for name, weight, _ in PARTS}


def length_norm(size: int, share: float, *, is_filed: bool) -> float:
    """Return the divisor of the word evidence: 1 for a short memory, growing with the number of words of a long one.

    Filed memories, which have a title of their own, may be longer than turns of a dialogue.
    """
    return 1 - share + share * max(1.0, size / (LONG_FILED_WORDS if is_filed else LONG_WORDS))


def standard(values: "Sequence[float]") -> list[float]:
    """Return each value in standard deviations from the mean of all; zeros if all are equal."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    return [(value - mean) / spread if spread > 1e-9 else 0.0 for value in values]


def total(parts: dict[str, float]) -> float:
    """Return the weighted sum of the parts."""
    return sum(WEIGHTS[name] * value for name, value in parts.items())
