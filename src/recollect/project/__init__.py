"""Which project a folder belongs to, read from git's plain files, and the one way in which git itself is started."""
