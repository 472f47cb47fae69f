"""The verdict on a memory that names code: whether what it names is still in the checkout."""

from dataclasses import dataclass

FRESH, MOVED, STALE, UNVERIFIABLE = "FRESH", "MOVED", "STALE", "UNVERIFIABLE"
STATES = (FRESH, MOVED, STALE, UNVERIFIABLE)
"""Present · present at another place · gone · cannot be told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one thing that a memory names."""

    kind: str
    """`path`, `symbol`, `parameter`, `command`, `version` or `url`."""
    name: str
    state: str
    says: str
    """The evidence, in a sentence without a full stop."""
    place: str = ""
    """Where it is now, as a path from the checkout's root; empty where that is unknown or does not apply."""

    @property
    def was_seen(self) -> bool:
        """Whether the thing was in the code at the time of the check or, for STALE, before it."""
        return self.state in (FRESH, MOVED, STALE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the findings about a memory add up to."""

    state: str
    says: str
    """The reason in a line, such as "src/a.py is gone"; empty for FRESH and UNVERIFIABLE."""
    findings: tuple[Finding, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why the memory may not hold here: learnt on an unmerged branch, or taught by a commit that was reverted."""


@dataclass(frozen=True, slots=True)
class CheckedVerdict:
    """A verdict, and where and when it was found."""

    uid: str
    verdict: Verdict
    branch: str
    """The branch that was checked out; empty where HEAD was detached, or there is no git."""
    head: str
    """The commit that was checked out; empty where there was none."""
    root: str
    """The checkout."""
    at: float
    """Seconds since the epoch."""


def label(state: str) -> str:
    """Return the word that stands before a reason: `stale`, `moved`."""
    return state.lower()
