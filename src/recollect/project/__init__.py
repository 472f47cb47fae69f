"""Which project a folder belongs to, read from git's plain files; and the only module that starts git."""
