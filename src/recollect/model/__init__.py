"""The values that everything else speaks of; no files, no database, no decisions."""
