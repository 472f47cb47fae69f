"""The command line: each command parses its arguments, calls the library, and prints the result."""

from recollect.faces.cli.main import main

__all__ = ["main"]
