"""Jobs that change memories: each reads the store, lets a policy decide, and returns a Plan."""
