"""The default ranking: candidates by words and by meaning, evidence of both, context of the session, rules.

Everything it compares was made beforehand (`evidence`, `codes`, `words`); a memory without it is compared by its words.
"""

import apsw

from recollect.model import search_words
from recollect.policy.ranking import fusion, prompt_shape, ranks, timing
from recollect.policy.ranking.fusion import BY_A_PERSON, HAS_NAME, HAS_NUMBER, HAS_TIME, IS_QUESTION
from recollect.recall.query_terms import QueryTerms, Question, read
from recollect.store.reader import vectors
from recollect.store.reader.reader import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

CANDIDATES = 50
POOLS = (300, 6_000, -1)
ENOUGH = 50
GROWN, REACH = 10, 2
ALMOST, SIMILAR = 0.99, 0.25
# Sorted by the expression: `rank` would sort every match before the first is cut. Rows are fetched by their numbers:
# by its statistics-free guess SQLite would rather walk through a whole project.
BY_WORDS = f"""
SELECT id FROM (
    SELECT rowid AS found, {search_words.POINTS} AS points FROM memory_words
    WHERE memory_words MATCH ?3 ORDER BY points LIMIT ?4
) CROSS JOIN memories NOT INDEXED ON id = found WHERE {{visible}} ORDER BY points LIMIT {{number}}
"""
HELD = """
SELECT memories.id, session, created, actor, terms, named, says, places, {meaning},
    (SELECT before.id FROM memories AS before WHERE before.session = memories.session
        AND (before.created, before.id) < (memories.created, memories.id)
        ORDER BY before.created DESC, before.id DESC LIMIT 1),
    importance, hits, updated,
    CASE WHEN terms IS NULL THEN title || char(10) || text || char(10) || tags || ' ' || cue || ' ' || parts END
FROM memories NOT INDEXED LEFT JOIN evidence ON evidence.id = memories.id AND model = ?3
WHERE memories.id IN ({ids}) AND {visible}
"""
BESIDE = """
SELECT (SELECT id FROM memories AS other WHERE other.session = one.session
    AND (other.created, other.id) {side} (one.created, one.id)
    ORDER BY other.created {order}, other.id {order} LIMIT 1 OFFSET {steps})
FROM memories AS one WHERE one.id IN ({ids})
"""
SIDES = (("<", "DESC"), (">", "ASC"))


class Candidate:
    """A candidate: what is kept of it, how it matches each word that was asked, and what that adds up to."""

    __slots__ = (
        "actor", "before", "certainty", "coverage", "created", "evidence", "hits", "id", "importance", "likeness",
        "match", "matched", "named", "named_match", "parts", "places", "says", "score", "session", "size", "updated",
        "verdict",
    )  # fmt: skip

    def __init__(self, row: "tuple[Any, ...]") -> None:
        self.id, self.session, self.created, self.actor, _, self.named, says, places = row[:8]
        self.says, self.size = says or 0, 0
        self.places = memoryview(places).cast("I") if places else ()
        self.likeness, self.before = row[8], row[9]
        self.match: dict[int, float] = {}
        """How well it matches words that were asked, by their places; most are not matched at all."""
        self.named_match: dict[int, float] = {}
        self.parts: dict[str, float] = {}
        self.importance, self.hits, self.updated = row[10:13]
        self.score = self.evidence = self.coverage = self.certainty = 0.0
        self.matched: list[str] = []
        self.verdict = ""


def ranked(db: apsw.Connection, question: Question, limit: int) -> "tuple[QueryTerms, list[Candidate]]":
    """The candidates, best first, each with its parts and whether it has enough to do with the question."""
    asked = read(db, question)
    ids = _by_words(db, question, asked)
    asked.vector = vectors.pooled(db, asked)
    ids |= dict.fromkeys(vectors.nearest(db, question, asked.vector, CANDIDATES))
    alike = vectors.alike(db, asked)
    held = _held(db, question, asked, alike, ids)
    held += _held(db, question, asked, alike, _beside(db, asked, held))
    _weigh(question, asked, held)
    held.sort(key=lambda one: -one.score)
    best = held[:limit]
    _judge(question, asked, best)
    return asked, best


