"""Where an agent works: its project, the checkout, and the settings in force. Import-light.

A remote's address in a folder that was never met is only a claim. It is proven by a commit: one that a clone of that
project had here before, whose content is really in this repository. Git is not started for it: a hook has no time.
"""

import os

from recollect.hooks.redaction import redact_text
from recollect.lazy import load
from recollect.project import remotes, repository
from recollect.project.lookup import is_inside, known_checkout, project_of_source
from recollect.store.hook_reader.connection import Unready

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.project.repository import Repository
    from recollect.store.hook_reader.store_reader import CheckoutRow, StoreReader

VAULT, ROOT = ".claude/memory", "root:"
# Settings that an older program did not leave yet.
NEWER_SETTINGS = {"recall.profile": "hybrid", "inject.experiences": False, "inject.start_tokens": 800, "warnings": ""}


class Place:
    """Where an agent works."""

    __slots__ = ("project", "root", "settings", "unproven")

    def __init__(self, project: str, root: str, settings: "dict[str, Any]", unproven: str = "") -> None:
        self.project, self.settings = project, settings
        self.root = root
        """The known checkout; empty where none is known."""
        self.unproven = unproven
        """The project that the folder's remote names, where that is not proven."""


def find_place(store: "StoreReader", folder: str, env: "Mapping[str, str]") -> Place:
    """Return the place of a folder: of a known checkout, a worktree of a known clone, or a clone that proves itself.

    Raise Unready where no program has left its settings in the store yet.
    """
    folder = os.path.realpath(folder)
    found, known = repository.around(folder), store.checkouts()
    row = known_checkout(known, folder, found)
    if row is not None:
        is_another = found is not None and row.clone == row.root  # met before there was a `.git`, and trusted as that
        return Place(row.project, row.root, _settings(store, "" if is_another else row.root, env), row.unproven)
    project, unproven = find_project(store, known, found, _part(folder, found.top)) if found else ("", "")
    return Place(project, "", _settings(store, "", env), unproven)


def _part(folder: str, top: str) -> str:
    """Return the nearest part of a repository with a vault of its own, below its top; empty if there is none."""
    while folder != top and is_inside(folder, top):
        if os.path.isdir(os.path.join(folder, VAULT)):
            return os.path.relpath(folder, top)
        folder = os.path.dirname(folder)
    return ""


def claimed_name(found: "Repository") -> str:
    """Return the project that a repository's remote names, without user, tokens and query; empty without a remote."""
    name = remotes.normalise(found.remote_url()) if found.is_own else ""
    return redact_text(name)


def find_project(store: "StoreReader", known: "list[CheckoutRow]", found: "Repository", below: str) -> tuple[str, str]:
    """Return the known project that a repository belongs to, and the project that it only claims to be.

    At most one of them is not empty. A project that holds nothing yet is neither: the worker will make it. `below` is
    the part of the repository that is meant.
    """
    commits, claim = load("recollect.project.commits"), claimed_name(found)
    if not claim:
        return _by_first_commit(store, found, below), ""
    claim = f"{claim}//{below}" if below else claim
    project = store.canonical_project(claim)
    if project:
        return (project, "") if commits.is_clone_of(found, *store.commits(project)) else ("", claim)
    source = project_of_source(known, claim.partition("//")[0], below)
    return (source if source and commits.is_clone_of(found, *store.commits(source)) else ""), ""


def _by_first_commit(store: "StoreReader", found: "Repository", below: str) -> str:
    """Return the known project without a remote whose first commit a repository has; empty if there is none."""
    for name in store.root_names():
        commit, _, part = name.removeprefix(ROOT).partition("//")
        if part == below and load("recollect.project.commits").holds_commit(found, [commit]):
            return store.canonical_project(name)
    return ""


def current_branch(folder: str) -> str:
    """Return the branch that is checked out around a folder; the commit where HEAD is detached."""
    found = repository.around(folder)
    return (found.branch() or found.head()) if found else ""


def _settings(store: "StoreReader", root: str, env: "Mapping[str, str]") -> "dict[str, Any]":
    """Return the settings that the last full program left for a checkout; the environment comes before them."""
    values = store.hook_settings(root)
    if not values:
        raise Unready("no program has left its settings in the store yet")
    values = NEWER_SETTINGS | values
    for name in values:
        said = env.get("RECOLLECT_" + name.upper().replace(".", "__"))
        if said is not None:
            values[name] = _literal(said)
    return values


def _literal(said: str) -> object:
    if said.lower() in ("true", "on", "yes", "false", "off", "no"):
        return said.lower() in ("true", "on", "yes")
    return int(said) if said.isdigit() else said


def are_settings_stale(place: Place) -> bool:
    """Return whether a settings file changed since its values were left in the store; the next worker reads it."""
    seen = str(place.settings.get("files", ""))
    return signature([line.split("\t")[0] for line in seen.splitlines()]) != seen


def signature(paths: list[str]) -> str:
    """Return a text that changes when one of these files does."""
    return "\n".join(f"{path}\t{_changed_ns(path)}" for path in paths)


def _changed_ns(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
