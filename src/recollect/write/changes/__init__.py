"""How each kind of change is applied inside a commit; `apply` chooses the function."""
