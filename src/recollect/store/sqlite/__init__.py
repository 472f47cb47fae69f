"""The SQLite engine: every SQL statement that writes, and the migrations."""
