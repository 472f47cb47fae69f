"""Replay real transcripts through the whole pipeline, and compare what was kept and told with labels."""
