"""The values that a store takes and returns, whatever engine keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.model.memory import Memory

SHALLOW = "shallow"
"""Stands for the first commit of a checkout whose history was cut off."""


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
class RuleRow:
    """What is needed of a memory to tell it as a rule by its scope."""

    uid: str
    revision: str
    kind: str
    title: str
    says: str
    """The rule itself, without its topic and reason."""
    cue: str
    strength: str
    """Of a preference: strong, default or soft; empty for other kinds."""
    is_pinned: bool
    confidence: float | None
    tags: str
    session: str
    expires: float | None


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many memories of a kind have a status."""

    kind: str
    status: str
    number: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: a change that was applied, with the memory as JSON before and after."""

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
    """The group of changes that this one takes back."""
    root: str | None = None
    """The checkout in which the change was made."""
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
    """The commit of HEAD at that time (see `Checkout.position`)."""
    presence: Presence = "seen"
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class KnownCheckout:
    """A checkout in which recollect has been used."""

    root: str
    project: str
    clone: str
    trusted: bool = False
    root_commit: str = ""
    """The first commit of its history; `SHALLOW` where the history was cut off, `unread:` and HEAD where git could not
    read it, empty if it was not looked up yet."""
    made_here: bool = False
    """Whether its vault was made by our own `write`, without `init`."""
    unproven: str = ""
    """The project that it says it is, where no commit proves that."""
    vault_off: bool = False
    """Trusted for its settings alone: no file of its vault is read or written."""
    remote: str | None = None
    """The project that its remote named when it was last met; empty without a remote, None where nobody looked."""


@dataclass(frozen=True, slots=True)
class ProjectCommits:
    """The commits with which clones of a project were seen: first commits, and those that were checked out."""

    roots: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether a commit is known."""
        return bool(self.roots or self.others)


@dataclass(frozen=True, slots=True)
class Joined:
    """What was moved, besides memories and facts, when one project was joined with another: enough to take it back."""

    source: str
    target: str
    names: Mapping[str, str | None]
    """The names that stand for the target now, each with what it stood for before; None where that was nothing."""
    checkouts: tuple[str, ...] = ()
    """The folders that belong to the target now."""
    proven: Mapping[str, str] = field(default_factory=dict)
    """The folders whose remote named the target without proof, each with that name."""
    sessions: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    """The sessions whose events were moved."""
    receipts: tuple[str, ...] = ()
    """The sessions whose receipts were moved."""
    tombstones: tuple[str, ...] = ()
    """The digests of purged texts that the target did not have."""
    commits: tuple[str, ...] = ()
    """The commits that the target did not have."""
    settings: Mapping[str, str | None] = field(default_factory=dict)
    """The settings of the target that were changed, each with its value before."""


@dataclass(frozen=True, slots=True)
class Session:
    """One session of a client; times are seconds since 1970."""

    id: str
    project: str
    root: str
    client: str
    number: int
    prompts: int
    started: float
    seen: float
    compacted: float = 0.0
    ended: float | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The record of one injection: the query's words, the candidates with their scores, and what was shown."""

    id: str
    at: float
    session: str
    project: str
    event: str
    words: dict[str, float]
    shown: list[str]
    candidates: list[dict[str, Any]]
    tokens: int
    state: str = ""
    """`hits`, `none`, or why recall failed or was incomplete."""
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What recall compares of one memory."""

    id: int
    model: str
    terms: bytes
    """The keys of its stems, four bytes each; those that name it come first."""
    named: int
    """How many of the terms name it: words of its title, tags, cue and keywords."""
    flags: int
    """What its text tells about itself (see `policy.ranking.text_flags`)."""
    places: bytes
    """The keys of its files, four bytes each."""
    hashed: bytes | None
    """Hashed word counts, for the profile that compares those (C10)."""
    vector: bytes | None = None
    project: str = ""
    code: bytes | None = None
    """One bit for each dimension of the vector, by which the nearest are found."""


@dataclass(frozen=True, slots=True)
class MemoryVector:
    """A new vector for a memory that has evidence, and its code."""

    id: int
    vector: bytes
    code: bytes


@dataclass(frozen=True, slots=True)
class Word:
    """A word that has a vector."""

    key: int
    model: str
    held: bool
    """Whether a memory contains it."""
    common: bool
    """Whether it is one of the words that people ask with; those are kept even if no memory contains them."""
    vector: bytes
    near: bytes
    """Words with similar vectors that memories contain: all keys, four bytes each, then a byte of similarity each."""
