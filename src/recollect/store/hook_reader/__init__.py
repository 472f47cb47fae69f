"""The import-light, read-only view of the SQLite store that hooks use."""
