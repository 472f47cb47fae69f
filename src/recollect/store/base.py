"""What a store engine offers. Small on purpose: one suite of tests runs over every engine."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from recollect.model.kinds import Kinds
from recollect.model.memory import Memory
from recollect.model.query import Query

Presence = Literal["seen", "absent", "retired", "invalid", "held"]


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory and the revision that the store holds of it."""

    memory: Memory
    revision: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: a change that was applied, with full images."""

    group: str
    at: str
    actor: str
    action: str
    uid: str
    project: str
    before: str | None
    after: str | None
    revision: str | None = None
    reason: str | None = None
    undoes: str | None = None
    root: str | None = None
    """The checkout that it was made in."""
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Sighting:
    """How a vault file looked when it was last seen in a checkout."""

    root: str
    path: str
    uid: str
    size: int
    mtime_ns: int
    seen_ns: int
    digest: str
    position: str | None
    """Where HEAD stood (see `Checkout.position`)."""
    presence: Presence = "seen"
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class KnownCheckout:
    """A checkout that recollect has met."""

    root: str
    project: str
    clone: str
    trusted: bool = False


class Store(Protocol):
    """One database. Reads see the last commit; writes happen inside `writing`."""

    kinds: Kinds
    path: Path

    def close(self) -> None: ...
    def count(self) -> dict[str, int]: ...
    def problems(self) -> list[str]: ...

    def writing(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """All or nothing; durable means that a power cut cannot take it back."""

    def get(self, uid: str) -> Stored | None: ...
    def named(self, project: str, kind: str, slug: str) -> Stored | None: ...
    def same_text(self, project: str, digest: str, now: float) -> Stored | None: ...
    def find(self, query: Query) -> list[Stored]: ...
    def tally(self, project: str, kind: str) -> int: ...
    def resolve(self, project: str, name: str) -> list[Stored]: ...
    def put(self, memory: Memory, revision: str) -> None: ...
    def remove(self, uid: str) -> None: ...

    def record(self, entries: Iterable[Entry]) -> None: ...
    def entries(self, *, uid: str | None = None, limit: int = 50) -> list[Entry]: ...
    def last_group(self, project: str, root: str) -> list[Entry]: ...
    def entries_after(self, seq: int, limit: int) -> list[Entry]: ...
    def images(self, uid: str) -> set[str]: ...
    def knows_revision(self, uid: str, revision: str) -> bool: ...
    def store_id(self) -> str: ...
    def renew_id(self) -> None: ...

    def see(self, sighting: Sighting) -> None: ...
    def unsee(self, root: str, path: str) -> None: ...
    def advance(self, root: str, position: str | None) -> None: ...
    def sightings(self, root: str) -> list[Sighting]: ...
    def orphans(self, root: str) -> set[str]: ...
    def was_seen(self, uid: str) -> bool: ...
    def sighting_at(self, root: str, path: str) -> Sighting | None: ...
    def sighting_of(self, root: str, uid: str) -> Sighting | None: ...

    def bury(self, project: str, digest: str, at: str, reason: str) -> None: ...
    def unbury(self, project: str, digest: str) -> None: ...
    def is_buried(self, project: str, digest: str) -> bool: ...

    def meet(self, checkout: KnownCheckout) -> None: ...
    def checkouts(self) -> list[KnownCheckout]: ...
    def alias(self, project: str, stands_for: str) -> None: ...
    def canonical(self, project: str) -> str | None: ...
