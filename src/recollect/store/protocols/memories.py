"""The roles that keep memories: the memories themselves, their uses, what was purged, and facts."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from recollect.model.fact import Fact
from recollect.model.memory import Memory
from recollect.model.query import FactQuery, Query, Weight
from recollect.model.rows.listed_memory import LinkedMemory
from recollect.model.rows.upkeep_row import UpkeepRow
from recollect.store.figures import KindDay
from recollect.store.values import KindCount, RuleRow, Stored


class Memories(Protocol):
    """Memories by identity, by name, by text and by filter."""

    def get(self, uid: str) -> Stored | None:
        """Return a memory by its identity; None if there is none."""

    def named(self, project: str, kind: str, slug: str) -> Stored | None:
        """Return a memory by its name in the vault; None if there is none."""

    def same_text(self, project: str, digest: str, now: float) -> Stored | None:
        """Return the active, unexpired memory of a project with this text; None if there is none."""

    def uids_with_text(self, project: str, digest: str) -> set[str]:
        """Return the identities of all memories of a project with this text, whatever their status."""

    def taught(self, project: str) -> list[tuple[str, bool, float]]:
        """Return the captured memories that people kept or dropped: channel, whether kept, when in seconds."""

    def possible_conflicts(self, project: str, now: float) -> list[tuple[str, str]]:
        """Return the active, unexpired memories that may replace an active older one: both uids, oldest first."""

    def find(self, query: Query) -> list[Stored]:
        """Return the memories that pass every filter, newest first."""

    def search(self, words: Sequence[str], query: Query) -> list[tuple[Stored, float]]:
        """Return the memories that contain any of the words and pass the filters, best first, with their scores."""

    def number(self, query: Query) -> int:
        """Return how many memories pass every filter."""

    def weights(self, query: Query) -> list[Weight]:
        """Return, for the memories that pass every filter, what decides which of them is dropped first."""

    def upkeep_rows(self, query: Query) -> list[UpkeepRow]:
        """Return what upkeep reads of the memories that pass every filter, oldest first; damaged ones are left out."""

    def count(self) -> dict[str, int]:
        """Return how many memories there are, by status."""

    def census(self, project: str) -> list[KindCount]:
        """Return how many memories a project has, the global ones included, by kind and status."""

    def growth(self, project: str) -> list[KindDay]:
        """Return how many active memories of each kind were created on which day (UTC), oldest first; without turns."""

    def rules(self, project: str, kinds: Sequence[str]) -> list[RuleRow]:
        """Return the active memories of these kinds in a project that the user stated, the newest first."""

    def resolve(self, project: str, name: str) -> list[Stored]:
        """Return the memories that a person may mean by a name: an id, a slug, a title, or a part of one."""

    def slugs(self, project: str) -> list[str]:
        """Return the slugs of a project's memories, the global ones included."""

    def short_ids(self, uids: Sequence[str]) -> dict[str, str]:
        """Return a short id for each uid, which `resolve` takes: the last 8 characters, more if they are not unique."""

    def links_of(self, uid: str) -> list[LinkedMemory]:
        """Return the memories that a memory has to do with: those it names, and those that name it."""

    def set_importances(self, values: Iterable[tuple[str, float, float]]) -> None:
        """Set the importance of memories: uid, the value before, the new value; one that has another value is left."""

    def kept_by_session(self, project: str) -> dict[str, int]:
        """Return how many active memories of a project came from each session; turns are not counted."""

    def derived_from(self, uid: str, limit: int = 20) -> list[Stored]:
        """Return the newest memories that name another one in their lineage."""

    def put(self, memory: Memory, revision: str) -> None:
        """Insert a memory, or replace the one with its identity."""

    def remove(self, uid: str) -> None:
        """Delete a memory and what was derived from it."""


class MemoryUses(Protocol):
    """Which memories were used in which session."""

    def access(self, uid: str, session: str, at: str) -> bool:
        """Note that a memory was used in a session; return False if that was noted before."""

    def accessed(self, session: str, root: str) -> list[str]:
        """Return the memories used in a session that have a markdown file in a checkout: it holds their counters."""

    def unweighed(self, project: str) -> list[tuple[str, str]]:
        """Return the uses of a project's memories that weighing has not counted: memory and session."""

    def set_weighed(self, uses: Iterable[tuple[str, str]]) -> None:
        """Note that weighing has counted uses: memory and session."""


class Tombstones(Protocol):
    """Texts that were purged and must not come back."""

    def bury(self, project: str, digest: str, at: str, reason: str) -> None:
        """Note that a text was purged from a project."""

    def unbury(self, project: str, digest: str) -> None:
        """Forget that a text was purged."""

    def is_buried(self, project: str, digest: str) -> bool:
        """Return whether a text was purged from a project."""


class Facts(Protocol):
    """Facts by identity, by their three parts, and by filter."""

    def get(self, uid: str) -> Fact | None:
        """Return a fact by its identity; None if there is none."""

    def same(self, fact: Fact) -> Fact | None:
        """Return the fact of the same project with the same subject, predicate and object; None if there is none."""

    def find(self, query: FactQuery) -> list[Fact]:
        """Return the facts that pass every filter, newest first (D13)."""

    def put(self, fact: Fact) -> None:
        """Insert a fact, or replace the one with its identity."""

    def remove(self, uid: str) -> None:
        """Delete a fact."""
