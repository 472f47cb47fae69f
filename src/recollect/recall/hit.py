"""A hit of a ranking: which memory, and how it is rated. Import-light."""


class Hit:
    """A memory by its number, its score with the parts of it, and why it should not be shown."""

    __slots__ = ("certainty", "coverage", "evidence", "id", "matched", "parts", "score", "verdict")

    def __init__(self, number: int, score: float, parts: dict[str, float] | None = None, verdict: str = "") -> None:
        self.id, self.score, self.parts = number, score, parts or {}
        self.verdict = verdict
        """Why it should not be shown by itself; empty where it should."""
        self.evidence = self.coverage = self.certainty = 0.0
        self.matched: list[str] = []
