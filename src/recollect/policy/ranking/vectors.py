"""Vector arithmetic: pool word vectors into a memory's vector, quantise, find neighbours. Worker only."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recollect.policy.ranking import ranks

Matrix = np.ndarray[Any, np.dtype[np.float32]]
SCALE = 254  # no part of a vector of length one, of 256 parts, comes near a half
MOST_NEAR = 30
LEAST_ALIKE = 0.3
BLOCK = 2_000


def unit(rows: Matrix) -> Matrix:
    """Return the rows scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def pooled(
    units: Sequence[Sequence[int]], rows: Mapping[int, int], vectors: Matrix, worth: Mapping[int, float]
) -> Matrix:
    """Return a vector of length 1 for each list of words: their sum, weighted by the root of each word's worth."""
    total = np.zeros((len(units), vectors.shape[1]), np.float32)
    for number, keys in enumerate(units):
        known = [key for key in keys if key in rows]
        if known:
            weights = np.sqrt([worth.get(key, ranks.COMMON_WORTH) for key in known]).astype(np.float32)
            total[number] = weights @ vectors[[rows[key] for key in known]]
    return unit(total)


def main_direction(rows: Matrix) -> Matrix:
    """Return the first principal component of the rows: the direction that all memories have in common."""
    if len(rows) < 2:
        return np.zeros(rows.shape[1], np.float32)
    _, directions = np.linalg.eigh(rows.T @ rows)
    return np.asarray(directions[:, -1], np.float32)


def packed(direction: Matrix) -> bytes:
    """Return a direction as it is stored: a byte for each component."""
    return np.clip(np.round(direction * 127), -127, 127).astype(np.int8).tobytes()


def unpacked(kept: bytes) -> Matrix:
    """Return a direction from its stored bytes."""
    return np.frombuffer(kept, np.int8).astype(np.float32) / np.float32(127)


def without(direction: Matrix, rows: Matrix) -> Matrix:
    """Return the rows without their component in a direction, scaled to length 1."""
    return unit(rows - np.outer(rows @ direction, direction))


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
