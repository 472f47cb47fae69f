"""What recollect keeps on this machine besides the files in repositories, and its removal."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect import paths
from recollect.config.user_file import user_settings
from recollect.errors import DiskRefused, Refused

OURS = ("memory.db", "journal.jsonl", "hook.log", "inbox", "runtime", "installs.json")
"""Names of which at least one is in a folder of ours."""


@dataclass(frozen=True, slots=True)
class OwnData:
    """The folder of recollect and what is in it."""

    home: Path
    files: int
    megabytes: float
    settings: Path | None
    """The user's own settings file; None if there is none."""


def examine(env: Mapping[str, str]) -> OwnData:
    """Return where the memories of this user are, and how much space they take."""
    home = Path(paths.home(env))
    sizes = [path.lstat().st_size for path in home.rglob("*") if path.is_file()] if home.is_dir() else []
    settings = user_settings(env)
    return OwnData(home, len(sizes), sum(sizes) / 1_000_000, settings if settings.exists() else None)


def remove(env: Mapping[str, str]) -> None:
    """Delete the folder of recollect; raises Refused where it may hold files of others, DiskRefused where it stays."""
    own = paths.own_home(env)
    home = Path(own or paths.home(env)).absolute()
    is_ours = bool(own) and any((home / name).exists() for name in OURS)
    is_too_much = home == Path(home.anchor) or home == Path.home() or home in Path.home().parents
    if not home.exists():
        return
    if not is_ours or is_too_much or home.is_symlink():
        fix = "Delete the files of recollect in it by hand."
        raise Refused("this folder may hold files of other programs", target=home, code="UNINSTALL_ERROR", fix=fix)
    try:
        shutil.rmtree(home)
    except OSError as error:
        raise DiskRefused(f"not everything could be deleted: {error}", target=os.fspath(home)) from None
