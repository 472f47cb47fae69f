"""Modules on first use: a hook loads what its event needs, and nothing else."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load(module: str) -> "Any":
    """A module by its name."""
    __import__(module)
    return sys.modules[module]
