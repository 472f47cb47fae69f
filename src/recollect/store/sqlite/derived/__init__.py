"""Tables that are derived from memories and a checkout, and can be made again at any time."""
