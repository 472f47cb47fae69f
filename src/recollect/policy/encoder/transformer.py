"""A transformer encoder in numpy: it turns the pieces of a text into vectors that say what each means in its place.

The architecture is that of BERT with six layers (MiniLM). `scripts/fit_encoder.py` fits the numbers; they are kept as
whole numbers of a byte with a unit for each row, and become floats when they are loaded.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

Matrix = np.ndarray[Any, Any]
UNIT = ".unit"
"""Ending of the name under which the units of a matrix are kept."""
HEADS = 12
_SMALLEST = np.float32(1e-12)
_GELU = np.float32(math.sqrt(2 / math.pi))


class Layer(NamedTuple):
    """The numbers of one layer; each matrix has a column for each number that it takes."""

    attend: Matrix
    attend_bias: Matrix
    gather: Matrix
    gather_bias: Matrix
    norm: Matrix
    widen: Matrix
    widen_bias: Matrix
    narrow: Matrix
    narrow_bias: Matrix
    last_norm: Matrix


class Transformer:
    """The fitted numbers of an encoder."""

    def __init__(self, arrays: Mapping[str, Matrix]) -> None:
        self._pieces, self._units = arrays["pieces"], arrays["pieces" + UNIT].astype(np.float32)
        self._places = restored(arrays, "places")
        self._parts = arrays["parts"].astype(np.float32)
        self._norm = arrays["norm"].astype(np.float32)
        number = sum(name.endswith(".attend") for name in arrays)
        self._layers = [
            Layer(*(restored(arrays, f"layer{place}.{name}") for name in Layer._fields)) for place in range(number)
        ]

    def states(self, pieces: list[int], parts: list[int]) -> Matrix:
        """Return a row for each piece. `parts` says for each whether it is of the first or of the second text."""
        rows = self._pieces[pieces].astype(np.float32) * self._units[pieces][:, None]
        states = _normed(rows + self._places[: len(pieces)] + self._parts[parts], self._norm)
        for layer in self._layers:
            states = _read(states, layer)
        return states


def restored(arrays: Mapping[str, Matrix], name: str) -> Matrix:
    """Return a matrix as floats; one that is kept in bytes is multiplied by the units of its rows."""
    kept: Matrix = arrays[name].astype(np.float32)
    units = arrays.get(name + UNIT)
    return kept if units is None else kept * units.astype(np.float32)[:, None]


def _read(states: Matrix, layer: Layer) -> Matrix:
    """Return the states after one layer: each piece looks at all others, then at itself."""
    length, width = states.shape
    mixed = states @ layer.attend.T + layer.attend_bias
    queries, keys, values = mixed.reshape(length, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
    weights = _shares(queries @ keys.transpose(0, 2, 1) / np.float32(math.sqrt(width // HEADS)))
    seen = (weights @ values).transpose(1, 0, 2).reshape(length, width)
    states = _normed(states + seen @ layer.gather.T + layer.gather_bias, layer.norm)
    wide = _gelu(states @ layer.widen.T + layer.widen_bias)
    return _normed(states + wide @ layer.narrow.T + layer.narrow_bias, layer.last_norm)


def _normed(states: Matrix, norm: Matrix) -> Matrix:
    """Return states whose rows have mean 0 and spread 1, scaled and shifted by the two rows of `norm`."""
    centred = states - states.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + _SMALLEST)
    normed: Matrix = centred / spread * norm[0] + norm[1]
    return normed


def _shares(scores: Matrix) -> Matrix:
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    shares: Matrix = raised / raised.sum(-1, keepdims=True)
    return shares


def _gelu(numbers: Matrix) -> Matrix:
    """Return `n / 2 * (1 + tanh(√(2/π) * (n + 0.044715 n³)))` of each number, computed in one array."""
    curved: Matrix = numbers * numbers  # numpy takes thirty times as long for `numbers**3`
    curved *= _GELU * np.float32(0.044715)
    curved += _GELU
    curved *= numbers
    np.tanh(curved, out=curved)
    curved += 1
    curved *= numbers
    curved *= np.float32(0.5)
    return curved
