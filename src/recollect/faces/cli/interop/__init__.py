"""Commands of the seed systems' surfaces, import and export."""
