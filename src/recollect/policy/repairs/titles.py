"""Titles of what comes from commands: at most twelve words, names and paths as they are written."""

import re

MOST_WORDS, MOST_CHARS = 12, 110
# What stands before the error in a line: a place in a file, a log's tag and level.
_PLACE = re.compile(r"^(?:at )?[\w./\\@-]+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:?\s+")
_TAG = re.compile(r"^(?:\[[\w:./-]{1,30}\]\s*|[^\w\s]\s+)*(?:(?:ERROR|FATAL|WARN(?:ING)?|CRITICAL)\b[\s:\]-]*)?")
_QUOTED = re.compile(r"`([^`]*)`")
_ERROR_WORD = re.compile(r"^(?:error|fatal|fatal error|err!): (?=(?:\S+ ){3}\S)", re.IGNORECASE)
_TEST_NAME = re.compile(r"^(?:[Tt]est\w*(?:/\S+)?|\w+_\w+|[A-Z]\w+\.\w+(?:\(\))?): ")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
LEAST_WORDS = 4
_BREAK = re.compile(r"[:;,.)\u2014-]+$")
_WORD = re.compile(r"[A-Za-z]{3,}")
TELLING_WORDS = 4
"""An assertion with so many words says what is wrong without the name of its test."""
# Words that a title cannot end with.
_OPEN_END = frozenset(
    [
        "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "but", "as", "is",
        "are", "was", "were", "be", "that", "this", "its", "not", "no", "into", "it", "when", "if", "because",
        "after", "before", "inside", "outside", "while", "during", "named", "than", "via", "under", "over",
        "between", "=", "==", "!=", "->", "//", "+", "also",
    ]
)  # fmt: skip
# A first word that is no ordinary word: a path, a name in code, a flag.
_NAME = re.compile(r"[\d_/\\.:(){}\[\]@#$=<>-]|[a-z][A-Z]")


def error_title(line: str) -> str:
    """Return a line of an error as a title: without the place in a file, a log's tags and markup.

    The name of a test is left out where the assertion is long and says enough without it.
    """
    plain = _QUOTED.sub(r"\1", line.replace("**", "")).strip()
    for before in (_PLACE, _TAG, _PLACE, _ERROR_WORD):
        plain = before.sub("", plain) or plain
    test = _TEST_NAME.match(plain)
    is_long = len(plain.split()) > MOST_WORDS or len(plain) > MOST_CHARS
    message = plain[test.end() :] if test else plain
    return short_title(message if is_long and len(_WORD.findall(message)) >= TELLING_WORDS else plain)


def short_title(text: str, most_words: int = MOST_WORDS) -> str:
    """Return the first twelve words of a text at most, cut where a part of the sentence ends if there is one."""
    words = text.split()
    if len(words) > most_words or len(text) > MOST_CHARS:
        words = _cut(words[:most_words])
    title = " ".join(words).rstrip(" :;,.\u2014-")
    first = title.split(" ", 1)[0]
    return title if not title or _NAME.search(first) else title[0].upper() + title[1:]


def _cut(words: list[str]) -> list[str]:
    """Return words up to the last end of a part of a sentence, at least four; else all without an open end."""
    while len(" ".join(words)) > MOST_CHARS and len(words) > 1:
        words = words[:-1]
    words = _without_open_bracket(words)
    ends = [place for place, word in enumerate(words, 1) if _BREAK.search(word) and place >= LEAST_WORDS]
    is_close = bool(ends) and (words[ends[-1] - 1][-1] != ":" or len(words) - ends[-1] <= LEAST_WORDS)
    if is_close:
        return words[: ends[-1]]
    while len(words) > 1 and words[-1].lower() in _OPEN_END:
        words = words[:-1]
    return words


def _without_open_bracket(words: list[str]) -> list[str]:
    """Return words up to the bracket that is opened and not closed; all if there is none, or it comes too early."""
    text = " ".join(words)
    opened = max((text.rfind(sign) for sign, other in _BRACKETS if text.count(sign) > text.count(other)), default=-1)
    before = text[: max(opened, 0)].split()
    return before if len(before) >= LEAST_WORDS else words