def _judge(question: Question, asked: QueryTerms, best: "list[Candidate]") -> None:
    """Abstain where nothing helps, and from what has too little in common: a rank is no reason to speak."""
    worth, words_asked = asked.weights(), list(asked.words.values())
    whole = sum(worth) or 1.0
    top = best[0].score if best else 0.0
    certainty = fusion.certainty(prompt_shape.need(question.text), top, len(worth))
    for one in best:
        one.certainty = certainty
        one.evidence = _evidence(worth, one.match)
        one.coverage = one.evidence / whole
        one.matched = [
            words_asked[place] if match > ALMOST else f"~{words_asked[place]}"
            for place, match in sorted(one.match.items())
            if match > SIMILAR
        ]
        same = sum(worth[place] for place, match in one.match.items() if match > ALMOST)
        is_plain = same >= fusion.PLAIN_EVIDENCE and same >= fusion.PLAIN_COVERAGE * whole
        one.verdict = "" if is_plain else _verdict(one, top)


def _verdict(one: Candidate, top: float) -> str:
    if one.certainty < fusion.CERTAIN_FROM:
        return "a prompt of a kind that memories rarely help with"
    is_pointed_at = one.parts.get("place") or (one.parts.get("date") and one.evidence)
    if not (fusion.is_enough(one.evidence, one.coverage) or is_pointed_at):
        return "too little in common"
    return "" if one.score >= min(top, fusion.LEAST_OF_BEST * top) else "far behind the best"


def _by_words(db: apsw.Connection, question: Question, asked: QueryTerms) -> "dict[int, None]":
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
    db: apsw.Connection, question: Question, asked: QueryTerms, alike: "dict[int, list[tuple[int, float]]]",
    ids: "Iterable[int]",
) -> "list[Candidate]":  # fmt: skip
    sql = HELD.format(
        meaning=vectors.likeness(asked.vector), visible=question.visible, ids=",".join(str(one) for one in ids)
    )
    found = []
    for row in rows(db, sql, question.bound(search_words.MODEL)):
        one = Candidate(row)
        if row[4] is None:  # no worker has been there yet: its words are read now
            keys: "Any" = asked.keys_of(row[13])
            one.named = 0
        else:
            keys = memoryview(row[4]).cast("I")
        one.size = len(keys)
        one.match = _matches(keys, alike)
        one.named_match = _matches(keys[: one.named], alike) if one.named and one.match else {}
        found.append(one)
    return found


def _matches(keys: "Any", alike: "dict[int, list[tuple[int, float]]]") -> "dict[int, float]":
    """How well words that were asked are matched: 1 by themselves, less by a word like them."""
    match: "dict[int, float]" = {}
    for key in alike.keys() & keys:
        for asked, likeness in alike[key]:
            if likeness > match.get(asked, 0.0):
                match[asked] = likeness
    return match


def _evidence(worth: list[float], match: "dict[int, float]") -> float:
    """What the words that are matched say together."""
    return sum([worth[place] * share for place, share in match.items()])


def _beside(db: apsw.Connection, asked: QueryTerms, held: "list[Candidate]") -> "list[int]":
    """The neighbours of the best: an answer often has no word of the question, but follows it."""
    worth = asked.weights()
    evidence = {one.id: _plain(one, worth) for one in held}
    best = sorted((one for one in held if one.session), key=lambda one: -evidence[one.id])[:GROWN]
    ids = ",".join(str(one.id) for one in best)
    statements = (
        BESIDE.format(side=side, order=order, steps=steps, ids=ids) for side, order in SIDES for steps in range(REACH)
    )
    found = dict.fromkeys(row[0] for sql in statements for row in rows(db, sql))
    return [number for number in found if number is not None and number not in evidence]


def _plain(one: Candidate, worth: list[float]) -> float:
    return _evidence(worth, one.match) / _norm(one, 0.7) / fusion.MOST_WORTH + (one.likeness or 0.0)


def _norm(one: Candidate, share: float) -> float:
    return fusion.length_norm(one.size, share, is_filed=one.named > 0)


