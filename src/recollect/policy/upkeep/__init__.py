"""Pure decisions about memories that exist: how much they matter, which say the same, which are forgotten."""
