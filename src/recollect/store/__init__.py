"""Storage: protocols, the SQLite engine, and the reader for hooks."""
