"""Render memories as text for a model, within a token budget. Pure functions."""
