"""Commands that set recollect up and check it."""
