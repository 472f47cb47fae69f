"""A temporary home and project in which sessions are played through the hooks and the pipeline, and then looked at.

The environment is passed on as a mapping; os.environ is never changed.
"""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.errors import RecollectError
from recollect.hooks import dispatch
from recollect.hooks.event import Event, Reply, load_dialect
from recollect.library.workspace import Workspace
from recollect.opening.open_checkout import open_checkout
from recollect.project.checkout import find_checkout

CLIENT = "claude-code"
START_SECONDS = 1_790_000_000.0
DAY_SECONDS = 86_400.0
STRIPPED_PREFIXES = ("RECOLLECT_", "CLAUDE_", "AGENT_")

Json = dict[str, Any]


def environment(folder: Path, *, vectors: bool) -> dict[str, str]:
    """Return the environment of a home in `folder`: without the user's settings, one day after the first event."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(STRIPPED_PREFIXES)}
    return kept | {
        "HOME": str(folder),
        "RECOLLECT_HOME": str(folder / "store"),
        "RECOLLECT_CONFIG": str(folder / "config.toml"),
        "RECOLLECT_RECALL__VECTORS": "on" if vectors else "off",
        "RECOLLECT_NOW": stamp(START_SECONDS + DAY_SECONDS),
    }


def open_project(root: Path, env: Mapping[str, str]) -> Workspace:
    """Return the project in a folder, opened with this environment."""
    return open_checkout(find_checkout(root), Workspace, folder=root, env=env, actor="eval", warn=lambda _: None)


def stamp(at: float) -> str:
    """Return a time in seconds since 1970 as ISO 8601."""
    return datetime.fromtimestamp(at, UTC).isoformat()


def answer(native: str, fields: Json, env: Mapping[str, str]) -> str:
    """Return the text that the hooks inject for an event; see `reply`."""
    return reply(native, fields, env).context


def reply(native: str, fields: Json, env: Mapping[str, str]) -> Reply:
    """Return what the hooks answer to an event; the event is not written to the inbox.

    Raises RecollectError if a hook fails: in a client it would be logged, here it would falsify the measure.
    """
    raw = json.dumps({**fields, "hook_event_name": native}).encode()
    event, found = Event(load_dialect(CLIENT), native, raw, env, paths.home(env)), Reply()
    log_lines(env)
    dispatch.answer(event, found)
    logged = log_lines(env)
    if logged:
        raise RecollectError(f"a hook failed: {' '.join(logged)}", target=native)
    event.store.close()
    return found


def log_lines(env: Mapping[str, str]) -> list[str]:
    """Return the lines that hooks and workers logged since the last call, and remove the log."""
    log = Path(paths.log(paths.home(env)))
    try:
        lines = log.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    log.unlink()
    return lines
