"""What a store engine offers, as small protocols by role. A function declares the role that it needs."""
