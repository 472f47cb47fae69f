"""The way in: a project with everything open, and the repair of a store that cannot be opened."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recollect import config, paths
from recollect.config import Config, Settings
from recollect.errors import BadInput, DiskRefused, StoreCorrupt
from recollect.lifecycle import doctor, identity, install, snapshot
from recollect.lifecycle.check import Check
from recollect.lifecycle.identity import Standing
from recollect.lifecycle.space import Space
from recollect.model import clock
from recollect.model.clock import Clock
from recollect.model.kinds import KINDS, Kinds
from recollect.policy import secrets
from recollect.project.checkout import Checkout, find_checkout
from recollect.store.sqlite import SqliteStore
from recollect.vault.layouts import JSON_ROOT, Vault, open_vault
from recollect.vault.lock import warn_on_stderr
from recollect.workspace import Workspace

Warn = Callable[[str], None]


def open(
    path: str | os.PathLike[str] = ".",
    *,
    home: str | os.PathLike[str] | None = None,
    now: Clock | None = None,
    actor: str = "library",
    warn: Warn = warn_on_stderr,
    flags: Mapping[str, Any] | None = None,
) -> Workspace:
    """Open the project around a path. Nothing in the repository is touched before `init`."""
    found = find_checkout(Path(path))
    return open_checkout(found, folder=Path(path), home=home, now=now, actor=actor, warn=warn, flags=flags)


def open_checkout(
    checkout: Checkout,
    *,
    folder: Path | None = None,
    home: str | os.PathLike[str] | None = None,
    now: Clock | None = None,
    actor: str = "library",
    warn: Warn = warn_on_stderr,
    flags: Mapping[str, Any] | None = None,
    named_vault: bool = False,
) -> Workspace:
    """Open a checkout; `named_vault` is for the seed surfaces, whose caller names the vault's root."""
    database = Path(home) / "memory.db" if home else paths.database(os.environ)
    mirror = paths.journal(os.environ, database)
    store = _open_store(database, mirror, warn)
    standing = identity.resolve(store, checkout)
    settings = _settings(checkout, standing, named=named_vault, flags=flags)
    for warning in settings.warnings:
        warn(f"WARNING: {warning}")
    store.kinds = settings.config.kind_table()
    snapshot.keep(store, settings, checkout.root, standing)
    install.leave_command(store.path.parent)
    space = Space(
        store=store,
        vault=_vault(checkout, settings.config, store.kinds, standing, named=named_vault),
        checkout=checkout,
        project=standing.project,
        config=settings.config,
        clock=now or system_clock(),
        actor=actor,
        journal=mirror,
        warn=warn,
    )
    around = (folder or checkout.root).resolve()
    return Workspace(space, settings, folder=around, standing=standing, is_named=named_vault)


def _settings(checkout: Checkout, standing: Standing, *, named: bool, flags: Mapping[str, Any] | None) -> Settings:
    """Read the settings; those of the project count when it is trusted, those of a named vault in part."""
    trusted = standing.is_trusted
    memory_root = checkout.root / JSON_ROOT if trusted or named else None
    project = checkout.root if trusted else None
    return config.load(project=project, memory_root=memory_root, is_foreign=standing.is_foreign, flags=flags)


def _vault(checkout: Checkout, settings: Config, kinds: Kinds, standing: Standing, *, named: bool) -> Vault:
    layouts: tuple[str, ...] = settings.vault.layouts if standing.uses_vault else ()
    root = settings.vault.root if standing.is_trusted else JSON_ROOT  # an untrusted clone names no other folder
    return open_vault(checkout.root, (*layouts, "json") if named else layouts, kinds, root, secrets.redact)


def repair(path: str | os.PathLike[str] = ".") -> list[Check]:
    """Set a damaged database aside, rebuild it from the journal, and take in every vault; a sound one is left alone."""
    database = paths.database(os.environ)
    mirror = paths.journal(os.environ, database)
    try:
        with open(path, actor="doctor") as space:
            if not space.space.store.problems():
                return [Check("repair", is_well=True, says="the database is sound; nothing was changed")]
    except StoreCorrupt:
        pass
    aside, done = doctor.repair(database, mirror, KINDS)
    says = f"{done.memories} memories from {done.entries} journal entries; the damaged file is now {aside}"
    lost = [Check("lost", is_well=False, says=line, fix="A vault may still hold it.") for line in done.lost]
    return [Check("repair", is_well=True, says=says), *lost, *_rescan()]


def _rescan() -> list[Check]:
    checks = []
    with open(actor="doctor") as space:
        roots = [Path(one.root) for one in space.space.store.projects.checkouts() if one.trusted and not one.vault_off]
    for root in (root for root in roots if root.is_dir()):
        with open(root, actor="doctor") as space:
            taken = len(space.reconcile().taken_in) if space.space.vault.is_on else 0
        checks.append(Check("rescan", is_well=True, says=f"{root}: {taken} files taken in"))
    return checks


def _open_store(path: Path, mirror: Path, warn: Warn) -> SqliteStore:
    try:
        is_lost = not (path.exists() and path.stat().st_size) and mirror.exists()
    except OSError as error:
        raise DiskRefused(f"the store cannot be opened: {error}", target=path) from error
    if is_lost:
        done = doctor.rebuild_database(path, mirror, KINDS)
        if done:
            warn(f"The database was missing: {done.memories} memories were rebuilt from the journal.")
    return SqliteStore(path, KINDS)


def system_clock() -> Clock:
    """The machine's clock, or the one that `RECOLLECT_NOW` sets for tests and replays."""
    chosen = os.environ.get("RECOLLECT_NOW")
    try:
        return clock.fixed(chosen) if chosen else clock.system
    except ValueError as error:
        raise BadInput(
            str(error), target="RECOLLECT_NOW", fix="Use an ISO time such as 2026-01-31T12:00:00Z."
        ) from None
