"""Where our own files lie, by name alone: import-light, because hooks ask too."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def home(env: "Mapping[str, str]") -> str:
    """The folder of the store: `RECOLLECT_HOME`, else `LETSGO_HOME` (D19), else the platform's data folder."""
    chosen = env.get("RECOLLECT_HOME") or env.get("LETSGO_HOME")
    return os.path.expanduser(chosen) if chosen else os.path.join(_data_folder(env), "recollect")


def _data_folder(env: "Mapping[str, str]") -> str:
    if sys.platform == "win32":  # pragma: no cover
        return os.path.join(env.get("LOCALAPPDATA") or os.path.expanduser("~"), "recollect")
    if sys.platform == "darwin":  # pragma: no cover
        return os.path.expanduser("~/Library/Application Support")
    return env.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")


def database(env: "Mapping[str, str]") -> str:
    """The store itself; `LETSGO_MEMORY_DB` names it where nothing of ours does (D19)."""
    chosen = None if env.get("RECOLLECT_HOME") else env.get("LETSGO_MEMORY_DB")
    return os.path.expanduser(chosen) if chosen else os.path.join(home(env), "memory.db")


def inbox(home: str) -> str:
    """Where noted events wait."""
    return os.path.join(home, "inbox")


def aside(home: str) -> str:
    """Where events lie that could not be worked through."""
    return os.path.join(home, "aside")


def runtime(home: str) -> str:
    """The private folder for drafts, ledgers and other short-lived files."""
    return os.path.join(home, "runtime")


def log(home: str) -> str:
    """Where hooks and workers say what went wrong."""
    return os.path.join(home, "hook.log")
