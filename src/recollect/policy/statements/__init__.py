"""Find lasting statements in what a person wrote. Pure functions."""
