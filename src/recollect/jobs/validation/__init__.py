"""Check memories that name code against the checkout, and keep the verdicts (A42)."""
