"""What words mean in prompts and in memories: a vector of each for either side, whose sums can be compared.

A prompt and the memory that helps with it mostly share no word ("add a shipping fee", "amounts are integer cents"). So
the vectors are fitted on prompts and memories (`scripts/fit_words.py`), and a word has one for each side. Its length
says how telling the word is. The vectors are the same in every store.
"""

import io
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from recollect.jobs import word_vectors
from recollect.policy.ranking import vectors
from recollect.policy.ranking.vectors import Matrix

FILE = "assets/word_meanings.npz"
DIMENSIONS = 256
LOUDEST = 127
"""The greatest part of a vector, which is kept in a signed byte."""


class WordMeanings:
    """The fitted vectors. Words are given as stem -> word; a word that is not known goes by its package's vector."""

    def __init__(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
        stems, words = (bytes(arrays[name]).decode().split("\n") for name in ("stems", "words"))
        self._rows = {stem: row for row, stem in enumerate(stems)}
        self._arrays = arrays
        self.words = dict(zip(stems, words, strict=True))
        """All words that are known, by their stems."""

    def asked(self, words: Mapping[str, str]) -> dict[str, bytes]:
        """Return what words mean in a prompt, by their stems: a signed byte for each part."""
        return {stem: row.tobytes() for stem, row in self._vectors("asked", words).items()}

    def memories(self, texts: Sequence[Mapping[str, str]]) -> Matrix:
        """Return a vector of length 1 for the words of each memory; all zeros where none of them means anything."""
        every = self._vectors("said", {stem: word for words in texts for stem, word in words.items()})
        rows = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, words in zip(rows, texts, strict=True):
            found = [every[stem] for stem in words if stem in every]
            if found:
                row[:] = np.sum(found, axis=0, dtype=np.float32)
        return vectors.unit(rows)

    def nearest(self, said: Mapping[str, str], texts: Sequence[Mapping[str, str]], most: int) -> list[int]:
        """Return the places of the texts that are nearest to another one in meaning, the nearest first."""
        if not texts:
            return []
        rows = self.memories([said, *texts])
        return np.argsort(-(rows[1:] @ rows[0]), kind="stable")[:most].tolist()  # type: ignore[no-any-return]

    def prompt(self, words: Mapping[str, str]) -> Matrix:
        """Return the vector of a prompt's words, as `recall/question_vector.py` computes it without numpy."""
        summed = np.zeros((1, DIMENSIONS), np.float32)
        for vector in self._vectors("asked", words).values():
            summed += vector
        row: Matrix = vectors.unit(summed)[0]
        return row

    def _vectors(self, side: str, words: Mapping[str, str]) -> dict[str, np.ndarray[Any, Any]]:
        kept = self._arrays[side]
        found = {stem: kept[self._rows[stem]] for stem in words if stem in self._rows}
        unknown = [stem for stem, word in words.items() if stem not in found and word_vectors.is_wordlike(word)]
        if unknown:
            package = word_vectors.load().vectors([words[stem] for stem in unknown])
            turned = np.round(package @ self._arrays[f"{side}_unknown"].astype(np.float32))
            made = np.clip(turned, -LOUDEST, LOUDEST).astype(np.int8)
            found |= dict(zip(unknown, made, strict=True))
        return found


@cache
def load() -> WordMeanings:
    """Return the fitted vectors. The file is read once per process."""
    with np.load(io.BytesIO(pkgutil.get_data("recollect", FILE) or b"")) as arrays:
        return WordMeanings(dict(arrays))
