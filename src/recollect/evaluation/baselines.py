"""Two baselines to compare recall with: counting words as grep does, and a plain full-text index.

Both search every memory, superseded ones too, and always return something.
"""

import heapq
import re
from collections.abc import Callable, Sequence

from recollect.model.memory import Memory
from recollect.store.sqlite.bm25_baseline import PlainIndex

Baseline = Callable[[str, int], list[tuple[str, float]]]
MOST_WORDS = 400


def grep(memories: Sequence[Memory]) -> Baseline:
    """Rank by how many different words of the question occur, anywhere inside words; ties in the order of saving."""
    texts = [(memory.uid, _text(memory).lower()) for memory in memories]

    def ask(question: str, limit: int) -> list[tuple[str, float]]:
        wanted = set(re.findall(r"\w{3,}", question.lower()))
        counts = ((float(sum(word in text for word in wanted)), uid) for uid, text in texts)
        best = heapq.nlargest(limit, counts, key=lambda pair: pair[0])
        return [(uid, count) for count, uid in best if count]

    return ask


def fts5(memories: Sequence[Memory]) -> Baseline:
    """Rank by SQLite's full-text index with Porter stems: any word of the question, ordered by BM25."""
    index = PlainIndex((memory.uid, _text(memory)) for memory in memories)
    return lambda question, limit: index.find(re.findall(r"\w+", question)[:MOST_WORDS], limit)


def _text(memory: Memory) -> str:
    return "\n".join((memory.title, memory.text, " ".join(memory.tags)))


BASELINES: dict[str, Callable[[Sequence[Memory]], Baseline]] = {"grep": grep, "fts5": fts5}
