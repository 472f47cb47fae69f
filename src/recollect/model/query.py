"""Which memories, and which facts, a listing asks for."""

from dataclasses import dataclass
from typing import NamedTuple

from recollect.model.memory import Sensitivity, Status


@dataclass(frozen=True, slots=True)
class Query:
    """Filters that all have to hold; an empty one does not filter."""

    project: str | None = None
    kinds: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ("active",)
    tags: tuple[str, ...] = ()
    no_tag_like: str = ""
    """Only without any tag that begins like this."""
    match: str = ""
    """Words that all have to occur in title, text or tags."""
    global_too: bool = True
    """Also the memories that are seen from every project."""
    unexpired_at: float | None = None
    """Leave out what has expired by then (seconds since the epoch)."""
    expired_at: float | None = None
    """Only what has expired by then."""
    expiring: bool | None = None
    """Only what will expire, or only what is kept for good."""
    session: str | None = None
    file: str | None = None
    """A path that was read, changed, or is what the memory is about; to the letter (D18)."""
    concept: str | None = None
    sensitivities: tuple[Sensitivity, ...] = ()
    created_before: float | None = None
    created_since: float | None = None
    oldest_first: bool = False
    limit: int | None = None
    offset: int = 0


class Weight(NamedTuple):
    """What decides which memory gives way: read from columns, because a cap weighs hundreds at a time."""

    uid: str
    kind: str
    importance: float
    hits: int
    pinned: bool
    updated: float | None


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Parts that have to be equal; an empty one does not filter."""

    project: str | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    min_confidence: float = 0.0
    limit: int | None = None
