"""What a store engine offers. Small on purpose: one suite of tests runs over every engine."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from recollect.model.fact import Fact
from recollect.model.kinds import Kinds
from recollect.model.memory import Memory
from recollect.model.query import FactQuery, Query, Weight
from recollect.store.recall_source import RecallSource
from recollect.store.sqlite.search_index import RecallTable
from recollect.store.sqlite.sessions import SessionTable

SHALLOW = "shallow"


def is_commit(name: str) -> bool:
    """Return whether a name is a commit's, and not a word that says why there is none."""
    return len(name) in (40, 64)


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
    root_commit: str = ""
    """The commit that its history began with; `SHALLOW` where that was cut off, `unread:` and HEAD where git could not
    read it, empty while nobody has asked."""
    made_here: bool = False
    """Whether its vault was made by our own `write`, without `init`."""
    unproven: str = ""
    """The project that it says it is, where that is not believed."""
    vault_off: bool = False
    """Trusted for its settings alone: no file of its vault is read or written."""


@dataclass(frozen=True, slots=True)
class ProjectCommits:
    """Commits that clones of a project were seen with."""

    roots: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class Facts(Protocol):
    """The facts of a store."""

    def get(self, uid: str) -> Fact | None: ...
    def same(self, fact: Fact) -> Fact | None: ...
    def find(self, query: FactQuery) -> list[Fact]: ...
    def put(self, fact: Fact) -> None: ...
    def remove(self, uid: str) -> None: ...


class Projects(Protocol):
    """The projects of a store: their names, their checkouts, and the commits that prove which project a clone is."""

    def meet(self, checkout: KnownCheckout) -> None:
        """Remember a checkout, and its first commit as one of its project."""

    def checkouts(self) -> list[KnownCheckout]: ...
    def note_commit(self, project: str, commit: str) -> None:
        """Remember a commit that a clone of a project had checked out."""

    def commits(self, project: str) -> ProjectCommits: ...
    def alias(self, project: str, stands_for: str) -> None:
        """From now on, one name of a project stands for another."""

    def canonical(self, project: str) -> str | None:
        """The name under which a project's memories are kept; None for a project never met."""

    def rename(self, old: str, new: str) -> None:
        """Move what is kept of sessions, and what was purged, to another project; memories and facts are not moved."""


class Store(Protocol):
    """One database. Reads see the last commit; writes happen inside `writing`."""

    kinds: Kinds
    path: Path

    @property
    def facts(self) -> Facts: ...
    @property
    def projects(self) -> Projects: ...
    @property
    def sessions(self) -> SessionTable: ...
    @property
    def recall(self) -> RecallTable: ...
    def copy_to(self, copy: Path) -> None: ...
    def recall_source(self) -> AbstractContextManager[RecallSource]:
        """Recall's view of the store, for one question."""

    def close(self) -> None: ...
    def count(self) -> dict[str, int]: ...
    def problems(self) -> list[str]: ...

    def writing(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """All or nothing; durable means that a power cut cannot take it back."""

    def get(self, uid: str) -> Stored | None: ...
    def named(self, project: str, kind: str, slug: str) -> Stored | None: ...
    def same_text(self, project: str, digest: str, now: float) -> Stored | None: ...
    def find(self, query: Query) -> list[Stored]: ...
    def search(self, words: Sequence[str], query: Query) -> list[tuple[Stored, float]]: ...
    def number(self, query: Query) -> int: ...
    def weights(self, query: Query) -> list[Weight]: ...
    def census(self, project: str) -> list[tuple[str, str, int]]: ...
    def resolve(self, project: str, name: str) -> list[Stored]: ...
    def put(self, memory: Memory, revision: str) -> None: ...
    def remove(self, uid: str) -> None: ...

    def record(self, entries: Iterable[Entry]) -> None: ...
    def entries(self, *, uid: str | None = None, limit: int = 50) -> list[Entry]: ...
    def last_group(self, project: str, root: str) -> list[Entry]: ...
    def entries_after(self, seq: int, limit: int) -> list[Entry]: ...
    def images(self, uid: str) -> set[str]: ...
    def image_at(self, uid: str, revision: str) -> str | None: ...
    def sayers(self, project: str, digest: str) -> set[str]: ...
    def knows_revision(self, uid: str, revision: str) -> bool: ...
    def store_id(self) -> str: ...

    def scrub(self, said: Callable[[str], str], image: Callable[[str], str]) -> int:
        """Give every text to the function for what it is; the number of rows that changed."""

    def settle(self) -> None:
        """Write the file anew, so that nothing old is left in it."""

    def renew_id(self) -> None: ...

    def see(self, sighting: Sighting) -> None: ...
    def unsee(self, root: str, path: str) -> None: ...
    def advance(self, root: str, position: str | None) -> None: ...
    def sightings(self, root: str) -> list[Sighting]: ...
    def orphans(self, root: str) -> set[str]: ...
    def was_seen(self, uid: str) -> bool: ...
    def sighting_at(self, root: str, path: str) -> Sighting | None: ...
    def sighting_of(self, root: str, uid: str) -> Sighting | None: ...

    def access(self, uid: str, session: str, at: str) -> bool:
        """Note a use in a session; False when it was noted before."""

    def accessed(self, session: str, root: str) -> list[str]: ...
    def setting(self, name: str) -> str | None: ...
    def set_setting(self, name: str, value: str | None) -> None: ...
    def settings(self, prefix: str) -> dict[str, str]: ...

    def bury(self, project: str, digest: str, at: str, reason: str) -> None: ...
    def unbury(self, project: str, digest: str) -> None: ...
    def is_buried(self, project: str, digest: str) -> bool: ...
