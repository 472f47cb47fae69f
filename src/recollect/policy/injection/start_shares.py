"""How the text at session start is shared out: a table of rows, and what fits into each. Pure and import-light."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from recollect.model.found_memory import FoundMemory

    class Taker(Protocol):
        """A row that can take space more than once."""

        share: "Share"
        taken: "list[Line]"

        def take(self, room: float) -> float:
            """Use up to `room` characters, and return what is left of them."""

        def sections(self) -> list[str]:
            """Return the texts of the row."""


CHARS_OF_A_TOKEN = 4
CHARS_OF_A_WORD = CHARS_OF_A_TOKEN / 0.75  # D45: words / 0.75 are tokens
GAP = 2
"""Characters between two sections."""


class Share:
    """A row of the table: its name, its percentage of the space, and what it holds."""

    __slots__ = ("holds", "name", "percent")

    def __init__(self, name: str, percent: int, holds: str) -> None:
        self.name, self.percent, self.holds = name, percent, holds


SHARES = (
    Share("profile", 16, "about the user: USER.md of the person, then of the project"),
    Share("always", 24, "rules that always hold: pinned memories and strong preferences, in the user's own words"),
    Share("replaced", 6, "memories that others replaced since the last session"),
    Share("open end", 8, "what the last session left unfinished; nothing if it was finished"),
    Share("constraints", 14, "constraints, by use and recency"),
    Share("decisions", 16, "decisions, by use and recency"),
    Share("more", 8, "other preferences, then notes and the like"),
    Share("topics", 8, "titles of the last sessions, and of work that was noted"),
)
"""Rows get space and are shown in this order."""


def size(text: str) -> float:
    """Return how many characters a text counts for, four to a token; short words and other scripts count for more."""
    return max(
        len(text) if text.isascii() else len(text.encode("utf-8", "replace")), len(text.split()) * CHARS_OF_A_WORD
    )


class Line:
    """A line of a row: the label that it stands under, its text, and the memory that it tells of."""

    __slots__ = ("is_whole", "label", "memory", "text")

    def __init__(self, label: str, text: str, memory: "FoundMemory | None" = None, *, is_whole: bool = False) -> None:
        self.label, self.text, self.memory = label, text, memory
        self.is_whole = is_whole
        """Whether the line says all that the memory says."""


class Row:
    """Lines that are taken in order, as long as they fit."""

    __slots__ = ("_lines", "_waiting", "share", "taken")

    def __init__(self, share: Share, lines: "Iterable[Line]") -> None:
        self.share, self._lines = share, iter(lines)
        self._waiting: Line | None = None
        self.taken: list[Line] = []

    def take(self, room: float) -> float:
        """Take lines until the next one needs more than `room` characters; return what is left."""
        while (line := self._waiting or next(self._lines, None)) is not None:
            needed = size(line.text) + 1
            if all(line.label != other.label for other in self.taken):
                needed += size(line.label) + GAP
            if needed > room:
                self._waiting = line
                break
            room -= needed
            self._waiting = None
            self.taken.append(line)
        return room

    def sections(self) -> list[str]:
        """Return a text per label: the label, then its lines."""
        labels: dict[str, list[str]] = {}
        for line in self.taken:
            labels.setdefault(line.label, []).append(line.text)
        return ["\n".join([label, *lines]) for label, lines in labels.items()]


def fill(rows: "Sequence[Taker]", room: float) -> None:
    """Give each row its share of the space and what the rows before it left; then what all left, in the same order."""
    left = 0.0
    for row in rows:
        left = row.take(left + room * row.share.percent / 100)
    for row in rows:
        left = row.take(left)
