"""Find the checkout around a folder among those that are known. Import-light, because hooks ask.

The one rule that hooks, `show` and `recall` share. `identity/resolver.py` decides what a checkout is called; this only
finds what it decided.
"""

import os

from recollect.project.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol, TypeVar

    class Known(Protocol):
        """A checkout that is known."""

        @property
        def root(self) -> str:
            """Its folder."""

        @property
        def clone(self) -> str:
            """The clone that it belongs to."""

        @property
        def project(self) -> str:
            """The project that it belongs to."""

        @property
        def unproven(self) -> str:
            """The project that its remote only claims."""

    Row = TypeVar("Row", bound=Known)


def known_checkout(known: "Sequence[Row]", folder: str, found: Repository | None) -> "Row | None":
    """Return the known checkout that a folder belongs to, or a known worktree of the same clone; else None.

    `folder` is a real path, `found` the repository around it. In a monorepo the nearest part is meant.
    """
    return _of_clone(known, found, folder) if found else _of_folder(known, folder)


def _of_folder(known: "Sequence[Row]", folder: str) -> "Row | None":
    """Return the known folder without git around a folder, the nearest first."""
    around = [row for row in known if row.clone == row.root and is_inside(folder, row.root)]
    return max(around, key=lambda row: len(row.root), default=None)


def _of_clone(known: "Sequence[Row]", found: Repository, folder: str) -> "Row | None":
    """Return the known checkout of a clone; the nearest part of it, and this worktree before others."""
    best, best_rank = None, (-1, False, "")
    for row in known:
        clone, _, below = row.clone.partition("//")
        part = os.path.join(found.top, below) if below else found.top
        rank = (len(below), row.root == part, row.root)
        if clone == found.clone and is_inside(folder, part) and rank > best_rank:
            best, best_rank = row, rank
    if best is not None:
        return best
    return _of_folder([row for row in known if is_inside(row.root, found.top)], folder)


def project_of_source(known: "Sequence[Row]", claim: str, below: str) -> str:
    """Return the project of the known checkout that a clone was made from; empty if its remote is no such folder."""
    if not claim.startswith("file:"):
        return ""
    source = os.path.join(os.path.realpath(claim.removeprefix("file:")), below).rstrip("/")
    return next((row.project for row in known if row.root == source and not row.unproven), "")


def is_inside(folder: str, root: str) -> bool:
    """Return whether a folder is a root, or lies below it; both are real paths."""
    return bool(folder == root or folder.startswith(root.rstrip("/") + "/"))
