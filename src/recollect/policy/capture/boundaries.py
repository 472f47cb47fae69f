"""Where one episode of work ends and another begins (D26-D28): by the words of what tools said, window by window."""

import re
from collections import Counter
from collections.abc import Sequence

from recollect.model.stop_words import STOP_WORDS

WINDOW = 5
LEAST_CHARS = 30
KEYWORDS = 12
ALIKE_FROM = 0.25
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")


def keywords(said: str) -> frozenset[str]:
    """The words that something is about: the twelve most frequent, no stop words; none of a text that says little."""
    if len(said) < LEAST_CHARS:
        return frozenset()
    counted = Counter(word.lower() for word in _WORD.findall(said) if word.lower() not in STOP_WORDS)
    return frozenset(word for word, _ in counted.most_common(KEYWORDS))


def is_boundary(recent: Sequence[frozenset[str]]) -> bool:
    """Whether the last window has hardly a word in common with the one before it; the first has none before it."""
    if len(recent) < 2 * WINDOW:
        return False
    before, last = recent[-2 * WINDOW : -WINDOW], recent[-WINDOW:]
    old, new = frozenset().union(*before), frozenset().union(*last)
    return len(old & new) < ALIKE_FROM * len(old | new)
