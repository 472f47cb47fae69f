"""Which memories a listing asks for."""

from dataclasses import dataclass

from recollect.model.memory import Status


@dataclass(frozen=True, slots=True)
class Query:
    """Filters that all have to hold; an empty one does not filter."""

    project: str | None = None
    kinds: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ("active",)
    tags: tuple[str, ...] = ()
    match: str = ""
    """Words that all have to occur in title, text or tags."""
    global_too: bool = True
    """Also the memories that are seen from every project."""
    unexpired_at: float | None = None
    """Leave out what has expired by then (seconds since the epoch)."""
    limit: int | None = None
