"""Titles of what comes from commands: at most ten words, names and paths as they are written."""

import re

MOST_WORDS, MOST_CHARS = 10, 100
# What stands before the error in a line: a place in a file, a log's tag and level.
_PLACE = re.compile(r"^(?:at )?[\w./\\@-]+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:?\s+")
_TAG = re.compile(r"^(?:\[[\w:./-]{1,30}\]\s*|[^\w\s]\s+)*(?:(?:ERROR|FATAL|WARN(?:ING)?|CRITICAL)\b[\s:\]-]*)?")
_MARKUP = re.compile(r"\*\*|`|__")
_BREAK = re.compile(r"[:;,.)\u2014-]+$")
_WORD = re.compile(r"[A-Za-z]{3,}")
_ERROR_CLASS = re.compile(r"(?:Error|Exception|Failure|Panic|Timeout)$|^(?:error|fatal|panic)\b", re.IGNORECASE)
TELLING_WORDS = 4
"""An assertion with so many words says what is wrong without the name of its test."""
# Words that a title cannot end with.
_OPEN_END = frozenset(
    [
        "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "but", "as", "is",
        "are", "was", "were", "be", "that", "this", "its", "not", "no", "into", "than", "it", "when", "if", "because", "after",
        "before", "=", "==", "!=", "->", "//",
    ]
)  # fmt: skip
# A first word that is no ordinary word: a path, a name in code, a flag.
_NAME = re.compile(r"[\d_/\\.:(){}\[\]@#$=<>-]|[a-z][A-Z]")


def error_title(line: str) -> str:
    """Return a line of an error as a title: without the place in a file, a log's tags and markup."""
    plain = _TAG.sub("", _PLACE.sub("", _MARKUP.sub("", line).strip())) or line
    whole = _PLACE.sub("", plain) or plain
    test, _, message = whole.partition(": ")
    is_long = len(whole.split()) > MOST_WORDS or len(whole) > MOST_CHARS
    is_telling = " " not in test and len(_WORD.findall(message)) >= TELLING_WORDS
    return short_title(message if is_long and is_telling and not _ERROR_CLASS.search(test) else whole)


def short_title(text: str) -> str:
    """Return the first ten words of a text at most, cut where a part of the sentence ends if there is such a place."""
    words = text.split()
    if len(words) > MOST_WORDS or len(text) > MOST_CHARS:
        words = _cut(words[:MOST_WORDS])
    title = " ".join(words).rstrip(" :;,.\u2014-")
    first = title.split(" ", 1)[0]
    return title if not title or _NAME.search(first) else title[0].upper() + title[1:]


def _cut(words: list[str]) -> list[str]:
    """Return words up to the last end of a part of a sentence, at least four; else all without an open end."""
    while len(" ".join(words)) > MOST_CHARS and len(words) > 1:
        words = words[:-1]
    ends = [place for place, word in enumerate(words, 1) if _BREAK.search(word) and place >= 4]
    if ends:
        return words[: ends[-1]]
    while len(words) > 1 and words[-1].lower() in _OPEN_END:
        words = words[:-1]
    return words
