"""Which project a folder belongs to, and how many sessions it had: read from rows, for a cold `project` and `session`.

A folder that was never met, or whose project has to be found anew, is looked at by opening the whole project.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from recollect.identity import projects
from recollect.identity.projects import Project
from recollect.library.fast import fast_reader
from recollect.library.fast.fast_reader import Warn
from recollect.store.project_values import KnownCheckout
from recollect.store.sqlite.memory_reader import MemoryReader

SESSION_NUMBER = "session:"
"""Prefix of the settings that count the sessions of each project."""


def describe(folder: Path, name: str, env: Mapping[str, str], warn: Warn) -> Project:
    """Return what is known of a project, without a name of the one around a folder; raises NotFound or Ambiguous."""
    known = _open(folder, env, warn)
    if known and not projects.is_path(name):  # git may have to be asked about another folder
        return projects.describe(known.reader, projects.find(known.reader, name) if name else known.project, known.here)
    with fast_reader.open_project(folder, env, warn) as workspace:
        return workspace.describe_project(name)


def every(folder: Path, env: Mapping[str, str], warn: Warn) -> list[Project]:
    """Return every project, those with the most memories first."""
    known = _open(folder, env, warn)
    if known:
        names = dict.fromkeys((*projects.every_name(known.reader), known.project))
        return [projects.describe(known.reader, name, known.here) for name in names]
    with fast_reader.open_project(folder, env, warn) as workspace:
        return workspace.projects()


def session_number(folder: Path, env: Mapping[str, str], warn: Warn) -> int:
    """Return how many sessions the project around a folder has had."""
    known = _open(folder, env, warn)
    if known:
        return int(known.reader.setting(SESSION_NUMBER + known.project) or 0)
    with fast_reader.open_project(folder, env, warn) as workspace:
        return workspace.session_number


class _Known(NamedTuple):
    """The store, and the recorded checkout around a folder."""

    reader: MemoryReader
    here: KnownCheckout

    @property
    def project(self) -> str:
        return self.here.project


def _open(folder: Path, env: Mapping[str, str], warn: Warn) -> _Known | None:
    """Open the store; None if the project has to be opened: its checkout is not recorded, or a vault file changed."""
    reader = fast_reader.open_reader(env)
    row = fast_reader.checkout_around(reader, folder) if reader else None
    if reader is None or row is None or not fast_reader.is_vault_unchanged(reader, folder):
        return None
    fast_reader.warn_of_settings(reader, folder, env, warn)
    here = next((known for known in reader.projects.checkouts() if known.root == row.root), None)
    return _Known(reader, here) if here else None
