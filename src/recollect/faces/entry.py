"""The program `recollect`: the command line, or the MCP server, which must not wait for click to be loaded."""

import sys

from recollect.lazy import load

HELP = ("-h", "--help")


def main() -> None:
    """Run the MCP server for `recollect mcp`, and the command line for everything else."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["mcp"] and not any(word in HELP for word in arguments):
        load("recollect.faces.mcp.stdio").main(arguments[1:])
    else:
        load("recollect.faces.cli.main").main()
