"""What recall compares: the evidence kept for each memory, the words known by their vectors, their neighbours."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from recollect.model import search_words
from recollect.model.memory import Memory
from recollect.model.search_fields import found_by

Rows = Callable[..., list[tuple[Any, ...]]]
MADE_FOR = "recall:made_for"
GROWTH, FEW = 1.5, 50
# A vector is of a model: what another one made is as good as none.
MISSING = "status = 'active' AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.id = memories.id AND model = ?)"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is compared with a question, of one memory."""

    id: int
    model: str
    terms: bytes
    named: int
    says: int
    places: bytes
    hashed: bytes | None
    vector: bytes | None = None
    project: str = ""
    code: bytes | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A word's vector, whether memories hold it, whether everybody says it, and the held words that are like it."""

    key: int
    model: str
    held: bool
    common: bool
    vector: bytes
    near: bytes


def _holes(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


class RecallTable:
    """The derived tables of recall."""

    def __init__(self, rows: Rows, db: Callable[[], apsw.Connection]) -> None:
        self._rows = rows
        self._db = db

    def missing(self, model: str, limit: int) -> list[tuple[int, str]]:
        """Active memories without evidence of this model: number and image; the newest first."""
        sql = f"SELECT id, image FROM memories WHERE {MISSING} ORDER BY id DESC LIMIT ?"
        return [(int(number), str(image)) for number, image in self._rows(sql, (model, limit))]

    def missing_number(self, model: str) -> int:
        """How many memories wait for their evidence."""
        return int(self._rows(f"SELECT count(*) FROM memories WHERE {MISSING}", (model,))[0][0])

    def known_number(self, model: str) -> int:
        """How many memories are compared by their meaning."""
        return 0 if self.is_of_another(model) else int(self._rows("SELECT count(*) FROM codes")[0][0])

    def is_of_another(self, model: str) -> bool:
        """Whether the vectors that are kept are another model's: they are all of one."""
        rows = self._rows("SELECT model FROM words LIMIT 1")
        return bool(rows and rows[0][0] != model)

    def is_behind(self, model: str) -> bool:
        """Whether a memory waits for its evidence, or the store has outgrown its vectors."""
        return bool(self.missing(model, 1)) or self.has_outgrown(model)

    def has_outgrown(self, model: str) -> bool:
        """Whether the store is much larger, or much smaller, than its vectors were made for: what is common shifts."""
        rows = self._rows("SELECT value FROM settings WHERE name = ?", (MADE_FOR,))
        made_for = int(rows[0][0]) if rows else 0
        known = self.known_number(model)
        return known > 0 and not made_for / GROWTH - FEW <= known <= made_for * GROWTH + (FEW if made_for else 0)

    def set_made_for(self, number: int) -> None:
        """Remember how many memories the vectors were made for."""
        self._rows("REPLACE INTO settings VALUES (?, ?)", (MADE_FOR, str(number)))

    def find_by(self, number: int, memory: Memory) -> None:
        """Bring a memory's derived columns up to date: an older version of this program did not have them."""
        said = found_by(memory)
        sql = "UPDATE memories SET actor = ?, day = ?, parts = ? WHERE id = ? AND (actor, day, parts) IS NOT (?, ?, ?)"
        self._rows(sql, (*said, number, *said))

    def put(self, evidence: Iterable[Evidence]) -> None:
        """Keep what is compared; a memory that was changed or removed meanwhile is left alone."""
        for one in evidence:
            row = (one.id, one.model, one.terms, one.named, one.says, one.places, one.hashed, one.vector)
            self._rows(f"REPLACE INTO evidence VALUES ({', '.join('?' * 8)})", row)
            if one.code is not None:
                self._rows("REPLACE INTO codes VALUES (?, ?, ?)", (one.project, one.id, one.code))

    def is_as_read(self, number: int, image: str) -> bool:
        """Whether a memory still says what was read."""
        return bool(self._rows("SELECT 1 FROM memories WHERE id = ? AND image = ?", (number, image)))

    def place(self, vectors: Iterable[tuple[int, bytes, bytes]]) -> None:
        """New vectors for evidence that stands: number, vector, code."""
        for number, vector, code in vectors:
            self._rows("UPDATE evidence SET vector = ? WHERE id = ?", (vector, number))
            of_project = "project = (SELECT project FROM memories WHERE id = ?1)"
            self._rows(f"UPDATE codes SET code = ?2 WHERE id = ?1 AND {of_project}", (number, code))

    def all_terms(self, model: str) -> list[tuple[int, bytes]]:
        """Number and terms of all evidence of a model."""
        sql = "SELECT id, terms FROM evidence WHERE model = ? ORDER BY id"
        return [(int(number), bytes(terms)) for number, terms in self._rows(sql, (model,))]

    def holding(self) -> dict[int, int]:
        """How many memories hold each word, by its key."""
        rows = self._rows("SELECT term, doc FROM memory_terms")
        return {search_words.key(str(term)): int(number) for term, number in rows}

    def words(self, model: str) -> list[Word]:
        """Every word that is known by its vector."""
        sql = "SELECT key, model, held, common, vector, near FROM words WHERE model = ?"
        return [
            Word(int(key), of, bool(held), bool(common), bytes(vector), bytes(near))
            for key, of, held, common, vector, near in self._rows(sql, (model,))
        ]

    def put_words(self, known: Iterable[Word]) -> None:
        """Keep words as they are now."""
        for one in known:
            row = (one.key, one.model, one.held, one.common, one.vector, one.near)
            self._rows("REPLACE INTO words VALUES (?, ?, ?, ?, ?, ?)", row)

    def forget_words(self, said: str) -> None:
        """Forget the words of a text that no memory holds any more; those that everybody says stay known."""
        stems = list(search_words.all_stems(said))
        held = {
            str(row[0])
            for row in self._rows(f"SELECT term FROM memory_terms WHERE term IN ({_holes(stems)})", tuple(stems))
        }
        gone = [search_words.key(stem) for stem in stems if stem not in held]
        self._rows(f"DELETE FROM words WHERE NOT common AND key IN ({_holes(gone)})", tuple(gone))
        self._rows(f"UPDATE words SET held = 0 WHERE key IN ({_holes(gone)})", tuple(gone))

    def clear(self) -> None:
        """Throw away all that is derived."""
        for table in ("evidence", "codes", "words"):
            self._rows(f"DELETE FROM {table}")

    def total(self) -> int:
        """About how many memories there are."""
        return int(self._rows("SELECT coalesce(max(id), 0) FROM memories")[0][0])

    def connection(self) -> apsw.Connection:
        """The connection of this thread: recall asks the tables itself."""
        return self._db()

    def states(self, since: float) -> dict[str, int]:
        """How the recalls since then went, by what their receipts say."""
        sql = "SELECT state, count(*) FROM receipts WHERE at >= ? AND state <> '' GROUP BY state ORDER BY 2 DESC"
        return dict(self._rows(sql, (since,)))
