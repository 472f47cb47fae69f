"""Scores and weights that order memories for a question. Pure functions."""
