"""Memory for an agent that is written in Python: what a hook would tell it, and what happened."""
