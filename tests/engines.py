"""The store engines, typed as the protocols: mypy refuses one that lacks a method of a role."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recollect.model.content import Text
from recollect.model.kinds import KINDS
from recollect.model.memory import Memory
from recollect.store.protocols import (
    Entry,
    Facts,
    Journal,
    Maintenance,
    Memories,
    MemoryUses,
    Projects,
    SearchIndex,
    Sessions,
    Settings,
    Sighting,
    Store,
    Stored,
    Tombstones,
    Transactions,
    VaultSightings,
    Verdicts,
)
from recollect.store.protocols.recall_source import RecallSource
from recollect.store.sqlite.store import SqliteStore

PROJECT = "github.com/ann/shop"
NOON = "2026-03-01T12:00:00Z"
NOW = 1_772_366_400.0

Open = Callable[[], Store]


def open_sqlite(folder: Path) -> Store:
    """Open the SQLite store of a folder."""
    return SqliteStore(folder / "memory.db", KINDS)


def recall_source(store: Store) -> RecallSource:
    """Return recall's view of a store."""
    with store.recall_source() as source:
        return source


ENGINES: Mapping[str, Callable[[Path], Store]] = {"sqlite": open_sqlite}
ROLES: Mapping[type, Callable[[Store], object]] = {
    Memories: lambda store: store,
    MemoryUses: lambda store: store,
    Tombstones: lambda store: store,
    Journal: lambda store: store,
    VaultSightings: lambda store: store,
    Settings: lambda store: store,
    Transactions: lambda store: store,
    Maintenance: lambda store: store,
    Facts: lambda store: store.facts,
    Projects: lambda store: store.projects,
    Sessions: lambda store: store.sessions,
    Verdicts: lambda store: store.verdicts,
    SearchIndex: lambda store: store.search_index,
    RecallSource: recall_source,
    Store: lambda store: store,
}
"""Each role, and where a store has it."""


def memory(uid: str, text: str = "", **fields: Any) -> Memory:
    """Return a memory with these fields; its slug and title are its identity."""
    parts = {"slug": uid.lower(), "kind": "note", "title": uid, "project": PROJECT}
    times = {"created_at": NOON, "updated_at": NOON}
    return Memory(uid=uid, content=Text(text=text or f"text of {uid}"), **{**parts, **times, **fields})


def keep(store: Store, *memories: Memory) -> None:
    """Put memories in one transaction."""
    with store.writing():
        for item in memories:
            store.put(item, f"revision of {item.uid}")


def entry(group: str, uid: str = "A", **fields: Any) -> Entry:
    """Return an entry of the journal, made in the checkout `/checkout`."""
    parts: dict[str, Any] = {
        "at": NOON,
        "actor": "test",
        "action": "created",
        "project": PROJECT,
        "before": None,
        "after": "{}",
        "root": "/checkout",
    }
    return Entry(group=group, uid=uid, **{**parts, **fields})


def sighting(path: str, uid: str = "A", **fields: Any) -> Sighting:
    """Return how a file looked in the checkout `/checkout`."""
    parts: dict[str, Any] = {"size": 1, "mtime_ns": 2, "seen_ns": 3, "digest": "d", "position": "c1"}
    return Sighting(root="/checkout", path=path, uid=uid, **{**parts, **fields})


def uids(found: list[Stored]) -> list[str]:
    """Return the identities of memories, in their order."""
    return [stored.memory.uid for stored in found]
