"""Find credentials in text and take them out. Pure functions."""
