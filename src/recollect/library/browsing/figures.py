"""The verb `figures`: how a project's memory grows, what agents were told, and how long hooks took, ready for plots."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from recollect.model.verdict import STATES
from recollect.opening.open_project import OpenProject
from recollect.store.figures import HookTime, KindDay, ToldDay, ToldSession

DAY = 86_400
MOST_SESSIONS = 60
MOST_KINDS = 6
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Latency:
    """How long hooks took on a day, in milliseconds."""

    day: str
    p50: float
    p95: float
    number: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts for plots. Every list of days has an entry for each of `days`."""

    days: tuple[str, ...]
    """The days (UTC) of the plots, oldest first."""
    growth: dict[str, tuple[int, ...]]
    """For each kind, how many active memories there were on each day; rare kinds are added up as `other`."""
    told: tuple[ToldDay, ...]
    latency: tuple[Latency | None, ...]
    """None for a day on which no hook said how long it took."""
    sessions: tuple[ToldSession, ...]
    p50: float | None
    """Of all hooks of these days, in milliseconds; None if none said it."""
    p95: float | None
    verdicts: dict[str, int]
    """How many active memories have each verdict on the code that they name."""


class FigureVerbs(OpenProject):
    """Figures for plots."""

    def figures(self, *, days: int = 30) -> Figures:
        """Return the figures of the last days, today included."""
        now, table = self._context.clock(), self._context.store.sessions
        span = _days(now.astimezone(UTC).date(), days)
        since = datetime.fromisoformat(span[0]).replace(tzinfo=UTC).timestamp()
        times = table.hook_times(self.project, since)
        told = {row.day: row for row in table.told_days(self.project, since)}
        return Figures(
            days=span,
            growth=_growth(self._context.store.growth(self.project), span),
            told=tuple(told.get(day, ToldDay(day, 0, 0, 0, 0)) for day in span),
            latency=_latency(times, span),
            sessions=tuple(table.told_sessions(self.project, MOST_SESSIONS)),
            p50=percentile([row.ms for row in times], 0.5),
            p95=percentile([row.ms for row in times], 0.95),
            verdicts=self._verdicts(),
        )

    def _verdicts(self) -> dict[str, int]:
        found = Counter(row.verdict.state for row in self._context.store.verdicts.of_project(self.project).values())
        return {state: found[state] for state in STATES if found[state]}


def percentile(numbers: Sequence[float], share: float) -> float | None:
    """Return the smallest number that at least this share of the numbers does not exceed; None without numbers."""
    ordered = sorted(numbers)
    if not ordered:
        return None
    place = -(-len(ordered) * share // 1) - 1
    return ordered[min(len(ordered) - 1, max(0, int(place)))]


def _days(today: date, number: int) -> tuple[str, ...]:
    return tuple((today - timedelta(days=back)).isoformat() for back in reversed(range(number)))


def _growth(rows: Iterable[KindDay], days: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return how many memories of each kind there were at the end of each day."""
    by_kind: dict[str, list[KindDay]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    often = sorted(by_kind, key=lambda kind: -sum(row.number for row in by_kind[kind]))
    found: dict[str, tuple[int, ...]] = {}
    for kind in often[:MOST_KINDS]:
        found[kind] = _totals(by_kind[kind], days)
    rest = [row for kind in often[MOST_KINDS:] for row in by_kind[kind]]
    return found | ({OTHER: _totals(rest, days)} if rest else {})


def _totals(rows: Sequence[KindDay], days: Sequence[str]) -> tuple[int, ...]:
    return tuple(sum(row.number for row in rows if row.day <= day) for day in days)


def _latency(times: Sequence[HookTime], days: Sequence[str]) -> tuple[Latency | None, ...]:
    by_day: dict[str, list[float]] = defaultdict(list)
    for row in times:
        by_day[f"{datetime.fromtimestamp(row.at, UTC):%Y-%m-%d}"].append(row.ms)
    return tuple(
        Latency(day, percentile(by_day[day], 0.5) or 0.0, percentile(by_day[day], 0.95) or 0.0, len(by_day[day]))
        if day in by_day
        else None
        for day in days
    )
