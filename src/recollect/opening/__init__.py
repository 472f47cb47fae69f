"""Open a project: its store, vault, settings and identity as one ProjectContext."""
