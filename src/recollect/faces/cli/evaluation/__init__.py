"""Commands that measure recall and capture."""
