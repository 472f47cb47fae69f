"""Read the word vectors of the `wordllama` package from its files; its own loader needs the network."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from recollect.errors import ModelMissing
from recollect.policy.ranking import vectors
from recollect.policy.ranking.vectors import Matrix

DIMENSIONS = 256
WEIGHTS, PIECES = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
WORD_START = "▁"
SHORTEST, LONGEST = 2, 24


@cache
def load() -> "StaticWords":
    """Return the word vectors, read once per process; raises ModelMissing where the package is not installed."""
    found = importlib.util.find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise ModelMissing("the package `wordllama` is not installed")
    return StaticWords(Path(found.submodule_search_locations[0]))


class StaticWords:
    """A unit vector for every word: the mean of the vectors of its pieces."""

    def __init__(self, folder: Path) -> None:
        try:
            self._weights = _read_tensor(folder / WEIGHTS)
            self._pieces = Tokenizer.from_file(str(folder / PIECES))
        except (OSError, ValueError, KeyError) as error:
            raise ModelMissing(f"the vectors cannot be read: {error}") from error

    def vectors(self, words: list[str]) -> Matrix:
        """Return a matrix with a row for each word."""
        pieces = self._pieces.encode_batch([word.lower() for word in words], add_special_tokens=False)
        rows = [self._weights[encoded.ids].astype(np.float32).mean(axis=0) for encoded in pieces]
        return vectors.unit(np.array(rows, np.float32).reshape(-1, DIMENSIONS))

    def common_words(self) -> list[str]:
        """Return the words that are a single piece, the most frequent first."""
        known = sorted(self._pieces.get_vocab().items(), key=lambda item: item[1])
        whole = (piece[1:].lower() for piece, _ in known if piece.startswith(WORD_START))
        return list(dict.fromkeys(word for word in whole if is_wordlike(word) and len(word) > SHORTEST))


def is_wordlike(word: str) -> bool:
    """Whether a word may mean something to the model: letters only, neither too short nor a blob."""
    return word.isascii() and word.isalpha() and SHORTEST <= len(word) <= LONGEST


def _read_tensor(path: Path) -> Any:  # noqa: ANN401 - numpy's half floats
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        head = json.loads(file.read(size))["embedding.weight"]
    if head["dtype"] != "F16" or head["shape"][1] != DIMENSIONS:
        raise ValueError(f"{path.name} holds another model")
    return np.memmap(path, np.float16, "r", 8 + size + head["data_offsets"][0], tuple(head["shape"]))
