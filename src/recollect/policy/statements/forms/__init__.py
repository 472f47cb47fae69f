"""Tables of sentence forms: a row is a pattern with its kind, an example and a reason."""
