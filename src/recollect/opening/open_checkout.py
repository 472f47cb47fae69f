"""Open the project around a folder: store, settings, identity and vault together."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from recollect import config, paths
from recollect.config import Config, Settings
from recollect.errors import BadInput, DiskRefused
from recollect.identity import resolver
from recollect.identity.resolver import Standing
from recollect.model import clock
from recollect.model.clock import Clock
from recollect.model.kinds import KINDS, Kinds
from recollect.opening.open_project import OpenProject
from recollect.policy.secrets import detector
from recollect.project.checkout import Checkout, find_checkout
from recollect.project_context import ProjectContext
from recollect.setup import hook_command, hook_settings
from recollect.setup.doctor import repair
from recollect.store.sqlite.store import SqliteStore
from recollect.vault.layouts import JSON_ROOT, Vault, open_vault
from recollect.vault.lock import warn_on_stderr

Warn = Callable[[str], None]
Opened = TypeVar("Opened", bound=OpenProject)


def environment(home: str | os.PathLike[str] | None) -> Mapping[str, str]:
    """Return the environment that everything below reads; `home` replaces the store's folder in it."""
    return {**os.environ, "RECOLLECT_HOME": str(Path(home).absolute())} if home else os.environ


def open_checkout(
    checkout: Checkout,
    opened: type[Opened],
    *,
    folder: Path | None = None,
    env: Mapping[str, str] = os.environ,
    now: Clock | None = None,
    actor: str = "library",
    warn: Warn = warn_on_stderr,
    flags: Mapping[str, Any] | None = None,
    named_vault: bool = False,
) -> Opened:
    """Open a checkout as an object of the class `opened`; nothing in the repository is written before `init`.

    `named_vault` is for the seed surfaces, whose caller names the vault's root: its JSON files are used untrusted.
    Raises StoreError where the store cannot be opened, ConfigError for a setting that cannot be read.
    """
    database = Path(paths.database(env))
    mirror = Path(paths.journal(env, str(database)))
    store = _open_store(database, mirror, warn)
    if not named_vault:
        checkout = find_checkout(folder or checkout.root, store.projects.checkouts())
    standing = resolver.resolve(store, checkout)
    settings = _settings(checkout, standing, env, named=named_vault, flags=flags)
    for warning in settings.warnings:
        warn(f"WARNING: {warning}")
    store.kinds = settings.config.kind_table()
    hook_settings.keep(store, settings, checkout.root, standing, env)
    hook_command.leave_command(store.home)
    context = ProjectContext(
        store=store,
        vault=_vault(checkout, settings.config, store.kinds, standing, named=named_vault),
        checkout=checkout,
        project=standing.project,
        config=settings.config,
        clock=now or system_clock(env),
        actor=actor,
        journal=mirror,
        warn=warn,
        env=env,
    )
    around = (folder or checkout.root).resolve()
    return opened(context, settings, folder=around, standing=standing, is_named=named_vault)


def _settings(
    checkout: Checkout, standing: Standing, env: Mapping[str, str], *, named: bool, flags: Mapping[str, Any] | None
) -> Settings:
    """Read the settings; the project's files only where it is trusted, of a named vault only `memory-config.json`."""
    trusted = standing.is_trusted
    memory_root = checkout.root / JSON_ROOT if trusted or named else None
    project = checkout.root if trusted else None
    return config.load(project=project, memory_root=memory_root, env=env, is_foreign=standing.is_foreign, flags=flags)


def _vault(checkout: Checkout, settings: Config, kinds: Kinds, standing: Standing, *, named: bool) -> Vault:
    """Return the vault of a checkout; without layouts where its files are not used."""
    layouts: tuple[str, ...] = settings.vault.layouts if standing.uses_vault else ()
    root = settings.vault.root if standing.is_trusted else JSON_ROOT  # an untrusted clone names no other folder
    return open_vault(checkout.root, (*layouts, "json") if named else layouts, kinds, root, detector.redact)


def _open_store(path: Path, mirror: Path, warn: Warn) -> SqliteStore:
    """Open the database; one that is missing is rebuilt from the journal's mirror, where there is one."""
    try:
        is_lost = not (path.exists() and path.stat().st_size) and mirror.exists()
    except OSError as error:
        raise DiskRefused(f"the store cannot be opened: {error}", target=path) from error
    if is_lost:
        done = repair.rebuild_database(path, mirror, KINDS)
        if done:
            warn(f"The database was missing: {done.memories} memories were rebuilt from the journal.")
    return SqliteStore(path, KINDS)


def system_clock(env: Mapping[str, str]) -> Clock:
    """Return the machine's clock, or the one that `RECOLLECT_NOW` sets for tests and replays; raises BadInput."""
    chosen = env.get("RECOLLECT_NOW")
    try:
        return clock.fixed(chosen) if chosen else clock.system
    except ValueError as error:
        raise BadInput(
            str(error), target="RECOLLECT_NOW", fix="Use an ISO time such as 2026-01-31T12:00:00Z."
        ) from None
