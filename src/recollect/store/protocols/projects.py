"""The roles that know projects, their checkouts, and the vault files seen there."""

from collections.abc import Sequence
from typing import Protocol

from recollect.store.project_values import Joined, KnownCheckout, ProjectCommits
from recollect.store.values import Sighting


class Projects(Protocol):
    """Projects: their names, their checkouts, and the commits that prove which project a clone is."""

    def meet(self, checkout: KnownCheckout) -> None:
        """Remember a checkout, and its first commit as one of its project."""

    def checkouts(self) -> list[KnownCheckout]:
        """Return every checkout that is known."""

    def note_commit(self, project: str, commit: str) -> None:
        """Remember a commit that a clone of a project had checked out; the last 500 are kept."""

    def commits(self, project: str) -> ProjectCommits:
        """Return the commits with which clones of a project were seen, newest first."""

    def alias(self, project: str, stands_for: str) -> None:
        """From now on, treat one name of a project as another."""

    def canonical(self, project: str) -> str | None:
        """Return the name under which a project's memories are kept; None for a project never met."""

    def root_names(self) -> list[str]:
        """Return the names that begin with `root:`, of projects and aliases; a part follows behind `//`."""

    def names(self) -> dict[str, str]:
        """Return every alias with the project that it stands for."""

    def sizes(self, *, no_kinds: Sequence[str] = ()) -> dict[str, int]:
        """Return the number of active memories of each project, `global` included, without those of some kinds."""

    def join(self, source: str, target: str) -> Joined:
        """Move a project's names, checkouts, commits, sessions and tombstones to another; return what was moved.

        Memories and facts are not moved.
        """

    def part(self, joined: Joined) -> None:
        """Take back what `join` moved."""


class VaultSightings(Protocol):
    """How each vault file looked when it was last seen, for each checkout."""

    def see(self, sighting: Sighting) -> None:
        """Remember how a file looks."""

    def unsee(self, root: str, path: str) -> None:
        """Forget a file that recollect removed itself."""

    def advance(self, root: str, position: str | None) -> None:
        """Note that every file that was seen in a checkout is still there at this commit."""

    def sightings(self, root: str) -> list[Sighting]:
        """Return every file known in a checkout, by path."""

    def orphans(self, root: str) -> set[str]:
        """Return the paths of files in a checkout whose memory is not in the store any more."""

    def was_seen(self, uid: str) -> bool:
        """Return whether a memory has, or had, a file in any checkout."""

    def sighting_at(self, root: str, path: str) -> Sighting | None:
        """Return how a file looked; None for a file never seen."""

    def sighting_of(self, root: str, uid: str) -> Sighting | None:
        """Return the file that holds a memory in a checkout; None if there is none."""
