"""The one write path: `commit` applies changes to store, journal and vault; `changes/` has one module per kind."""
