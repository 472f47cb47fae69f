"""The functions of the tools: each takes a Call, calls a verb of the library and returns text. Loaded on first use."""
