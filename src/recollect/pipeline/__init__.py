"""From an inbox event to memories: worker, inbox processor, event handlers, capture."""
