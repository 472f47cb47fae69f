"""The one write path: `commit`, and the steps that belong to it."""
