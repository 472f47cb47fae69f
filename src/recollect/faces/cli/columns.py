"""Text that fits a terminal: aligned columns and wrapped paragraphs. Characters of double width are counted twice."""

import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from recollect.lazy import load

GAP = 2
LEAST = 12
"""A column that is cut keeps this many characters; an optional one with less room is left out."""

READABLE = 100
"""Longer lines of prose are tiring to read, however wide the terminal is."""
UNKNOWN_SIZE = (80, 24)

Style = Mapping[str, Any]
"""Keyword arguments of click.style."""


def terminal_size() -> tuple[int, int]:
    """Return the columns and lines of the terminal, as the environment or the terminal says; else 80 and 24.

    As `shutil.get_terminal_size`, which loads every archive format.
    """
    said = [os.environ.get(name, "") for name in ("COLUMNS", "LINES")]
    try:
        found: tuple[int, int] = os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        found = UNKNOWN_SIZE
    wide, high = (int(given) if given.isdigit() else 0 for given in said)
    return wide or found[0] or UNKNOWN_SIZE[0], high or found[1] or UNKNOWN_SIZE[1]


def terminal_width() -> int:
    """Return the columns of the terminal."""
    return terminal_size()[0]


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_width_of_sign(sign) for sign in text)


def _width_of_sign(sign: str) -> int:
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def cut(text: str, width: int) -> str:
    """Return the beginning of a text that fits a width, with an ellipsis if something is missing."""
    if width_of(text) <= width:
        return text
    kept, taken = "", 0
    for sign in text:
        taken += _width_of_sign(sign)
        if taken > width - 1:
            break
        kept += sign
    return kept.rstrip() + "…"


def pad(text: str, width: int) -> str:
    """Return a text with spaces behind it, up to a width."""
    return text + " " * (width - width_of(text))


def lines(
    heads: Sequence[str], rows: Sequence[Sequence[str]], styles: Sequence[Mapping[str, Style]] = (), *,
    width: int | None, cuts: Sequence[str], spare: str = "",
) -> Iterator[str]:  # fmt: skip
    """Yield a line of heads and one line per row, with aligned columns.

    With a `width`, the column `spare` is cut to fit or left out, then the columns named in `cuts` are cut, the first
    of them first. Columns without a cell are left out. `styles` has, for each row, the style of a column by its head.
    """
    shown = [place for place in range(len(heads)) if not rows or any(row[place] for row in rows)]
    sizes = [max(width_of(heads[place]), *(width_of(row[place]) for row in rows), 0) for place in shown]
    names = [heads[place] for place in shown]
    sizes = _fitted(names, sizes, width, cuts, spare) if width else sizes
    yield click.style(_joined(names, sizes, [{}] * len(names)).rstrip(), bold=True)
    for number, row in enumerate(rows):
        style = styles[number] if styles else {}
        yield _joined([row[place] for place in shown], sizes, [style.get(name, {}) for name in names]).rstrip()


def _fitted(names: Sequence[str], sizes: Sequence[int], width: int, cuts: Sequence[str], spare: str) -> list[int]:
    """Return sizes that fit a width, as far as the columns that may be cut allow it."""
    fitted = list(sizes)
    for name in (spare, *cuts):
        over = sum(fitted) + GAP * (sum(size > 0 for size in fitted) - 1) - width
        if over > 0 and name in names:
            place = names.index(name)
            left = fitted[place] - over
            fitted[place] = 0 if name == spare and left < LEAST else max(left, LEAST)
    return fitted


def _joined(cells: Sequence[str], sizes: Sequence[int], styles: Sequence[Style]) -> str:
    shown = [place for place, size in enumerate(sizes) if size]
    padded = [pad(cut(cells[place], sizes[place]), sizes[place]) for place in shown]
    padded[-1:] = [cell.rstrip() for cell in padded[-1:]]
    return (" " * GAP).join(
        click.style(cell, **styles[place]) if cell and any(styles[place].values()) else cell
        for place, cell in zip(shown, padded, strict=True)
    )


def wrapped(text: str, width: int | None, indent: str = "", most_lines: int | None = None) -> str:
    """Return a text of several lines, each wrapped at a width behind an indent; not wrapped without a width.

    Words that are longer than a line stay whole, so that a path can be copied. What is behind `most_lines` is left out.
    """
    if width is None:
        found = [f"{indent}{line}".rstrip() for line in text.splitlines()]
    else:
        found = "\n".join(_wrapped_line(line, width, indent) for line in text.splitlines()).split("\n")
    if most_lines is not None and len(found) > most_lines:
        found = [*found[:most_lines], f"{indent}…"]
    return "\n".join(found)


def hanging(text: str, width: int | None, taken: int, indent: int) -> str:
    """Return a text that begins behind `taken` columns of a line and goes on behind an indent; one line if piped."""
    if width is None:
        return text
    lines = load("textwrap").wrap(
        text, max(width, taken + LEAST), initial_indent=" " * taken, subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)[taken:]


def _wrapped_line(line: str, width: int, indent: str) -> str:
    """Wrap one line; the rest of a list item stands below its text, and a line without spaces stays whole."""
    bare = line.lstrip(" ")
    hanging = indent + " " * (len(line) - len(bare) + (2 if bare.startswith(("- ", "* ")) else 0))
    begin = indent + line[: len(line) - len(bare)]
    return (
        load("textwrap").fill(
            bare, width, initial_indent=begin, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
        )
        or indent.rstrip()
    )
