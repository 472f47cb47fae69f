"""The command line: a face that parses, calls one verb of the library, and prints."""

from recollect.cli.main import main

__all__ = ["main"]
