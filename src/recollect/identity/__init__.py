"""Which project a checkout belongs to, and whether its content is trusted."""
