"""The role that keeps what recall compares: evidence for each memory, and words with their vectors."""

from collections.abc import Iterable
from typing import Protocol

from recollect.model.memory import Memory
from recollect.store.values import Evidence, Word


class SearchIndex(Protocol):
    """Derived from the memories alone, so all of it can be deleted and built again. Memories go by their numbers."""

    def missing(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return number and image of active memories without evidence of a model, newest first."""

    def missing_number(self, model: str) -> int:
        """Return how many active memories have no evidence of a model."""

    def known_number(self, model: str) -> int:
        """Return how many memories have a vector of a model."""

    def is_of_another_model(self, model: str) -> bool:
        """Return whether the index was built with another model than this."""

    def renew_search_fields(self, number: int, memory: Memory) -> None:
        """Bring a memory's searchable columns up to date, which an older version of recollect did not have."""

    def is_unchanged(self, number: int, image: str) -> bool:
        """Return whether a memory still has this image."""

    def put(self, evidence: Iterable[Evidence]) -> None:
        """Insert or replace the evidence of memories."""

    def holding(self) -> dict[int, int]:
        """Return how many memories contain each word, by the word's key."""

    def words(self, model: str) -> list[Word]:
        """Return every word that has a vector of a model."""

    def put_words(self, words: Iterable[Word]) -> None:
        """Insert or replace words."""

    def clear(self) -> None:
        """Delete all evidence, vectors and words."""

    def total(self) -> int:
        """Return about how many memories there are."""

    def renew_term_statistics(self) -> None:
        """Count again which words many memories contain: hooks do not look for those."""
