"""Codecs between a memory and the seeds' own files: pure functions on text, byte-faithful."""
