"""Decisions: pure functions of values; no files, no database, no clock."""
