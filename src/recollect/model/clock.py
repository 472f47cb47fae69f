"""Time is a function that is handed in, so that every test and replay sets it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from recollect.errors import BadInput

Clock = Callable[[], datetime]
FIRST_MS = 100_000_000_000


def system() -> datetime:
    """The machine's time, in UTC."""
    return datetime.now(UTC)


def fixed(text: str) -> Clock:
    """A clock that stands still at an ISO time."""
    moment = parse(text)
    if moment is None:
        raise ValueError(f"not an ISO time: {text!r}")
    return lambda: moment


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second, as every seed writes it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse(text: str | None) -> datetime | None:
    """Read an ISO time; no zone means UTC (B47), and what is not a time is None (B3)."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # the first and the last day of the calendar have no UTC in every zone
        return None


def read(value: object) -> datetime | None:
    """A time as other programs write it: ISO text, or seconds or milliseconds since 1970; before that there is none."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            moment: datetime | None = datetime.fromtimestamp(value / 1000 if value >= FIRST_MS else value, UTC)
        else:
            moment = parse(value.strip()) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment and moment.year >= 1970 else None


def later(moment: datetime, days: float) -> datetime | None:
    """That many days on; None beyond the end of the calendar."""
    try:
        return moment + timedelta(days=days)
    except (OverflowError, ValueError):
        return None


def seconds(text: str | None) -> float | None:
    """Seconds since the epoch, for sorting and expiry."""
    moment = parse(text)
    return None if moment is None else moment.timestamp()


def named(said: str | None) -> float | None:
    """Seconds since the epoch of a time that a person gave; None where none was given."""
    found = seconds(said)
    if said and found is None:
        raise BadInput(f"not a time: {said}", fix="Use an ISO time such as 2026-01-31 or 2026-01-31T12:00:00Z.")
    return found


def age_days(text: str | None, now: datetime) -> float | None:
    """How many days ago that was; None when it is not a time."""
    moment = parse(text)
    return None if moment is None else (now - moment).total_seconds() / 86_400
