"""A small language encoder that reads sentences in their message, and pairs of statements. Runs on numpy alone."""
