"""Filters of listings: which memories and which facts."""

from __future__ import annotations  # a cold `list` must not import the model for its type names

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recollect.model.memory import Sensitivity, Status

TURNS = ("turn_summary",)
"""The kind of what was said in a session, word for word: searched, and left out of lists."""


@dataclass(frozen=True, slots=True)
class Query:
    """Filters for memories, all of which must hold; an empty one does not filter."""

    project: str | None = None
    kinds: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ("active",)
    tags: tuple[str, ...] = ()
    no_tag_like: str = ""
    """Leave out memories with a tag that begins with this text."""
    no_kinds: tuple[str, ...] = ()
    """Leave out memories of these kinds."""
    match: str = ""
    """Words that must all occur in title, text or tags."""
    global_too: bool = True
    """Include the memories of the project `global`."""
    unexpired_at: float | None = None
    """Leave out memories that have expired by this time, in seconds since the epoch."""
    expired_at: float | None = None
    """Only memories that have expired by this time."""
    expiring: bool | None = None
    """Only memories that will expire (true), or only those that will not (false)."""
    session: str | None = None
    file: str | None = None
    """A path that was read or changed, or that the memory is about; compared exactly (D18)."""
    concept: str | None = None
    sensitivities: tuple[Sensitivity, ...] = ()
    created_before: float | None = None
    created_since: float | None = None
    verdict: str | None = None
    """Only memories that name code, with this verdict on it: FRESH, MOVED, STALE or UNVERIFIABLE."""
    oldest_first: bool = False
    limit: int | None = None
    offset: int = 0


class Weight(NamedTuple):
    """What decides which memory gives way at a cap; read from columns, because a cap compares hundreds at a time."""

    uid: str
    kind: str
    importance: float
    hits: int
    pinned: bool
    updated: float | None


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Filters for facts: parts that must be equal; an empty one does not filter."""

    project: str | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    min_confidence: float = 0.0
    limit: int | None = None
    source: str | None = None
    """The uid of the memory that a fact comes from."""
