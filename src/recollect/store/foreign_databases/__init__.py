"""Read-only access to databases of other programs, for `recollect import`."""
