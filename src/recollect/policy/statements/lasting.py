"""What a user's sentence says beside its statement: the words that lead up to it, and those that say that it lasts."""

import re
from typing import NamedTuple

from recollect.policy.rule import any_of, table

NONE = "none"
PLAIN, LIKELY = 0.85, 0.7
"""The certainty of what lasts in so many words, and of what lasts by its meaning."""

# -- words that lead up to a statement ---------------------------------------------------------------------------------

_SEPARATOR = r"[\s,.:;!\u2013\u2014-]*"
_FILLERS = (
    r"(?:oh and|oh btw|and|but|also|so|ok|okay|btw|by the way|please|pls|kindly|hi|hey|hello|alright|übrigens|ach ja"
    r"|nebenbei|por cierto"
    r"|au fait|actually|then|übrigens|ach ja|nebenbei|por cierto|au fait)\b|(?:yes|yeah|yep|no|nope|nah|hm+|ah+|oh+"
    r"|right|wrong|good|fine|great|well|nice|cool|thanks|thank you|thx|perfect|sorry|wait|correct"
    r"|true)\b(?=\s*[,.:;!\u2013\u2014-])"
)
# Words that announce something to keep: "remember: …", "one rule for the future: …".
_ANNOUNCED = (
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|don'?t forget|mind you)(?: (?:also"
    r"|please))?(?: (?:this|that|it) for [^:]{1,40}(?= ?:)| that\b|(?=[ ]*[:,-])|(?= (?:we|our|all|the|every"
    r"|to (?:always|never))\b))|(?:just )?(?:fyi|for your information|for (?:future )?reference|for the record"
    r"|for context|important|heads[ -]?up|reminder|just so (?:you|that you) know|so you know|in case you (?:wonder"
    r"|need it)|good to know|background|note)\b(?: that\b)?|(?:one|another|some|a|small|quick|general|house|two|last"
    r"|first|our|my|the|new|also)(?: (?:more|other|general|house|last|quick|small|new|project|team|coding|important"
    r"|standing))* (?:thing|rule|remark|note|point|wish|convention|preference|reminder|ground rule"
    r"|request)s?(?: (?:for|about|on|before|in|of|to)\b[^:.!?]{0,40})?(?= ?[:,-])|(?:here(?:'s| is)|this is"
    r"|these are) (?:my|our|a|one|the) [^:.!?]{0,40}\b(?:rule|convention|preference|policy"
    r"|style)s?\b[^:.!?]{0,30}(?=:)|(?:rule|convention|conventions|naming|style|code style|preference|constraint"
    r"|limit|policy|fact|decision)(?= ?:)"
)
_LEAD = re.compile(rf"^(?:[\s(*_\"'-]*(?:{_FILLERS}|{_ANNOUNCED}){_SEPARATOR})+", re.IGNORECASE)

# -- words that say that it lasts --------------------------------------------------------------------------------------

EXPLICIT = table(
    (
        (
            "always",
            (
                r"\b(?:(?:always|never)\b(?! \w+ed\b)|at all times|under no circumstances|without exception"
                r"|no exceptions|every single time)"
            ),
            "always run the linter",
        ),
        (
            "from now on",
            (
                r"\b(?:from (?:now|here|today) on|going forward|henceforth|in (?:the )?future|for the future"
                r"|as a (?:general )?rule|by convention|house rule|as a habit|next time)\b"
            ),
            "from now on use pnpm",
        ),
        ("wish", r"\bi (?:\w+ )?(?:prefer|hate|dislike)\b|\b(?:please|pls) remember\b", "I prefer tabs"),
        (
            "decided",
            (
                r"\b(?:we|i)(?:'ve| have)? (?:\w+ )?(?:decided|agreed|settled|chosen|chose|opted|standardi[sz]ed)\b"
                r"|\bwe(?:'re| are) (?:going with|moving to|switching to|staying (?:with|on))\b"
            ),
            "we decided to use event sourcing",
        ),
    ),
    re.IGNORECASE,
)
_EXPLICIT = any_of(EXPLICIT)
_ANNOUNCES = re.compile(_ANNOUNCED, re.IGNORECASE)
_FROM_NOW_ON = re.compile(
    r"\b(?:from (?:now|here|today) on|going forward|henceforth|as a (?:general )?rule|by convention|house rule)\b",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"^(?:no|nope|wrong)\b[\s,.!:]*(?:please )?(?:use|take) (?!(?:it|that|this|the|a|an|your|my)\b)[\w@/.+-]+"
    r"(?:,? (?:not|instead of) [\w@/.+-]+)?(?:,? (?:please|instead|here|in this repo))?\W*$",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:for (?:now|the moment|this (?:one|time|pr|change|test|run|experiment))|this (?:once|time)|just once"
    r"|in this (?:change|pr|commit|branch|file|turn|function|test|case)|until i|right now|yet)\b",
    re.IGNORECASE,
)


class Verdict(NamedTuple):
    """The kind of memory that a sentence would be, `none` if it states nothing lasting, and how certain that is."""

    kind: str
    certainty: float


NOTHING = Verdict(NONE, PLAIN)


def bare(sentence: str) -> str:
    """Return a sentence without the words that lead up to it: "By the way: …", "ok, remember that …"."""
    rest = _LEAD.sub("", sentence.strip()).strip(" \t*_-")
    return rest or sentence.strip()


def is_explicit(sentence: str) -> bool:
    """Whether a sentence says in so many words that it lasts ("always", "remember: …"), and not that it is for now."""
    return is_a_rule(sentence) or (bool(_EXPLICIT.search(sentence)) and not _ONCE.search(sentence))


def is_a_rule(sentence: str) -> bool:
    """Whether the form of a sentence leaves no doubt: "from now on …", "remember: …", "no, use pnpm"."""
    said = sentence.strip()
    lead = _LEAD.match(said)
    is_announced = lead is not None and bool(_ANNOUNCES.search(lead[0]))
    is_lasting = is_announced or bool(_FROM_NOW_ON.search(said)) or bool(_CORRECTION.match(said))
    return is_lasting and not _ONCE.search(said)
