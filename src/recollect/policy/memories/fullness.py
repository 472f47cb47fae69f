"""How full the limits of a project are: a limit counts as nearly reached from 90 % on (C23)."""

from collections.abc import Sequence
from typing import NamedTuple

NEARLY = 0.9


class LimitUse(NamedTuple):
    """A limit, and how much of it is used."""

    name: str
    """What is limited, such as "MEMORY.md characters"."""
    used: int
    most: int
    setting: str

    @property
    def share(self) -> float:
        """The used share; more than 1 where the limit is exceeded."""
        return self.used / self.most

    def __str__(self) -> str:
        """The limit in words: its name, the numbers, the share and the setting."""
        return f"{self.name} {self.used:,} of {self.most:,} ({self.share:.0%}; {self.setting})"


def nearly_reached(uses: Sequence[LimitUse]) -> list[LimitUse]:
    """Return the limits of which 90 % or more is used, the fullest first."""
    return sorted((use for use in uses if use.share >= NEARLY), key=lambda use: -use.share)


def report(uses: Sequence[LimitUse]) -> str:
    """Return in a few words how many limits are nearly reached, and which."""
    near = nearly_reached(uses)
    named = f": {'; '.join(map(str, near))}" if near else ""
    return f"{len(near)} of {len(uses)} limits at 90 % or more{named}"
