"""The state of a project at a glance, read from the store alone: no scan of the vault, none of the model's classes."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect import paths
from recollect.hooks import inbox
from recollect.library.fast.fast_reader import (
    Warn,
    checkout_around,
    holds_untrusted_files,
    open_reader,
    warn_of_settings,
)
from recollect.store.hook_reader import event_json
from recollect.store.hook_reader.connection import ReadFailed
from recollect.store.sqlite.memory_reader import LastReceipt, LastSession, MemoryReader

INSTALLS = "installs.json"  # setup/manifest.py writes it


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    """What is known in a project, what happened last, and whether anything is wrong. Times are seconds since 1970."""

    now: float
    project: str = ""
    """Empty for a folder in which recollect was never used."""
    root: str = ""
    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many active memories there are of each kind, the most frequent first; without turns."""
    pending: int = 0
    session: LastSession | None = None
    receipt: LastReceipt | None = None
    waiting: int = 0
    """Events that wait to be processed."""
    failed: int = 0
    """Events that could not be processed."""
    off: str = ""
    """Why memory is off for agents here; empty if it is on."""
    has_installs: bool = False
    """Whether hooks were installed into a coding agent."""
    has_untrusted: bool = False
    """Whether memory files came with this repository that are not trusted yet."""
    trouble: str = ""
    """Why the store cannot be read; empty if it can."""


def status(folder: Path, env: Mapping[str, str], warn: Warn) -> ProjectStatus:
    """Return the state of the project around a folder."""
    reader, home = open_reader(env), paths.home(env)
    found = ProjectStatus(
        event_json.moment(env), waiting=len(inbox.waiting(home)), failed=_number_of_files(paths.aside(home)),
        has_installs=Path(home, INSTALLS).exists(),
    )  # fmt: skip
    if reader is None:
        is_there = Path(paths.database(env)).exists()
        has_untrusted = holds_untrusted_files(None, folder)
        return replace(found, trouble="the database cannot be read" if is_there else "", has_untrusted=has_untrusted)
    try:
        warn_of_settings(reader, folder, env, warn)
        return _with_project(reader, folder, found)
    except ReadFailed as error:
        return replace(found, trouble=str(error))


def _with_project(reader: MemoryReader, folder: Path, found: ProjectStatus) -> ProjectStatus:
    """Add what the store knows about the project around a folder."""
    checkout = checkout_around(reader, folder)
    off, has_untrusted = reader.off_because(str(folder), ""), holds_untrusted_files(reader, folder)
    found = replace(found, off=off, has_untrusted=has_untrusted)
    if checkout is None:
        return found
    project = checkout.project
    kinds, pending = reader.known(project, found.now)
    last, told = reader.last_session(project), reader.last_receipt(project)
    return replace(found, project=project, root=checkout.root, kinds=kinds, pending=pending, session=last, receipt=told)


def _number_of_files(folder: str) -> int:
    try:
        return len(os.listdir(folder))  # noqa: PTH208 - a folder that is not there has none
    except OSError:
        return 0
