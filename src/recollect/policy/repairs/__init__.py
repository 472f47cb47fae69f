"""Repairs: which of them are worth keeping, why something failed, and the runbooks that are made of them."""
