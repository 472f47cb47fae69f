"""The serving foundation: what stands between a socket and the page, and between a socket and MCP over HTTP."""
