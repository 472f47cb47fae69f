"""LetsGo's memory tool: a JSON object in, a JSON object out (D16). `answering.py` has the table of operations."""
