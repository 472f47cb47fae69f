"""One line of `doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    is_well: bool
    says: str
    fix: str | None = None
    details: tuple[str, ...] = ()
