"""How the store keeps what is known of a word: its vector and the words like it. Import-light."""

DIRECTION = "recall:direction"
"""The store's setting that holds the direction which all memories share, as hexadecimal bytes."""
KEY_BYTES = 4


def unpack_near(near: bytes) -> "list[tuple[int, float]]":
    """Return the words that are like one, by their keys, with how similar they are (0 to 1).

    They are kept as all keys, four bytes each, followed by a byte of similarity for each.
    """
    number = len(near) // (KEY_BYTES + 1)
    keys = memoryview(near)[: KEY_BYTES * number].cast("I")
    return [(key, share / 255) for key, share in zip(keys, near[KEY_BYTES * number :], strict=True)]
