"""The values of sessions that a store takes and returns; a cold `recollect why` loads them alone."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a client; times are seconds since 1970."""

    id: str
    project: str
    root: str
    client: str
    number: int
    prompts: int
    started: float
    seen: float
    compacted: float = 0.0
    ended: float | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The record of one injection: the query's words, the candidates with their scores, and what was shown."""

    id: str
    at: float
    session: str
    project: str
    event: str
    words: dict[str, float]
    shown: list[str]
    candidates: list[dict[str, Any]]
    tokens: int
    state: str = ""
    """`hits`, `none`, or why recall failed or was incomplete."""
    profile: str = ""
    ms: int = 0
    """How long the hook took to answer, in milliseconds, without the start of the interpreter; 0 where unknown."""
