"""The part of a text with the most matching words, and where they stand in it."""

import re
from collections.abc import Sequence

WIDTH = 160
Span = tuple[int, int]
_BLANK = re.compile(r"\s")


def snippet(text: str, spans: Sequence[Span], width: int = WIDTH) -> tuple[str, list[Span]]:
    """Return the stretch of `width` characters with the most matches, on one line, and the matches' spans in it."""
    if not spans:
        return _line(text[:width], cut=len(text) > width), []
    starts = [start for start, _ in spans]
    start = max(starts, key=lambda first: sum(first <= start < first + width for start in starts))
    begin = max(0, start - width // 4)
    end = min(len(text), begin + width)
    head = "…" if begin else ""
    shift = len(head) - begin
    inside = [(first + shift, last + shift) for first, last in spans if begin <= first and last <= end]
    return head + _line(text[begin:end], cut=end < len(text)), inside


def _line(text: str, *, cut: bool) -> str:
    """Return the text with a space for each blank and line end, so that positions stay the same."""
    return _BLANK.sub(" ", text) + ("…" if cut else "")
