"""Decide what of a session is worth a memory. Pure functions."""
