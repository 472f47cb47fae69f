"""The MCP server: tools, resources and prompts for agents, over the library's verbs.

`server.py` is free of any transport, `stdio.py` serves it over standard input and output. Modules that run before the
first call are import-light: they load `json`, and neither pydantic nor click.
"""
