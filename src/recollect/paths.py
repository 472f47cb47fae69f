"""Where our own folders lie."""

from collections.abc import Mapping
from pathlib import Path

import platformdirs


def home(env: Mapping[str, str]) -> Path:
    """The folder of the store: `RECOLLECT_HOME`, else the platform's data folder."""
    chosen = env.get("RECOLLECT_HOME")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("recollect"))


def database(env: Mapping[str, str]) -> Path:
    """The store itself."""
    return home(env) / "memory.db"


def journal(env: Mapping[str, str], database: Path) -> Path:
    """The journal's mirror: beside the store, unless `RECOLLECT_JOURNAL` moves it."""
    chosen = env.get("RECOLLECT_JOURNAL")
    return Path(chosen).expanduser() if chosen else database.with_name("journal.jsonl")


def runtime_folder(env: Mapping[str, str]) -> Path:
    """The private folder for drafts and other short-lived files."""
    return home(env) / "runtime"


def user_settings(env: Mapping[str, str]) -> Path:
    """The user's own settings: `RECOLLECT_CONFIG`, else `config.toml` in the platform's configuration folder."""
    chosen = env.get("RECOLLECT_CONFIG")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_config_dir("recollect")) / "config.toml"
