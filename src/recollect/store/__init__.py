"""The database: what is kept, and nothing about why."""
