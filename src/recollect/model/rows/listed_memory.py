"""Memories as lists and `show` print them: a few columns, without the classes of the model, which load slowly."""

from typing import NamedTuple


class ListedMemory(NamedTuple):
    """A line of a list."""

    uid: str
    kind: str
    slug: str
    status: str
    project: str
    title: str
    created: float | None
    """Seconds since 1970; None if the time is unknown."""
    is_pinned: bool
    is_pending: bool
    """Captured, and not confirmed yet."""
    files: tuple[str, ...] = ()
    """The files that it is about."""


class LinkedMemory(NamedTuple):
    """A memory that another one has to do with."""

    relation: str
    """`replaces`, `may_replace` or `exception_to`."""
    uid: str
    id: str
    """Its short id."""
    title: str
    status: str
    is_newer: bool
    """Whether this memory replaces the other one, and not the other way round."""
