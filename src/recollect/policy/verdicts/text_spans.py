"""Pieces of a text with their places: sentences, and what stands in backticks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

# A full stop ends a sentence only before a space and a capital, a backtick or the end: `a.py` and `1.2` go on.
END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z`\"'(\[<*-])|\n+")
CODE = re.compile(r"`([^`\n]{1,200})`")
LONG_WORD = re.compile(r"\S{161,}")
MOST_SENTENCE_CHARS = 1_500
"""No path and no name is longer than a LONG_WORD; nobody writes a longer sentence."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text."""

    start: int
    end: int
    text: str
    is_code: bool = False
    """Whether it stands in backticks."""


def words(text: str) -> frozenset[str]:
    """Return the words of a table that is written as a text."""
    return frozenset(text.split())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; lines are sentences of their own, and very long ones are cut."""
    bare = LONG_WORD.sub(" ", text)
    return [part[:MOST_SENTENCE_CHARS] for part in END.split(bare) if part.strip()]


def code_spans(text: str) -> list[Span]:
    """Return what stands in backticks, without them."""
    return [Span(*match.span(1), match[1], is_code=True) for match in CODE.finditer(text) if match[1]]


def is_in_code(spans: Iterable[Span], start: int) -> bool:
    """Return whether a place of a text is in backticks."""
    return any(span.start <= start < span.end for span in spans)


def mask(text: str, spans: Iterable[Span]) -> str:
    """Return a text with spaces where spans are, so that nothing is read twice and every place stays."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
