"""The seed systems' own surfaces, import, export and scrub."""
