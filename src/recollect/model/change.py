"""What can be asked of `save.commit`: a closed union, one class per change."""

from dataclasses import dataclass
from typing import Literal

from recollect.model.fact import Fact
from recollect.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Create:
    """Add a memory."""

    memory: Memory
    merge_duplicate: bool = True
    """An active memory that says the same takes the new metadata instead (D9)."""
    keep_slug: bool = False
    """The slug was named by the caller: a taken one is an error, not a reason for another slug."""
    classify: bool = False
    """Nobody named a sensitivity: it follows from what the memory says."""
    expiry_named: bool = False
    """Somebody said how long it lives; else a duplicate lets the longer life win."""
    exact: bool = False
    """A copy from elsewhere: nothing is added to it."""


@dataclass(frozen=True, slots=True)
class Revise:
    """Replace what a memory says; `guarded` applies the merge protections (B41-B44)."""

    memory: Memory
    expect: str | None = None
    """The revision that the caller read; another one in the store is a Conflict."""
    guarded: bool = False
    classify: bool = False
    """It says something new, and nobody named a sensitivity: it may become stricter."""


@dataclass(frozen=True, slots=True)
class Touch:
    """Count a use: once per memory and session, every time where no session is known."""

    uid: str
    session: str | None = None
    number: int | None = None
    """The session by count (A30)."""


@dataclass(frozen=True, slots=True)
class Weigh:
    """Change how a memory is valued."""

    uid: str
    importance: float | None = None
    appreciate: int = 0
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class Retire:
    """Soft delete."""

    uid: str
    reason: str = "No reason provided"
    vanished: str | None = None
    """Only because this vault file is gone: nothing happens if it is back by then."""


@dataclass(frozen=True, slots=True)
class Archive:
    """Shelve for good."""

    uid: str
    reason: str = "No reason provided"
    drop_file: bool = False
    """Garbage collection: the file goes, the store keeps the memory."""
    must_be_active: bool = False
    """Refused, with the whole group, where another was faster."""


@dataclass(frozen=True, slots=True)
class Restore:
    """Bring back a retired or archived memory."""

    uid: str
    only: Literal["retired", "archived"] | None = None


@dataclass(frozen=True, slots=True)
class Purge:
    """Erase, leaving tombstones."""

    uid: str
    reason: str = "No reason provided"
    only_retired: bool = False
    """Garbage collection: nothing happens if it was restored meanwhile."""
    bury: bool = True
    """Leave tombstones; what merely expired may be learnt again (D10)."""


@dataclass(frozen=True, slots=True)
class Move:
    """Keep a memory under another project's name; nothing else of it changes but a slug that is taken there."""

    uid: str
    project: str


@dataclass(frozen=True, slots=True)
class TakeIn:
    """What a vault file says becomes the memory; the file itself is not written."""

    path: str
    memory: Memory
    revision: str


@dataclass(frozen=True, slots=True)
class Revert:
    """Put a journalled image back; None means that the memory did not exist."""

    uid: str
    image: Memory | Fact | None
    leaves: Memory | Fact | None
    """What the undone change left: anything else by now was made elsewhere and is not swept away."""
    undoes: str


@dataclass(frozen=True, slots=True)
class Assert:
    """State a fact; the same one again refreshes how sure it is (D13)."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Retract:
    """Take a fact back."""

    uid: str
    reason: str = "No reason provided"


Change = (
    Create | Revise | Touch | Weigh | Retire | Archive | Restore | Purge | Move | TakeIn | Revert | Assert | Retract
)
