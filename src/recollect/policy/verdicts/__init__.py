"""Does a memory still hold in a checkout? What it names is compared with a description of the checkout."""
