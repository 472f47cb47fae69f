"""A memory as a hook reads it: columns, not the full value. Import-light."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COLUMNS = (
    "uid", "kind", "slug", "title", "text", "tags", "cue", "importance", "hits", "pinned", "created", "updated",
    "session", "project", "origin", "confidence", "branch",
)  # fmt: skip


class Seen:
    """A memory as a hook reads it, with how well it answers."""

    __slots__ = (*COLUMNS, "coverage", "evidence", "score", "verdict")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        for name, value in zip(COLUMNS, row, strict=True):
            setattr(self, name, value)
        self.coverage = self.evidence = self.score = 0.0
        self.verdict = ""

    if TYPE_CHECKING:
        uid: str
        kind: str
        slug: str
        title: str
        text: str
        tags: str
        cue: str
        importance: float
        hits: int
        pinned: bool
        created: float | None
        updated: float | None
        session: str | None
        project: str
        origin: str
        confidence: float | None
        branch: str | None

    @property
    def is_said_by_a_person(self) -> bool:
        """Whether a person said it: only then may it read as a wish."""
        return self.origin == "user"
