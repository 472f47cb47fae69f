"""`Store`: all roles of the modules in this package together.

A function that needs little declares the role: `Memories`, `Journal`, `VaultSightings`, `Settings` and so on. The suite
in tests/contracts runs over every engine.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from recollect.model.kinds import Kinds
from recollect.store.hook_reader.store_reader import StoreReader
from recollect.store.project_values import SHALLOW, Joined, KnownCheckout, ProjectCommits, is_commit
from recollect.store.protocols.engine import Maintenance, Settings, Transactions
from recollect.store.protocols.journal import Journal
from recollect.store.protocols.memories import Facts, Memories, MemoryUses, Tombstones
from recollect.store.protocols.projects import Projects, VaultSightings
from recollect.store.protocols.recall_source import RecallSource
from recollect.store.protocols.search_index import SearchIndex
from recollect.store.protocols.sessions import Sessions
from recollect.store.protocols.verdicts import Verdicts
from recollect.store.values import Entry, Presence, Sighting, Stored

__all__ = [
    "SHALLOW", "Entry", "Facts", "Joined", "Journal", "KnownCheckout", "Maintenance", "Memories", "MemoryUses",
    "Presence", "ProjectCommits", "Projects", "SearchIndex", "Sessions", "Settings", "Sighting", "Store", "Stored",
    "Tombstones", "Transactions", "VaultSightings", "Verdicts", "is_commit",
]  # fmt: skip


class Store(
    Memories, MemoryUses, Tombstones, Journal, VaultSightings, Settings, Transactions, Maintenance, Protocol
):  # fmt: skip
    """One database. Reads see the last commit; writes happen inside `writing`."""

    kinds: Kinds
    """The kinds of memory that images are read with."""

    @property
    def facts(self) -> Facts:
        """The facts."""

    @property
    def projects(self) -> Projects:
        """The projects and their checkouts."""

    @property
    def sessions(self) -> Sessions:
        """What clients sent and were shown."""

    @property
    def search_index(self) -> SearchIndex:
        """The search index: what recall compares."""

    @property
    def verdicts(self) -> Verdicts:
        """The verdicts on memories that name code."""

    def recall_source(self) -> AbstractContextManager[RecallSource]:
        """Open recall's view of the store, for one question."""

    def hook_reader(self) -> AbstractContextManager[StoreReader]:
        """Open the hooks' view of the store, for one event that is answered in this process."""
