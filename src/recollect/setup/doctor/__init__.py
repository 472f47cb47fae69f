"""`recollect doctor`: checks of everything that recollect needs (`checks.py`), and the repair of a damaged store."""
