"""Flags of a text: whether it contains a time, a number or a name, or is a question. Worker only."""

import re

from recollect.policy.ranking.fusion import BY_A_PERSON, HAS_NAME, HAS_NUMBER, HAS_TIME, IS_QUESTION

HEAD_CHARS = 600
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|past) (?:week|month|year|night|weekend|summer|winter|"
    r"spring|fall|autumn)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|ago|[12][09]\d\d)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|once|twice|several|couple)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[a-z,] [A-Z][a-z]")


def of(text: str, *, by_a_person: bool) -> int:
    """Return the flags of a text, from its first 600 characters."""
    head = text[:HEAD_CHARS]
    flags = HAS_TIME * bool(_TIME.search(head)) | HAS_NUMBER * bool(_NUMBER.search(head))
    flags |= HAS_NAME * bool(_NAME.search(head)) | IS_QUESTION * text.rstrip().endswith("?")
    return flags | BY_A_PERSON * by_a_person
