"""Commands that check the store and keep it in order."""
