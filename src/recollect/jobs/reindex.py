"""Build the search index: evidence for each memory, and vectors for words with their neighbours.

The index is derived from the memories alone, so it can be deleted and built again. A memory without evidence is still
found by its words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from recollect import machine
from recollect.formats import thesaurus
from recollect.jobs import word_meanings, word_vectors
from recollect.model import memory as memories
from recollect.model.memory import UNTAGGED, Memory
from recollect.model.words import search_words
from recollect.model.words.search_fields import files
from recollect.model.words.search_words import MODEL
from recollect.model.words.word_vectors import pack_keys, pack_near, unpack_near
from recollect.policy.ranking import hashing, text_flags, vectors
from recollect.store.protocols import Store
from recollect.store.protocols.search_index import SearchIndex
from recollect.store.values import Evidence, Word

LOCK, PATIENCE_SECONDS = "reindex.lock", 300
BATCH = 500
Tick = Callable[[int], None]
"""Called with the number of memories after each batch."""
Neighbours = dict[int, list[tuple[int, float]]]
"""For words by their keys, the keys of similar words with their similarity."""


class Vocabulary:
    """The words of the store with their vectors. New words are added, and linked to the words that are similar."""

    def __init__(self, index: SearchIndex) -> None:
        self.changed: dict[int, Word] = {}
        known = index.words(MODEL)
        if not known:
            known = _common_words()
            self.changed = {word.key: word for word in known}
        self._words = {word.key: word for word in known}
        self._row = {key: number for number, key in enumerate(self._words)}
        self._matrix = vectors.restored([word.vector for word in known])
        self._synonyms = _synonyms()

    def learn(self, met: dict[str, str]) -> list[Word]:
        """Add the words that no memory contained before, link them to similar words, and return all that changed.

        Words are given by their stems.
        """
        stems = {search_words.key(stem): stem for stem, word in met.items() if word_vectors.is_wordlike(word)}
        fresh = [key for key in stems if not (key in self._words and self._words[key].held)]
        self._add({stems[key]: met[stems[key]] for key in fresh if key not in self._words})
        self._set(replace(self._words[key], held=True) for key in fresh)
        if fresh:
            self._link(fresh)
        changed, self.changed = list(self.changed.values()), {}
        return changed

    def _add(self, unknown: dict[str, str]) -> None:
        made = _made_words(unknown, is_common=False)
        if made:
            self._row |= {word.key: len(self._row) + number for number, word in enumerate(made)}
            self._matrix = np.vstack((self._matrix, vectors.restored([word.vector for word in made])))
            self._set(made)

    def _set(self, words: Iterable[Word]) -> None:
        for word in words:
            self._words[word.key] = self.changed[word.key] = word

    def _link(self, fresh: list[int]) -> None:
        """Make new words neighbours of the words with similar vectors and of their synonyms, both ways."""
        every, is_fresh = list(self._words), frozenset(fresh)
        found: Neighbours = {}
        for row, other, similarity in vectors.alike(self._matrix[[self._row[key] for key in fresh]], self._matrix):
            if fresh[row] != every[other]:
                self._link_pair(found, fresh[row], every[other], similarity, is_fresh)
        for key in fresh:
            for synonym in self._synonyms.get(key, ()):
                if synonym in self._words:
                    self._link_pair(found, key, synonym, thesaurus.LIKENESS, is_fresh)
        self._set(replace(self._words[key], near=_merged(self._words[key].near, near)) for key, near in found.items())

    def _link_pair(
        self, found: Neighbours, fresh: int, other: int, similarity: float, is_fresh: frozenset[int]
    ) -> None:
        """Add a new word to another's neighbours, and the other to its own unless that happens in its own turn."""
        found.setdefault(other, []).append((fresh, similarity))
        if self._words[other].held and other not in is_fresh:
            found.setdefault(fresh, []).append((other, similarity))


def _merged(near: bytes, more: list[tuple[int, float]]) -> bytes:
    """Return the most similar words of both lists, packed."""
    known = dict(unpack_near(near))
    for key, similarity in more:
        known[key] = max(similarity, known.get(key, 0.0))
    return pack_near(sorted(known.items(), key=lambda item: -item[1])[: vectors.MOST_NEAR])


def _common_words() -> list[Word]:
    """Return the words that people ask with, whether or not a memory contains them."""
    found = dict(word_meanings.load().words)
    for word in (*word_vectors.load().common_words(), *(word for group in thesaurus.groups() for word in group)):
        found |= search_words.stems(word)
    return _made_words(found, is_common=True)


def _made_words(words: Mapping[str, str], *, is_common: bool) -> list[Word]:
    """Return words, given by their stems, with their vectors."""
    if not words:
        return []
    made = vectors.quantised(word_vectors.load().vectors(list(words.values())))
    asked = word_meanings.load().asked(words)
    return [
        Word(
            search_words.key(stem), MODEL, held=not is_common, common=is_common, vector=vector,
            asked=asked.get(stem, b""), near=b"",
        )
        for stem, vector in zip(words, made, strict=True)
    ]  # fmt: skip


