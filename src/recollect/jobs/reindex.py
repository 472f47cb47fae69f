"""Keeping what recall compares up to date: evidence for each memory, vectors for words and their neighbours.

Derived from the memories alone, so it can be thrown away and made again; what is not made yet is found by its words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from recollect import machine
from recollect.formats import thesaurus
from recollect.jobs import word_vectors
from recollect.model import memory as memories
from recollect.model import search_words
from recollect.model.memory import UNTAGGED, Memory
from recollect.model.search_fields import files
from recollect.model.search_words import MODEL
from recollect.policy.ranking import hashing, ranks, text_flags, vectors
from recollect.policy.ranking.vectors import Matrix
from recollect.store.protocols import Store
from recollect.store.sqlite.search_index import Evidence, Word

DIRECTION = "recall:direction"
LOCK, PATIENCE_SECONDS = "reindex.lock", 300
BATCH = 500
Tick = Callable[[int], None]


class Vocabulary:
    """The words of the store with their vectors; new ones are added, and become neighbours of those they are like."""

    def __init__(self, store: Store) -> None:
        self.changed: dict[int, Word] = {}
        known = store.recall.words(MODEL)
        if not known:
            known = _common()
            self.changed = {one.key: one for one in known}
        self._words = {one.key: one for one in known}
        self._row = {key: number for number, key in enumerate(self._words)}
        self._matrix = vectors.restored([one.vector for one in known])
        self._worth = _worth(store)
        self._mates = _mates()

    def rows(self, units: Sequence[Sequence[int]], common: Matrix) -> Matrix:
        """The memories' vectors, without what they have in common."""
        return vectors.without(common, vectors.pooled(units, self._row, self._matrix, self._worth))

    def learn(self, met: dict[int, str]) -> list[Word]:
        """Words that no memory held before get a vector, and both sides learn that they are alike; what changed."""
        fresh = [
            key
            for key, word in met.items()
            if word_vectors.is_wordlike(word) and not (key in self._words and self._words[key].held)
        ]
        self._add({key: met[key] for key in fresh if key not in self._words})
        self._set(replace(self._words[key], held=True) for key in fresh)
        if fresh:
            self._join(fresh)
        changed, self.changed = list(self.changed.values()), {}
        return changed

    def _add(self, unknown: dict[int, str]) -> None:
        if unknown:
            made = word_vectors.load().vectors(list(unknown.values()))
            self._row |= {key: len(self._row) + number for number, key in enumerate(unknown)}
            self._matrix = np.vstack((self._matrix, made))
            kept = zip(unknown, vectors.quantised(made), strict=True)
            self._set(Word(key, MODEL, held=True, common=False, vector=vector, near=b"") for key, vector in kept)

    def _set(self, known: Iterable[Word]) -> None:
        for one in known:
            self._words[one.key] = self.changed[one.key] = one

    def _join(self, fresh: list[int]) -> None:
        every, is_fresh = list(self._words), set(fresh)
        found: dict[int, list[tuple[int, float]]] = {}
        for row, other, likeness in vectors.alike(self._matrix[[self._row[key] for key in fresh]], self._matrix):
            one, two = fresh[row], every[other]
            if one != two:
                found.setdefault(two, []).append((one, likeness))
                if self._words[two].held and two not in is_fresh:
                    found.setdefault(one, []).append((two, likeness))
        for one in fresh:
            for mate in self._mates.get(one, ()):
                if mate in self._words:
                    found.setdefault(mate, []).append((one, thesaurus.LIKENESS))
                    if self._words[mate].held and mate not in is_fresh:
                        found.setdefault(one, []).append((mate, thesaurus.LIKENESS))
        self._set(replace(self._words[key], near=_merged(self._words[key].near, near)) for key, near in found.items())


def _merged(near: bytes, more: list[tuple[int, float]]) -> bytes:
    """The most alike of both: keys first, then a byte of likeness for each."""
    number = len(near) // 5
    known = dict(
        zip(np.frombuffer(near[: 4 * number], "<u4").tolist(), (part / 255 for part in near[4 * number :]), strict=True)
    )
    for key, likeness in more:
        known[key] = max(likeness, known.get(key, 0.0))
    best = sorted(known.items(), key=lambda item: -item[1])[: vectors.MOST_NEAR]
    return packed(key for key, _ in best) + bytes(round(255 * likeness) for _, likeness in best)


def _common() -> list[Word]:
    """The words that people ask with, whether or not a memory holds them."""
    found: dict[int, str] = {}
    for word in (*word_vectors.load().common_words(), *(word for group in thesaurus.groups() for word in group)):
        for part in search_words.stems(word):
            found.setdefault(search_words.key(part), word)
    made = vectors.quantised(word_vectors.load().vectors(list(found.values())))
    return [
        Word(key, MODEL, held=False, common=True, vector=vector, near=b"")
        for key, vector in zip(found, made, strict=True)
    ]


def _mates() -> dict[int, set[int]]:
    """For each word of the thesaurus, those that may stand for it."""
    found: dict[int, set[int]] = {}
    for group in thesaurus.groups():
        keys = {search_words.key(part) for word in group for part in search_words.stems(word)}
        for key in keys:
            found.setdefault(key, set()).update(keys - {key})
    return found


def _worth(store: Store) -> dict[int, float]:
    total = store.recall.total()
    return {key: ranks.rarity(total, number) for key, number in store.recall.holding().items()}


