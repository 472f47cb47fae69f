"""Finding memories by what they say."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from recollect.model import clock
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.policy.ranking.scores import search_words
from recollect.project_context import ProjectContext
from recollect.recall import search
from recollect.recall.query_terms import Question
from recollect.recall.scored import weighed
from recollect.setup import hook_settings
from recollect.store.sqlite import conditions
from recollect.store.sqlite.store import translated

Profile = Literal["hybrid", "keyword", "scored", "hashed", "judged"]


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that a question is about: how it ranks, why, and why an agent would not be told it by itself."""

    memory: Memory
    score: float
    parts: Mapping[str, float]
    certainty: float = 0.0
    matched: tuple[str, ...] = ()
    verdict: str = ""


def find(
    context: ProjectContext, question: str, query: Query, *, profile: Profile | None, project: str | None, limit: int
) -> list[Found]:
    """The one recall, for the library: what passes the filters, best first."""
    scope, values = conditions.scope(query)
    asked = Question(
        question, project=project or context.project, now=context.clock().timestamp(), scope=scope, values=values,
        settings=hook_settings.recall_settings(context.config),
    )  # fmt: skip
    with translated(context.store.path):
        _, seen = search.find(context.store.recall.connection(), asked, profile or context.config.recall.profile, limit)
    kept = ((one, context.store.get(one.uid)) for one in seen)
    return [
        Found(stored.memory, one.score, one.parts, one.certainty, tuple(one.matched), one.verdict)
        for one, stored in kept
        if stored
    ]


def scored(
    context: ProjectContext, asked: str, query: Query, *, limit: int, min_score: float | None = None
) -> list[Found]:
    """LetsGo's ranking: match, recency, importance and trust, weighed as configured (D4, D48)."""
    rules, now = context.config.recall, context.clock().timestamp()
    words = search_words(asked)
    found = [
        (one.memory, points)
        for one, points in context.store.search(words, replace(query, limit=max(rules.candidates, limit)))
    ]
    least = rules.min_score if min_score is None else min_score  # a zero is a zero (D16)
    rows = (_row(number, *one) for number, one in enumerate(found))
    hits = weighed(rows, words, now, weights=rules.weights.model_dump(), min_score=least)
    return [Found(found[hit.id][0], hit.score, hit.parts) for hit in hits if not hit.verdict][:limit]


def _row(number: int, memory: Memory, points: float) -> tuple[Any, ...]:
    said = " ".join((memory.text, memory.cue, *memory.keywords))
    updated, created = clock.seconds(memory.updated_at), clock.seconds(memory.created_at)
    return (
        number, points, memory.title, said, updated, memory.importance, memory.usage.hits, memory.confidence, created,
    )  # fmt: skip
