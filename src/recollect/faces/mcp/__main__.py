"""`python -m recollect.faces.mcp`: the server over stdio, as `recollect install --mcp` writes it for clients."""

import sys

from recollect.faces.mcp.stdio import main

if __name__ == "__main__":
    main(sys.argv[1:])