def direction(store: Store) -> Matrix:
    """The direction that all memories have in common, as it was when the vectors were made."""
    kept = store.setting(DIRECTION)
    return vectors.unpacked(bytes.fromhex(kept)) if kept else np.zeros(word_vectors.DIMENSIONS, np.float32)


def run(store: Store, tick: Tick, *, hashed: bool = False, patience: float = PATIENCE_SECONDS) -> int:
    """Make whatever is missing; the number of memories that got their evidence. `hashed` keeps C10's vectors too."""
    done = 0
    with machine.lock(store.path.with_name(LOCK), timeout_seconds=patience):
        if store.recall.is_of_another(MODEL):
            _forget(store)
        vocabulary = Vocabulary(store)
        while batch := store.recall.missing(MODEL, BATCH):
            done += _take(store, batch, vocabulary, hashed=hashed)
            tick(len(batch))
        if store.recall.has_outgrown(MODEL):
            _settle(store)
    return done


def again(store: Store, tick: Tick, *, hashed: bool = False) -> int:
    """Throw everything derived away and make it anew."""
    with machine.lock(store.path.with_name(LOCK), timeout_seconds=PATIENCE_SECONDS):
        _forget(store)
    return run(store, tick, hashed=hashed)


def _forget(store: Store) -> None:
    """What another model made is of no use any more."""
    with store.writing(durable=False):
        store.recall.clear()
        store.recall.set_made_for(0)


@dataclass(frozen=True, slots=True)
class _Read:
    """A memory as it is compared: which words, which of them name it."""

    number: int
    image: str
    memory: Memory
    terms: dict[int, str]
    named: int


def _take(store: Store, batch: Sequence[tuple[int, str]], vocabulary: Vocabulary, *, hashed: bool) -> int:
    """Evidence for a batch: computed first, then written in one go."""
    read, unreadable = _parsed(batch, store)
    learnt = vocabulary.learn({key: word for one in read for key, word in one.terms.items()})
    rows = vocabulary.rows([list(one.terms) for one in read], direction(store))
    made = [
        _evidence(one, vector, code, hashed=hashed)
        for one, vector, code in zip(read, vectors.quantised(rows), vectors.codes(rows), strict=True)
    ]
    with store.writing(durable=False):
        store.recall.put_words(learnt)
        store.recall.put(Evidence(number, MODEL, b"", 0, 0, b"", None) for number in unreadable)
        for one, said in zip(made, read, strict=True):
            if store.recall.is_as_read(one.id, said.image):  # else it changed meanwhile, and is read again
                store.recall.find_by(one.id, said.memory)
                store.recall.put([one])
    return len(made)


def _parsed(batch: Sequence[tuple[int, str]], store: Store) -> tuple[list[_Read], list[int]]:
    """The memories of a batch; apart, the numbers of those that nobody can read."""
    read, unreadable = [], []
    for number, image in batch:
        try:
            read.append(_read(number, image, memories.from_json(image, store.kinds)))
        except ValueError:
            unreadable.append(number)
    return read, unreadable


def _read(number: int, image: str, memory: Memory) -> _Read:
    """Words that name it come first: its title's, unless the title is its own beginning, its tags and its cue."""
    title = "" if memory.text.startswith(memory.title.rstrip("…")) else memory.title
    tags = (tag for tag in memory.tags if tag != UNTAGGED)
    named = search_words.stems(" ".join((title, *tags, memory.cue, *memory.keywords)))
    rest = search_words.stems(f"{memory.title}\n{memory.text}\n{memory.actor} {' '.join(files(memory))}")
    inner = search_words.stems(search_words.parts(f"{memory.title} {memory.text}"))
    every = dict(list({**named, **rest, **inner}.items())[: search_words.HEAD_WORDS])
    return _Read(
        number,
        image,
        memory,
        {search_words.key(stem): word for stem, word in every.items()},
        min(len(named), search_words.HEAD_WORDS),
    )


def _evidence(one: _Read, vector: bytes, code: bytes, *, hashed: bool) -> Evidence:
    memory = one.memory
    return Evidence(
        one.number, MODEL, packed(one.terms), one.named,
        text_flags.of(f"{memory.title}. {memory.text}", by_a_person=memory.origin == "user"),
        packed(search_words.place_key(path) for path in files(memory)), hashing.vector(memory.text) if hashed else None,
        vector if any(vector) else None, memory.project, code if any(vector) else None,
    )  # fmt: skip


def packed(keys: Iterable[int]) -> bytes:
    """Keys as bytes, four each."""
    return np.array(list(keys), "<u4").tobytes()


def _settle(store: Store) -> None:
    """Make all vectors anew from the words that are kept: what is common has changed."""
    kept = store.recall.all_terms(MODEL)
    units = [np.frombuffer(terms, "<u4").tolist() for _, terms in kept]
    raw = Vocabulary(store).rows(units, np.zeros(word_vectors.DIMENSIONS, np.float32))
    common = vectors.packed(vectors.main_direction(raw))
    rows = vectors.without(vectors.unpacked(common), raw)
    placed = zip((number for number, _ in kept), vectors.quantised(rows), vectors.codes(rows), strict=True)
    with store.writing(durable=False):
        store.recall.place(placed)
        store.set_setting(DIRECTION, common.hex())
        store.recall.set_made_for(store.recall.known_number(MODEL))
        store.sessions.renew_terms()
