"""`recollect.open`, and `repair` for a store that cannot be opened."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.errors import BadInput, StoreCorrupt
from recollect.library.workspace import Workspace
from recollect.model.clock import Clock
from recollect.model.kinds import KINDS
from recollect.opening import open_checkout
from recollect.opening.open_checkout import Warn
from recollect.project.checkout import Checkout, find_checkout
from recollect.setup.doctor.check import Check
from recollect.setup.doctor.repair import repair as repair_database
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
    """Open the project around a path. No file of the repository is changed before `init`.

    `home` is the folder of the store; without it `RECOLLECT_HOME`, else the platform's data folder. Raises BadInput
    where there is nothing at the path, and StoreError where the store cannot be opened.
    """
    if not Path(path).exists():
        raise BadInput("there is no such folder", target=path, fix="Name a folder that exists.")
    found, env = find_checkout(Path(path)), open_checkout.environment(home)
    return open_checkout.open_checkout(
        found, Workspace, folder=Path(path), env=env, now=now, actor=actor, warn=warn, flags=flags
    )


def open_named_vault(checkout: Checkout, *, warn: Warn = warn_on_stderr, **more: Any) -> Workspace:  # noqa: ANN401
    """Open a checkout for a seed system's command, whose caller names the root of the vault."""
    return open_checkout.open_checkout(checkout, Workspace, warn=warn, named_vault=True, **more)


def repair(path: str | os.PathLike[str] = ".", *, home: str | os.PathLike[str] | None = None) -> list[Check]:
    """Set a damaged database aside, rebuild it from the journal, and scan every vault; leave a sound one alone."""
    env = open_checkout.environment(home)
    database = Path(paths.database(env))
    try:
        with open(path, home=home, actor="doctor") as workspace:
            if not workspace.project_context.store.problems():
                return [Check("repair", is_well=True, says="the database is sound; nothing was changed")]
    except StoreCorrupt:
        pass
    aside, done = repair_database(database, Path(paths.journal(env, str(database))), KINDS)
    says = f"{done.memories} memories from {done.entries} journal entries; the damaged file is now {aside}"
    lost = [Check("lost", is_well=False, says=line, fix="A vault may still hold it.") for line in done.lost]
    return [Check("repair", is_well=True, says=says), *lost, *_rescan_vaults(home)]


def _rescan_vaults(home: str | os.PathLike[str] | None) -> list[Check]:
    checks = []
    with open(home=home, actor="doctor") as workspace:
        roots = [
            Path(checkout.root)
            for checkout in workspace.project_context.store.projects.checkouts()
            if checkout.trusted and not checkout.vault_off
        ]
    for root in (root for root in roots if root.is_dir()):
        with open(root, home=home, actor="doctor") as workspace:
            taken = len(workspace.reconcile().taken_in) if workspace.project_context.vault.is_on else 0
        checks.append(Check("rescan", is_well=True, says=f"{root}: {taken} files read"))
    return checks
