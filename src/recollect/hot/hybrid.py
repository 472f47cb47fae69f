"""The default ranking: candidates by words and by meaning, evidence of both, context of the session, rules.

Everything it compares was made beforehand (`evidence`, `codes`, `words`); a memory without it is compared by its words.
"""

import apsw

from recollect.hot import vectors
from recollect.hot.asked import Asked, Question, read
from recollect.hot.shelf import rows
from recollect.model import words
from recollect.policy import fusion, ranks, shapes, timing
from recollect.policy.fusion import BY_A_PERSON, HAS_NAME, HAS_NUMBER, HAS_TIME, IS_QUESTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

CANDIDATES = 150
POOLS = (300, 6_000, -1)
ENOUGH = 50
GROWN, REACH = 15, 2
ALMOST, SIMILAR = 0.99, 0.25
# Sorted by the expression: `rank` would sort every match before the first is cut.
BY_WORDS = """
SELECT id FROM (
    SELECT rowid AS found, bm25(memory_words, 2.0, 1.0, 1.5, 1.0, 1.0, 0.5, 1.0) AS points FROM memory_words
    WHERE memory_words MATCH ?3 ORDER BY points LIMIT ?4
) JOIN memories ON id = found WHERE {visible} ORDER BY points LIMIT {number}
"""
HELD = """
SELECT memories.id, session, created, actor, terms, named, size, says, places, {meaning},
    (SELECT before.id FROM memories AS before WHERE before.session = memories.session
        AND (before.created, before.id) < (memories.created, memories.id)
        ORDER BY before.created DESC, before.id DESC LIMIT 1),
    importance, hits, updated,
    CASE WHEN terms IS NULL THEN title || char(10) || text || char(10) || tags || ' ' || cue || ' ' || parts END
FROM memories LEFT JOIN evidence ON evidence.id = memories.id AND model = ?3 WHERE memories.id IN ({ids}) AND {visible}
"""
BESIDE = """
SELECT id FROM memories WHERE session = ?3 AND (created, id) {side} (?4, ?5) AND {visible}
ORDER BY created {order}, id {order} LIMIT {reach}
"""


class Held:
    """A candidate: what is kept of it, how it matches each word that was asked, and what that adds up to."""

    __slots__ = (
        "actor", "before", "certainty", "coverage", "created", "evidence", "hits", "id", "importance", "likeness",
        "match", "matched", "named", "named_match", "parts", "places", "says", "score", "session", "size", "updated", "verdict",
    )  # fmt: skip

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.id, self.session, self.created, self.actor, _, self.named, self.size, self.says = row[:8]
        self.places = memoryview(row[8]).cast("I") if row[8] else ()
        self.likeness, self.before = row[9], row[10]
        self.says = self.says or 0
        self.match: list[float] = []
        self.named_match: list[float] = []
        self.parts: dict[str, float] = {}
        self.importance, self.hits, self.updated = row[11:14]
        self.score = self.evidence = self.coverage = self.certainty = 0.0
        self.matched: list[str] = []
        self.verdict = ""


def ranked(db: apsw.Connection, question: Question, limit: int) -> "tuple[Asked, list[Held]]":
    """The candidates, best first, each with its parts and whether it has enough to do with the question."""
    asked = read(db, question)
    ids = _by_words(db, question, asked)
    asked.vector = vectors.pooled(db, asked)
    ids |= dict.fromkeys(vectors.nearest(db, question, asked.vector, CANDIDATES))
    alike = vectors.alike(db, asked)
    held = _held(db, question, asked, alike, ids)
    held += _held(db, question, asked, alike, _beside(db, question, asked, held))
    _weigh(question, asked, held)
    held.sort(key=lambda one: -one.score)
    best = held[:limit]
    _judge(question, asked, best)
    return asked, best


