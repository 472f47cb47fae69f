"""Times: the clock, which is passed in so that tests and replays can set it, and ISO texts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from recollect.errors import BadInput

Clock = Callable[[], datetime]
FIRST_MS = 100_000_000_000
"""From here on a number counts milliseconds, as JavaScript does: in seconds it would be the year 5138."""


def system() -> datetime:
    """Return the machine's time, in UTC."""
    return datetime.now(UTC)


def fixed(text: str) -> Clock:
    """Return a clock that always shows an ISO time; raises ValueError if the text is none."""
    moment = parse(text)
    if moment is None:
        raise ValueError(f"not an ISO time: {text!r}")
    return lambda: moment


def stamp(moment: datetime) -> str:
    """Return a moment as ISO 8601 in UTC, to the second, as every seed writes it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse(text: str | None) -> datetime | None:
    """Return the moment of an ISO time; no zone means UTC (B47). None if the text is no time (B3)."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # the first and the last day of the calendar have no UTC in every zone
        return None


def read(value: object) -> datetime | None:
    """Return a time as other programs write it: ISO text, or (milli)seconds since 1970; None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            moment: datetime | None = datetime.fromtimestamp(value / 1000 if value >= FIRST_MS else value, UTC)
        else:
            moment = parse(value.strip()) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment and moment.year >= 1970 else None


def later(moment: datetime, days: float) -> datetime | None:
    """Return the moment that many days later; None beyond the end of the calendar."""
    try:
        return moment + timedelta(days=days)
    except (OverflowError, ValueError):
        return None


def seconds(text: str | None) -> float | None:
    """Return an ISO time in seconds since the epoch, for sorting and expiry; None if it is no time."""
    moment = parse(text)
    return None if moment is None else moment.timestamp()


def parse_user_time(said: str | None) -> float | None:
    """Return a time that the user gave in seconds since the epoch; None if none was given. Raises BadInput."""
    moment = seconds(said)
    if said and moment is None:
        raise BadInput(f"not a time: {said}", fix="Use an ISO time such as 2026-01-31 or 2026-01-31T12:00:00Z.")
    return moment


def age_days(text: str | None, now: datetime) -> float | None:
    """Return how many days ago a time was; None if the text is no time."""
    moment = parse(text)
    return None if moment is None else (now - moment).total_seconds() / 86_400
