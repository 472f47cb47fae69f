"""Whether a newer statement takes an older one back."""
