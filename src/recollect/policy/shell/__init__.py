"""Classify shell commands and read their output. Pure functions."""
