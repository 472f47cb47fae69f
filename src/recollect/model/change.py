"""The changes that `write.commit` accepts: a closed union with a class for each."""

from dataclasses import dataclass
from typing import Literal

from recollect.model.fact import Fact
from recollect.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Create:
    """Add a memory."""

    memory: Memory
    merge_duplicate: bool = True
    """If an active memory has the same text, update its metadata instead (D9)."""
    keep_slug: bool = False
    """The caller chose the slug: if it is taken, raise an error instead of choosing another."""
    classify: bool = False
    """Derive the sensitivity from the text, because none was given."""
    expiry_named: bool = False
    """The expiry was given; otherwise the later expiry of two duplicates wins."""
    exact: bool = False
    """A copy from another store: nothing is added to it."""


@dataclass(frozen=True, slots=True)
class Revise:
    """Replace a memory's content; `guarded` applies the merge protections (B41-B44)."""

    memory: Memory
    expect: str | None = None
    """The revision that the caller read; raises Conflict if the store has another."""
    guarded: bool = False
    classify: bool = False
    """Derive the sensitivity from the new text; it may only become stricter."""


@dataclass(frozen=True, slots=True)
class Touch:
    """Count a use: once per memory and session, every time if the session is unknown."""

    uid: str
    session: str | None = None
    number: int | None = None
    """The session's number (A30)."""


@dataclass(frozen=True, slots=True)
class Weigh:
    """Change a memory's importance, appreciation or pin."""

    uid: str
    importance: float | None = None
    appreciate: int = 0
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class Reweigh:
    """Set a memory's importance in the store alone; all of a commit share one journal entry, because there are many."""

    uid: str
    before: float
    """The importance that was read; a memory that has another by now is left alone."""
    importance: float
    undoes: str | None = None
    """The group that this takes back; the same for all of a commit."""


@dataclass(frozen=True, slots=True)
class Retire:
    """Soft delete."""

    uid: str
    reason: str = "No reason provided"
    vanished: str | None = None
    """The vault file whose removal is the reason; nothing happens if it exists again."""


@dataclass(frozen=True, slots=True)
class Archive:
    """Archive: out of recall, but kept."""

    uid: str
    reason: str = "No reason provided"
    drop_file: bool = False
    """Remove the vault file, keep the memory in the store (garbage collection)."""
    must_be_active: bool = False
    """Refuse the whole group of changes if the memory is no longer active."""


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
    """Do nothing if the memory was restored meanwhile (garbage collection)."""
    bury: bool = True
    """Leave tombstones, so that the same text is not saved again; not for expired memories (D10)."""


@dataclass(frozen=True, slots=True)
class Move:
    """Move a memory to another project; it gets another slug if its own is taken there."""

    uid: str
    project: str


@dataclass(frozen=True, slots=True)
class TakeIn:
    """Take the content of a vault file over into the memory; the file is not written."""

    path: str
    memory: Memory
    revision: str


@dataclass(frozen=True, slots=True)
class Revert:
    """Restore an image from the journal; None means that the memory did not exist."""

    uid: str
    image: Memory | Fact | None
    leaves: Memory | Fact | None
    """The state that the undone change left; if the memory has another state now, it is not overwritten."""
    undoes: str
    is_logged: bool = False
    """Whether a Splice of the same group puts its line of the log back: then none is appended."""


@dataclass(frozen=True, slots=True)
class Assert:
    """Add a fact; the same fact again updates its confidence (D13)."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Retract:
    """Remove a fact."""

    uid: str
    reason: str = "No reason provided"


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace a part of a project file that holds no single memory, such as `MEMORY.md`.

    What others add to the file before or behind that part stays. Raises Conflict if the part is not there.
    """

    path: str
    """The file, from the project's root."""
    at: int
    """Where the part begins, in bytes."""
    removed: str | None
    """The part as it is now; None: the file does not exist."""
    inserted: str | None
    """The part as it will be; None: remove the file, if nothing else is in it."""
    undoes: str | None = None
    """The group of changes that this one undoes; then the part may also have moved within the file."""


OneByOne = (
    Create
    | Revise
    | Touch
    | Weigh
    | Retire
    | Archive
    | Restore
    | Purge
    | Move
    | TakeIn
    | Revert
    | Assert
    | Retract
    | Splice
)
Change = OneByOne | Reweigh
