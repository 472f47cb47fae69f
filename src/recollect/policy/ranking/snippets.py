"""The part of a text that a question is about, with the places of its words."""

from collections.abc import Sequence

WIDTH = 160
Span = tuple[int, int]


def snippet(text: str, spans: Sequence[Span], width: int = WIDTH) -> tuple[str, list[Span]]:
    """The stretch with the most words in it, on one line, and where they stand there."""
    if not spans:
        return _line(text[:width], cut=len(text) > width), []
    start = max((one for one, _ in spans), key=lambda start: sum(start <= one < start + width for one, _ in spans))
    begin = max(0, start - width // 4)
    end = min(len(text), begin + width)
    head = "…" if begin else ""
    inside = [(one - begin + len(head), two - begin + len(head)) for one, two in spans if begin <= one and two <= end]
    return head + _line(text[begin:end], cut=end < len(text)), inside


def _line(text: str, *, cut: bool) -> str:
    """Each blank and line end a space, so that places stay where they are."""
    return "".join(" " if sign.isspace() else sign for sign in text) + ("…" if cut else "")
