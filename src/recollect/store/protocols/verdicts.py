"""The role that keeps verdicts on memories that name code."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from recollect.model.verdict import CheckedVerdict


class Verdicts(Protocol):
    """Verdicts by memory. They are derived: a memory whose words change loses its verdict, and gets another later."""

    def of(self, uids: Sequence[str]) -> Mapping[str, CheckedVerdict]:
        """Return the verdicts on memories, by uid; a memory without one is left out."""

    def of_project(self, project: str) -> Mapping[str, CheckedVerdict]:
        """Return the verdicts on the active memories of a project and the global ones, by uid."""

    def put(self, verdicts: Iterable[CheckedVerdict]) -> None:
        """Insert verdicts, or replace those on the same memories; one on a memory that is gone is left out."""

    def remove(self, uids: Iterable[str]) -> None:
        """Delete the verdicts on memories."""
