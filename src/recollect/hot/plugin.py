"""Claude Code's plugin beside an install: where the settings call us too, the plugin's hooks stand back."""

import os

from recollect import foreign_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What hooks in settings name and no other program's do (formats.client_settings.MARK, which no hook has time to load).
MARK = b"recollect.hot.dispatch"
SCRIPT = os.path.join("hooks", "recollect.sh")


def yields(event_folder: str, env: "Mapping[str, str]") -> bool:
    """Whether a hook of the plugin has nothing left to do, because the client's settings call us for the same event."""
    root = env.get("CLAUDE_PLUGIN_ROOT")
    # A client that another plugin started hands that plugin's root on to every hook: only our own means us.
    if not root or not os.path.exists(os.path.join(root, SCRIPT)):
        return False
    return any(_is_hooked(path) for path in _settings(event_folder, env))


def _settings(event_folder: str, env: "Mapping[str, str]") -> list[str]:
    """The files that an install writes to; the client reads those of the folder that it was started in."""
    user = env.get("CLAUDE_CONFIG_DIR") or os.path.join("~", ".claude")
    project = os.path.join(env.get("CLAUDE_PROJECT_DIR") or event_folder, ".claude")
    return [
        os.path.join(os.path.expanduser(user), "settings.json"),
        os.path.join(project, "settings.json"),
        os.path.join(project, "settings.local.json"),
    ]


def _is_hooked(path: str) -> bool:
    try:  # without a root: the client follows a link in its settings too
        return MARK in foreign_files.read(path, most_bytes=foreign_files.SETTINGS_BYTES)
    except OSError:
        return False
