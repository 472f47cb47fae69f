"""The page: what is remembered, in a browser. Each handler parses a request, calls a verb, and renders a template."""
