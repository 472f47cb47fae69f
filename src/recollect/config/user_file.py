"""The user's own settings file."""

from collections.abc import Mapping
from pathlib import Path

import platformdirs


def user_settings(env: Mapping[str, str]) -> Path:
    """Return its path: `RECOLLECT_CONFIG`, else `config.toml` in the platform's configuration folder."""
    chosen = env.get("RECOLLECT_CONFIG")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_config_dir("recollect")) / "config.toml"
