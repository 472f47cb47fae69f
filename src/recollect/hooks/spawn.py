"""Start the worker and other detached programs, with only the environment that they need. Import-light."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KEPT_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT")
KEPT_FAMILIES = ("RECOLLECT_", "LETSGO_", "XDG_", "LC_")


def worker(env: "Mapping[str, str]") -> None:
    """Start a worker that outlives the hook; a worker that finds another one running ends at once."""
    kept = {name: value for name, value in env.items() if name in KEPT_VARIABLES or name.startswith(KEPT_FAMILIES)}
    command = [sys.executable, "-E", "-P", "-m", "recollect.pipeline.worker"]  # not -I: a package may be the user's own
    if not hasattr(os, "posix_spawn"):  # pragma: no cover - Windows
        os.spawnve(os.P_DETACH, sys.executable, command, kept)  # type: ignore[attr-defined]  # noqa: S606
        return
    detached(command, kept)


def detached(command: list[str], env: "Mapping[str, str]") -> None:
    """Start a program detached: it inherits none of our handles, and nobody waits for it."""
    nowhere = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1, 2)]
    try:
        os.posix_spawnp(command[0], command, env, file_actions=nowhere, setsid=True)
    except NotImplementedError:  # pragma: no cover - macOS
        os.posix_spawnp(command[0], command, env, file_actions=nowhere, setpgroup=0)
