"""A full-text index in memory, ordered by BM25: the search that recall is compared with."""

from collections.abc import Iterable, Sequence

import apsw

SEARCH = "SELECT name, -bm25(texts) FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?"


class PlainIndex:
    """Texts by name, found by any of their Porter stems."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._db = apsw.Connection(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5(name UNINDEXED, words, tokenize='porter unicode61')")
        with self._db:
            self._db.executemany("INSERT INTO texts VALUES (?, ?)", list(texts))

    def find(self, words: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return the names of the texts that hold any of the words, best first, each with its points."""
        wanted = " OR ".join(f'"{word}"' for word in words)
        found = self._db.execute(SEARCH, (wanted, limit)).fetchall() if wanted else []
        return [(str(name), float(points)) for name, points in found]  # type: ignore[arg-type]
