"""A memory as recall returns it to hooks. Import-light."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Hit(Protocol):
        """A ranked candidate."""

        certainty: float
        coverage: float
        evidence: float
        matched: list[str]
        parts: dict[str, float]
        score: float
        verdict: str


COLUMNS = (
    "uid", "kind", "slug", "title", "text", "tags", "cue", "importance", "hits", "pinned", "created", "updated",
    "session", "project", "origin", "confidence", "branch", "scale",
)  # fmt: skip


class FoundMemory:
    """A memory's columns, with how well it matches the question."""

    __slots__ = (*COLUMNS, "certainty", "coverage", "evidence", "matched", "parts", "score", "verdict")

    def __init__(self, row: "tuple[Any, ...]", hit: "Hit | None" = None) -> None:
        for name, value in zip(COLUMNS, row, strict=True):
            setattr(self, name, value)
        self.certainty = hit.certainty if hit else 0.0
        """The probability that any memory helps with the question."""
        self.matched = hit.matched if hit else []
        self.coverage = hit.coverage if hit else 0.0
        self.evidence = hit.evidence if hit else 0.0
        self.score = hit.score if hit else 0.0
        self.parts = hit.parts if hit else {}
        self.verdict = hit.verdict if hit else ""

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
        scale: str | None

    @property
    def is_said_by_a_person(self) -> bool:
        """Whether the user wrote it; only then may it be shown as a wish."""
        return self.origin == "user"
