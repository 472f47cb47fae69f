"""Find where one piece of work ends and another begins (D26-D28), by the keywords of tool events."""

import re
from collections import Counter
from collections.abc import Sequence

from recollect.model.words.stop_words import STOP_WORDS

WINDOW = 5
"""How many events are compared with as many before them."""
LEAST_CHARS = 30
KEYWORDS = 12
ALIKE_FROM = 0.25
"""The share of common keywords below which a new piece of work begins."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")


def keywords(text: str) -> frozenset[str]:
    """Return the twelve most frequent words of a text without stop words; none of a text below 30 characters."""
    if len(text) < LEAST_CHARS:
        return frozenset()
    counted = Counter(word.lower() for word in _WORD.findall(text) if word.lower() not in STOP_WORDS)
    return frozenset(word for word, _ in counted.most_common(KEYWORDS))


def is_boundary(recent: Sequence[frozenset[str]]) -> bool:
    """Whether the last window has hardly a keyword in common with the one before; False for the first window."""
    if len(recent) < 2 * WINDOW:
        return False
    before, last = recent[-2 * WINDOW : -WINDOW], recent[-WINDOW:]
    old, new = frozenset().union(*before), frozenset().union(*last)
    return len(old & new) < ALIKE_FROM * len(old | new)
