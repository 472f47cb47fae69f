"""The command line: each command parses its arguments, calls the library, and prints the result."""

from recollect.cli.main import main

__all__ = ["main"]
