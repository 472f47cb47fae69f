"""Wrap text to the width of the terminal, or to 80 columns without one."""

import shutil
import textwrap

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


def width() -> int:
    """Return the number of columns that text may use."""
    return min(shutil.get_terminal_size().columns, WIDEST)


def wrapped(says: str, indent: str = "", most_lines: int = 1_000) -> str:
    """Return a text wrapped to the terminal, each line indented, cut after a number of lines."""
    lines = [
        part
        for line in says.splitlines()
        for part in textwrap.wrap(line, width() - len(indent), break_on_hyphens=False) or [""]
    ]
    shown = lines[:most_lines] + (["…"] if len(lines) > most_lines else [])
    return "\n".join(f"{indent}{line}".rstrip() for line in shown)
