"""Dialects: the event names, field names and reply formats of each coding agent, an import-light module for each."""

NAMES = ("claude-code", "codex", "gemini", "cursor", "generic", "mcp")

# The element around a request to save memories at the end of a turn. Some clients return the request as a prompt; the
# element marks it as ours.
REQUEST, REQUEST_END = "<memory-request>", "</memory-request>"
