"""The Python library: `recollect.open()` and its Workspace."""
