"""How long ago something was, in a few characters. Import-light, because hooks use it."""

DAY = 86_400
_UNITS = ((365 * DAY, "y"), (DAY, "d"), (3_600, "h"), (60, "m"))


def age(then: float | None, now: float) -> str:
    """Return the time between two moments in the largest unit that fits: `2d`; `?` if the first is unknown."""
    if then is None:
        return "?"
    seconds = max(0, int(now - then))
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return "now"


def ago(then: float | None, now: float) -> str:
    """Return how long ago a moment was, as a phrase: `2d ago`, `just now`; `at an unknown time` for None."""
    short = age(then, now)
    return {"?": "at an unknown time", "now": "just now"}.get(short, f"{short} ago")
