"""Comparing meanings inside SQLite: the question's vector from the words that the worker left, distances by sqlite-vec.

Without the extension, or without vectors of the model that we know, there is nothing to compare, and words alone count.
"""

import math
import os
import sys

import apsw

from recollect.model import search_words
from recollect.recall.query_terms import QueryTerms, Question
from recollect.store.reader.reader import rows

SHORTLIST = 150
SCALE = 254
DIRECTION = "recall:direction"
SUFFIXES = {"darwin": "dylib", "win32": "dll"}
SIMILAR = "CASE WHEN vector IS NOT NULL THEN 1 - vec_distance_cosine(vec_int8(vector), vec_int8(x'{}')) END"
# Whether a memory may be shown is asked of the few that are left: its row is long.
AMONG = """
SELECT id FROM evidence WHERE id IN ({ids}) AND vector IS NOT NULL AND model = ?3
ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(?1)) LIMIT ?2
"""
FILTERED = """
SELECT memories.id FROM memories CROSS JOIN evidence ON evidence.id = memories.id
WHERE vector IS NOT NULL AND model = ?3 AND {visible}
ORDER BY vec_distance_cosine(vec_int8(vector), vec_int8(x'{vector}')) LIMIT {number}
"""
BY_CODE = """
SELECT id FROM codes WHERE project IN (?, 'global')
ORDER BY vec_distance_hamming(vec_bit(code), vec_bit(?)) LIMIT ?
"""


def load(db: apsw.Connection) -> bool:
    """Teach a connection to compare vectors; False where the extension is not there."""
    place = _extension()
    if not place:
        return False
    try:
        db.enable_load_extension(True)
        db.load_extension(place)
        db.enable_load_extension(False)
    except apsw.Error:
        return False
    return True


def _lacking(db: apsw.Connection) -> str:
    """Why meanings cannot be compared; empty where they can."""
    if not load(db):
        return "by words alone: sqlite-vec is not there"
    made_by = db.execute("SELECT model FROM words LIMIT 1").get
    if made_by is None:
        return "by words alone: no vectors yet"
    return "" if made_by == search_words.MODEL else "by words alone: the vectors are another model's"


def _extension() -> str:
    """Where the extension lies: beside the other packages. Its own module would load numpy to tell."""
    name = os.path.join("sqlite_vec", f"vec0.{SUFFIXES.get(sys.platform, 'so')}")
    beside = os.path.dirname(os.path.dirname(apsw.__file__ or ""))
    for folder in (beside, *sys.path):
        place = os.path.join(folder, name)
        if os.path.exists(place):
            return place
    return ""


def pooled(db: apsw.Connection, asked: QueryTerms) -> bytes:
    """What a question means: its words' vectors, each by the root of what it says, without what all memories share.

    Names of people are left out: they would find what was said to them.
    """
    meant = {key: asked.worth[stem] for stem, key in asked.keys.items() if stem not in asked.naming}
    if not meant:
        return b""
    asked.lacking = _lacking(db)
    if asked.lacking:
        return b""
    whole = [0.0] * 256
    holes = ",".join(str(key) for key in meant)
    for key, kept in rows(
        db, f"SELECT key, vector FROM words WHERE model = ? AND key IN ({holes})", (search_words.MODEL,)
    ):
        vector = memoryview(kept).cast("b")
        weight = math.sqrt(meant[key] / (sum(part * part for part in vector) or 1))
        whole = [own + weight * part for own, part in zip(whole, vector, strict=True)]
    return _packed(_without_shared(db, _unit(whole)))


def _without_shared(db: apsw.Connection, vector: list[float]) -> list[float]:
    kept = db.execute("SELECT value FROM settings WHERE name = ?", (DIRECTION,)).get
    if not kept:
        return vector
    shared = [part / 127 for part in memoryview(bytes.fromhex(str(kept))).cast("b")]
    share = sum(own * part for own, part in zip(vector, shared, strict=True))
    return _unit([own - share * part for own, part in zip(vector, shared, strict=True)])


def _unit(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(part * part for part in vector))
    return [part / length for part in vector] if length else vector


def _packed(vector: list[float]) -> bytes:
    return bytes(round(max(-127.0, min(127.0, SCALE * part))) & 255 for part in vector) if any(vector) else b""


def _code(vector: bytes) -> bytes:
    """The sign of each part, a bit each."""
    bits = sum(1 << place for place, part in enumerate(memoryview(vector).cast("b")) if part > 0)
    return bits.to_bytes(32, "little")


def nearest(db: apsw.Connection, question: Question, vector: bytes, number: int) -> list[int]:
    """The memories that mean most nearly what is asked: by codes of one bit a part first, then exactly."""
    if not vector:
        return []
    if question.scope:
        sql = FILTERED.format(visible=question.visible, vector=vector.hex(), number=number)
        return [row[0] for row in rows(db, sql, question.bound(search_words.MODEL))]
    near = rows(db, BY_CODE, (question.project, _code(vector), SHORTLIST))
    sql = AMONG.format(ids=",".join(str(row[0]) for row in near))
    return [row[0] for row in rows(db, sql, (vector, number, search_words.MODEL))]


def likeness(vector: bytes) -> str:
    """SQL for how alike a memory's vector and the question's are."""
    return SIMILAR.format(vector.hex()) if vector else "NULL"


def alike(db: apsw.Connection, asked: QueryTerms) -> dict[int, list[tuple[int, float]]]:
    """For each word that a memory may hold: which words of the question it matches, and how well."""
    found: dict[int, list[tuple[int, float]]] = {key: [(place, 1.0)] for place, key in enumerate(asked.keys.values())}
    place_of = {key: place for place, key in enumerate(asked.keys.values())}
    holes = ",".join(str(key) for key in place_of)
    for key, near in rows(
        db, f"SELECT key, near FROM words WHERE model = ? AND key IN ({holes})", (search_words.MODEL,)
    ):
        number = len(near) // 5
        for other, share in zip(memoryview(near)[: 4 * number].cast("I"), near[4 * number :], strict=True):
            found.setdefault(other, []).append((place_of[key], share / 255))
    return found
