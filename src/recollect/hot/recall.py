"""Finding what a prompt is about. The one recall that hooks, commands and the library share: rows in, reasons out."""

import apsw

from recollect.hot.shelf import rows
from recollect.model.stop_words import COMMON_WORDS, STOP_WORDS
from recollect.policy import ranks
from recollect.policy.cards import Seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHOWN_SENSITIVITIES = ("public", "operational", "personal")  # D15: everything else is asked for by name or not at all
MOST_WORDS = 60
MOST_PROMPT_BYTES = 20_000
CANDIDATES = 25
POOL, ENOUGH = 300, 5
SELECTED = """uid, kind, slug, title, text, tags, cue, importance, hits, pinned, created, updated, session, project,
    coalesce(image->>'$.origin', 'user'), image->>'$.confidence', image->>'$.branch'"""
VISIBLE = f"""status = 'active' AND project IN (?1, 'global') AND (expires IS NULL OR expires > ?2)
    AND sensitivity IN {SHOWN_SENSITIVITIES}"""
# Sorted by the expression: `rank` would sort every match before the first is cut.
FIND = f"""
SELECT {SELECTED} FROM (
    SELECT rowid AS found, bm25(memory_words, 2.0, 1.0, 1.5, 1.0) AS points FROM memory_words
    WHERE memory_words MATCH ?3 ORDER BY points LIMIT ?4
) JOIN memories ON id = found WHERE {VISIBLE} ORDER BY points LIMIT {CANDIDATES}
"""


class Asked:
    """The words of a prompt that may tell one memory from another: stem → word, and what each says."""

    __slots__ = ("words", "worth")

    def __init__(self, words: dict[str, str], worth: dict[str, float]) -> None:
        self.words, self.worth = words, worth


def find(db: apsw.Connection, prompt: str, *, project: str, now: float) -> tuple[Asked, list[Seen]]:
    """The memories that share words with a prompt, best first; each with its evidence, none of them judged yet."""
    stems = db.fts5_tokenizer("porter", ["unicode61"])
    asked = _asked(db, stems, prompt)
    if not asked.words:
        return asked, []
    match = " OR ".join(f'"{word}"' for word in asked.words.values())
    hits = _hits(db, project, now, match)
    found = [_weighed(Seen(row), asked, stems, now) for row in hits]
    found.sort(key=lambda one: -one.score)
    return asked, found


def _hits(db: apsw.Connection, project: str, now: float, match: str) -> "list[tuple[Any, ...]]":
    """The best rows that may be shown; a wider net where other projects fill the first."""
    hits: list[tuple[Any, ...]] = []
    for pool in (POOL, 20 * POOL, -1):
        hits = rows(db, FIND, (project, now, match, pool))
        if len(hits) >= ENOUGH or pool < 0 or not _is_full(db, match, pool):
            break
    return hits


def _is_full(db: apsw.Connection, match: str, pool: int) -> bool:
    sql = "SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE memory_words MATCH ? LIMIT ?)"
    return bool(db.execute(sql, (match, pool)).get == pool)


def _asked(db: apsw.Connection, stems: apsw.FTS5Tokenizer, prompt: str) -> Asked:
    """A prompt's words, each once, without those that nearly every memory holds; the rarest of a long prompt."""
    data = prompt.encode("utf-8", "replace")[:MOST_PROMPT_BYTES]
    words: dict[str, str] = {}
    found: Any = stems(data, apsw.FTS5_TOKENIZE_QUERY, None)
    for start, end, stem in found:
        word = data[start:end].decode("utf-8", "ignore").replace('"', "").replace("\0", "")
        if word and word.lower() not in STOP_WORDS and (len(word) > 1 or not word.isascii()):
            words.setdefault(stem, word)
    holding, total = _document_counts(db, list(words))
    worth = {
        stem: ranks.COMMON_WORTH if word.lower() in COMMON_WORDS else ranks.rarity(total, holding.get(stem, 0))
        for stem, word in words.items()
    }
    too_common = max(total * 0.05, 50)
    telling = [stem for stem in words if holding.get(stem, 0) <= too_common]
    telling.sort(key=lambda stem: -worth[stem])
    return Asked({stem: words[stem] for stem in telling[:MOST_WORDS]}, worth)


def _document_counts(db: apsw.Connection, stems: list[str]) -> tuple[dict[str, int], int]:
    """How many memories hold each word. The words that many hold are in a table: counting them would take long."""
    holes = ",".join("?" * len(stems))
    frequent: dict[str, int] = dict(
        rows(db, f"SELECT term, holding FROM frequent_terms WHERE term IN ({holes})", stems)
    )
    rare = [stem for stem in stems if stem not in frequent]
    holes = ",".join("?" * len(rare))
    counted: dict[str, int] = dict(rows(db, f"SELECT term, doc FROM memory_terms WHERE term IN ({holes})", rare))
    total = db.execute("SELECT coalesce(max(id), 0) FROM memories").get
    return frequent | counted, int(total)


def _weighed(one: Seen, asked: Asked, stems: apsw.FTS5Tokenizer, now: float) -> Seen:
    """Evidence is what the shared words say, coverage how much of the prompt they are; then D4's weights."""
    said = _stems(stems, one.text)
    named = _stems(stems, f"{one.title} {one.tags} {one.cue}")
    shared = [stem for stem in asked.worth if stem in said or stem in named]
    bonus = sum(asked.worth[stem] * (ranks.NAMED_BONUS - 1) for stem in shared if stem in named)
    plain = sum(asked.worth[stem] for stem in shared)
    whole = sum(asked.worth.values())
    one.evidence, one.coverage = plain + bonus, plain / whole if whole else 0.0
    match = min(1.0, (plain + bonus) / whole) if whole else 0.0
    recency = ranks.recency(one.updated, now)
    trust = ranks.trust(one.hits, one.confidence, one.created, now)
    one.score = 0.55 * match + 0.20 * recency + 0.15 * one.importance + 0.10 * trust
    return one


def _stems(stems: apsw.FTS5Tokenizer, text: str) -> set[str]:
    data = text.encode("utf-8", "replace")[:MOST_PROMPT_BYTES]
    return {str(found[0]) for found in stems(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)}


def is_enough(one: Seen) -> bool:
    """Whether a memory has so much to do with the prompt that it should be shown."""
    return one.evidence >= ranks.LEAST_EVIDENCE and one.coverage >= ranks.LEAST_COVERAGE
