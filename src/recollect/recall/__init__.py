"""The one recall: query terms, ranking profiles, fusion and abstention."""
