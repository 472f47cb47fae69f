"""A simulated year of sessions, played with upkeep and without it: how small a store stays, how well it recalls."""
