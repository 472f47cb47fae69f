"""`recollect.open`, and the repair of a store that cannot be opened."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.errors import StoreCorrupt
from recollect.library.workspace import Workspace
from recollect.model.clock import Clock
from recollect.model.kinds import KINDS
from recollect.opening import opening
from recollect.opening.opening import Warn
from recollect.project.checkout import Checkout, find_checkout
from recollect.setup import doctor
from recollect.setup.check import Check
from recollect.vault.lock import warn_on_stderr


def open(
    path: str | os.PathLike[str] = ".",
    *,
    home: str | os.PathLike[str] | None = None,
    now: Clock | None = None,
    actor: str = "library",
    warn: Warn = warn_on_stderr,
    flags: Mapping[str, Any] | None = None,
) -> Workspace:
    """Open the project around a path. Nothing in the repository is touched before `init`.

    `home` is the folder of the store; without it `RECOLLECT_HOME`, else the platform's data folder.
    """
    found, env = find_checkout(Path(path)), opening.environment(home)
    return opening.open_checkout(
        found, Workspace, folder=Path(path), env=env, now=now, actor=actor, warn=warn, flags=flags
    )


def open_named_vault(checkout: Checkout, *, warn: Warn = warn_on_stderr, **more: Any) -> Workspace:  # noqa: ANN401
    """Open a checkout for a seed's surface, whose caller names the root of the vault."""
    return opening.open_checkout(checkout, Workspace, warn=warn, named_vault=True, **more)


def repair(path: str | os.PathLike[str] = ".") -> list[Check]:
    """Set a damaged database aside, rebuild it from the journal, and take in every vault; a sound one is left alone."""
    database = paths.database(os.environ)
    mirror = paths.journal(os.environ, database)
    try:
        with open(path, actor="doctor") as workspace:
            if not workspace.context.store.problems():
                return [Check("repair", is_well=True, says="the database is sound; nothing was changed")]
    except StoreCorrupt:
        pass
    aside, done = doctor.repair(database, mirror, KINDS)
    says = f"{done.memories} memories from {done.entries} journal entries; the damaged file is now {aside}"
    lost = [Check("lost", is_well=False, says=line, fix="A vault may still hold it.") for line in done.lost]
    return [Check("repair", is_well=True, says=says), *lost, *_rescan()]


def _rescan() -> list[Check]:
    checks = []
    with open(actor="doctor") as workspace:
        roots = [
            Path(one.root) for one in workspace.context.store.projects.checkouts() if one.trusted and not one.vault_off
        ]
    for root in (root for root in roots if root.is_dir()):
        with open(root, actor="doctor") as workspace:
            taken = len(workspace.reconcile().taken_in) if workspace.context.vault.is_on else 0
        checks.append(Check("rescan", is_well=True, says=f"{root}: {taken} files taken in"))
    return checks
