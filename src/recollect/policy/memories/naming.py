"""Which memory a person means by a name: the likeliest of those that fit, and names that are spelt nearly the same."""

import difflib
import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

RAW = ("turn_summary", "session_summary")
"""Kinds that repeat what a session said."""
SUGGESTED = 3
_ROUGHLY = 200
_PIECE = 3
_LIKENESS = 0.5

Item = TypeVar("Item")


class Named(NamedTuple):
    """What decides between memories that have the same name."""

    project: str
    status: str
    kind: str


def preferred(found: Sequence[Item], project: str, named: Callable[[Item], Named]) -> list[Item]:
    """Return those of several memories that a name means first.

    Those of this project come before others, active ones before closed ones, and other kinds before the turns and
    summaries that say the same in other words.
    """
    own = [item for item in found if named(item).project in (project, "global")] or list(found)
    live = [item for item in own if named(item).status == "active"] or own
    return [item for item in live if named(item).kind not in RAW] or live


def suggestions(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three known names that are spelt much like a name, the likeliest first."""
    wanted = name.lower().strip().replace(" ", "-")[:80]
    pieces = {wanted[start : start + _PIECE] for start in range(max(1, len(wanted) - _PIECE + 1))}
    shares = ((sum(piece in other for piece in pieces) / len(pieces), other) for other in known)
    likely = heapq.nlargest(_ROUGHLY, (pair for pair in shares if pair[0] > 0))
    close = difflib.get_close_matches(wanted, [other for _, other in likely], SUGGESTED)
    return close or [other for share, other in likely[:SUGGESTED] if share >= _LIKENESS]
