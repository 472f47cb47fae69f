"""Code that runs inside a client's hook: dispatch, wiring, injection, inbox. Import-light."""
