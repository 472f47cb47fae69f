"""What recall asks of a store. A second engine that has these methods ranks like the first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import CandidateRow, CountedRow, RecallScope, TitleRow, WordMatch


class RecallSource(Protocol):
    """Candidates and evidence for one question. Methods that take a scope return only memories inside it."""

    def document_counts(self, stems: Sequence[str]) -> tuple[Mapping[str, int], int]:
        """Return how many memories hold each stem, and about how many memories there are."""

    def actors(self, project: str) -> list[str]:
        """Return the people who said something that is kept in a project."""

    def by_words(self, scope: RecallScope, words: Sequence[str], number: int) -> list[int]:
        """Return the numbers of the memories that match the words best."""

    def word_matches(self, scope: RecallScope, words: Sequence[str], number: int) -> list[WordMatch]:
        """Return the memories that match the words best, with what the scored ranking weighs."""

    def load_vectors(self) -> bool:
        """Make vectors comparable in this connection; False where the engine cannot."""

    def missing_vectors(self) -> str:
        """Return why meanings cannot be compared; empty where they can."""

    def asked_words(self, keys: Iterable[int]) -> Mapping[int, bytes]:
        """Return what words mean in a prompt: a signed byte for each part."""

    def similar_words(self, keys: Iterable[int]) -> Mapping[int, Sequence[tuple[int, float]]]:
        """Return, for words by their keys, the keys of words like them and how similar they are."""

    def nearest(self, scope: RecallScope, vector: bytes, number: int) -> list[int]:
        """Return the numbers of the memories whose vectors are nearest; none for an empty vector."""

    def candidates(self, scope: RecallScope, ids: Iterable[int], vector: bytes) -> list[CandidateRow]:
        """Return what is kept of memories for the comparison; their similarity is None for an empty vector."""

    def neighbours(self, ids: Iterable[int], reach: int) -> list[int]:
        """Return the memories that stand up to `reach` places before and after others in the same session."""

    def titles_with(self, scope: RecallScope, words: Sequence[str], kinds: Sequence[str]) -> list[TitleRow]:
        """Return the memories whose title or tags contain one of the words, and all of these kinds."""

    def newest(self, scope: RecallScope, counts: bytes, number: int) -> list[CountedRow]:
        """Return the newest memories, compared with hashed word counts; none are compared where `counts` is empty."""

    def with_links(self, scope: RecallScope, found: list[FoundMemory]) -> list[FoundMemory]:
        """Return found memories with notes about linked ones, and without what a newer one may have replaced."""

    def stale(self, scope: RecallScope, ids: Iterable[int]) -> set[int]:
        """Return the numbers of those memories that name code which is gone from the scope's branch."""

    def with_verdicts(self, scope: RecallScope, found: list[FoundMemory]) -> list[FoundMemory]:
        """Return found memories with their verdicts, and notes about what is gone or moved."""

    def memories(self, scope: RecallScope, ids: Iterable[int]) -> Mapping[int, FoundMemory]:
        """Return memories by their numbers, as they are shown."""
