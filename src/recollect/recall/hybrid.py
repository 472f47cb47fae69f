"""The default profile: candidates by words and by meaning, scored by evidence, session context and rules. Import-light.

Everything it compares was made by the worker beforehand; a memory that is not indexed yet is compared by its words.
"""

from recollect.policy.ranking import fusion, ranks, timing
from recollect.policy.ranking.fusion import BY_A_PERSON, HAS_NAME, HAS_NUMBER, HAS_TIME, IS_QUESTION
from recollect.recall.candidate import Candidate, best_of_sessions, evidence, raise_matches
from recollect.recall.judging import judge
from recollect.recall.query_terms import read_terms
from recollect.recall.question_vector import add_vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.recall.candidate import Similar
    from recollect.recall.query_terms import QueryTerms
    from recollect.recall.question import Question
    from recollect.store.protocols.recall_source import RecallSource

CANDIDATES = 50
EXPANDED_CANDIDATES, NEIGHBOUR_STEPS = 10, 2
"""How many of the best candidates bring their neighbours along, and how far those may stand in the session."""

ORDINARY = 0.5
"""The importance of a memory that nobody gave another."""


def rank(source: "RecallSource", question: "Question", limit: int) -> "tuple[QueryTerms, list[Candidate]]":
    """Return the query terms and the best candidates, each with the parts of its score and a verdict."""
    terms, scope = read_terms(source, question), question.scope
    by_words = source.by_words(scope, terms.searched, CANDIDATES)
    add_vector(source, terms)
    by_meaning = source.nearest(scope, terms.vector, CANDIDATES)
    similar = _similar_words(source, terms)
    rows = source.candidates(scope, dict.fromkeys([*by_words, *by_meaning]), terms.vector)
    candidates = [Candidate(row, similar) for row in rows]
    more = source.candidates(scope, _neighbours(source, terms, candidates), terms.vector)
    candidates += [Candidate(row, similar) for row in more]
    _score(question, terms, candidates, source.stale(scope, [candidate.id for candidate in candidates]))
    candidates.sort(key=lambda candidate: -candidate.score)
    best = candidates[:limit]
    judge(question, terms, best)
    return terms, best


def _similar_words(source: "RecallSource", terms: "QueryTerms") -> "Similar":
    """Return which words count, and for which terms: each term itself, and the words like it."""
    positions = {key: position for position, key in enumerate(terms.keys.values())}
    similar: "Similar" = {key: [(position, 1.0)] for key, position in positions.items()}
    for key, near in source.similar_words(positions).items():
        for other, similarity in near:
            similar.setdefault(other, []).append((positions[key], similarity))
    return similar


def _neighbours(source: "RecallSource", terms: "QueryTerms", candidates: "list[Candidate]") -> "list[int]":
    """Return the neighbours of the best: an answer often has no word of the question, but follows it."""
    weights = terms.capped_weights()
    strength = {
        candidate.id: evidence(weights, candidate.match) / candidate.length_norm(0.7) / fusion.MOST_WORTH
        + (candidate.row.similarity or 0.0)
        for candidate in candidates
    }
    in_sessions = [candidate for candidate in candidates if candidate.row.session]
    best = sorted(in_sessions, key=lambda candidate: -strength[candidate.id])[:EXPANDED_CANDIDATES]
    found = source.neighbours([candidate.id for candidate in best], NEIGHBOUR_STEPS)
    return [number for number in found if number not in strength]


