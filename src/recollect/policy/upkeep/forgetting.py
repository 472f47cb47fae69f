"""Which memories are forgotten: the least used, by a score that halves in 200 sessions without a use (A37, A38)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.model.memory import CONFIRMED
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
    def is_faint(self) -> bool:
        """Whether it is forgotten, and was captured: no person saved it by hand, or said that it is right."""
        row = self.row
        is_captured = row.origin != "user" or (row.confidence is not None and row.confidence < CONFIRMED)
        return self.is_forgotten and is_captured

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
    return _lowest(_scored(rows, session, min_age), count)


def due(
    rows: Sequence[UpkeepRow], session: int, *, min_age: int, count: int, share: float
) -> tuple[list[Candidate], int]:
    """Return what a review on the schedule looks at: `count` candidates, and faint memories up to a share of all.

    Of the faint ones those with the lowest score come first, then those that were not used for the longest time. The
    second value is how many are left for another run; 0 where the share is 0.
    """
    scored = _scored(rows, session, min_age)
    reviewed = _lowest(scored, count)
    known = {candidate.row.uid for candidate in reviewed}
    faint = [candidate for candidate in scored if candidate.is_faint and candidate.row.uid not in known]
    faint.sort(key=lambda candidate: (candidate.score, candidate.row.last_session, candidate.row.slug))
    room = max(0, math.ceil(len(rows) * share) - len(reviewed))
    return reviewed + faint[:room], len(faint[room:]) if share else 0


def _lowest(scored: Iterable[Candidate], count: int) -> list[Candidate]:
    return sorted(scored, key=lambda candidate: (candidate.score, candidate.row.slug))[:count]


def _scored(rows: Iterable[UpkeepRow], session: int, min_age: int) -> list[Candidate]:
    old = (row for row in rows if not row.pinned and row.expires is None and session - row.created_session >= min_age)
    return [Candidate(row, score(row.hits, session - row.last_session, row.appreciation)) for row in old]
