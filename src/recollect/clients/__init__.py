"""Dialects: how each coding agent spells its events and expects its answers. One import-light module per client."""

NAMES = ("claude-code", "codex", "gemini", "cursor", "generic")

# What we ask for when a turn is not to end yet; some clients hand it on as a prompt, and so we know it again.
REQUEST, REQUEST_END = "<memory-request>", "</memory-request>"
