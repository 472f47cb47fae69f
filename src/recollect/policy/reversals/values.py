"""Values of a statement: numbers with their units, paths and identifiers, names of families."""

import re
from collections.abc import Iterable, Sequence

from recollect.policy.reversals import families
from recollect.policy.reversals.words import DURATIONS, IS, SIZES, USE, Token

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
    return any(word in DURATIONS or word in SIZES for word in (token.word, token.stem, token.word.removesuffix("s")))


def is_setting(words: Sequence[Token]) -> bool:
    """Whether the first value stands behind "is", "to", "use" or a colon: "the port is 8080"."""
    for position, token in enumerate(words):
        if any(True for _ in sorts(words, position)):
            before = words[:position]
            return any(word.word in IS or word.word in USE or word.word in ("to", ":", "at", "auf", "ist", "sind", "は")
                       or word.word.startswith("は") for word in before)  # fmt: skip
    return False
