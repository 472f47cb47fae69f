"""Import a module on first use. Import-light, because hooks load only what their event needs."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load(module: str) -> "Any":
    """Import a module by its full name and return it."""
    __import__(module)
    return sys.modules[module]


def load_handler(name: str) -> "Any":
    """Return the function that a row of the wiring table names: its module and its name, below `recollect`."""
    module, _, function = name.rpartition(".")
    return getattr(load(f"recollect.{module}"), function)
