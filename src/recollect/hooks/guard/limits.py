"""Limits and marks that the readers of shell commands share. Import-light.

A word of a command is plain text, but two facts about it are needed after it is unquoted: which of its characters the
shell would expand, and whether the command takes along everything below the path. Both are kept as marks in the word:
`rm -r 'a*' b*` has the operands `a*` and `b` + GLOB_MARK + `*`, and writes both with TREE_MARK at their ends. The marks
are control characters; `shell` takes them out of a command before it reads it, so that no command can forge one.
"""

MAX_DEPTH = 8  # commands inside commands
MAX_PIPED_WORDS = 64  # words that xargs is given, and arguments that are looked at
GLOB_MARK = "\x01"  # stands before a character that the shell expands: * ? [ {
TREE_MARK = "\x02"  # stands behind a path that is written with everything below it
