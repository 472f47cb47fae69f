"""Store the settings that hooks need: a hook has no time to read configuration files."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from recollect import config, machine, paths
from recollect.config import Config, Settings
from recollect.config.user_file import user_settings
from recollect.errors import RecollectError
from recollect.hooks.injection.memory_text import KEY_FIELDS
from recollect.hooks.project_lookup import signature
from recollect.identity.resolver import Standing
from recollect.model.kinds import Kinds
from recollect.recall.project_recall import recall_settings
from recollect.store.hook_reader.store_reader import SNAPSHOT
from recollect.store.protocols import Store
from recollect.vault.layouts import JSON_ROOT
from recollect.write import compiled_rules

# The settings that hooks read, by their names in the configuration.
READ = (
    "inject.session", "inject.start_tokens", "inject.session_chars", "inject.long_memory", "inject.prompt",
    "inject.max_memories", "inject.token_budget", "inject.render", "inject.experiences", "recall.profile",
    "vault.root", "log.long_memory", "triage.enabled", "triage.max_messages", "triage.parallel",
    "triage.verification_model", "triage.default_model",
)  # fmt: skip
PROJECT_FILES = (".recollect.toml", "pyproject.toml", "agent.conf", f"{JSON_ROOT}/memory-config.json")
OVERRIDES = ("environment", "flag")
NOBODYS = Standing("")


def keep(store: Store, settings: Settings, root: Path, standing: Standing, env: Mapping[str, str]) -> None:
    """Store the settings of a checkout and the user's own for hooks, where they changed.

    A foreign checkout has none: hooks use the user's own settings there.
    """
    with contextlib.suppress(RecollectError):  # derived data: a busy or full disk is no reason not to open
        if standing.is_foreign:
            _remove_unless_trusted(store, root)
        else:
            plain = _without_overrides(settings, root, env, trusted=standing.is_trusted)
            _set(store, f"{SNAPSHOT}{root}", _snapshot(plain, store.kinds, root, standing, env))
        users = config.load(env=_plain(env))
        _set(store, SNAPSHOT, _snapshot(users, users.config.kind_table(), None, NOBODYS, env))
        _leave_deadlines(store, users.config)
        _list_vaults(store)
        compiled_rules.refresh(store, {standing.project})


def _without_overrides(settings: Settings, root: Path, env: Mapping[str, str], *, trusted: bool) -> Settings:
    """Return the settings without those of this process's environment and flags; a hook reads its own environment."""
    if not any(origin in OVERRIDES for origin in settings.origins.values()):
        return settings
    memory_root = root / JSON_ROOT if trusted else None
    return config.load(project=root if trusted else None, memory_root=memory_root, env=_plain(env))


def _plain(env: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in env.items() if "__" not in name}


def _snapshot(found: Settings, kinds: Kinds, root: Path | None, standing: Standing, env: Mapping[str, str]) -> str:
    settings, values = found.config, dict[str, object]()
    for name in READ:
        section, _, field = name.partition(".")
        values[name] = getattr(getattr(settings, section), field)
    values |= recall_settings(settings) | triage_settings(settings)
    values["vault.layouts"] = " ".join(settings.vault.layouts) if standing.uses_vault else ""
    by_priority = sorted((kind for kind in kinds.values() if kind.priority), key=lambda kind: kind.priority)
    values["kinds.told"] = ",".join(kind.name for kind in by_priority)
    for kind in kinds.values():
        values[f"{KEY_FIELDS}{kind.name}"] = ",".join(kind.tells or kind.key_fields)
    values["trusted"] = standing.is_trusted
    values["warnings"] = "".join(f"WARNING: {warning}\n" for warning in found.warnings)
    places = [str(user_settings(env)), *(str(root / name) for name in PROJECT_FILES if root)]
    values["files"] = signature(places)
    return json.dumps(values, ensure_ascii=False)


def triage_settings(settings: Config) -> dict[str, object]:
    """Return the settings of triage that are not plain values: tables as JSON, and the kinds that it must skip."""
    rules, silent = settings.triage, {*settings.save.disabled_kinds, *settings.capture.skip_kinds}
    return {
        "triage.thresholds": json.dumps(rules.thresholds),
        "triage.models": json.dumps(rules.models),
        "triage.silent": ",".join(sorted(silent)),
    }


def _set(store: Store, name: str, value: str | None) -> None:
    if store.setting(name) != value:
        with store.writing(durable=False):
            store.set_setting(name, value)


def _remove_unless_trusted(store: Store, root: Path) -> None:
    """Remove the settings of a foreign checkout, unless a person trusted it since it was looked up."""
    name = f"{SNAPSHOT}{root}"
    if store.setting(name) is None:
        return
    with store.writing(durable=False):
        if not any(known.trusted and known.root == str(root) for known in store.projects.checkouts()):
            store.set_setting(name, None)


def _leave_deadlines(store: Store, users: Config) -> None:
    """Write the deadlines of hooks to a file, because a hook needs them before it opens the database."""
    line = f"{users.hooks.deadline_ms} {users.hooks.note_deadline_ms}\n"
    _replace(Path(paths.deadlines(str(store.home))), line.encode())


def _list_vaults(store: Store) -> None:
    """Write the list of trusted vaults to a file, because the guard opens no database.

    It holds a checkout and the name of its vault, each followed by NUL. A checkout whose clone is not trusted any
    more, or was replaced by another clone, is left out.
    """
    known = store.projects.checkouts()
    trusted = {checkout.clone for checkout in known if checkout.trusted and not checkout.vault_off}
    foreign = {checkout.root for checkout in known if checkout.clone not in trusted}
    listed = ""
    for name, snapshot in sorted(store.settings(SNAPSHOT).items()):
        root, found = name.removeprefix(SNAPSHOT), json.loads(snapshot)
        vault = os.path.normpath(found["vault.root"])
        if root and found["trusted"] and root not in foreign and vault != ".":
            listed += f"{root}\0{vault}\0"
    _replace(Path(paths.runtime(str(store.home))) / "vaults", listed.encode("utf-8", "surrogateescape"))


def _replace(place: Path, data: bytes) -> None:
    """Write a file in one step if its content differs; a full or read-only disk is no error."""
    with contextlib.suppress(OSError):
        if (place.read_bytes() if place.exists() else b"") != data:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside = place.with_name(f"{place.name}.{os.getpid()}")
            beside.touch(machine.FILE_MODE)
            beside.write_bytes(data)
            beside.replace(place)
