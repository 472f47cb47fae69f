"""When something recurs: a cron expression of five fields, or an interval. Times are in UTC."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

NAMED = {
    "hourly": "0 * * * *",
    "daily": "24h",
    "midnight": "0 0 * * *",
    "weekly": "7d",
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
SEARCHED_DAYS = 366 * 8 + 1
"""How far the next time is searched: February 29 may be eight years away (1896-1904, 2096-2104)."""

_INTERVAL = re.compile(r"([0-9]{1,15})[ ]?(ms|s|m|h|d|w)?")
_PART = re.compile(r"(\*|[a-z0-9]+(?:-[a-z0-9]+)?)(?:/([0-9]{1,4}))?")


class Field(NamedTuple):
    """A field of a cron expression: its bounds, and names that stand for numbers."""

    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()
    first_name: int = 0


FIELDS = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day", 1, 31),
    Field("month", 1, 12, MONTHS, 1),
    Field("weekday", 0, 7, DAYS),
)


@dataclass(frozen=True, slots=True)
class Interval:
    """So many seconds after the last time."""

    seconds: float

    def next_after(self, last: datetime) -> datetime:
        """Return the next time after a moment."""
        return last + timedelta(seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Cron:
    """Minutes, hours, days, months and weekdays of a cron expression, in UTC."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool
    """Both the day and the weekday are restricted: then one of them suffices."""

    def next_after(self, last: datetime) -> datetime | None:
        """Return the next matching minute after a moment; None if there is none in the next eight years."""
        start = last.astimezone(UTC).replace(second=0, microsecond=0) + timedelta(minutes=1)
        return next(self._matches(start), None)

    def _matches(self, start: datetime) -> Iterator[datetime]:
        midnight = start.replace(hour=0, minute=0)
        for number in range(SEARCHED_DAYS):
            day = midnight + timedelta(days=number)
            if not self._is_day(day):
                continue
            for hour in sorted(self.hours):
                for minute in sorted(self.minutes):
                    moment = day.replace(hour=hour, minute=minute)
                    if moment >= start:
                        yield moment

    def _is_day(self, day: datetime) -> bool:
        if day.month not in self.months:
            return False
        is_day, is_weekday = day.day in self.days, (day.weekday() + 1) % 7 in self.weekdays
        return (is_day or is_weekday) if self.either_day else (is_day and is_weekday)


Recurrence = Interval | Cron


def parse(said: str) -> Recurrence:
    """Return the recurrence that a text names; raises ValueError.

    `daily`, `12h`, `90m`, `0 3 * * 1-5`, `@weekly`; a number without a unit counts milliseconds, as CursorClaw does.
    """
    plain = NAMED.get(said.strip().lower(), said.strip().lower())
    interval = _INTERVAL.fullmatch(plain)
    if interval:
        return _interval(int(interval[1]) * UNITS[interval[2] or "ms"])
    parts = plain.split()
    if len(parts) != len(FIELDS):
        raise ValueError("must be an interval such as 12h, or a cron expression of five fields such as 0 3 * * *")
    minutes, hours, days, months, weekdays = (_numbers(part, field) for part, field in zip(parts, FIELDS, strict=True))
    either = not parts[2].startswith("*") and not parts[4].startswith("*")
    cron = Cron(minutes, hours, days, months, frozenset(day % 7 for day in weekdays), either)
    if cron.next_after(datetime(2000, 1, 1, tzinfo=UTC)) is None:
        raise ValueError("names a day that does not exist")
    return cron


def _interval(seconds: float) -> Interval:
    if not 60 <= seconds <= 366 * 86_400:
        raise ValueError("must be an interval between a minute and a year")
    return Interval(seconds)


def _numbers(said: str, field: Field) -> frozenset[int]:
    """Return the numbers of a field: a list of numbers, ranges and steps."""
    found: set[int] = set()
    for part in said.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(f"the {field.name} {part!r} cannot be read")
        low, high = _bounds(match[1], field, has_step=match[2] is not None)
        step = int(match[2] or 1)
        if not field.low <= low <= high <= field.high or step < 1:
            raise ValueError(f"the {field.name} {part!r} must lie between {field.low} and {field.high}")
        found |= set(range(low, high + 1, step))
    return frozenset(found)


def _bounds(said: str, field: Field, *, has_step: bool) -> tuple[int, int]:
    if said == "*":
        return field.low, field.high
    first, _, last = said.partition("-")
    low = _number(first, field)
    if last:
        return low, _number(last, field)
    return low, field.high if has_step else low


def _number(said: str, field: Field) -> int:
    if said in field.names:
        return field.names.index(said) + field.first_name
    if not said.isdecimal():
        raise ValueError(f"the {field.name} {said!r} cannot be read")
    return int(said)


def is_due(recurrence: Recurrence, last: float | None, now: float) -> bool:
    """Whether the next time since the last one, in seconds since the epoch, has come.

    What never ran is due, and so is what ran in the future: the clock was set back.
    """
    if last is None or last > now:
        return True
    upcoming = recurrence.next_after(datetime.fromtimestamp(last, UTC))
    return upcoming is not None and upcoming.timestamp() <= now
