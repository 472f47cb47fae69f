"""Claude Code's plugin beside an install: where the settings call us too, the plugin's hooks stand back."""

import os

from recollect import foreign_files, paths
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What hooks in settings name and no other program's do (formats.client_settings.MARKS, which no hook has time to load).
MARKS = (b"recollect.hooks.dispatch", b"recollect.hot.dispatch")
SCRIPT = os.path.join("hooks", "recollect.sh")
INSTALLS = "installs.json"  # setup.manifest.NAME
MOST_BYTES = 5_000_000


def yields(event_folder: str, env: "Mapping[str, str]") -> bool:
    """Whether a hook of the plugin has nothing left to do, because the client's settings call us for the same event.

    The user's own settings are believed. Those of a project are believed only where `recollect install` wrote them on
    this machine: a clone that merely names us in its settings must not silence the user's plugin.
    """
    root = env.get("CLAUDE_PLUGIN_ROOT")
    # A client that another plugin started hands that plugin's root on to every hook: only our own means us.
    if not root or not os.path.exists(os.path.join(root, SCRIPT)):
        return False
    user = os.path.expanduser(env.get("CLAUDE_CONFIG_DIR") or os.path.join("~", ".claude"))
    if _names_us(os.path.join(user, "settings.json")):
        return True
    # The client reads the project's settings from the folder that it was started in.
    project = os.path.join(env.get("CLAUDE_PROJECT_DIR") or event_folder, ".claude")
    named = [os.path.join(project, name) for name in ("settings.json", "settings.local.json")]
    hooked = [os.path.realpath(path) for path in named if _names_us(path)]
    return bool(hooked) and not set(hooked).isdisjoint(_installed(paths.home(env)))


def _names_us(path: str) -> bool:
    """Return whether a settings file holds hooks of ours."""
    said = _read(path)
    return any(mark in said for mark in MARKS)


def _installed(home: str) -> list[str]:
    """The settings files that `recollect install` has written on this machine."""
    said = _read(os.path.join(home, INSTALLS)).decode("utf-8", "replace")
    return [os.path.realpath(path) for path in load("recollect.store.hook_reader.event_json").installed_settings(said)]


def _read(path: str) -> bytes:
    """What a settings file holds; nothing where it is no regular file, or too long for one."""
    try:
        return foreign_files.read(path, most_bytes=MOST_BYTES)
    except OSError:
        return b""