def _score(question: "Question", terms: "QueryTerms", candidates: "list[Candidate]", stale: "set[int]") -> None:
    """Score by evidence in standard deviations over the candidates, then context and rules, in one weighted sum.

    `stale` has the numbers of the candidates that name code which is gone.
    """
    weights = terms.capped_weights()
    by_id = {candidate.id: candidate for candidate in candidates}
    next_of = {candidate.row.previous: candidate for candidate in candidates if candidate.row.previous is not None}
    by_words, by_meaning, by_context = [], [], []
    sessions = best_of_sessions(candidates)
    for candidate in candidates:
        norm = candidate.length_norm(0.7)
        around = (by_id.get(candidate.row.previous), next_of.get(candidate.id))
        by_words.append(evidence(weights, candidate.match) / norm)
        by_meaning.append((candidate.row.similarity or 0.0) / candidate.length_norm(0.3))
        by_context.append(_with_context(weights, candidate, around, sessions.get(candidate.row.session, {})) / norm)
    columns = fusion.standard(by_words), fusion.standard(by_meaning), fusion.standard(by_context)
    for candidate, words, meaning, context in zip(candidates, *columns, strict=True):
        candidate.parts = {"words": words, "meaning": meaning, "around": context}
    _add_context(candidates, by_id, next_of)
    _add_rules(question, terms, candidates)
    for candidate in candidates:
        if candidate.id in stale:
            candidate.parts["stale"] = 1.0
        candidate.score = fusion.total(candidate.parts)


def _with_context(
    weights: list[float], candidate: Candidate, around: "tuple[Candidate | None, ...]", session: "dict[int, float]"
) -> float:
    """Return a candidate's evidence where its neighbours and its session may match terms for it."""
    match = dict(candidate.match)
    for neighbour in around:
        if neighbour is not None:
            raise_matches(match, neighbour.match, fusion.NEIGHBOUR)
    raise_matches(match, session, fusion.SESSION)
    return evidence(weights, match)


def _add_context(candidates: "list[Candidate]", by_id: "dict[int, Candidate]", next_of: "dict[int, Candidate]") -> None:
    """Add what neighbours and the session are worth."""
    strength = {
        candidate.id: max(0.0, (candidate.parts["words"] + candidate.parts["meaning"]) / 2) for candidate in candidates
    }
    by_session: "dict[Any, list[float]]" = {}
    for candidate in candidates:
        by_session.setdefault(candidate.row.session, []).append(strength[candidate.id])
    best = {session: sum(sorted(found)[-3:]) / 3 for session, found in by_session.items() if session is not None}
    for candidate in candidates:
        previous, following = by_id.get(candidate.row.previous), next_of.get(candidate.id)
        earlier = by_id.get(previous.row.previous) if previous else None
        if previous and previous.row.flags & IS_QUESTION:
            candidate.parts["answers"] = strength[previous.id]
        if following:
            candidate.parts["next"] = strength[following.id]
        if earlier and candidate.size <= fusion.LONG_WORDS:
            candidate.parts["before"] = strength[earlier.id]
        if candidate.row.session is not None:
            candidate.parts["session"] = best[candidate.row.session]


def _add_rules(question: "Question", terms: "QueryTerms", candidates: "list[Candidate]") -> None:
    """Add what the question says about its answer (a time, a number, a person, a file), and the memory's own worth."""
    wants = timing.wanted(question.text, question.scope.now)
    flags = {"when": HAS_TIME * wants.a_time, "number": HAS_NUMBER * wants.a_number, "who": HAS_NAME * wants.a_name}
    flags["mine"] = BY_A_PERSON * (wants.is_of_oneself and not terms.actors)
    wanted = {name: flag for name, flag in flags.items() if flag}
    actor = next(iter(terms.actors)) if len(terms.actors) == 1 else None
    weights = terms.capped_weights()
    whole = sum(weights) or 1.0
    for candidate in candidates:
        parts, row = candidate.parts, candidate.row
        for name, flag in wanted.items():
            if row.flags & flag:
                parts[name] = 1.0
        if actor and row.actor == actor:
            parts["actor"] = 1.0
        if wants.names_a_time:
            parts["date"] = timing.nearness(wants, row.created)
        if row.named:
            parts["named"] = evidence(weights, candidate.named_match) / whole
        if terms.places and not terms.places.isdisjoint(row.places):
            parts["place"] = 1.0
        # What nobody used loses importance every day (D40); it must not rank below an ordinary memory for that.
        parts["importance"] = max(row.importance, ORDINARY) - ORDINARY
        parts["recency"] = ranks.recency(row.updated, question.scope.now)
        if row.hits:
            parts["trust"] = ranks.trust(row.hits, None, None, question.scope.now)
