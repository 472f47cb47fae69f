"""Where an agent works: its project, the checkout, and the settings in force. Import-light.

Which project that is, `project/project_rule.py` decides, for hooks as for everything else.
"""

import os

from recollect.lazy import load
from recollect.project import lookup, project_rule, remotes, repository
from recollect.store.hook_reader.connection import Unready

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from recollect.project.lookup import Located, Row
    from recollect.project.project_rule import Identity, Names
    from recollect.project.repository import Repository
    from recollect.store.hook_reader.store_reader import StoreReader

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

    Its project is empty where only git can name it; there are no memories of it yet then. Raise Unready where no
    program has left its settings in the store yet.
    """
    known, folder = store.checkouts(), os.path.realpath(folder)
    found = repository.around(folder)
    located = lookup.locate(known, folder, found)
    identity = identify(store, known, located, found)
    row = located.row
    is_another = row is not None and found is not None and row.clone == row.root  # met before there was a `.git`
    root = row.root if row else ""
    return Place(identity.project, root, _settings(store, "" if is_another else root, env), identity.unproven)


def identify(store: "Names", known: "Sequence[Row]", located: "Located", found: "Repository | None") -> "Identity":
    """Return the project of a project folder, as the one rule decides it."""
    recorded = located.row.remote if located.row else None
    return project_rule.decide(store, known, located, found, claimed_name(found, located.below, recorded))


def claimed_name(found: "Repository | None", below: str, recorded: str | None = None) -> str:
    """Return the project that a repository's remote names, without user, tokens and query; empty without a remote.

    `recorded` is the name that was recorded, without secrets: the same one is not looked through again.
    """
    name = remotes.normalise(found.remote_url()) if found and found.is_own else ""
    claim = lookup.part_of(name, below) if name else ""
    if claim in ("", recorded):
        return claim
    return lookup.part_of(load("recollect.hooks.redaction").redact_text(name), below)


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


def are_settings_stale(settings: "Mapping[str, Any]") -> bool:
    """Return whether a settings file changed since its values were left in the store; the next worker reads it."""
    seen = str(settings.get("files", ""))
    return signature([line.split("\t")[0] for line in seen.splitlines()]) != seen


def signature(paths: list[str]) -> str:
    """Return a text that changes when one of these files does."""
    return "\n".join(f"{path}\t{_changed_ns(path)}" for path in paths)


def _changed_ns(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
