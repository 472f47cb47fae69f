"""Memory for an agent that is written in Python: what a hook would inject, and what happened."""