def _judge(question: Question, asked: Asked, best: "list[Held]") -> None:
    """Abstain where nothing helps, and from what has too little in common: a rank is no reason to speak."""
    worth = asked.weights()
    whole = sum(worth) or 1.0
    top = best[0].score if best else 0.0
    certainty = fusion.certainty(shapes.need(question.text), top, len(worth))
    for one in best:
        one.certainty = certainty
        one.evidence = sum(weight * match for weight, match in zip(worth, one.match, strict=True))
        one.coverage = one.evidence / whole
        one.matched = [
            word if match > ALMOST else f"~{word}"
            for word, match in zip(asked.words.values(), one.match, strict=True)
            if match > SIMILAR
        ]
        same = sum(weight for weight, match in zip(worth, one.match, strict=True) if match > ALMOST)
        is_plain = same >= fusion.PLAIN_EVIDENCE and same >= fusion.PLAIN_COVERAGE * whole
        one.verdict = "" if is_plain else _verdict(one, top)


def _verdict(one: Held, top: float) -> str:
    if one.certainty < fusion.CERTAIN_FROM:
        return "a prompt of a kind that memories rarely help with"
    is_pointed_at = one.parts["place"] or one.parts["date"]
    has_evidence = one.evidence >= fusion.LEAST_EVIDENCE and one.coverage >= fusion.LEAST_COVERAGE
    if not (has_evidence or is_pointed_at):
        return "too little in common"
    return "" if one.score >= fusion.LEAST_OF_BEST * top else "far behind the best"


def _by_words(db: apsw.Connection, question: Question, asked: Asked) -> "dict[int, None]":
    """The best by their words; a wider net where other projects, or filters, leave too little of the first."""
    found: "dict[int, None]" = {}
    if not asked.sought:
        return found
    match = " OR ".join(f'"{word}"' for word in asked.sought)
    sql = BY_WORDS.format(visible=question.visible, number=CANDIDATES)
    for pool in POOLS:
        found = dict.fromkeys(row[0] for row in rows(db, sql, question.bound(match, pool)))
        if len(found) >= ENOUGH or pool < 0 or not _is_full(db, match, pool):
            break
    return found


def _is_full(db: apsw.Connection, match: str, pool: int) -> bool:
    sql = "SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE memory_words MATCH ? LIMIT ?)"
    return bool(db.execute(sql, (match, pool)).get == pool)


def _held(
    db: apsw.Connection, question: Question, asked: Asked, alike: "dict[int, list[tuple[int, float]]]",
    ids: "Iterable[int]",
) -> "list[Held]":  # fmt: skip
    sql = HELD.format(
        meaning=vectors.likeness(asked.vector), visible=question.visible, ids=",".join(str(one) for one in ids)
    )
    found = []
    for row in rows(db, sql, question.bound(words.MODEL)):
        one = Held(row)
        keys: "Iterable[int]" = memoryview(row[4]).cast("I") if row[4] is not None else asked.keys_of(row[14])
        if row[4] is None:
            keys = list(keys)
            one.size, one.named = min(len(keys), 120), 0
        _match(one, keys, alike, len(asked.words))
        found.append(one)
    return found


def _match(one: Held, keys: "Iterable[int]", alike: "dict[int, list[tuple[int, float]]]", number: int) -> None:
    """How well each word that was asked is matched: 1 by itself, less by a word like it."""
    match = [0.0] * number
    one.named_match = match
    for place, key in enumerate(keys):
        if place == one.named:
            one.named_match = list(match)
        for asked, likeness in alike.get(key, ()):
            match[asked] = max(match[asked], likeness)
    one.match = match


def _beside(db: apsw.Connection, question: Question, asked: Asked, held: "list[Held]") -> "list[int]":
    """The neighbours of the best: an answer often has no word of the question, but follows it."""
    worth = asked.weights()
    evidence = {one.id: _plain(one, worth) for one in held}
    best = sorted((one for one in held if one.session), key=lambda one: -evidence[one.id])[:GROWN]
    found: "dict[int, None]" = {}
    for one in best:
        for side, order in (("<", "DESC"), (">", "ASC")):
            sql = BESIDE.format(side=side, order=order, reach=REACH, visible=question.visible)
            found |= dict.fromkeys(row[0] for row in rows(db, sql, question.bound(one.session, one.created, one.id)))
    return [number for number in found if number not in evidence]


def _plain(one: Held, worth: list[float]) -> float:
    said = sum(weight * match for weight, match in zip(worth, one.match, strict=True))
    return said / fusion.length_norm(one.size, 0.7, is_filed=one.named > 0) / 6 + (one.likeness or 0.0)


