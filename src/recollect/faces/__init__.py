"""Faces: how people and programs reach the library. A new one (MCP, a web page) is a folder here."""
