"""What developers say for one another: `thesaurus.txt`, a group of words a line, written by hand."""

from functools import cache
from importlib import resources

LIKENESS = 0.5
"""How much a word of the same group counts for the one that was asked."""


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    """The groups; each word may stand for the others of its line, not for theirs."""
    said = resources.files(__package__).joinpath("thesaurus.txt").read_text("utf-8")
    return tuple(tuple(line.split()) for line in said.splitlines() if line.strip())
