"""Counts by day and by session that a store adds up for plots. Days are in UTC, times are seconds since 1970."""

from typing import NamedTuple


class KindDay(NamedTuple):
    """How many memories of a kind that are active now were created on a day."""

    day: str
    """As 2026-01-31."""
    kind: str
    number: int


class ToldDay(NamedTuple):
    """What agents were told on a day."""

    day: str
    hits: int
    """Prompts for which at least one memory was told."""
    silences: int
    """Prompts for which nothing was told."""
    memories: int
    """Memories that were told, at session starts and for failures too."""
    tokens: int


class ToldSession(NamedTuple):
    """What one session was told."""

    session: str
    at: float
    """When it was first told something, or nothing."""
    memories: int
    tokens: int


class HookTime(NamedTuple):
    """How long one hook took."""

    at: float
    event: str
    ms: int