def _weigh(question: Question, asked: QueryTerms, held: "list[Candidate]") -> None:
    """Evidence in standard deviations over the candidates, then context and rules, weighed by the one table."""
    worth = asked.weights()
    by_id = {one.id: one for one in held}
    after = {one.before: one for one in held if one.before is not None}
    sessions = _best_of_sessions(held)
    in_words = [_evidence(worth, one.match) / _norm(one, 0.7) for one in held]
    in_meaning = [(one.likeness or 0.0) / _norm(one, 0.3) for one in held]
    in_around = [
        _around(worth, one, by_id.get(one.before), after.get(one.id), sessions.get(one.session, {})) / _norm(one, 0.7)
        for one in held
    ]
    columns = fusion.standard(in_words), fusion.standard(in_meaning), fusion.standard(in_around)
    for one, said, means, near in zip(held, *columns, strict=True):
        one.parts = {"words": said, "meaning": means, "around": near}
    _add_context(held, by_id, after)
    _add_rules(question, asked, held)
    for one in held:
        one.score = fusion.total(one.parts)


def _around(
    worth: list[float],
    one: Candidate,
    before: "Candidate | None",
    after: "Candidate | None",
    session: "dict[int, float]",
) -> float:
    """How well it matches where its neighbours and its session may help it out."""
    match = dict(one.match)
    for other in (before, after):
        if other is not None:
            _help_out(match, other.match, fusion.NEIGHBOUR)
    _help_out(match, session, fusion.SESSION)
    return _evidence(worth, match)


def _help_out(match: "dict[int, float]", theirs: "dict[int, float]", share: float) -> None:
    for place, likeness in theirs.items():
        if share * likeness > match.get(place, 0.0):
            match[place] = share * likeness


def _best_of_sessions(held: "list[Candidate]") -> "dict[Any, dict[int, float]]":
    """For each session, how well its memories together match each word."""
    best: "dict[Any, dict[int, float]]" = {}
    for one in held:
        if one.session is not None:
            _help_out(best.setdefault(one.session, {}), one.match, 1.0)
    return best


def _add_context(held: "list[Candidate]", by_id: "dict[int, Candidate]", after: "dict[int, Candidate]") -> None:
    evidence = {one.id: max(0.0, (one.parts["words"] + one.parts["meaning"]) / 2) for one in held}
    by_session: "dict[Any, list[float]]" = {}
    for one in held:
        by_session.setdefault(one.session, []).append(evidence[one.id])
    best = {session: sum(sorted(found)[-3:]) / 3 for session, found in by_session.items() if session is not None}
    for one in held:
        before, next_one = by_id.get(one.before), after.get(one.id)
        earlier = by_id.get(before.before) if before else None
        if before and before.says & IS_QUESTION:
            one.parts["answers"] = evidence[before.id]
        if next_one:
            one.parts["next"] = evidence[next_one.id]
        if earlier and one.size <= fusion.LONG_WORDS:
            one.parts["before"] = evidence[earlier.id]
        if one.session is not None:
            one.parts["session"] = best[one.session]


def _add_rules(question: Question, asked: QueryTerms, held: "list[Candidate]") -> None:
    """What the question itself says of its answer, and what a memory is worth by itself."""
    wants = timing.wanted(question.text, question.now)
    flags = {"when": HAS_TIME * wants.a_time, "number": HAS_NUMBER * wants.a_number, "who": HAS_NAME * wants.a_name}
    flags["mine"] = BY_A_PERSON * (wants.is_of_oneself and not asked.actors)
    wanted = {name: flag for name, flag in flags.items() if flag}
    actor = next(iter(asked.actors)) if len(asked.actors) == 1 else None
    worth = asked.weights()
    whole = sum(worth) or 1.0
    for one in held:
        parts = one.parts
        for name, flag in wanted.items():
            if one.says & flag:
                parts[name] = 1.0
        if actor and one.actor == actor:
            parts["actor"] = 1.0
        if wants.names_a_time:
            parts["date"] = timing.nearness(wants, one.created)
        if one.named:
            parts["named"] = _evidence(worth, one.named_match) / whole
        if asked.places and not asked.places.isdisjoint(one.places):
            parts["place"] = 1.0
        parts["importance"] = one.importance - 0.5
        parts["recency"] = ranks.recency(one.updated, question.now)
        if one.hits:
            parts["trust"] = ranks.trust(one.hits, None, None, question.now)
