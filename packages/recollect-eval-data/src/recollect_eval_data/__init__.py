"""Data sets of `recollect eval`: `coding` (memories and prompts) and `capture` (labelled sessions). Data only."""
