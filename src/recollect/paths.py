"""The paths of our own files, from the environment. Import-light, because hooks use them."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def home(env: "Mapping[str, str]") -> str:
    """Return the folder of the store: `RECOLLECT_HOME`, else `LETSGO_HOME` (D19), else the platform's data folder."""
    chosen = env.get("RECOLLECT_HOME") or env.get("LETSGO_HOME")
    return os.path.expanduser(chosen) if chosen else os.path.join(_data_folder(env), "recollect")


def _data_folder(env: "Mapping[str, str]") -> str:
    if sys.platform == "win32":  # pragma: no cover
        return os.path.join(env.get("LOCALAPPDATA") or os.path.expanduser("~"), "recollect")
    if sys.platform == "darwin":  # pragma: no cover
        return os.path.expanduser("~/Library/Application Support")
    return env.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")


def database(env: "Mapping[str, str]") -> str:
    """Return the path of the database; `LETSGO_MEMORY_DB` names it where `RECOLLECT_HOME` is not set (D19)."""
    chosen = None if env.get("RECOLLECT_HOME") else env.get("LETSGO_MEMORY_DB")
    return os.path.expanduser(chosen) if chosen else os.path.join(home(env), "memory.db")


def own_home(env: "Mapping[str, str]") -> str:
    """Return the home if every file in it is ours; empty for LetsGo's own folder, which holds LetsGo's files too."""
    return "" if env.get("LETSGO_HOME") and not env.get("RECOLLECT_HOME") else home(env)


def journal(env: "Mapping[str, str]", database: str) -> str:
    """Return the path of the journal's mirror: beside the database, unless the environment moves it (D14)."""
    chosen = env.get("RECOLLECT_JOURNAL") or (None if env.get("RECOLLECT_HOME") else env.get("LETSGO_MEMORY_LOG"))
    if chosen:
        return os.path.expanduser(chosen)
    is_letsgos = bool(env.get("LETSGO_HOME")) and not env.get("RECOLLECT_HOME")
    folder = os.path.dirname(database)
    return (
        os.path.join(home(env), "logs", "memory-journal.jsonl") if is_letsgos else os.path.join(folder, "journal.jsonl")
    )


def inbox(home: str) -> str:
    """Return the folder in which events wait for the worker."""
    return os.path.join(home, "inbox")


def aside(home: str) -> str:
    """Return the folder of events that could not be processed."""
    return os.path.join(home, "aside")


def runtime(home: str) -> str:
    """Return the private folder for drafts, ledgers and other short-lived files."""
    return os.path.join(home, "runtime")


def rules(home: str) -> str:
    """Return the path of the compiled rules (`hooks/injection/rule_file.py`)."""
    return os.path.join(runtime(home), "rules")


def deadlines(home: str) -> str:
    """Return the path of the file with the deadlines of hooks (`hooks/deadline.py`)."""
    return os.path.join(runtime(home), "deadlines")


def log(home: str) -> str:
    """Return the path of hook.log."""
    return os.path.join(home, "hook.log")


def request_log(home: str) -> str:
    """Return the path of serve.log, the log of requests to `recollect serve`."""
    return os.path.join(home, "serve.log")


def refusal_log(home: str) -> str:
    """Return the path of serve-refused.log, the log of requests that were refused."""
    return os.path.join(home, "serve-refused.log")
