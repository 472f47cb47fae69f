"""How two texts relate: `relates(new, old)` answers whether they share a subject, or say the same.

Within a session texts are compared by their terms (words that tell what something is about, `Closeness`). A draft and a
stored memory are compared by all of their words (`is_same`). Whether one takes the other back is judged in
`policy.reversals`.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from recollect.model.words.stop_words import COMMON_WORDS, STOP_WORDS
from recollect.policy.ranking.keyword_points import words

SAME_FROM = 0.6
"""The share of common words from which on two texts say the same."""
MOSTLY = 0.4
"""The share of its terms that a text has to find in another one to be only a remark on that."""

_TERM = re.compile(r"[a-z][a-z0-9_.-]{2,}|\d+(?:\.\d+)+|\d{3,}|\d+[a-z]+")
_NO_TERMS = frozenset(["decide", "decided", "edit", "repo"]) | STOP_WORDS | COMMON_WORDS
_IDENTIFIER = re.compile(r"[a-z][\d_-][a-z\d]")  # `retry_count`, `node-20`: one of these is enough
_NUMBER = re.compile(r"\d[\d.,:]*")


class Closeness(IntEnum):
    """How much two texts of a session have in common. The value is the number of terms that they share at least."""

    UNRELATED = 0
    MENTIONED = 1
    """One text names something of the other: "pin pnpm" and an edit of `pnpm-lock.yaml`."""
    SAME_SUBJECT = 2
    """Enough for a reply, a commit or a further change."""
    SAME_STATEMENT = 4
    """Enough to take two statements of the same kind for one."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What a newer text has to do with an older one. Nothing is computed before it is asked for."""

    new: str
    old: str

    @property
    def shared(self) -> frozenset[str]:
        """The terms that both texts have."""
        return terms(self.new) & terms(self.old)

    @property
    def closeness(self) -> Closeness:
        """How much they have in common, by the number of shared terms."""
        number = len(self.shared)
        return max(level for level in Closeness if level <= number)

    @property
    def shares_identifier(self) -> bool:
        """Whether one of the shared terms is a name such as `retry_count`, and no everyday word."""
        return any(map(_IDENTIFIER.search, self.shared))

    @property
    def is_remark(self) -> bool:
        """Whether the newer text only says more of the older one: a large share of its terms is there already."""
        return len(self.shared) >= max(Closeness.SAME_STATEMENT, MOSTLY * len(terms(self.new)))

    @property
    def likeness(self) -> float:
        """The share of all words that both texts have, from 0 to 1."""
        return _likeness(self.new, self.old)

    @property
    def is_same(self) -> bool:
        """Whether they say the same: most of their words are equal."""
        return self.likeness >= SAME_FROM

    @property
    def has_other_numbers(self) -> bool:
        """Whether both texts name numbers, and not the same ones."""
        numbers, before = set(_NUMBER.findall(self.new)), set(_NUMBER.findall(self.old))
        return bool(numbers and before and numbers != before)


def relates(new: str, old: str) -> Relation:
    """Return how a newer text relates to an older one."""
    return Relation(new, old)


@lru_cache(maxsize=2_048)  # a session's story is built again with every turn
def terms(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about: no stop words, no everyday words of coding sessions."""
    return frozenset(word.strip(".-_") for word in _TERM.findall(text.lower())) - _NO_TERMS


def _likeness(new: str, old: str) -> float:
    left, right = words(new), words(old)
    return len(left & right) / len(left | right) if left and right else 0.0
