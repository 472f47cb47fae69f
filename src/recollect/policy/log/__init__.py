"""Decisions about the plain-text log: what is merged, what LONGMEMORY.md keeps, when it is due, how files change."""
