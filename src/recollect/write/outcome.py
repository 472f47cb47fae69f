"""The result of a change that was committed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, cast

from recollect.model.fact import Fact
from recollect.model.file_part import FilePart
from recollect.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change did to a memory, a fact or a file."""

    action: str
    """What was done, in the past tense: created, updated, retired, unchanged, …"""
    about: Memory | Fact | FilePart
    """The memory, fact or part of a file as it is now; as it last was, where it was erased."""
    before: Memory | None = None
    path: str | None = None
    """The path of its vault file; None without one."""
    revision: str | None = None
    notes: tuple[str, ...] = ()
    """Remarks for whoever asked for the change: redactions, warnings, memories that were closed to make room."""

    @property
    def is_fact(self) -> bool:
        """Whether the change was to a fact."""
        return isinstance(self.about, Fact)

    @property
    def is_file(self) -> bool:
        """Whether the change was to a file that holds no single memory."""
        return isinstance(self.about, FilePart)

    @property
    def is_memory(self) -> bool:
        """Whether the change was to a memory."""
        return isinstance(self.about, Memory)

    @property
    def memory(self) -> Memory:
        """The memory, where the change was to one."""
        return cast("Memory", self.about)

    @property
    def fact(self) -> Fact:
        """The fact, where the change was to one."""
        return cast("Fact", self.about)

    @property
    def file(self) -> FilePart:
        """The part of a file, where the change was to one."""
        return cast("FilePart", self.about)

    def with_notes(self, notes: Sequence[str]) -> Self:
        """Return the outcome with more notes."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self
