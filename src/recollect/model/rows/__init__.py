"""Rows of memories that are read for one purpose: some columns, not the whole value. Import-light."""
