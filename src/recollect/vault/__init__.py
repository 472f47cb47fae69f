"""The plain-text twin of the curated memories: files in the repository, and how they are written safely."""
