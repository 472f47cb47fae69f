"""A memory as recall returns it: its columns and its rating. Import-light, because hooks use it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Rating(Protocol):
        """How a ranking rates a memory."""

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
    """A memory that was found, and how well it answers the question."""

    __slots__ = (
        *COLUMNS,
        "certainty",
        "code_state",
        "coverage",
        "evidence",
        "matched",
        "notes",
        "parts",
        "passage",
        "score",
        "verdict",
    )

    def __init__(self, row: "tuple[Any, ...]") -> None:
        for name, value in zip(COLUMNS, row, strict=True):
            setattr(self, name, value)
        self.certainty = self.coverage = self.evidence = self.score = 0.0
        self.matched: list[str] = []
        self.parts: dict[str, float] = {}
        self.notes: list[str] = []
        """Lines about linked memories and code: `before: …`, `except: …`, `rule: …`, `stale: …`, `moved: …`."""
        self.code_state = ""
        """FRESH, MOVED, STALE or UNVERIFIABLE; empty where it names no code, or was not checked on this branch."""
        self.passage = ""
        """The sentences that are shown of a long text; empty where all of it may be."""
        self.verdict = ""
        """Why the memory is not shown; empty if it is."""

    def rated(self, hit: "Rating") -> "FoundMemory":
        """Take over the rating of a hit, and return this memory."""
        self.certainty, self.coverage, self.evidence = hit.certainty, hit.coverage, hit.evidence
        self.matched, self.parts, self.score, self.verdict = hit.matched, hit.parts, hit.score, hit.verdict
        return self

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
    def is_by_user(self) -> bool:
        """Whether the user wrote it; only then may it be shown as a wish."""
        return self.origin == "user"
