"""LONGMEMORY.md: long-term summaries, one block for each run, in the order of their days (C17, C19)."""

import re
from typing import NamedTuple

HEADER = "# LONGMEMORY.md — Long-term summaries"
SUMMARY_CHARS = 8_000
"""How much of a merged text a block keeps."""
CUT_NOTE = "[... cut to fit log.long_memory_chars]"

_HEADING = re.compile(r"## Summary \(([0-9]{4}-[0-9]{2}-[0-9]{2})\)[ \t\r]*")
_LIKE_HEADING = re.compile(r"^(?=## Summary \()", re.MULTILINE)


class Block(NamedTuple):
    """A summary and its day."""

    day: str
    body: str

    @property
    def text(self) -> str:
        """The block as the file has it."""
        return f"## Summary ({self.day})\n\n{self.body}\n"


def with_summary(source: str | None, day: str, merged: str, *, most_chars: int) -> str:
    """Return the file with a summary added in the order of days, within `most_chars` (0: no limit).

    The oldest blocks go first; a single block that is longer than the file may be is cut, with a note. Text before the
    first block stays. `source` is None where there is no file yet.
    """
    head, blocks = parse(source if source is not None else f"{HEADER}\n")
    body = _LIKE_HEADING.sub("\\\\", merged[:SUMMARY_CHARS]).strip()
    ordered = sorted([*blocks, Block(day, body)], key=lambda block: block.day)
    while most_chars and len(ordered) > 1 and len(_joined(head, ordered)) > most_chars:
        ordered.pop(0)
    over = len(_joined(head, ordered)) - most_chars if most_chars else 0
    if over > 0:
        last = ordered[0]
        room = max(0, len(last.body) - over - len(CUT_NOTE) - 2)
        ordered = [Block(last.day, f"{last.body[:room].rstrip()}\n\n{CUT_NOTE}".strip())]
    return _joined(head, ordered)


def parse(source: str) -> tuple[str, list[Block]]:
    """Return the text before the first block, and the blocks as they stand; what follows a heading is its block's."""
    head: list[str] = []
    blocks: list[tuple[str, list[str]]] = []
    for line in source.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading:
            blocks.append((heading[1], []))
        else:
            (blocks[-1][1] if blocks else head).append(line)
    return "\n".join(head).strip("\n"), [Block(day, "\n".join(lines).strip("\n")) for day, lines in blocks]


def _joined(head: str, blocks: list[Block]) -> str:
    parts = [f"{head}\n"] if head else []
    return "\n".join([*parts, *(block.text for block in blocks)])