def _weigh(question: Question, asked: Asked, held: "list[Held]") -> None:
    """Evidence in standard deviations over the candidates, then context and rules, weighed by the one table."""
    worth = asked.weights()
    by_id = {one.id: one for one in held}
    after = {one.before: one for one in held if one.before is not None}
    sessions = _best_of_sessions(held)
    nothing = [0.0] * len(worth)
    in_words, in_around, in_meaning = [], [], []
    for one in held:
        norm = fusion.length_norm(one.size, 0.7, is_filed=one.named > 0)
        before, next_one = by_id.get(one.before), after.get(one.id)
        in_words.append(sum(weight * match for weight, match in zip(worth, one.match, strict=True)) / norm)
        around = zip(
            worth, one.match, before.match if before else nothing, next_one.match if next_one else nothing,
            sessions.get(one.session, nothing), strict=True,
        )  # fmt: skip
        in_around.append(
            sum(
                weight * max(own, fusion.NEIGHBOUR * left, fusion.NEIGHBOUR * right, fusion.SESSION * all_of_it)
                for weight, own, left, right, all_of_it in around
            )
            / norm
        )
        in_meaning.append((one.likeness or 0.0) / fusion.length_norm(one.size, 0.3, is_filed=one.named > 0))
    columns = fusion.standard(in_words), fusion.standard(in_meaning), fusion.standard(in_around)
    for one, said, means, near in zip(held, *columns, strict=True):
        one.parts = {"words": said, "meaning": means, "around": near}
    _add_context(held, by_id, after)
    _add_rules(question, asked, held)
    for one in held:
        one.score = fusion.total(one.parts)


def _best_of_sessions(held: "list[Held]") -> "dict[Any, list[float]]":
    """For each session, how well its memories together match each word."""
    best: "dict[Any, list[float]]" = {}
    for one in held:
        if one.session is not None:
            known = best.get(one.session)
            best[one.session] = (
                one.match if known is None else [max(pair) for pair in zip(known, one.match, strict=True)]
            )
    return best


def _add_context(held: "list[Held]", by_id: "dict[int, Held]", after: "dict[int, Held]") -> None:
    evidence = {one.id: max(0.0, (one.parts["words"] + one.parts["meaning"]) / 2) for one in held}
    by_session: "dict[Any, list[float]]" = {}
    for one in held:
        by_session.setdefault(one.session, []).append(evidence[one.id])
    best = {session: sum(sorted(found)[-3:]) / 3 for session, found in by_session.items() if session is not None}
    for one in held:
        before, next_one = by_id.get(one.before), after.get(one.id)
        earlier = by_id.get(before.before) if before else None
        one.parts["answers"] = evidence[before.id] if before and before.says & IS_QUESTION else 0.0
        one.parts["next"] = evidence[next_one.id] if next_one else 0.0
        one.parts["before"] = evidence[earlier.id] if earlier and one.size <= fusion.LONG_WORDS else 0.0
        one.parts["session"] = best.get(one.session, 0.0)


def _add_rules(question: Question, asked: Asked, held: "list[Held]") -> None:
    """What the question itself says of its answer."""
    wants = timing.wanted(question.text, question.now)
    worth = asked.weights()
    whole = sum(worth) or 1.0
    for one in held:
        parts, says = one.parts, one.says
        parts["actor"] = float(len(asked.actors) == 1 and one.actor in asked.actors)
        parts["mine"] = float(not asked.actors and wants.is_of_oneself and bool(says & BY_A_PERSON))
        parts["date"] = timing.nearness(wants, one.created)
        parts["when"] = float(wants.a_time and bool(says & HAS_TIME))
        parts["number"] = float(wants.a_number and bool(says & HAS_NUMBER))
        parts["who"] = float(wants.a_name and bool(says & HAS_NAME))
        parts["named"] = sum(weight * match for weight, match in zip(worth, one.named_match, strict=True)) / whole
        parts["place"] = float(any(place in asked.places for place in one.places))
        parts["importance"] = one.importance - 0.5
        parts["recency"] = ranks.recency(one.updated, question.now)
        parts["trust"] = ranks.trust(one.hits, None, None, question.now)
