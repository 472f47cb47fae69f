"""Build the text that is injected at a prompt, a session start or a known error. Import-light."""
