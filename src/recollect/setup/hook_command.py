"""The command line that a client calls for each event."""

import contextlib
import importlib.util
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from recollect.formats import client_settings

FILE_NAME = "hook-command"
PACKAGE = Path(__file__).parents[1].absolute()
# Lines, not a file: Python ends with 2 when its file is gone, and to the client a 2 means "stop". So a program that was
# removed without `uninstall` would block every prompt; like this it is silent.
START = f"""import gc, sys
gc.disable()
sys.path[:0] = sys.argv[1:3]
try:
    from {client_settings.ENTRY_POINT} import main
except (ImportError, EOFError):
    sys.exit(0)
main(*sys.argv[3:])"""


# A Python that is gone, such as one of a removed virtual environment, must not fail at each event of the client. The
# client's event is read all the same, so that the client can finish writing it.
IF_THERE = '[ -x "$0" ] || { cat >/dev/null 2>&1; exit 0; }; exec "$0" "$@"'


def hook_command() -> list[str]:
    """Return the program and its arguments, to which a client and an event are added; silent where Python is gone."""
    program = [sys.executable] if sys.platform == "win32" else ["/bin/sh", "-c", IF_THERE, sys.executable]
    return [*program, *hook_words()]


def is_silent_without_python(words: Sequence[str]) -> bool:
    """Return whether a command of ours ends without an error where its Python is gone; older installs do not."""
    return sys.platform == "win32" or IF_THERE in words


def hook_words() -> list[str]:
    """Return Python's arguments: no `site`, our first lines, and the two folders that Python cannot find then."""
    return ["-I", "-S", "-E", "-c", START, str(PACKAGE.parent), str(_packages_folder())]


def _packages_folder() -> Path:
    """Return the folder of the packages that we depend on: the one that holds apsw."""
    found = importlib.util.find_spec("apsw")
    return Path(found.origin).parents[1] if found and found.origin else PACKAGE.parent


def leave_command(home: Path) -> None:
    """Write the command line to a file in our home, where the plugin's script looks for it."""
    place, line = home / FILE_NAME, shlex.join([sys.executable, *hook_words()]) + "\n"
    with contextlib.suppress(OSError):  # the script finds us by name as well
        if not place.exists() or place.read_text("utf-8") != line:
            draft = place.with_name(f"{FILE_NAME}.{os.getpid()}")
            draft.touch(0o600)
            draft.write_text(line, "utf-8")
            draft.replace(place)
