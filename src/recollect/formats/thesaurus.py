"""Synonyms of developers' words, from `thesaurus.txt`: a group of words per line, written by hand."""

from functools import cache
from importlib import resources

LIKENESS = 0.5
"""The weight of a synonym relative to the word of the question."""


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    """Return the groups of synonyms. A word that stands in two groups does not join them."""
    source = resources.files(__package__).joinpath("thesaurus.txt").read_text("utf-8")
    return tuple(tuple(line.split()) for line in source.splitlines() if line.strip())
