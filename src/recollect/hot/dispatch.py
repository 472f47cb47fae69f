"""The entry point that hooks installed by version 0.1 name. It is now `recollect.hooks.dispatch`."""

from recollect.hooks.dispatch import main

__all__ = ["main"]
