"""How important a memory is after a day: used ones rise, unused ones sink, and old observations are put away (D40-D42).

Unlike the original, a use counts once, in the weighing after its session; weighing twice a day changes nothing; and it
never makes a memory look recently edited.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from recollect.model.rows.upkeep_row import UpkeepRow

DAY_SECONDS = 86_400
EPOCH = date(1970, 1, 1).toordinal()
BOOST = 0.03
PROTECTED_SHARE = 0.5
"""Of the daily loss, what a memory of a protected kind loses."""
PUT_AWAY_BELOW = 0.05
PUT_AWAY_AFTER_DAYS = 90
LEAST = 0.001
"""A smaller difference is not written."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A memory whose importance changes, or that is put away."""

    row: UpkeepRow
    importance: float
    idle_days: int
    """Days since its last use or edit."""
    uses: int
    """In how many sessions it was used since it was last weighed."""
    is_put_away: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """What weighing depends on besides the memories."""

    today: int
    """The day, as `day_of` numbers it."""
    weighed_on: int | None
    """The day on which the project was last weighed; None if it never was."""
    rate: float
    """What an unused memory loses a day."""
    protected: Collection[str]
    """Kinds that lose half."""
    observations: Collection[str]
    """Kinds of which old and unimportant ones are put away."""


def weigh(rows: Sequence[UpkeepRow], uses: Mapping[str, int], rules: Rules) -> list[Weighed]:
    """Return the memories whose importance changes by more than LEAST, and those that are put away."""
    since = _days_since(rules)
    rates = {True: rules.rate * PROTECTED_SHARE, False: rules.rate}
    found = []
    for row in rows:
        used, idle = uses.get(row.uid, 0), idle_days(row, rules.today)
        rate = 0.0 if row.pinned else rates[row.kind in rules.protected]
        value = weighed(row.importance, uses=used, days=min(idle, since), rate=rate)
        is_low = value < PUT_AWAY_BELOW and idle > PUT_AWAY_AFTER_DAYS
        is_put_away = is_low and row.kind in rules.observations and not row.pinned
        if is_put_away or abs(value - row.importance) > LEAST:
            found.append(Weighed(row, value, idle, used, is_put_away))
    return found


def weighed(importance: float, *, uses: int, days: float, rate: float) -> float:
    """Return an importance with the boost of each session's use, and without the loss of some days; from 0 to 1."""
    raised = min(1.0, importance + uses * boost(1))
    return max(0.0, raised - rate * max(0.0, days))


def boost(uses: int) -> float:
    """Return what the uses in one session add: 0.03·ln(1+uses)."""
    return BOOST * math.log1p(uses)


def idle_days(row: UpkeepRow, today: int) -> int:
    """Return the whole days since a memory was last used or edited; 0 for a time in the future."""
    last = max(row.created or 0.0, row.updated or 0.0, row.last_hit or 0.0)
    return max(0, today - int(last // DAY_SECONDS)) if last else 0


def day_of(moment: date) -> int:
    """Return a day as a number: days since the epoch."""
    return moment.toordinal() - EPOCH


def _days_since(rules: Rules) -> int:
    """Return the days that no weighing has counted yet; after the clock was set back there are none."""
    return rules.today if rules.weighed_on is None else max(0, rules.today - rules.weighed_on)
