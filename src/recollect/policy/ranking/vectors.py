"""The arithmetic of vectors: weigh words into a memory's vector, quantise, find neighbours. Worker only."""

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
    """Every row with length one; a row of nothing stays nothing."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def pooled(
    units: Sequence[Sequence[int]], rows: Mapping[int, int], vectors: Matrix, worth: Mapping[int, float]
) -> Matrix:
    """A vector for each list of words: their sum, each by the root of what it says."""
    total = np.zeros((len(units), vectors.shape[1]), np.float32)
    for number, keys in enumerate(units):
        known = [key for key in keys if key in rows]
        if known:
            weights = np.sqrt([worth.get(key, ranks.COMMON_WORTH) for key in known]).astype(np.float32)
            total[number] = weights @ vectors[[rows[key] for key in known]]
    return unit(total)


def main_direction(rows: Matrix) -> Matrix:
    """What all memories have in common: the first principal component."""
    if len(rows) < 2:
        return np.zeros(rows.shape[1], np.float32)
    _, directions = np.linalg.eigh(rows.T @ rows)
    return np.asarray(directions[:, -1], np.float32)


def packed(direction: Matrix) -> bytes:
    """A direction as it is kept: a byte for each part."""
    return np.clip(np.round(direction * 127), -127, 127).astype(np.int8).tobytes()


def unpacked(kept: bytes) -> Matrix:
    """A direction as it was kept."""
    return np.frombuffer(kept, np.int8).astype(np.float32) / np.float32(127)


def without(direction: Matrix, rows: Matrix) -> Matrix:
    """The rows without what they all have in common."""
    return unit(rows - np.outer(rows @ direction, direction))


def quantised(rows: Matrix) -> list[bytes]:
    """A byte for each part."""
    return [row.tobytes() for row in np.clip(np.round(rows * SCALE), -127, 127).astype(np.int8)]


def restored(vectors: Sequence[bytes]) -> Matrix:
    """Rows of length one from bytes."""
    return unit(np.frombuffer(b"".join(vectors), np.int8).reshape(len(vectors), -1).astype(np.float32))


def codes(rows: Matrix) -> list[bytes]:
    """A bit for each part: its sign."""
    return [row.tobytes() for row in np.packbits(rows > 0, axis=1, bitorder="little")]


def alike(rows: Matrix, others: Matrix) -> list[tuple[int, int, float]]:
    """Pairs of a row and another that mean something like it, and how much: 0 at the least alike, 1 for the same."""
    found: list[tuple[int, int, float]] = []
    for start in range(0, len(rows), BLOCK):
        near = rows[start : start + BLOCK] @ others.T
        for row, other in zip(*np.nonzero(near > LEAST_ALIKE), strict=True):
            found.append((start + int(row), int(other), float((near[row, other] - LEAST_ALIKE) / (1 - LEAST_ALIKE))))
    return found
