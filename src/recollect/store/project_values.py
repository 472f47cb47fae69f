"""The values of projects and checkouts that a store takes and returns; a cold `recollect project` loads them alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

SHALLOW = "shallow"
"""Stands for the first commit of a checkout whose history was cut off."""


def is_commit(name: str) -> bool:
    """Return whether a name is a commit's, and not a word that says why there is none."""
    return len(name) in (40, 64)


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
