"""The role SearchIndex: what is missing, what is kept, and what goes when a memory goes."""

from engines import PROJECT, keep, memory

from recollect.model.query import Query
from recollect.model.words import search_words
from recollect.store.protocols import SearchIndex, Store
from recollect.store.values import Evidence, Word

MODEL, OTHER = "a model/1", "another model/2"


def evidence(number: int, model: str = MODEL) -> Evidence:
    return Evidence(number, model, b"\1\0\0\0", 1, 0, b"", None, b"vector", PROJECT, b"code")


def word(text: str, *, common: bool = False, model: str = MODEL) -> Word:
    (stem,) = search_words.stems(text)
    return Word(search_words.key(stem), model, held=True, common=common, vector=b"vector", asked=b"asked", near=b"")


def test_active_memories_without_evidence_of_a_model_are_missing_newest_first(store: Store, index: SearchIndex):
    keep(store, memory("A"), memory("B"), memory("R", status="retired"))
    numbers = [number for number, _ in index.missing(MODEL, 9)]
    assert [image for _, image in index.missing(MODEL, 9)] == [found.memory.image for found in store.find(Query())]
    assert index.missing_number(MODEL) == len(numbers) == 2
    assert index.missing(MODEL, 1) == index.missing(MODEL, 9)[:1]
    with store.writing():
        index.put([evidence(numbers[0])])
    assert [number for number, _ in index.missing(MODEL, 9)] == numbers[1:]
    assert index.missing_number(OTHER) == 2


def test_changed_or_removed_memories_have_no_evidence_any_more(store: Store, index: SearchIndex):
    keep(store, memory("A"), memory("B"))
    with store.writing():
        index.put(evidence(number) for number, _ in index.missing(MODEL, 9))
    assert index.known_number(MODEL) == 2
    keep(store, memory("A", "said otherwise"))
    assert index.missing_number(MODEL) == 1
    with store.writing():
        store.remove("A")
        store.remove("B")
    assert index.missing_number(MODEL) == 0
    assert index.known_number(MODEL) == 0


def test_an_image_tells_whether_a_memory_changed(store: Store, index: SearchIndex):
    keep(store, memory("A"))
    ((number, image),) = index.missing(MODEL, 1)
    assert index.is_unchanged(number, image)
    keep(store, memory("A", "said otherwise"))
    assert not index.is_unchanged(number, image)


def test_words_come_back_and_their_model_is_known(store: Store, index: SearchIndex):
    assert index.words(MODEL) == []
    assert not index.is_of_another_model(MODEL)
    with store.writing():
        index.put_words([word("apple"), word("pear", common=True)])
    assert sorted(index.words(MODEL), key=lambda item: item.common) == [word("apple"), word("pear", common=True)]
    assert index.is_of_another_model(OTHER)
    assert index.words(OTHER) == []


def test_words_that_no_memory_contains_any_more_are_forgotten_unless_common(store: Store, index: SearchIndex):
    keep(store, memory("A", "apple pear plum"), memory("B", "apple"))
    with store.writing():
        index.put_words([word("apple"), word("pear"), word("plum", common=True)])
        store.remove("A")
    left = {item.key: item.held for item in index.words(MODEL)}
    assert left == {word("apple").key: True, word("plum").key: False}


def test_memories_are_counted_by_the_words_they_contain(store: Store, index: SearchIndex):
    keep(store, memory("A", "apples"), memory("B", "apple pear"))
    counts = index.holding()
    assert (counts[word("apple").key], counts[word("pear").key]) == (2, 1)
    assert index.total() == 2


def test_clearing_removes_all(store: Store, index: SearchIndex):
    keep(store, memory("A"))
    ((number, _),) = index.missing(MODEL, 1)
    with store.writing():
        index.put([evidence(number)])
        index.put_words([word("apple")])
    assert index.missing_number(MODEL) == 0
    with store.writing():
        index.clear()
    assert (index.words(MODEL), index.known_number(MODEL)) == ([], 0)
    assert index.missing_number(MODEL) == 1
