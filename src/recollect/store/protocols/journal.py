"""The role that keeps the journal of applied changes."""

from collections.abc import Iterable
from typing import Protocol

from recollect.store.values import Entry


class Journal(Protocol):
    """Every change that was applied, in order. Nothing is ever removed from it."""

    def record(self, entries: Iterable[Entry]) -> None:
        """Append entries; each gets the next number."""

    def entries(self, *, uid: str | None = None, limit: int = 50) -> list[Entry]:
        """Return the newest entries, of one memory or of all, newest first."""

    def superseded(self, project: str | None, limit: int) -> list[Entry]:
        """Return the newest entries by which capture retired a memory that a newer one replaces, newest first."""

    def entries_after(self, seq: int, limit: int) -> list[Entry]:
        """Return the entries that follow a number, oldest first."""

    def last_group(self, project: str, root: str, *, captured: bool = False) -> list[Entry]:
        """Return the entries of the newest change in a checkout that can be undone; empty if there is none.

        That is a change that a person made; with `captured`, one that capture made.
        """

    def group_size(self, group: str) -> int:
        """Return how many entries a group of changes has; 0 for one that was never committed."""

    def images(self, uid: str) -> set[str]:
        """Return every image that the journal has of a memory: the memory as JSON."""

    def image_at(self, uid: str, revision: str) -> str | None:
        """Return a memory's image at a revision; None if the journal does not have it."""

    def knows_revision(self, uid: str, revision: str) -> bool:
        """Return whether a memory ever had this revision."""

    def store_id(self) -> str:
        """Return the name that tells this store from one that replaces it; lines of the journal's mirror carry it."""

    def renew_id(self) -> None:
        """Give the store another name, because its journal differs from the mirror's."""
