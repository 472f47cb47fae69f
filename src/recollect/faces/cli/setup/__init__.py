"""Commands that set recollect up, and those that hooks call."""
