"""The one rule that says which project a folder belongs to. Hook, worker, command line and library ask it.

| what is there | project |
|---|---|
| a known folder whose remote did not change | as before |
| a known folder with another remote | as before: the remote was renamed; the new name becomes an alias |
| a known folder whose remote names a known project, with a commit of that project | that project |
| another folder, the remote of a known project, a commit of it | that project: a clone |
| another folder, the remote of a known project, no commit of it | kept apart until `trust`: the name is only a claim |
| another folder, an unknown remote, cloned from a known folder | the project of that folder |
| another folder, an unknown remote, the first commit of one project that has no remote | that project |
| another folder, an unknown remote | a project of its own: a fork, even with the first commit of another |
| another folder without a remote, the first commit of one known project | that project: it was moved or copied |
| anything else | a project of its own, by its first commit, else by its path |

A commit counts only if its content is really in the repository. Git is not started, because a hook has no time for it.
Import-light.
"""

import os

from recollect.lazy import load
from recollect.project.lookup import Located, part_of
from recollect.project.repository import Repository, around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from recollect.project.lookup import Row

    class Commits(Protocol):
        """The commits with which clones of a project were seen."""

        @property
        def roots(self) -> Sequence[str]:
            """First commits."""

        @property
        def others(self) -> Sequence[str]:
            """Commits that were checked out."""

    class Names(Protocol):
        """What the store knows of projects."""

        def canonical(self, name: str) -> str | None:
            """Return the project of a name; nothing for a name never met."""

        def commits(self, project: str) -> Commits:
            """Return the commits of a project."""

        def root_names(self) -> Sequence[str]:
            """Return the names that begin with `root:`: of projects, and aliases of projects."""


ROOT, PATH, CLONE = "root:", "path:", "clone:"
OWN_NAMES = (CLONE, ROOT, PATH)
"""Prefixes of names that come from a folder or its history, not from a remote."""
SHORTEST_COMMIT = 40  # anything shorter in its place is a word that says why the first commit is not known
COMMIT_DIGITS = 8


def short_commit(name: str) -> str:
    """Return a project's name for people: a first commit in it is cut to 8 digits."""
    commit, slashes, part = name.removeprefix(ROOT).partition("//")
    is_cut = name.startswith(ROOT) and len(commit) >= SHORTEST_COMMIT
    return f"{ROOT}{commit[:COMMIT_DIGITS]}{slashes}{part}" if is_cut else name


class Identity:
    """Which project a folder belongs to.

    `project` is empty for a new project whose name only git can tell; `unproven` is the project that the remote claims
    without proof. If `is_renamed`, the remote's name becomes an alias of the project.
    """

    __slots__ = ("is_renamed", "project", "unproven")

    def __init__(self, project: str, unproven: str = "", *, is_renamed: bool = False) -> None:
        self.project, self.unproven, self.is_renamed = project, unproven, is_renamed


def decide(names: "Names", known: "Sequence[Row]", place: Located, found: Repository | None, claim: str) -> Identity:
    """Return the project of a project folder; `claim` is the project that its remote names, empty without one."""
    row = place.row
    former = (names.canonical(row.project) or row.project) if row else ""  # it may have been joined with another since
    if row and row.remote == claim and not row.unproven:
        return Identity(former)
    if found is None:
        return Identity(former or PATH + place.root)
    if not claim:
        return Identity(former or _by_first_commit(names, known, found, place.below) or _by_path(found, place.root))
    target = names.canonical(claim) or ""
    if not target:
        source = "" if former else _source(names, known, found, claim, place.below)
        same = former or source or _by_first_commit(names, known, found, place.below, is_fork=True)
        return Identity(same or claim, is_renamed=bool(same and not source))
    if target == former or _is_clone(names, found, target):
        return Identity(target)
    return Identity(former or CLONE + part_of(found.clone, place.below), claim)


def _is_clone(names: "Names", found: Repository, project: str) -> bool:
    """Whether a repository shares a commit with the clones of a project."""
    known = names.commits(project)
    return bool(load("recollect.project.commits").is_clone_of(found, known.roots, known.others))


def _source(names: "Names", known: "Sequence[Row]", found: Repository, claim: str, below: str) -> str:
    """Return the project of the known folder that a repository was cloned from; empty if it shares no commit."""
    if not claim.startswith("file:"):
        return ""
    folder = os.path.realpath(claim.partition("//")[0].removeprefix("file:"))
    source = os.path.join(folder, below).rstrip("/")
    project = next((row.project for row in known if row.root == source and not row.unproven), "")
    return project if project and (_is_clone(names, found, project) or _has_head_of(found, source)) else ""


def _has_head_of(found: Repository, folder: str) -> bool:
    """Whether a repository has the commit that is checked out in a folder, which was known before its first commit."""
    source = around(folder)
    return bool(source and load("recollect.project.commits").holds_commit(found, [source.head()]))


def _by_first_commit(
    names: "Names", known: "Sequence[Row]", found: Repository, below: str, *, is_fork: bool = False
) -> str:
    """Return the one known project whose first commit a repository has; empty if there is none, or several.

    A project that is named after the commit comes before others. A repository with a remote of its own would be a fork
    of a project that has another remote: with `is_fork`, only projects without a remote are looked at.
    """
    holds = load("recollect.project.commits").holds_commit
    others = with_remote(known) if is_fork else set()
    for name in names.root_names():
        commit, _, part = name.removeprefix(ROOT).partition("//")
        project = names.canonical(name) or name
        if part == below and project not in others and holds(found, [commit]):
            return project
    rows = [row for row in known if not row.unproven and row.clone.partition("//")[2] == below]
    commits = {row.root_commit for row in rows if row.project not in others and len(row.root_commit) >= SHORTEST_COMMIT}
    held = [commit for commit in commits if holds(found, [commit])]
    same = {row.project for row in rows if row.root_commit in held and row.project not in others}
    return same.pop() if len(same) == 1 else ""


def with_remote(known: "Sequence[Row]") -> "set[str]":
    """Return the projects that have a remote in one of their checkouts; a known folder is no remote."""
    folders = {f"file:{row.root}" for row in known}
    return {row.project for row in known if _has_remote(row) and row.remote not in folders}


def _has_remote(row: "Row") -> bool:
    """Whether a checkout has a remote, or its project is named after one that it had."""
    return bool(row.remote) or ("/" in row.project and not row.project.startswith(OWN_NAMES))


def _by_path(found: Repository, root: str) -> str:
    """Return the name of a repository by its folder; empty once it has a commit, which names it then."""
    return "" if found.head() else PATH + root
