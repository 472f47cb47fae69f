"""Dialects: how each coding agent spells its events and expects its answers. One import-light module per client."""

NAMES = ("claude-code",)
