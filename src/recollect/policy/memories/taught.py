"""What people taught by `keep` and `drop` about a capture rule: how much it is trusted, or that it is silent.

The tally is read from the memories themselves: a kept one has the confidence `SURE`, a dropped one is retired with the
reason `DROPPED`. So each memory counts once, and `undo` or `restore` takes it back.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from recollect.model.memory import CONFIRMED

SURE = CONFIRMED
"""The confidence of a memory that a person kept; no captured memory has it otherwise."""
DROPPED = "dropped"
"""The reason with which a person retires a captured memory."""
ENOUGH, MOSTLY = 3, 3
HALF_LIFE_DAYS = 60
FAINT = 1.5
"""The weight below which a tally says nothing any more: three of an age of a half life."""
DAY = 86_400
State = Literal["silent", "trusted", "open"]


class Taught(NamedTuple):
    """A memory that a person kept or dropped."""

    rule: str
    is_kept: bool
    at: float
    """When, in seconds since 1970."""


class Tally(NamedTuple):
    """How many memories of a rule were kept and dropped, and their weights, which halve every 60 days."""

    kept: int = 0
    dropped: int = 0
    kept_weight: float = 0.0
    dropped_weight: float = 0.0

    @property
    def state(self) -> State:
        """Whether the rule is silent, trusted, or neither."""
        if _is_clear(self.dropped, self.dropped_weight, self.kept_weight):
            return "silent"
        return "trusted" if _is_clear(self.kept, self.kept_weight, self.dropped_weight) else "open"


def tallies(taught: Iterable[Taught], now: float) -> dict[str, Tally]:
    """Return the tally of each rule of which something was kept or dropped."""
    found: dict[str, Tally] = {}
    for row in taught:
        weight = 0.5 ** (max(0.0, now - row.at) / DAY / HALF_LIFE_DAYS)
        before = found.get(row.rule, Tally())
        if row.is_kept:
            found[row.rule] = before._replace(kept=before.kept + 1, kept_weight=before.kept_weight + weight)
        else:
            found[row.rule] = before._replace(dropped=before.dropped + 1, dropped_weight=before.dropped_weight + weight)
    return found


def _is_clear(number: int, weight: float, against: float) -> bool:
    return number >= ENOUGH and weight >= FAINT and weight > MOSTLY * against
