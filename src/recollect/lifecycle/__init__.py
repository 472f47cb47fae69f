"""What happens to memories, one verb a module; only here do policy and store meet."""
