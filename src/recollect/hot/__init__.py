"""Import-light modules: what runs inside a client's hook, before anything heavy may be loaded."""
