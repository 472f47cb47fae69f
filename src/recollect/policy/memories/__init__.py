"""Decide how a memory is composed, merged, revised, kept and expired. Pure functions."""
