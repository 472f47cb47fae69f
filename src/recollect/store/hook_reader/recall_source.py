"""Candidates and evidence for recall, read from SQLite. Import-light."""

import os
import sys

from recollect.lazy import load
from recollect.model.found_memory import FoundMemory
from recollect.model.recall_values import CandidateRow, CountedRow, TitleRow, WordMatch
from recollect.model.words import search_words, word_vectors
from recollect.store.hook_reader import links, verdicts
from recollect.store.hook_reader.connection import apsw, rows, value
from recollect.store.hook_reader.recall_sql import (
    BY_WORDS,
    CANDIDATES,
    COUNTS_SIMILARITY,
    HAS_COUNTS,
    HITS,
    MEMORIES,
    NEAREST_CODES,
    NEAREST_IN_SCOPE,
    NEAREST_OF,
    NEIGHBOURS,
    NEWEST,
    SIDES,
    SIMILARITY,
    TITLES,
    VISIBLE,
    WORD_MATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from recollect.model.recall_values import RecallScope

MOST_ACTORS = 200
NEAR_CODES = 150
"""How many memories are compared exactly, after codes of one bit a part have chosen them."""
WORD_POOLS = (300, 6_000, -1)
"""How many hits of the index are looked at: more where other projects or filters leave too few of the first."""
SCORED_POOLS = (300, -1)
POOL_FACTOR = 2
"""`newest` reads this many times the wanted number, because hidden memories are left out afterwards."""
SUFFIXES = {"darwin": "dylib", "win32": "dll"}


class SqliteRecallSource:
    """Recall's view of an open connection."""

    __slots__ = ("_db",)

    def __init__(self, db: "apsw.Connection") -> None:
        self._db = db

    def document_counts(self, stems: "Sequence[str]") -> "tuple[dict[str, int], int]":
        """Count memories per stem. The stems that many memories hold are in a table: counting them would take long."""
        sql = f"SELECT term, holding FROM frequent_terms WHERE term IN ({_holes(stems)})"
        frequent: dict[str, int] = dict(rows(self._db, sql, stems))
        rare = [stem for stem in stems if stem not in frequent]
        sql = f"SELECT term, doc FROM memory_terms WHERE term IN ({_holes(rare)})"
        total = value(self._db, "SELECT coalesce(max(id), 0) FROM memories")
        return frequent | dict(rows(self._db, sql, rare)), int(total)

    def actors(self, project: str) -> list[str]:
        """Return the people who are named as the actor of a memory."""
        sql = "SELECT DISTINCT actor FROM memories WHERE project IN (?, 'global') AND actor <> '' LIMIT ?"
        return [str(row[0]) for row in rows(self._db, sql, (project, MOST_ACTORS))]

    def by_words(self, scope: "RecallScope", words: "Sequence[str]", number: int) -> list[int]:
        """Ask the full-text index; a wider pool where the first leaves fewer than `number` visible memories."""
        if not words:
            return []
        match, found = _any_of(words), list[int]()
        visible, values = _visible(scope)
        sql = BY_WORDS.format(visible=visible, number=number)
        for pool in WORD_POOLS:
            found = [row[0] for row in rows(self._db, sql, (scope.project, scope.now, match, pool, *values))]
            if len(found) >= number or pool < 0 or value(self._db, HITS, (match, pool)) != pool:
                break
        return found

    def word_matches(self, scope: "RecallScope", words: "Sequence[str]", number: int) -> list[WordMatch]:
        """Ask the full-text index; all of it where the first pool leaves fewer than `number` visible memories."""
        if not words:
            return []
        match, found = _any_of(words), list["tuple[Any, ...]"]()
        visible, values = _visible(scope)
        sql = WORD_MATCHES.format(visible=visible, number=number)
        for pool in SCORED_POOLS:
            limit = max(pool, number) if pool > 0 else pool
            found = rows(self._db, sql, (scope.project, scope.now, match, limit, *values))
            if len(found) >= number:
                break
        return [WordMatch(row) for row in found]

    def missing_vectors(self) -> str:
        """Return why meanings cannot be compared; empty where they can."""
        if not self.load_vectors():
            return "by words alone: sqlite-vec is not installed"
        made_by = value(self._db, "SELECT model FROM words LIMIT 1")
        if made_by is None:
            return "by words alone: no search vectors yet"
        return "" if made_by == search_words.MODEL else "by words alone: the search vectors are of another model"

    def load_vectors(self) -> bool:
        """Load sqlite-vec into the connection; False where the extension is not installed."""
        place = _extension()
        if not place:
            return False
        try:
            self._db.enable_load_extension(True)
            self._db.load_extension(place)
            self._db.enable_load_extension(False)
        except apsw.Error:
            return False
        return True

    def asked_words(self, keys: "Iterable[int]") -> "dict[int, bytes]":
        """Return what words mean in a prompt: a signed byte for each part."""
        return {key: vector for key, vector in self._of_words("asked", keys).items() if vector}

    def similar_words(self, keys: "Iterable[int]") -> "dict[int, list[tuple[int, float]]]":
        """Return the kept neighbours of words."""
        return {key: word_vectors.unpack_near(near) for key, near in self._of_words("near", keys).items()}

    def _of_words(self, column: str, keys: "Iterable[int]") -> "dict[int, bytes]":
        sql = f"SELECT key, {column} FROM words WHERE model = ? AND key IN ({_listed(keys)})"
        return dict(rows(self._db, sql, (search_words.MODEL,)))

    def nearest(self, scope: "RecallScope", vector: bytes, number: int) -> list[int]:
        """Compare codes of one bit a part first, then exactly; where filters are set, all that pass them exactly."""
        if not vector:
            return []
        if scope.is_narrow:
            visible, values = _visible(scope)
            sql = NEAREST_IN_SCOPE.format(visible=visible, vector=vector.hex(), number=number)
            found = rows(self._db, sql, (scope.project, scope.now, search_words.MODEL, *values))
        else:
            near = rows(self._db, NEAREST_CODES, (scope.project, _code(vector), NEAR_CODES))
            sql = NEAREST_OF.format(ids=_listed(row[0] for row in near))
            found = rows(self._db, sql, (vector, number, search_words.MODEL))
        return [row[0] for row in found]

    def candidates(self, scope: "RecallScope", ids: "Iterable[int]", vector: bytes) -> list[CandidateRow]:
        """Read the evidence of memories, each with the memory before it in its session."""
        visible, values = _visible(scope)
        similarity = SIMILARITY.format(vector.hex()) if vector else "NULL"
        sql = CANDIDATES.format(similarity=similarity, visible=visible, ids=_listed(ids))
        found = rows(self._db, sql, (scope.project, scope.now, search_words.MODEL, *values))
        return [CandidateRow(row) for row in found]

    def neighbours(self, ids: "Iterable[int]", reach: int) -> list[int]:
        """Return each neighbour once."""
        listed = _listed(ids)
        statements = [
            NEIGHBOURS.format(side=side, order=order, steps=steps, ids=listed)
            for side, order in SIDES
            for steps in range(reach)
        ]
        found = dict.fromkeys(row[0] for sql in statements for row in rows(self._db, sql))
        return [number for number in found if number is not None]

    def titles_with(self, scope: "RecallScope", words: "Sequence[str]", kinds: "Sequence[str]") -> list[TitleRow]:
        """Look for the words in every title. They have to be of letters and digits alone."""
        # SQLite's `lower` knows ASCII alone: other letters are looked for as they are mostly written.
        forms = [form for word in words for form in dict.fromkeys((word, word.capitalize(), word.upper()))]
        looked_for = forms if any(not word.isascii() for word in words) else words
        holding = [f"instr(said, '{word}')" for word in looked_for]
        holding += ["kind = " + apsw.format_sql_value(kind) for kind in kinds]
        if not holding:
            return []
        visible, values = _visible(scope)
        sql = TITLES.format(visible=visible, holding=" OR ".join(holding))
        return [TitleRow(row) for row in rows(self._db, sql, (scope.project, scope.now, *values))]

    def newest(self, scope: "RecallScope", counts: bytes, number: int) -> list[CountedRow]:
        """Compare kept word counts by sqlite-vec; without counts or the extension the text is returned instead."""
        is_kept, similarity = "0", "NULL"
        if counts and self.load_vectors():
            is_kept, similarity = HAS_COUNTS, COUNTS_SIMILARITY.format(counts.hex())
        visible, values = _visible(scope)
        pool = -1 if scope.is_narrow else number * POOL_FACTOR  # filters may leave little of the newest
        sql = NEWEST.format(is_kept=is_kept, similarity=similarity, pool=pool, visible=visible, number=number)
        return [CountedRow(row) for row in rows(self._db, sql, (scope.project, scope.now, *values))]

    def memories(self, scope: "RecallScope", ids: "Iterable[int]") -> "dict[int, FoundMemory]":
        """Read the rows of memories; one whose image is damaged is left out."""
        visible, values = _visible(scope)
        sql = MEMORIES.format(ids=_listed(ids), visible=visible)
        found = rows(self._db, sql, (scope.project, scope.now, *values))
        return {row[0]: FoundMemory(row[1:]) for row in found}

    def with_links(self, scope: "RecallScope", found: "list[FoundMemory]") -> "list[FoundMemory]":
        """Return found memories with notes about linked ones; see `links.apply`."""
        known = links.links(self._db, scope.project, scope.now) if found else []
        return links.apply(found, known, lambda number: self.memories(scope, [number]).get(number)) if known else found

    def stale(self, scope: "RecallScope", ids: "Iterable[int]") -> "set[int]":
        """Return the numbers of those memories that name code which is gone."""
        return verdicts.stale_ids(self._db, ids, scope.branch)

    def with_verdicts(self, scope: "RecallScope", found: "list[FoundMemory]") -> "list[FoundMemory]":
        """Return found memories with their verdicts; see `verdicts.annotate`."""
        verdicts.annotate(self._db, found, scope.branch)
        return found


def _visible(scope: "RecallScope") -> "tuple[str, tuple[Any, ...]]":
    """Return the condition of a scope, and the values that it binds after the statement's own.

    ?1 is the project and ?2 the time. The condition has to stand behind all other values of a statement.
    """
    parts, values = [VISIBLE], list["Any"]()
    for column, wanted in (("sensitivity", scope.sensitivities), ("kind", scope.kinds)):
        if wanted:
            parts.append(f"{column} IN ({_holes(wanted)})")
            values += wanted
    if scope.filters is not None:
        more, more_values = load("recollect.store.sqlite.conditions").where(scope.filters)
        parts.append(more)
        values += more_values
    return " AND ".join(parts), tuple(values)


def _any_of(words: "Sequence[str]") -> str:
    """Return an FTS5 query for texts that hold at least one of the words; quoted, so that no sign means anything."""
    return " OR ".join('"' + word.replace('"', " ").replace("\0", " ") + '"' for word in words)


def _holes(values: "Sequence[object]") -> str:
    return ",".join("?" * len(values))


def _listed(ids: "Iterable[int]") -> str:
    return ",".join([str(number) for number in ids])


def _code(vector: bytes) -> bytes:
    """Return the sign of each part of a vector, a bit each."""
    bits = sum(1 << place for place, part in enumerate(memoryview(vector).cast("b")) if part > 0)
    return bits.to_bytes(32, "little")


def _extension() -> str:
    """Return the path of sqlite-vec, beside the other packages; asking its own module would load numpy."""
    name = os.path.join("sqlite_vec", f"vec0.{SUFFIXES.get(sys.platform, 'so')}")
    beside = os.path.dirname(os.path.dirname(apsw.__file__ or ""))
    for folder in (beside, *sys.path):
        place = os.path.join(folder, name)
        if os.path.exists(place):
            return place
    return ""
