"""How the store keeps what is known of a word: its vector and the words like it. Import-light."""

KEY_BYTES = 4

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def pack_keys(keys: "Iterable[int]") -> bytes:
    """Return the keys of words or files as bytes, four each."""
    return b"".join(key.to_bytes(KEY_BYTES, "little") for key in keys)


def pack_near(similar: "list[tuple[int, float]]") -> bytes:
    """Return words by their keys, with how similar they are (0 to 1), as `unpack_near` reads them."""
    return pack_keys(key for key, _ in similar) + bytes(round(255 * share) for _, share in similar)


def unpack_near(near: bytes) -> "list[tuple[int, float]]":
    """Return the words that are like one, by their keys, with how similar they are (0 to 1).

    They are kept as all keys, four bytes each, followed by a byte of similarity for each.
    """
    number = len(near) // (KEY_BYTES + 1)
    keys = memoryview(near)[: KEY_BYTES * number].cast("I")
    return [(key, share / 255) for key, share in zip(keys, near[KEY_BYTES * number :], strict=True)]
