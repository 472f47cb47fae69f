"""A terminal as a person sees it: what is on the screen after a program has written, with or without colours."""

from collections.abc import Iterator

import pyte
from pyte.screens import Char

COLOURS = {"black": 30, "red": 31, "green": 32, "brown": 33, "blue": 34, "magenta": 35, "cyan": 36, "white": 37}
"""The codes of pyte's names of colours."""
DIM, NOT_DIM, BLINK, NOT_BLINK = 2, 22, 5, 25


class Screen(pyte.Screen):
    """A screen that knows dim text, which pyte does not: it is kept as blinking text, which nothing here is."""

    def select_graphic_rendition(self, *attrs: int) -> None:
        super().select_graphic_rendition(*({DIM: BLINK, NOT_DIM: NOT_BLINK}.get(code, code) for code in attrs))


def screen_lines(written: str, columns: int) -> list[str]:
    """Return the lines that a terminal of this width shows, with the codes of colours and styles."""
    rows = written.count("\n") + sum(len(line) // columns for line in written.splitlines()) + 2
    screen = Screen(columns, rows)
    pyte.Stream(screen).feed(written)
    lines = ["".join(_styled(screen.buffer[row][place] for place in range(columns))) for row in range(rows)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _styled(cells: Iterator[Char]) -> Iterator[str]:
    """Yield the cells of a line, with a code wherever the style changes; blank cells at the end are left out."""
    styled = [(_codes(cell), cell.data) for cell in cells]
    while styled and styled[-1][1] == " ":
        styled.pop()
    before = ""
    for codes, sign in styled:
        if codes != before:
            yield ("\x1b[0m" if before else "") + (f"\x1b[{codes}m" if codes else "")
        before = codes
        yield sign
    if before:
        yield "\x1b[0m"


def _codes(cell: Char) -> str:
    codes = [1] * cell.bold + [DIM] * cell.blink + [4] * cell.underscore + [7] * cell.reverse
    return ";".join(map(str, [*codes, *([COLOURS[cell.fg]] if cell.fg != "default" else [])]))
