"""The command line: a face that parses, calls one verb of the library, and prints."""

from recollect.cli import memories, seeds, setup
from recollect.cli.face import main

__all__ = ["main", "memories", "seeds", "setup"]
