"""Two baselines to compare recall with: counting words as grep does, and a plain full-text index.

Both search every memory, superseded ones too, and always return something.
"""

import heapq
import re
from collections.abc import Callable, Sequence

import apsw

from recollect.model.memory import Memory

Baseline = Callable[[str, int], list[tuple[str, float]]]
MOST_WORDS = 400
SEARCH = "SELECT uid, -bm25(said) FROM said WHERE said MATCH ? ORDER BY bm25(said) LIMIT ?"


def grep(memories: Sequence[Memory]) -> Baseline:
    """Return a ranking by how many different words of the question occur, also inside words; ties in given order."""
    texts = [(memory.uid, _text(memory).lower()) for memory in memories]

    def ask(question: str, limit: int) -> list[tuple[str, float]]:
        wanted = set(re.findall(r"\w{3,}", question.lower()))
        counts = ((float(sum(word in text for word in wanted)), uid) for uid, text in texts)
        best = heapq.nlargest(limit, counts, key=lambda pair: pair[0])
        return [(uid, count) for count, uid in best if count]

    return ask


def fts5(memories: Sequence[Memory]) -> Baseline:
    """Return a ranking by SQLite's full-text index: Porter stems, any word of the question, ordered by BM25."""
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE said USING fts5(uid UNINDEXED, words, tokenize='porter unicode61')")
    with db:
        db.executemany("INSERT INTO said VALUES (?, ?)", [(memory.uid, _text(memory)) for memory in memories])

    def ask(question: str, limit: int) -> list[tuple[str, float]]:
        wanted = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question)[:MOST_WORDS])
        found = db.execute(SEARCH, (wanted, limit)).fetchall() if wanted else []
        return [(str(uid), float(points)) for uid, points in found]  # type: ignore[arg-type]

    return ask


def _text(memory: Memory) -> str:
    return "\n".join((memory.title, memory.text, " ".join(memory.tags)))


BASELINES: dict[str, Callable[[Sequence[Memory]], Baseline]] = {"grep": grep, "fts5": fts5}
