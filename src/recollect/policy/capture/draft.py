"""A memory that could be filed, and how it gets a title."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from recollect.model.session_event import SessionEvent

TITLE_CHARS = 100
QUOTED = "quoted"
"""The origin of words that a user only passed on."""
_LEADING = re.compile(
    r"^(?:(?:and|but|also|so|ok|okay|btw|please|pls|heads up)\b[\s,.:!-]*"
    r"|(?:yes|no|nope|hm+|ah+|oh+|right|good|fine|great|well|nice|cool|thanks|one more thing)\b\s*[,.:!;-]+\s*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory that could be filed: what it says, and the events that it was made from."""

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
        """The same with more events behind it."""
        return self._behind([one.key for one in more], max([self.at, *(one.at for one in more)]), ())

    def backed(self, other: "Draft | None") -> "Draft":
        """The same with everything behind it that stands behind another one."""
        return self._behind(other.sources, max(self.at, other.at), other.files) if other else self

    def _behind(self, keys: Iterable[str], at: float, files: Iterable[str]) -> "Draft":
        sources, touched = dict.fromkeys([*self.sources, *keys]), dict.fromkeys([*self.files, *files])
        return replace(self, sources=tuple(sources), at=at, files=tuple(touched))


def title(said: str) -> str:
    """A title from a sentence: without what only leads up to it."""
    plain = (_LEADING.sub("", said) or said).replace("**", "").strip(" .!*_")
    cut = plain if len(plain) <= TITLE_CHARS else plain[: TITLE_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return cut[:1].upper() + cut[1:]
