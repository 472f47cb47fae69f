"""Decide which tool calls of an agent are refused. Import-light."""
