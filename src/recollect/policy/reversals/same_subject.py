"""Recognise a reversal by its subject where the old thing is named in passing, by another word, or not at all.

"Petra left, billing goes to Omar now" ends "ask Petra about billing"; "we're off Mongo" names MongoDB; "the api is on
9090 now" gives the api another port. Each needs a turn in so many words, and a word of the subject that both share.
"""

import re

from recollect.model.words import stemmer
from recollect.policy.reversals import endings, families
from recollect.policy.reversals.reader import read
from recollect.policy.reversals.statement import Statement
from recollect.policy.reversals.words import tokens

SHORTEST_ALIAS = 4
"""Letters of a name that stand for it: "Mongo" for MongoDB, "rabbit" for RabbitMQ."""
_GENERIC = (
    "listen listens expire expires live lives last lasts take takes start starts begin begins run runs happen happens"
    " go goes get gets keep kept retention limit size max maximum minimum port value number set stay time need needs"
    " require requires support supports store stored show shown use used own owns belong belongs question questions"
    " ask thing rule service version target up first"
)
GENERIC = frozenset(stemmer.stem(word) for word in _GENERIC.split())
"""Words that say how a value is meant, and not of what it is."""
_LEFT = re.compile(
    r"^\s*(?:left|quit|leaves|moved (?:to|on)|retired|(?:is|are) (?:gone|out|history)|(?:was|were) too \w+)\b",
    re.IGNORECASE,
)
_GIVES_UP = re.compile(
    r"\b(?:off|leaving|ditching|dropp(?:ed|ing)|forget|drop|replac(?:ed|ing)|without|not|no|than) (?:the )?$",
    re.IGNORECASE,
)
"""What stands behind, and what stands before a name that is given up."""
NEAR_CHARS = 40
"""How far from a name the words stand that give it up."""
VALUES = ("number", "duration", "size")


def takes_back(new: str, old: str) -> bool:
    """Whether a newer sentence certainly takes an older one back, by what both are about."""
    newer, older = read(new), read(old)
    if not newer.has_turn and not endings.has_ended(new):
        return False
    return not newer.is_exception and (_names_the_old(new, newer, old, older) or _has_other_value(newer, older))


def _names_the_old(new: str, newer: Statement, old: str, older: Statement) -> bool:
    """Whether a name or a value of the older sentence is given up, and both are about the same."""
    named = _names(old)
    for name in named:
        place, before = _place(name, new), _place(name, old)
        if place is None or before is None or not _is_given_up(new, *place) or _is_given_up(old, *before):
            continue
        if _shares_subject(newer, older, {stemmer.stem(word.lower()) for word in named}):
            return True
    wanted = frozenset(value for sort in VALUES for value in older.values.get(sort, ())) - older.old_values
    given = newer.old_values & wanted
    return bool(given) and _shares_subject(newer, older, set(given))


def _names(sentence: str) -> list[str]:
    """Return the names of products and people in a sentence."""
    found = tokens(sentence)
    return [
        token.raw
        for position, token in enumerate(found)
        if (_is_choice(token.word) and token.stem not in GENERIC)
        or (position and token.raw[:1].isupper())
        or _has_hump(token.raw)
    ]


def _is_choice(word: str) -> bool:
    return any(family.is_choice for family in families.families(word))


def _has_hump(word: str) -> bool:
    return word[:1].isupper() and any(sign.isupper() for sign in word[1:])


def _place(name: str, sentence: str) -> tuple[int, int] | None:
    """Return where a sentence has a name, or a word that stands for it: the beginning of one of both, long enough."""
    lower = name.lower()
    for word in re.finditer(r"[\w.+#-]+", sentence):
        other = word[0].lower().rstrip(".")
        is_alias = min(len(lower), len(other)) >= SHORTEST_ALIAS and (
            lower.startswith(other) or other.startswith(lower)
        )
        if other == lower or is_alias:
            return word.start(), word.start() + len(other)
    return None


def _is_given_up(sentence: str, start: int, end: int) -> bool:
    """Whether the words around a name give it up."""
    first = max(sentence.rfind(mark, 0, start) for mark in (",", ";", ".")) + 1
    ends = [place for mark in (",", ";", ". ") if (place := sentence.find(mark, end)) >= 0]
    before, after = sentence[first:start][-NEAR_CHARS:], sentence[end : min(ends, default=len(sentence))][:NEAR_CHARS]
    return endings.has_ended(f"{before}it{after}") or bool(_GIVES_UP.search(before) or _LEFT.search(after))


def _shares_subject(newer: Statement, older: Statement, names: "set[str]") -> bool:
    """Whether both sentences name the same subject beside the names.

    An older one that has none ("we use yarn") needs another name of the same family in the newer one.
    """
    about = {stem for family in older.named.values() for stem in family} | names
    subject = older.words - about - older.about - GENERIC
    if subject:
        return bool(subject & newer.words)
    return any(newer.members[family] - older.members[family] for family in newer.members.keys() & older.members.keys())


def _has_other_value(newer: Statement, older: Statement) -> bool:
    """Whether both give a value of one sort for the same subject, and not the same value."""
    sorts = [sort for sort in VALUES if newer.values.get(sort) and older.values.get(sort)]
    if newer.is_negative or older.is_negative or not any(newer.values[sort] != older.values[sort] for sort in sorts):
        return False
    key, before = newer.key - GENERIC, older.key - GENERIC
    return bool(key) and key == before
