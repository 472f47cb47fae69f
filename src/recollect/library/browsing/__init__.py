"""Verbs for people who look around: previews of prompts, origins of memories, sessions, figures, the log's files."""
