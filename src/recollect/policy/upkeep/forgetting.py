"""Which memories are forgotten: the least used, by a score that halves in 200 sessions without a use (A37, A38)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.model.rows.upkeep_row import UpkeepRow

FADING = 0.003466
"""ln 2 / 200: the score halves in 200 sessions."""
FORGOTTEN_BELOW = 0.5
"""Without a judge, a candidate with a lower score is archived. That is a memory that was never used, or once and more
than 200 sessions ago, or three times and more than 400 sessions ago, and that nobody appreciated."""
STRONG = ("strong", "high", "critical")
"""Strength of a preference, severity of a constraint: such a rule of the user is not forgotten without a judge."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that is reviewed."""

    row: UpkeepRow
    score: float

    @property
    def line(self) -> str:
        """The line of the list of candidates (A38)."""
        row = self.row
        return f"{self.score:.4f}  {row.slug}  freq={row.hits} last={row.last_session} appr={row.appreciation}"

    @property
    def is_strong_rule(self) -> bool:
        """Whether it is a rule that the user stated as a strong one."""
        return self.row.origin == "user" and self.row.strength in STRONG

    @property
    def is_forgotten(self) -> bool:
        """Whether it is archived without a judge; else it is appreciated, and others are reviewed next time."""
        return self.score < FORGOTTEN_BELOW and not self.is_strong_rule


def score(hits: int, sessions: int, appreciation: int) -> float:
    """Return log2(1 + hits) · e^(-0.003466 · sessions) + appreciation; `sessions` is how many since the last use."""
    return math.log2(1 + max(0, hits)) * math.exp(-FADING * max(0, sessions)) + appreciation


def candidates(rows: Iterable[UpkeepRow], session: int, *, min_age: int, count: int) -> list[Candidate]:
    """Return the memories with the lowest scores, lowest first, then by name (A38).

    Left out are pinned ones, those younger than `min_age` sessions, and those that expire by themselves.
    """
    old = (row for row in rows if not row.pinned and row.expires is None and session - row.created_session >= min_age)
    found = [Candidate(row, score(row.hits, session - row.last_session, row.appreciation)) for row in old]
    return sorted(found, key=lambda candidate: (candidate.score, candidate.row.slug))[:count]
