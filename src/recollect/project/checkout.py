"""A project's root folder on this machine: its path, its clone, and the names that identify the project."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.project import history, lookup, repository
from recollect.project.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.project.lookup import Row

IN_PROGRESS = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "index.lock": "a git command",
}


@dataclass(frozen=True, slots=True)
class Checkout:
    """A project's root folder. `repository` is None without git; `below` is the root's place under git's top folder."""

    root: Path
    repository: Repository | None = None
    below: str = ""
    head: str | None = None
    """The commit that was checked out when the checkout was read; None before the first commit."""

    @property
    def clone(self) -> str:
        """The key that trust is stored under: worktrees of a clone share it, another clone at the same path differs."""
        return lookup.part_of(self.repository.clone, self.below) if self.repository else str(self.root)

    @property
    def has_history(self) -> bool:
        """Whether git can be asked what happened to files here."""
        return self.repository is not None and self.repository.is_own

    def first_commit(self) -> str:
        """Return the first commit of the history; empty if it is unknown."""
        return history.first_commit(self.repository) if self.repository else ""

    @property
    def root_name(self) -> str:
        """The project's name by its first commit; empty if there is none."""
        first = self.first_commit()
        return lookup.part_of(f"root:{first}", self.below) if first else ""

    @property
    def path_name(self) -> str:
        """The project's name by its folder alone."""
        return f"path:{self.root}"

    @property
    def position(self) -> str | None:
        """HEAD's commit and the length of its log: two equal positions mean that HEAD did not move in between."""
        if self.head is None or self.repository is None:
            return None
        log = _stat(Path(self.repository.git_dir) / "logs" / "HEAD")
        return f"{self.head}@{log.st_size if log else 0}"

    @property
    def is_position_known(self) -> bool:
        """Whether `position` is reliable: not if `.git` is a link, or git stores references in another form."""
        return self.repository is None or (self.repository.is_own and not self.repository.has_other_references)

    @property
    def branch(self) -> str | None:
        """The branch that is checked out; None when HEAD is detached or there is no git."""
        return (self.repository.branch() or None) if self.repository else None

    @property
    def branch_or_commit(self) -> str:
        """The branch that is checked out, the commit where HEAD is detached; empty without git."""
        return (self.repository.branch() or self.repository.head()) if self.repository else ""

    def signature(self) -> tuple[int, ...]:
        """Return times and sizes that change when HEAD moves; costs two `stat` calls."""
        if not self.has_history or self.repository is None:
            return ()
        marks = [Path(self.repository.git_dir, "HEAD"), Path(self.repository.git_dir, "logs", "HEAD")]
        stats = [found for mark in marks if (found := _stat(mark))]
        return tuple(number for found in stats for number in (found.st_mtime_ns, found.st_size))

    def looked_at_again(self) -> "Checkout":
        """Return the same checkout with the commit that is checked out now."""
        return replace(self, head=(self.repository.head() or None) if self.repository else None)

    def interrupted(self) -> str | None:
        """Return the git operation that is in progress, such as `a merge`; None if there is none."""
        if not self.has_history or self.repository is None:
            return None
        git_dir = Path(self.repository.git_dir)
        return next((what for mark, what in IN_PROGRESS.items() if _stat(git_dir / mark)), None)


def find_checkout(path: Path, known: "Sequence[Row]" = ()) -> Checkout:
    """Return the checkout around a path: the nearest folder with a vault, or that is known, else git's top folder.

    Without git and without such a folder it is the path itself.
    """
    path = path.resolve()
    folder = next(up for up in (path, *path.parents) if up.is_dir())
    found = repository.around(str(folder))
    place = lookup.locate(known, str(folder), found)
    return Checkout(Path(place.root), found, place.below, (found.head() or None) if found else None)


def checkout_at(root: Path) -> Checkout:
    """Return the checkout of a vault whose root the caller named; below git's top it is a project of its own."""
    root = root.resolve()
    found = repository.around(str(next(up for up in (root, *root.parents) if up.is_dir())))
    if found is None:
        return Checkout(root)
    below = "" if str(root) == found.top else root.relative_to(found.top).as_posix()
    return Checkout(root, found, below, found.head() or None)


def _stat(place: Path) -> os.stat_result | None:
    """Return a file's stat; None if there is no file, or it cannot be reached."""
    try:
        return place.stat()
    except (OSError, ValueError):
        return None


def commit_of(position: str | None) -> str | None:
    """Return the commit of a position."""
    return position.partition("@")[0] if position else None


def is_tracked(place: Path) -> bool:
    """Return whether git keeps the history of a file."""
    found = repository.around(str(place.parent))
    return found is not None and history.is_tracked(found, os.path.relpath(place.resolve(), found.top))


def commit_paths(checkout: Checkout, paths: list[str], message: str) -> str | None:
    """Commit just these paths of a checkout; return what went wrong, or None."""
    if checkout.repository is None or not checkout.has_history:
        return "not a git repository"
    busy = checkout.interrupted()
    if busy:
        return f"{busy} is in progress"
    whole = [f"{checkout.below}/{path}" if checkout.below else path for path in paths]
    return history.commit_paths(checkout.repository, whole, message, os.environ)
