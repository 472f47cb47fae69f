"""The result of one check of `recollect doctor`."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: whether all is well, and what to do where it is not."""

    name: str
    is_well: bool
    says: str
    fix: str | None = None
    details: tuple[str, ...] = ()


def well(name: str, says: str, hint: str | None = None, details: tuple[str, ...] = ()) -> Check:
    """Build the result of a check that found nothing wrong; `hint` is a next step that a person may want."""
    return Check(name, True, says, hint, details)


def wrong(name: str, says: str, fix: str | None, details: tuple[str, ...] = ()) -> Check:
    """Build the result of a check that found something wrong, with the next step."""
    return Check(name, False, says, fix, details)


def age(now: datetime, at: float) -> str:
    """Return how long ago a moment was, in words: days, hours, minutes or seconds."""
    seconds = max(0, int(now.timestamp() - at))
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} seconds"
