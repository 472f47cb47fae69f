"""Commands that read and change memories."""
