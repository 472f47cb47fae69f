"""Find the project folder around a folder, and what is known of it. Import-light, because hooks ask.

`project_rule.py` then decides which project that folder belongs to.
"""

import os

from recollect.project.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    class Row(Protocol):
        """A checkout that is known."""

        @property
        def root(self) -> str:
            """Its folder."""

        @property
        def clone(self) -> str:
            """The clone that it belongs to, the part behind `//`; the folder itself without git."""

        @property
        def root_commit(self) -> str:
            """The first commit of its history; a word where that is not known."""

        @property
        def project(self) -> str:
            """The project that it belongs to."""

        @property
        def unproven(self) -> str:
            """The project that its remote only claims."""

        @property
        def remote(self) -> str | None:
            """The project that its remote named when it was last met; None where nobody looked."""


VAULT = ".claude/memory"
MARKS = (VAULT, ".recollect.toml", "memory-cold")


class Located:
    """The project folder around a folder: `below` is its place under git's top folder, `row` what is known of it."""

    __slots__ = ("below", "root", "row")

    def __init__(self, root: str, below: str, row: "Row | None") -> None:
        self.root, self.below, self.row = root, below, row


def locate(known: "Sequence[Row]", folder: str, found: Repository | None) -> Located:
    """Return the project folder around a real path. `found` is the repository around it.

    In a repository that is the nearest part with a vault, or the nearest part that is known; else git's top folder.
    Without git it is the nearest folder with a vault or that is known; else the folder itself.
    """
    if found is None:
        root = _root_without_git(known, folder)
        return Located(root, "", next((row for row in known if row.root == root and row.clone == root), None))
    below = max((*_known_parts(known, folder, found), *_marked_parts(folder, found.top), ""), key=len)
    root = os.path.join(found.top, below) if below else found.top
    return at_root(known, root, below, found)


def at_root(known: "Sequence[Row]", root: str, below: str, found: Repository) -> Located:
    """Return a folder of a repository as a project folder, with what is known of it.

    A row of this folder comes first, then one of another worktree, then the folder as it was before it had git.
    """
    clone = part_of(found.clone, below)
    rows = [row for row in known if row.clone == clone]
    rows.sort(key=lambda row: (row.root != root, row.root))
    rows += [row for row in known if row.root == root and (row.clone == root or _is_older(row, found))]
    return Located(root, below, rows[0] if rows else None)


def part_of(name: str, below: str) -> str:
    """Return the name of a part of a repository: `below` follows the name of the whole behind `//`."""
    return f"{name}//{below}" if below else name


def is_inside(folder: str, root: str) -> bool:
    """Return whether a folder is a root, or lies below it; both are real paths."""
    return bool(folder == root or folder.startswith(root.rstrip("/") + "/"))


def _is_older(row: "Row", found: Repository) -> bool:
    """Whether an older version met this folder, whose `.git` is a link that does not prove a clone any more."""
    return not found.is_own and not row.root_commit


def _known_parts(known: "Sequence[Row]", folder: str, found: Repository) -> "Iterator[str]":
    for row in known:
        clone, _, below = row.clone.partition("//")
        if below and clone == found.clone and is_inside(folder, os.path.join(found.top, below)):
            yield below


def _marked_parts(folder: str, top: str) -> "Iterator[str]":
    """Yield the nearest part of a repository with a vault of its own, below its top."""
    while folder != top and is_inside(folder, top):
        if os.path.isdir(os.path.join(folder, VAULT)):
            yield os.path.relpath(folder, top)
            return
        folder = os.path.dirname(folder)


def _root_without_git(known: "Sequence[Row]", folder: str) -> str:
    """Return the nearest folder that is known or has a vault; the folder itself where there is none.

    The home folder and those around it are projects for themselves alone: what lies below does not belong to them.
    """
    roots, home = {row.root for row in known if row.clone == row.root}, os.path.expanduser("~")
    around = folder
    while not is_inside(home, around):
        if around in roots or any(os.path.exists(os.path.join(around, mark)) for mark in MARKS):
            return around
        around = os.path.dirname(around)
    return folder
