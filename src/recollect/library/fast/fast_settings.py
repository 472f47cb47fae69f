"""The settings that count in a folder, read from their files without opening the project: for a cold `config`."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect import config
from recollect.config import Settings
from recollect.lazy import load
from recollect.library.fast import fast_reader
from recollect.library.fast.fast_reader import JSON_ROOT, Warn
from recollect.project.checkout import find_checkout


@dataclass(frozen=True, slots=True)
class FastSettings:
    """The settings of a checkout, and where it is."""

    settings: Settings
    root: Path
    is_trusted: bool

    def ignored_files(self) -> list[str]:
        """Return the settings files of this clone that are not used, because nobody trusted it."""
        preview = load("recollect.identity.trust_preview")
        return [] if self.is_trusted else list(preview.settings_files(self.root))


def read(folder: Path, env: Mapping[str, str] = os.environ, *, warn: Warn) -> FastSettings:
    """Return the settings of the checkout around a folder; one that is not known yet is opened.

    Raises ConfigError for a setting that cannot be read.
    """
    reader = fast_reader.open_reader(env)
    known = reader.projects.checkouts() if reader else []
    checkout = find_checkout(folder, known)
    of_clone = [other for other in known if other.clone == checkout.clone]
    if not of_clone:  # whether it is trusted has to be found out
        with fast_reader.open_project(folder, env, warn) as workspace:
            return FastSettings(workspace.settings, Path(workspace.root), workspace.is_trusted)
    root, is_trusted = checkout.root, any(other.trusted for other in of_clone)
    memory_root = root / JSON_ROOT if is_trusted else None
    settings = config.load(project=root if is_trusted else None, memory_root=memory_root, env=env)
    for warning in settings.warnings:
        warn(f"WARNING: {warning}")
    return FastSettings(settings, root, is_trusted)
