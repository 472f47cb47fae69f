"""Where our own folders lie."""

from collections.abc import Mapping
from pathlib import Path

import platformdirs

from recollect import folders


def home(env: Mapping[str, str]) -> Path:
    """The folder of the store: `RECOLLECT_HOME`, else `LETSGO_HOME` (D19), else the platform's data folder."""
    return Path(folders.home(env))


def own_home(env: Mapping[str, str]) -> Path | None:
    """The home, if every file in it is ours: LetsGo's own folder holds LetsGo's files too."""
    return None if env.get("LETSGO_HOME") and not env.get("RECOLLECT_HOME") else home(env)


def database(env: Mapping[str, str]) -> Path:
    """The store itself; `LETSGO_MEMORY_DB` names it where nothing of ours does (D19)."""
    return Path(folders.database(env))


def journal(env: Mapping[str, str], database: Path) -> Path:
    """The journal's mirror: beside the store, unless `RECOLLECT_JOURNAL` or `LETSGO_MEMORY_LOG` moves it (D14)."""
    chosen = env.get("RECOLLECT_JOURNAL") or (None if env.get("RECOLLECT_HOME") else env.get("LETSGO_MEMORY_LOG"))
    if chosen:
        return Path(chosen).expanduser()
    is_letsgos = bool(env.get("LETSGO_HOME")) and not env.get("RECOLLECT_HOME")
    return home(env) / "logs" / "memory-journal.jsonl" if is_letsgos else database.with_name("journal.jsonl")


def runtime_folder(env: Mapping[str, str]) -> Path:
    """The private folder for drafts and other short-lived files."""
    return Path(folders.runtime(folders.home(env)))


def user_settings(env: Mapping[str, str]) -> Path:
    """The user's own settings: `RECOLLECT_CONFIG`, else `config.toml` in the platform's configuration folder."""
    chosen = env.get("RECOLLECT_CONFIG")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_config_dir("recollect")) / "config.toml"
