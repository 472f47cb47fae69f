"""The fitted encoder: what a part of a message states, and how a newer statement relates to an older one.

What separates a lasting rule from a detail of the task is often not in the sentence but in what stands around it, and
what reverses what is knowledge of the world. So a small transformer reads the sentence in its message, and both
statements together. `scripts/fit_encoder.py` fits it on labelled messages and writes the file that is read here.
"""

import hashlib
import io
import pkgutil
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from recollect.policy.encoder.pieces import Pieces, Splitter
from recollect.policy.encoder.transformer import Matrix, Transformer

FILE = "assets/encoder.npz"
FITTED = 4
"""Counts how often the encoder was fitted anew: answers of an earlier one do not count."""
NONE = "none"
USERS_KINDS = (NONE, "preference", "decision", "constraint", "tech_debt", "discovery")
"""What a part of a user's message can state, in the order of the encoder's answers."""
ANSWERS_KINDS = (*USERS_KINDS, "cause")
RELATIONS = ("unrelated", "reversal", "exception", "possible", "same")
"""How a newer statement can relate to an older one, in the order of the encoder's answers."""
USERS, ANSWERS, PAIRS = "users", "answers", "pairs"
LABELS = {USERS: USERS_KINDS, ANSWERS: ANSWERS_KINDS, PAIRS: RELATIONS}
"""The questions that the encoder answers, with the answers to each."""
MOST_FIRST = {ANSWERS: 48, PAIRS: 64}
"""Pieces that are read of the first text: what the user asked, or the older statement."""
WINDOW, STEP, BEFORE = 256, 192, 32
"""Pieces of the second text that are read at once, how far a window is from the next, and how many are read before."""
KEPT_READINGS = 32


class Span(NamedTuple):
    """A part of a text, by its first sign and the sign behind its last."""

    start: int
    end: int


class Reading(NamedTuple):
    """The state of each piece of two texts, and where the pieces of the second stand in it."""

    states: Matrix
    spans: list[tuple[int, int]]
    first: int
    """The state of the first piece of the second text."""


class Encoder:
    """The fitted numbers, and what they say."""

    def __init__(self, arrays: Mapping[str, Matrix]) -> None:
        self._transformer = Transformer(arrays)
        self._splitter = Splitter(bytes(arrays["vocabulary"]).decode().split("\n"))
        self._heads = {
            name: (arrays[name].astype(np.float32), arrays[f"{name}.bias"].astype(np.float32)) for name in LABELS
        }
        self._readings = lru_cache(maxsize=KEPT_READINGS)(self._read)

    def shares(self, question: str, text: str, span: Span, first: str = "") -> list[float]:
        """Return how likely each answer to a question is of a part of a text, together 1, in the order of `LABELS`.

        `first` is the text that is read before it: what the user asked, or the older statement.
        """
        reading = self._readings(question, first, text, self._window(text, span))
        weights, bias = self._heads[question]
        scores = weights @ _signs(reading, span, is_pair=question == PAIRS) + bias
        raised = np.exp(scores - scores.max())
        found: list[float] = (raised / raised.sum()).tolist()
        return found

    def _window(self, text: str, span: Span) -> int:
        """Return the first piece of the window in which a part of a text is read: its middle is not near the end."""
        if len(text) <= WINDOW:
            return 0
        pieces = self._split(text)
        if len(pieces.numbers) <= WINDOW:
            return 0
        start, end = pieces.within(*span)
        return max(0, (start + end) // 2 // STEP * STEP - BEFORE)

    def _split(self, text: str) -> Pieces:
        return self._splitter.split(text)

    def _read(self, question: str, first: str, text: str, window: int) -> Reading:
        """Return the states of a window of a text, read behind the first text."""
        marks = self._splitter
        before = self._split(first).numbers[: MOST_FIRST[question]] if question in MOST_FIRST else []
        found = self._split(text)
        behind = found.numbers[window : window + WINDOW]
        lead = [marks.begin, *before, marks.end] if question in MOST_FIRST else [marks.begin]
        pieces = [*lead, *behind, marks.end]
        part = 1 if question in MOST_FIRST else 0
        states = self._transformer.states(pieces, [0] * len(lead) + [part] * (len(behind) + 1))
        return Reading(states, found.spans[window : window + WINDOW], len(lead))


def _signs(reading: Reading, span: Span, *, is_pair: bool) -> Matrix:
    """Return what a head sees: the state of the whole, and those of the part; of pairs, of both statements."""
    inside = [place for place, (start, end) in enumerate(reading.spans) if start >= span.start and end <= span.end]
    own = reading.states[[reading.first + place for place in inside]] if inside else reading.states[:1]
    if not is_pair:
        return np.concatenate([reading.states[0], own.mean(0), own.max(0)])
    older = reading.states[1 : reading.first - 1]
    return np.concatenate([reading.states[0], (older if len(older) else reading.states[:1]).mean(0), own.mean(0)])


@cache
def answers() -> dict[str, list[float]]:
    """Return what the encoder answered in this process, by a digest of what it was asked."""
    return {}


def shares(question: str, text: str, span: Span, first: str = "") -> dict[str, float]:
    """Return how likely each answer to a question is of a part of a text; what was answered before is not computed."""
    asked = f"{FITTED}\0{question}\0{first}\0{text}\0{span.start}\0{span.end}"
    digest = hashlib.blake2b(asked.encode("utf-8", "replace"), digest_size=12).hexdigest()
    known = answers()
    if digest not in known:
        known[digest] = load().shares(question, text, span, first)
    return dict(zip(LABELS[question], known[digest], strict=True))


@cache
def load() -> Encoder:
    """Return the encoder. The file is read once per process."""
    with np.load(io.BytesIO(pkgutil.get_data("recollect", FILE) or b"")) as arrays:
        return Encoder(dict(arrays))


def relation(old: str, new: str) -> Mapping[str, float]:
    """Return how likely each of `RELATIONS` is of a newer statement to an older one."""
    return shares(PAIRS, new, Span(0, len(new)), first=old)
