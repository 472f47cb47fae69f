"""Drafts: memories that could be filed, and their titles."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from recollect.model.session_event import SessionEvent

TITLE_CHARS = 100
QUOTED = "quoted"
"""The origin of words that a user only passed on."""
# Words that lead up to a sentence, such as ok, btw and one more thing.
_LEADING = re.compile(
    r"^(?:(?:and|but|also|so|ok|okay|btw|please|pls|heads up)\b[\s,.:!-]*"
    r"|(?:yes|no|nope|hm+|ah+|oh+|right|good|fine|great|well|nice|cool|thanks|one more thing)\b\s*[,.:!;-]+\s*)+",
    re.IGNORECASE,
)


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


def title(sentence: str) -> str:
    """Return a title made of a sentence: without words that lead up to it, at most 100 characters, capitalised."""
    plain = (_LEADING.sub("", sentence) or sentence).replace("**", "").strip(" .!*_")
    cut = plain if len(plain) <= TITLE_CHARS else plain[: TITLE_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return cut[:1].upper() + cut[1:]
