"""What upkeep reads of a memory: columns alone, because it reads every memory of a project."""

from typing import NamedTuple


class UpkeepRow(NamedTuple):
    """A memory as weighing, compression and forgetting see it; times are seconds since the epoch."""

    uid: str
    kind: str
    slug: str
    title: str
    text: str
    tags: str
    """One a line, in lower case."""
    importance: float
    pinned: bool
    sensitivity: str
    origin: str
    strength: str
    """Of a preference: strong, default or soft; of a constraint its severity; empty for other kinds."""
    confidence: float | None
    created: float | None
    updated: float | None
    """When it was created or last edited."""
    expires: float | None
    hits: int
    last_hit: float | None
    """When it was last used; None where it never was, or where the time cannot be read."""
    last_session: int
    created_session: int
    appreciation: int

    @property
    def name(self) -> str:
        """Kind and slug, for people."""
        return f"{self.kind}/{self.slug}"
