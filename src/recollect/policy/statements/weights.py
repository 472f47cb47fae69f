"""The fitted weights of `statements`, read from a file of this package.

`assets/statement_weights.tsv.gz` is a table: a header with the kinds, a row `bias`, then a row per feature. Cells hold
hundredths; an empty cell means that the feature says nothing about the kind. `scripts/fit_statements.py` writes it.
"""

import pkgutil
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

FILE = "assets/statement_weights.tsv.gz"
BIAS = "bias"
UNIT = 100
"""Weights are whole hundredths, so that their sum is exact, in whatever order a set of features comes."""
_GZIP = 31
"""The `wbits` value that makes zlib read and write gzip."""


class Weights(NamedTuple):
    """The table: the kinds, the value that each starts from, and the cells of each feature, not parsed yet.

    There are 15,000 features and a sentence has about a hundred, so rows are parsed when they are needed.
    """

    kinds: tuple[str, ...]
    bias: tuple[int, ...]
    rows: dict[str, str]

    def scores(self, features: Iterable[str]) -> dict[str, float]:
        """Return the score of each kind: its bias and the weights of those features that the table knows."""
        rows = [self.bias, *(_numbers(self.rows[feature]) for feature in features if feature in self.rows)]
        return {kind: sum(column) / UNIT for kind, column in zip(self.kinds, zip(*rows, strict=True), strict=True)}


@cache
def load() -> Weights:
    """Return the weights. The file is read once per process."""
    return decode(pkgutil.get_data("recollect", FILE) or b"")


def decode(packed: bytes) -> Weights:
    """Return the weights that the bytes of a weights file hold."""
    header, bias, *lines = zlib.decompress(packed, _GZIP).decode().split("\n")
    rows = dict(line.split("\t", 1) for line in lines)
    return Weights(tuple(header.split("\t")[1:]), _numbers(bias.partition("\t")[2]), rows)


def encode(kinds: Sequence[str], bias: Sequence[float], rows: dict[str, Sequence[float]]) -> bytes:
    """Return the bytes of a weights file, features in order. A weight of 0 is an empty cell."""
    table = [["feature", *kinds], [BIAS, *map(_cell, bias)]]
    table += [[feature, *map(_cell, rows[feature])] for feature in sorted(rows)]
    packer = zlib.compressobj(level=9, wbits=_GZIP)
    return packer.compress("\n".join(map("\t".join, table)).encode()) + packer.flush()


def _numbers(cells: str) -> tuple[int, ...]:
    return tuple(int(cell or 0) for cell in cells.split("\t"))


def _cell(weight: float) -> str:
    return str(round(weight * UNIT)) if weight else ""
