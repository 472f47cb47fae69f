"""Values of a statement: numbers with their units, paths and identifiers, names of families."""

import re
from collections.abc import Iterable, Sequence

from recollect.policy.reversals import families
from recollect.policy.reversals.words import DURATIONS, IS, SIZES, USE, Token

_ASKED_OF = re.compile(r"\b(?i:ask|asks|ping|contact|frag|fragt|tag|assign)\s+([A-Z][\w-]+)")
_OWNED_BY = re.compile(r"\b(?:owned|maintained|led|handled|reviewed|run|managed)\s+by\s+([A-Z][\w-]+)")
_OWNS = re.compile(
    r"(?:^|\W)([A-Z][\w-]+)\s+(?:now\s+)?(?:owns|maintains|leads|handles|reviews|runs"
    r"|manages|approves|is responsible|is the owner|is in charge)\b"
)
_IS_NAME = re.compile(
    r"\b(?:owner|maintainer|lead|contact|reviewer|approver|manager"
    r"|expert)\b[^.;]{0,40}?\b(?:is|ist)\s+(?:now\s+)?([A-Z][\w-]+)"
)
_IS_OWNER = re.compile(
    r"(?:^|\W)([A-Z][\w-]+)\s+is\s+(?:now\s+)?(?:the|our)\s+(?:new\s+)?(?:owner"
    r"|maintainer|lead|contact|reviewer|approver|manager|expert)\b"
)
PERSONS = (_ASKED_OF, _OWNED_BY, _OWNS, _IS_NAME, _IS_OWNER)
COMPLEMENT = re.compile(
    r"\b(?P<head>[\w-]+)(?:\s+(?:in|on|of|for)\s+[\w./-]+(?:\s[\w./-]+)?)?\s+(?:is"
    r"|are|ist|sind|=)\s+(?:now\s+|jetzt\s+|set to\s+)?"
    r"(?P<value>[\w./+-]+(?:\s[A-Z][\w./+-]+)?)(?=\s*(?:[,;.!:]|$|\b(?:now"
    r"|instead|jetzt|since|rather|from now on|again)\b))"
)
_BEFORE_VALUES = ("to", ":", "at", "auf", "ist", "sind", "は")
MEASURED = ("number", "duration", "size", "path")
"""Sorts of values that are no names."""


def sorts(words: Sequence[Token], position: int) -> Iterable[tuple[str, str]]:
    """Yield the sort and the value of a word that is a value: a number by its unit, a path, a name of a family."""
    token = words[position]
    if token.is_number and not token.word.startswith(("#", "$#")):
        yield _number(token.word, words[position + 1] if position + 1 < len(words) else None)
    elif token.is_name and not families.families(token.word):
        yield "path", token.raw.rstrip("/")
    for family in families.families(token.word):
        if not family.is_choice:
            yield family.name, token.word


def _number(word: str, after: Token | None) -> tuple[str, str]:
    """Return the sort and the value of a number; durations are in seconds, so that 60 s and 1 minute are the same."""
    match = re.match(r"([\d.,:_]*\d)[.,:_]*([a-z%]*)", word)
    digits, unit = (match[1].replace("_", ""), match[2]) if match else (word, "")
    unit = unit or (after.stem if after and is_unit(after) else "")
    scale = DURATIONS.get(unit) or DURATIONS.get(unit.removesuffix("s"))
    if scale is not None and digits.replace(".", "", 1).isdigit():
        return "duration", f"{float(digits) * scale:g}"
    return ("size", f"{digits}{unit}") if unit in SIZES else ("number", f"{digits}{unit if unit == '%' else ''}")


def is_unit(token: Token) -> bool:
    """Whether a word is a unit of time or size."""
    return any(word in DURATIONS or word in SIZES for word in (token.word, token.stem, token.word.removesuffix("s")))


def is_setting(words: Sequence[Token]) -> bool:
    """Whether the first value stands behind "is", "to", "use" or a colon: "the port is 8080"."""
    is_value = (any(True for _ in sorts(words, position)) for position in range(len(words)))
    first = next((position for position, found in enumerate(is_value) if found), None)
    before = words[:first] if first is not None else ()
    return any(
        token.word in IS or token.word in USE or token.word in _BEFORE_VALUES or token.word.startswith("は")
        for token in before
    )
