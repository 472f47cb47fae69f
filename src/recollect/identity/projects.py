"""Describe projects: what each is called and why, its folders, and which ones look like the same project."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recollect.errors import Ambiguous, BadInput, NotFound
from recollect.lazy import load
from recollect.model.query import TURNS
from recollect.project.project_rule import CLONE, PATH, ROOT, short_commit
from recollect.store.project_values import KnownCheckout, is_commit

if TYPE_CHECKING:
    from recollect.store.protocols import Projects

GLOBAL = "global"
APART = "apart:"
"""Prefix of the settings that name two projects, a tab between them, of which a person said that they are not one."""
MOST_NAME_CHARS = 100
ALSO_IN_NAMES = " ._-"
HOW_TO_LIST = "`recollect project list` shows every project."

# How a project's name begins → why it is called that.
REASONS = {
    PATH: "after its folder: it had no remote and no commit when it was first used",
    ROOT: "after its first commit: it had no remote when it was first used",
    CLONE: "after this clone: nothing proves the project that its remote names",
    "file:": "after the folder that it was cloned from",
}
FROM_REMOTE, CHOSEN = "after its remote", "by you"


class ProjectStore(Protocol):
    """The part of a store that is read here: also the quick reader of a cold command has it."""

    @property
    def projects(self) -> "Projects":
        """The projects and their checkouts."""

    def setting(self, name: str) -> str | None:
        """Return a small value by its name; None if there is none."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of a project on this machine."""

    path: str
    remote: str
    """The project that its remote names; empty without a remote."""
    unproven: str
    """The same, where no commit proves it."""
    first_commit: str
    """The first commit of its history; empty where it is not known."""
    is_trusted: bool
    is_here: bool
    """Whether it is the folder that was asked about."""
    exists: bool


@dataclass(frozen=True, slots=True)
class Lookalike:
    """Another project that may be the same one, and why."""

    project: str
    why: str
    short: str
    """The shortest name that commands take for it."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project: its name, and what is known of it."""

    name: str
    why: str
    """Why it is called that."""
    aliases: tuple[str, ...]
    """Other names that stand for it: earlier remotes, and projects that were joined with it."""
    memories: int
    """How many active memories it has, without the global ones and without turns, which `list` hides too."""
    folders: tuple[Folder, ...]
    is_here: bool
    """Whether it is the project of the folder that was asked about."""
    lookalikes: tuple[Lookalike, ...] = ()


def describe(store: ProjectStore, name: str, here: KnownCheckout) -> Project:
    """Describe a project; `here` is the open checkout, which may not be recorded yet."""
    known = [row for row in store.projects.checkouts() if row.root != here.root]
    rows = [row for row in (here, *known) if row.project == name]
    return Project(
        name=name,
        why=_why(name, rows),
        aliases=tuple(alias for alias, project in store.projects.names().items() if project == name),
        memories=store.projects.sizes(no_kinds=TURNS).get(name, 0),
        folders=tuple(_folder(row, here.root) for row in rows),
        is_here=name == here.project,
        lookalikes=tuple(lookalikes(store, name)),
    )


def every_name(store: ProjectStore) -> list[str]:
    """Return the names of all projects, those with the most memories first."""
    sizes = store.projects.sizes()
    names = {*sizes, *(row.project for row in store.projects.checkouts())} - {GLOBAL}
    return sorted(names, key=lambda name: (-sizes.get(name, 0), name))


def find(store: ProjectStore, said: str) -> str:
    """Return the project that a person means.

    By its name, an alias, a path, the name of its folder, or a part of the name that only it has. Raises NotFound or
    Ambiguous.
    """
    names = {name: name for name in every_name(store)}
    known = {**store.projects.names(), **names}
    if said in known:
        return known[said]
    if is_path(said):
        return _project_of_folder(store, Path(said).expanduser())
    in_folder = {row.project for row in store.projects.checkouts() if said == Path(row.root).name}
    in_name = {project for name, project in known.items() if said and (said in name or said == short_commit(name))}
    found = sorted(in_name | in_folder)
    if len(found) > 1:
        raise Ambiguous(
            f"{len(found)} projects have this in their name",
            target=said,
            details=[("choice", name) for name in found],
            fix="Write more of the name.",
        )
    if not found:
        close: list[tuple[str, object]] = [
            ("did you mean", name) for name in load("difflib").get_close_matches(said, known)
        ]
        raise NotFound("no project has this name", target=said, details=close, fix=HOW_TO_LIST)
    return found[0]


