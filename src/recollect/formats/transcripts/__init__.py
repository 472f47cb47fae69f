"""Transcripts of coding agents as the hook events that their client would have sent: one module per client."""
