"""Limits and marks that the readers of shell commands share."""

DEEPEST = 8  # commands inside commands
MOST_PIPED = 64  # words that xargs is given
# Marks inside words, taken out of a command before it is read so that none can be forged.
GLOB = "\x01"  # stands before a character that the shell expands
TREE = "\x02"  # stands after a path that is written with all that lies below it
