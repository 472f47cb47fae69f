"""How two texts relate: `relates(new, old)` answers whether they share a subject, say the same, or contradict.

Within a session texts are compared by their terms (words that tell what something is about, `Closeness`). A draft and a
stored memory are compared by all of their words (`is_same`) and by what they reject (`is_contrary`).
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
_REJECTED = re.compile(
    r"""\b(?: not | no | never | don'?t | do\ not | drop | stop\ using | instead\ of | rather\ than | without
            | no\ longer | avoid | remove | forget | out\ with )\s+
    (   (?: (?: use | call | run | touch | change | edit | read | the | a | any | more | using | to )\s+ )*
        [\w@./+-]+                                                    # "never use npm"
        (?: (?:, | \ or | \ and | \ nor)\s+                           # "no npm, yarn or bun"
            (?! (?: because | since | so | as | but | which | that | it | they | we | when | if | the | to | for | use
                  | always | never )\b )
            [\w@./+-]+ )*
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Words that say what to do with something, not what it is about.
_ACTION_WORDS = frozenset(
    [
        "use", "using", "used", "call", "run", "touch", "change", "edit", "read", "write", "commit", "push", "pull",
        "merge", "deploy", "install", "add", "remove", "delete", "create", "import", "test", "mock", "log", "print",
        "build", "start", "stop", "make", "put", "set", "get", "open", "close", "move", "rename", "the", "any", "more",
        "and", "not", "now", "then", "them", "this", "that", "here", "with", "for", "from", "code", "file", "files",
        "it",
    ]
)  # fmt: skip


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

    @property
    def is_contrary(self) -> bool:
        """Whether the newer text takes the older one back.

        It rejects what that one wants, or wants what that one rejects; or it says the same with other numbers.
        """
        rejects, rejected = negated(self.new), negated(self.old)
        wants, wanted = words(self.new) - rejects, words(self.old) - rejected
        is_rejection = bool((rejects & wanted) or (rejected & wants))
        if is_rejection and (words(self.new) & words(self.old)) - _ACTION_WORDS:
            return True
        bare = (_NUMBER.sub(" ", text) for text in (self.new, self.old))
        return self.has_other_numbers and _likeness(*bare) >= SAME_FROM


def relates(new: str, old: str) -> Relation:
    """Return how a newer text relates to an older one."""
    return Relation(new, old)


@lru_cache(maxsize=2_048)  # a session's story is built again with every turn
def terms(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about: no stop words, no everyday words of coding sessions."""
    return frozenset(word.strip(".-_") for word in _TERM.findall(text.lower())) - _NO_TERMS


def negated(text: str) -> set[str]:
    """Return what a text says not to do or use: {"npm"} of "never use npm"."""
    found = " ".join(match[1] for match in _REJECTED.finditer(text))
    return {word for word in re.findall(r"[a-z][\w@./+-]+", found.lower()) if len(word) > 2} - _ACTION_WORDS


def _likeness(new: str, old: str) -> float:
    left, right = words(new), words(old)
    return len(left & right) / len(left | right) if left and right else 0.0
