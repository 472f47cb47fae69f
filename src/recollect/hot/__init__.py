"""Only for hooks that version 0.1 installed: see `dispatch`. `recollect install` renews them."""
