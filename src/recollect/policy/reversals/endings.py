"""Words that say in English, German or Japanese that something has ended."""

import re

from recollect.policy.reversals import turns
from recollect.policy.rule import any_of, table

_OVER = (
    r"(?:gone|out|void|dead|history|over|obsolete|off the table|shut down|switched off|retired|pulled|ripped out"
    r"|removed|dropped|cancell?ed|replaced|renamed|withdrawn|abandoned|lifted|scrapped|deprecated|discontinued)"
)
ENDED = table(
    (
        ("no longer", r"\b(?:any ?more|any longer|no longer|no more)\b", "we don't use yarn any more"),
        ("instead of", r"\binstead of\b|\bnot [^,.;]{1,40}? but (?:rather )?\w", "pnpm instead of yarn"),
        (
            "is over",
            rf"\b(?:is|are|was|were|been|got|gets|we've|i've|we have|i have) (?:\w+ )?{_OVER}\b",
            "the yarn lockfile is gone",
        ),
        (
            "was given up",
            (
                r"\b(?:we|i|they|team|he|she) (?:cancell?ed|dropped|ditched|stopped|quit|abandoned|retired|replaced"
                r"|pulled|withdraw|withdrew|ripped)\b|\b\w+ stopped \w+ing\b"
            ),
            "we dropped yarn",
        ),
        (
            "forget it",
            r"^(?:ok(?:ay)?,? |so |please |pls )*(?:scrap|forget|scratch) (?:what|the|about|my|our|\w+ \w+)\b",
            "forget the rule about yarn",
        ),
        ("off it", r"\b(?:we're|we are|i'm|moved|got|are|now) off\b(?! the table)", "we're off yarn"),
        (
            "allowed again",
            r"\b(?:fine|ok|okay|allowed|used|welcome|back) again\b|\bchanged (?:our|my) minds?\b",
            "yarn is fine again",
        ),
        ("was a mistake", r"\bwas a mistake\b|\b(?:can|may) stop \w+ing\b", "moving to yarn was a mistake"),
        ("German", r"\bnicht (?:mehr|länger)\b|\bkein\w* \w+ mehr\b|\babgelöst\b|\babgeschafft\b", "kein yarn mehr"),
        ("Japanese", r"やめ|もう使|ではなく|廃止", "yarnは廃止"),
    ),
    re.IGNORECASE,
)
_ENDED = any_of(ENDED)
_CHANGES = re.compile(
    r"\b(?:bumped|shifted|upgraded|downgraded|renamed|lifted|raised|lowered|extended|relaxed)\b"
    r"|\b(?:moved|switched|migrated|went) (?:\w+ ){0,3}(?:to|from|over|off)\b",
    re.IGNORECASE,
)


def has_ended(sentence: str) -> bool:
    """Whether a sentence says in so many words that something has ended."""
    return bool(_ENDED.search(sentence))


def has_changed(sentence: str) -> bool:
    """Whether a sentence says in so many words that something is other than before, or has ended."""
    return bool(_CHANGES.search(sentence) or turns.IS_MARKED.search(sentence)) or has_ended(sentence)


def without_endings(sentence: str) -> str:
    """Return a sentence without the words that say that something has ended: what is left names it."""
    return _ENDED.sub(" ", sentence)
