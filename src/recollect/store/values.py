"""The values that a store takes and returns, whatever engine keeps them."""

from dataclasses import dataclass
from typing import Literal

from recollect.model.memory import Memory

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
class Word:
    """A word that has a vector."""

    key: int
    model: str
    held: bool
    """Whether a memory contains it."""
    common: bool
    """Whether it is one of the words that people ask with; those are kept even if no memory contains them."""
    vector: bytes
    """The vector by which words are alike."""
    asked: bytes
    """What the word means in a prompt, as `recall/question_vector.py` sums it; empty where that is not known."""
    near: bytes
    """Words with similar vectors that memories contain: all keys, four bytes each, then a byte of similarity each."""
