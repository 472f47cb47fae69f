"""What became of one change."""

from dataclasses import dataclass
from typing import cast

from recollect.model.fact import Fact
from recollect.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one change: its action in the past tense, and the memory before and after."""

    action: str
    about: Memory | Fact
    """As it is now; as it last was, when it is gone."""
    before: Memory | None = None
    path: str | None = None
    revision: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_fact(self) -> bool:
        """Whether the change was to a fact."""
        return isinstance(self.about, Fact)

    @property
    def memory(self) -> Memory:
        """What a change to a memory is about."""
        return cast("Memory", self.about)

    @property
    def fact(self) -> Fact:
        """What a change to a fact is about."""
        return cast("Fact", self.about)
