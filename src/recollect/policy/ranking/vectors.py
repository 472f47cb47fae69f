"""Vector arithmetic: quantise vectors, find neighbours. Worker only."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Matrix = np.ndarray[Any, np.dtype[np.float32]]
SCALE = 254  # no part of a vector of length one, of 256 parts, comes near a half
MOST_NEAR = 30
LEAST_ALIKE = 0.3
BLOCK = 2_000


def unit(rows: Matrix) -> Matrix:
    """Return the rows scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def quantised(rows: Matrix) -> list[bytes]:
    """Return each row as bytes: one for each component."""
    return [row.tobytes() for row in np.clip(np.round(rows * SCALE), -127, 127).astype(np.int8)]


def restored(vectors: Sequence[bytes]) -> Matrix:
    """Return rows of length 1 from their bytes."""
    return unit(np.frombuffer(b"".join(vectors), np.int8).reshape(len(vectors), -1).astype(np.float32))


def codes(rows: Matrix) -> list[bytes]:
    """Return the signs of each row as bits."""
    return [row.tobytes() for row in np.packbits(rows > 0, axis=1, bitorder="little")]


def alike(rows: Matrix, others: Matrix) -> list[tuple[int, int, float]]:
    """Return (row, other, likeness) for pairs with a cosine above 0.3; likeness is 0 there and 1 for equal rows."""
    found: list[tuple[int, int, float]] = []
    for start in range(0, len(rows), BLOCK):
        near = rows[start : start + BLOCK] @ others.T
        for row, other in zip(*np.nonzero(near > LEAST_ALIKE), strict=True):
            found.append((start + int(row), int(other), float((near[row, other] - LEAST_ALIKE) / (1 - LEAST_ALIKE))))
    return found
