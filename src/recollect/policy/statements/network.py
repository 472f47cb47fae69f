"""A small recurrent network that reads a user's sentence in its message, and says what it states to keep.

What separates a lasting rule from a detail of the task is often not in the sentence but in what stands around it. So
the network reads up to 24 words before and behind it too, in both directions, and looks at the strongest signs in the
sentence and in the whole. `scripts/fit_network.py` fits it on labelled messages and writes the file that is read here.
"""

import io
import pkgutil
import re
import zlib
from functools import cache
from typing import Any

import numpy as np

FILE = "assets/statement_network.npz"
KINDS = ("none", "preference", "decision", "constraint", "tech_debt", "discovery")
"""What a sentence can state, in the order of the network's answers."""
MOST_WORDS, MOST_AROUND = 40, 24
"""Words that are read of a sentence, and at most of what stands before and behind it."""
MOST_CHARS = 600
ENDINGS = 256
"""Rows of the table of endings: words that are not in the table of words are known by their last three letters."""
BEFORE, PART, BEHIND = range(3)
_WORD = re.compile(r"[^\W_]+(?:['\u2019._/@:\-+#]+[^\W_]+)*|[^\w\s]|_+")
_INNER = frozenset("._/@:-+#")

Numbers = np.ndarray[Any, Any]


class Network:
    """The fitted numbers, and what they say of a sentence."""

    def __init__(self, arrays: dict[str, Numbers]) -> None:
        words = bytes(arrays["words"]).decode().split("\n")
        self._rows = {word: row for row, word in enumerate(words, 1)}
        self._table = arrays["table"].astype(np.float32) * arrays["table_unit"]
        names = [name for name in arrays if name not in ("words", "table", "table_unit")]
        self._numbers = {name: arrays[name].astype(np.float32) for name in names}

    def shares(self, before: str, part: str, behind: str) -> dict[str, float]:
        """Return how likely a part of a message states each of `KINDS`, together 1; none for a part without words."""
        own = words(part)[:MOST_WORDS]
        if not own:
            return dict(zip(KINDS, (1.0, *[0.0] * (len(KINDS) - 1)), strict=True))
        parts = words(before)[-MOST_AROUND:], own, words(behind)[:MOST_AROUND]
        places = np.array([place for place, found in enumerate(parts) for _ in found])
        inputs = self._inputs([word for found in parts for word in found], places)
        states = np.hstack([self._read(inputs, "forward"), self._read(inputs[::-1], "backward")[::-1]])
        scores = self._answer(states, places == PART)
        raised = np.exp(scores - scores.max())
        return dict(zip(KINDS, (raised / raised.sum()).tolist(), strict=True))

    def _inputs(self, found: list[str], places: Numbers) -> Numbers:
        """Return a row of numbers for each word: what it means, how it ends, how it is written, where it stands."""
        numbers = self._numbers
        rows = self._table[[self._rows.get(word.lower(), 0) for word in found]]
        signs = np.array([look(word) for word in found], np.float32) @ numbers["look"].T + numbers["look_bias"]
        return np.hstack([rows, numbers["endings"][[ending(word) for word in found]], signs, numbers["places"][places]])

    def _read(self, inputs: Numbers, direction: str) -> Numbers:
        """Return the state after each word of a gated recurrent unit that reads them in order."""
        numbers = self._numbers
        given = inputs @ numbers[f"{direction}_in"].T + numbers[f"{direction}_in_bias"]
        weights, bias = numbers[f"{direction}_state"], numbers[f"{direction}_state_bias"]
        size = weights.shape[1]
        state, states = np.zeros(size, np.float32), np.empty((len(inputs), size), np.float32)
        for row, new in enumerate(given):
            old = weights @ state + bias
            reset, keep = np.split(1 / (1 + np.exp(-(new[: 2 * size] + old[: 2 * size]))), 2)
            state = (1 - keep) * np.tanh(new[2 * size :] + reset * old[2 * size :]) + keep * state
            states[row] = state
        return states

    def _answer(self, states: Numbers, is_own: Numbers) -> Numbers:
        """Return the score of each kind: by the strongest and the mean signs of the part, and the strongest of all."""
        numbers, own = self._numbers, states[is_own]
        weights = np.exp(own @ numbers["attention"])
        mean = weights @ own / weights.sum()
        signs = np.concatenate([own.max(0), mean, states.max(0)])
        scores: Numbers = numbers["out"] @ signs + numbers["out_bias"]
        return scores


@cache
def load() -> Network:
    """Return the network. The file is read once per process."""
    with np.load(io.BytesIO(pkgutil.get_data("recollect", FILE) or b"")) as arrays:
        return Network(dict(arrays))


def words(text: str) -> list[str]:
    """Return the words and marks of a text; names with dots, slashes and hyphens are one word."""
    return _WORD.findall(text[-MOST_CHARS:] if len(text) > MOST_CHARS else text)


def ending(word: str) -> int:
    """Return the row of a word's ending."""
    return zlib.crc32(word.lower()[-3:].encode()) % ENDINGS


def look(word: str) -> tuple[bool, ...]:
    """Return how a word is written: capitals, digits, marks, paths, camelCase."""
    has_capital = any(sign.isupper() for sign in word[1:])
    return (
        word[:1].isupper(),
        len(word) > 1 and word.isupper(),
        any(map(str.isdigit, word)),
        word.isdigit(),
        not word.isascii(),
        len(word) == 1 and not word.isalnum(),
        any(sign in _INNER for sign in word[1:-1]),
        has_capital and any(map(str.islower, word)),
    )