def is_path(said: str) -> bool:
    """Return whether a project is named by a folder."""
    return said.startswith((".", "~", os.sep)) and Path(said).expanduser().is_dir()


def _project_of_folder(store: ProjectStore, folder: Path) -> str:
    """Return the project of a folder; git may be asked, which is loaded only then."""
    checkout = load("recollect.project.checkout").find_checkout(folder, store.projects.checkouts())
    project: str = load("recollect.identity.resolver").resolve(store, checkout).project
    return project


def short_name(store: ProjectStore, name: str) -> str:
    """Return the shortest name that commands take for this project alone.

    That is an end of its name, from a slash on; without a remote, the name of its folder or the start of the commit.
    """
    parts = name.split("/")
    ends = ["/".join(parts[-number:]) for number in range(1, len(parts))]
    if name.startswith(ROOT):
        folders = [Path(row.root).name for row in store.projects.checkouts() if row.project == name]
        ends = [*folders, short_commit(name)]
    for short in ends:
        with contextlib.suppress(Ambiguous, NotFound):
            if short and not short.startswith("-") and find(store, short) == name:
                return short
    return name


def checked_name(said: str) -> str:
    """Return a name that a person chose for a project; raises BadInput where it could be taken for another kind."""
    name = said.strip()
    is_plain = all(sign.isalnum() or sign in ALSO_IN_NAMES for sign in name) and name[:1].isalnum()
    if not is_plain or len(name) > MOST_NAME_CHARS or name == GLOBAL:
        fix = f"Use letters, digits, dots and dashes, at most {MOST_NAME_CHARS}; names with / or : come from remotes."
        raise BadInput("this cannot be a project's name", target=said, fix=fix)
    return name


def lookalikes(store: ProjectStore, project: str) -> Iterator[Lookalike]:
    """Yield the other projects that may be the same one: with its first commit, or in its folder."""
    known, sizes = store.projects.checkouts(), store.projects.sizes()
    own = [row for row in known if row.project == project]
    found = {row.project: "has the same first commit" for row in known if _is_same_history(row, own)}
    found |= {f"{PATH}{row.root}": "was kept in the same folder" for row in own if sizes.get(f"{PATH}{row.root}")}
    aliases = [alias for alias, stands_for in store.projects.names().items() if stands_for == project]
    found |= {alias: "is its old name, but still has memories" for alias in aliases if sizes.get(alias)}
    for name, why in sorted(found.items()):
        if name != project and store.setting(apart_name(project, name)) is None:
            yield Lookalike(name, why, short_name(store, name))


def apart_name(first: str, second: str) -> str:
    """Return the name of the setting that says that two projects are not one."""
    return APART + "\t".join(sorted((first, second)))


def _is_same_history(row: KnownCheckout, own: list[KnownCheckout]) -> bool:
    """Whether a checkout of another project began with the same commit, and is the same part of the repository."""
    return any(
        is_commit(row.root_commit) and row.root_commit == other.root_commit and _part(row) == _part(other)
        for other in own
        if other.project != row.project and row.unproven == other.unproven == ""
    )


def _part(row: KnownCheckout) -> str:
    return row.clone.partition("//")[2]


def _why(name: str, rows: list[KnownCheckout]) -> str:
    prefix = next((prefix for prefix in REASONS if name.startswith(prefix)), "")
    if prefix:
        return REASONS[prefix]
    return FROM_REMOTE if "/" in name or any(row.remote == name for row in rows) else CHOSEN


def _folder(row: KnownCheckout, root: str) -> Folder:
    return Folder(
        path=row.root,
        remote=row.remote or "",
        unproven=row.unproven,
        first_commit=row.root_commit if is_commit(row.root_commit) else "",
        is_trusted=row.trusted,
        is_here=row.root == root,
        exists=os.path.isdir(row.root),  # noqa: PTH112 - a path that cannot be reached raises nothing
    )
