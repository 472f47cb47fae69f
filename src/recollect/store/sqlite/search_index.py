"""The tables that recall compares: evidence for each memory, and words with their vectors."""

from collections.abc import Iterable, Sequence

from recollect.model.memory import Memory
from recollect.model.words import search_words
from recollect.model.words.search_fields import found_by
from recollect.store.sqlite.database import Rows
from recollect.store.values import Evidence, Word

WORDS_AT_ONCE = 1_000
"""How many words a statement asks for; SQLite limits its parameters."""
# Vectors of another model cannot be compared with ours: such evidence counts as missing.
MISSING = "status = 'active' AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.id = memories.id AND model = ?)"


def _holes(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


class SearchIndexTable:
    """Evidence and words. Memories go by their numbers, words by the keys of their stems."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    # -- what is missing ----------------------------------------------------------------------------------------

    def missing(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Return number and image of active memories without evidence of a model, newest first."""
        sql = f"SELECT id, image FROM memories WHERE {MISSING} ORDER BY id DESC LIMIT ?"
        return [(int(number), str(image)) for number, image in self._rows(sql, (model, limit))]

    def missing_number(self, model: str) -> int:
        """Return how many active memories have no evidence of a model."""
        return int(self._rows(f"SELECT count(*) FROM memories WHERE {MISSING}", (model,))[0][0])

    def known_number(self, model: str) -> int:
        """Return how many memories have a vector of a model."""
        return 0 if self.is_of_another_model(model) else int(self._rows("SELECT count(*) FROM codes")[0][0])

    def is_of_another_model(self, model: str) -> bool:
        """Return whether the index was built with another model than this. All of it is of one model."""
        rows = self._rows("SELECT model FROM words LIMIT 1")
        return bool(rows and rows[0][0] != model)

    # -- evidence -----------------------------------------------------------------------------------------------

    def renew_search_fields(self, number: int, memory: Memory) -> None:
        """Bring a memory's searchable columns up to date, which an older version of recollect did not have."""
        fields = found_by(memory)
        sql = "UPDATE memories SET actor = ?, day = ?, parts = ? WHERE id = ? AND (actor, day, parts) IS NOT (?, ?, ?)"
        self._rows(sql, (*fields, number, *fields))

    def is_unchanged(self, number: int, image: str) -> bool:
        """Return whether a memory still has this image."""
        return bool(self._rows("SELECT 1 FROM memories WHERE id = ? AND image = ?", (number, image)))

    def put(self, evidence: Iterable[Evidence]) -> None:
        """Insert or replace the evidence of memories."""
        for item in evidence:
            row = (item.id, item.model, item.terms, item.named, item.flags, item.places, item.hashed, item.vector)
            self._rows(f"REPLACE INTO evidence VALUES ({_holes(row)})", row)
            if item.code is not None:
                self._rows("REPLACE INTO codes VALUES (?, ?, ?)", (item.project, item.id, item.code))

    # -- words --------------------------------------------------------------------------------------------------

    def holding(self) -> dict[int, int]:
        """Return how many memories contain each word, by the word's key."""
        rows = self._rows("SELECT term, doc FROM memory_terms")
        return {search_words.key(str(term)): int(number) for term, number in rows}

    def words(self, model: str) -> list[Word]:
        """Return every word that has a vector of a model."""
        sql = "SELECT key, model, held, common, vector, asked, near FROM words WHERE model = ?"
        return [
            Word(int(key), of, bool(held), bool(common), bytes(vector), bytes(asked), bytes(near))
            for key, of, held, common, vector, asked, near in self._rows(sql, (model,))
        ]

    def put_words(self, words: Iterable[Word]) -> None:
        """Insert or replace words."""
        for word in words:
            row = (word.key, word.model, word.held, word.common, word.vector, word.near, word.asked)
            self._rows(f"REPLACE INTO words VALUES ({_holes(row)})", row)

    def has_words(self) -> bool:
        """Return whether any word has a vector."""
        return bool(self._rows("SELECT 1 FROM words LIMIT 1"))

    def forget_words(self, stems: Iterable[str]) -> None:
        """Delete those of the words that no memory contains any more; common words stay."""
        ordered = sorted(stems)
        for start in range(0, len(ordered), WORDS_AT_ONCE):
            some = tuple(ordered[start : start + WORDS_AT_ONCE])
            found = self._rows(f"SELECT term FROM memory_terms WHERE term IN ({_holes(some)})", some)
            held = {str(row[0]) for row in found}
            gone = tuple(search_words.key(stem) for stem in some if stem not in held)
            self._rows(f"DELETE FROM words WHERE NOT common AND key IN ({_holes(gone)})", gone)
            self._rows(f"UPDATE words SET held = 0 WHERE key IN ({_holes(gone)})", gone)

    # -- the whole index ----------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Delete all evidence, vectors and words."""
        for table in ("evidence", "codes", "words"):
            self._rows(f"DELETE FROM {table}")

    def total(self) -> int:
        """Return about how many memories there are."""
        return int(self._rows("SELECT coalesce(max(id), 0) FROM memories")[0][0])

    def renew_term_statistics(self) -> None:
        """Count again which words many memories contain: hooks do not look for those."""
        self._rows("DELETE FROM frequent_terms")
        self._rows(
            "INSERT INTO frequent_terms SELECT term, doc FROM memory_terms "
            "WHERE doc > max(50, 0.02 * (SELECT count(*) FROM memories))"
        )
