"""Drafts: memories that could be filed, and their titles."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from recollect.model.session_event import SessionEvent
from recollect.policy.statements.titles import title as title  # noqa: PLC0414 - others import it from here

QUOTED = "quoted"
"""The origin of words that a user only passed on."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory that could be filed: its content, and the keys of the events that it was made from (`sources`)."""

    kind: str
    title: str
    text: str
    sources: tuple[str, ...]
    fields: dict[str, object] = field(default_factory=dict)
    certainty: float = 0.8
    origin: str = "tool"
    rule: str = ""
    signature: str = ""
    files: tuple[str, ...] = ()
    at: float = 0.0

    def joined(self, *more: SessionEvent) -> "Draft":
        """Return the draft with more events behind it."""
        return self._behind([event.key for event in more], max([self.at, *(event.at for event in more)]), ())

    def backed(self, other: "Draft | None") -> "Draft":
        """Return the draft with the events and files of another one added; unchanged if there is none."""
        return self._behind(other.sources, max(self.at, other.at), other.files) if other else self

    def _behind(self, keys: Iterable[str], at: float, files: Iterable[str]) -> "Draft":
        sources, touched = dict.fromkeys([*self.sources, *keys]), dict.fromkeys([*self.files, *files])
        return replace(self, sources=tuple(sources), at=at, files=tuple(touched))