@cache
def _synonyms() -> dict[int, set[int]]:
    """Return, for each word of the thesaurus, the words of the same groups; all by their keys."""
    found: dict[int, set[int]] = {}
    for group in thesaurus.groups():
        keys = {search_words.key(stem) for word in group for stem in search_words.stems(word)}
        for key in keys:
            found.setdefault(key, set()).update(keys - {key})
    return found


def run(store: Store, tick: Tick, *, hashed: bool = False, patience: float = PATIENCE_SECONDS) -> int:
    """Build what is missing and return the number of memories that got evidence.

    `hashed` also stores the hashed word counts of C10. `patience` is how many seconds to wait for another process.
    """
    done = 0
    with machine.lock(store.home / LOCK, timeout_seconds=patience):
        if store.search_index.is_of_another_model(MODEL):
            _clear(store)
        vocabulary = Vocabulary(store.search_index)
        while batch := store.search_index.missing(MODEL, BATCH):
            done += _index_batch(store, batch, vocabulary, hashed=hashed)
            tick(len(batch))
    return done


def rebuild(store: Store, tick: Tick, *, hashed: bool = False) -> int:
    """Delete the whole index and build it again; return the number of memories that got evidence."""
    with machine.lock(store.home / LOCK, timeout_seconds=PATIENCE_SECONDS):
        _clear(store)
    return run(store, tick, hashed=hashed)


def _clear(store: Store) -> None:
    with store.writing(durable=False):
        store.search_index.clear()


@dataclass(frozen=True, slots=True)
class _IndexedMemory:
    """A memory with its words."""

    number: int
    image: str
    memory: Memory
    terms: dict[str, str]
    """The words by their stems; those that name the memory come first."""
    named: int
    """How many of the words name it."""


def _index_batch(store: Store, batch: Sequence[tuple[int, str]], vocabulary: Vocabulary, *, hashed: bool) -> int:
    """Compute the evidence of a batch, then write it in one transaction; return how many memories got evidence."""
    indexed, unreadable = _parsed(batch, store)
    learnt = vocabulary.learn({stem: word for item in indexed for stem, word in item.terms.items()})
    rows = word_meanings.load().memories([item.terms for item in indexed])
    made = [
        _evidence(item, vector, code, hashed=hashed)
        for item, vector, code in zip(indexed, vectors.quantised(rows), vectors.codes(rows), strict=True)
    ]
    with store.writing(durable=False):
        store.search_index.put_words(learnt)
        store.search_index.put(Evidence(number, MODEL, b"", 0, 0, b"", None) for number in unreadable)
        for evidence, item in zip(made, indexed, strict=True):
            if store.search_index.is_unchanged(item.number, item.image):  # else it changed meanwhile, and is read again
                store.search_index.renew_search_fields(item.number, item.memory)
                store.search_index.put([evidence])
    return len(made)


def _parsed(batch: Sequence[tuple[int, str]], store: Store) -> tuple[list[_IndexedMemory], list[int]]:
    """Return the memories of a batch with their words, and the numbers of those that cannot be parsed."""
    indexed, unreadable = [], []
    for number, image in batch:
        try:
            indexed.append(_indexed(number, image, memories.from_json(image, store.kinds)))
        except ValueError:
            unreadable.append(number)
    return indexed, unreadable


def _indexed(number: int, image: str, memory: Memory) -> _IndexedMemory:
    """Return a memory with its words: first those of its title (unless the text begins with it), tags and cue."""
    title = "" if memory.text.startswith(memory.title.rstrip("…")) else memory.title
    tags = (tag for tag in memory.tags if tag != UNTAGGED)
    named = search_words.stems(" ".join((title, *tags, memory.cue, *memory.keywords)))
    rest = search_words.stems(f"{memory.title}\n{memory.text}\n{memory.actor} {' '.join(files(memory))}")
    inner = search_words.stems(search_words.parts(f"{memory.title} {memory.text}"))
    every = dict(list({**named, **rest, **inner}.items())[: search_words.HEAD_WORDS])
    return _IndexedMemory(number, image, memory, every, min(len(named), search_words.HEAD_WORDS))


def _evidence(item: _IndexedMemory, vector: bytes, code: bytes, *, hashed: bool) -> Evidence:
    memory = item.memory
    has_vector = any(vector)  # none of its words has one where all is zero
    return Evidence(
        id=item.number,
        model=MODEL,
        terms=pack_keys(map(search_words.key, item.terms)),
        named=item.named,
        flags=text_flags.of(f"{memory.title}. {memory.text}", by_a_person=memory.origin == "user"),
        places=pack_keys(search_words.place_key(path) for path in files(memory)),
        hashed=hashing.vector(memory.text) if hashed else None,
        vector=vector if has_vector else None,
        project=memory.project,
        code=code if has_vector else None,
    )
