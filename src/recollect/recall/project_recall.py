"""Recall in an open project: the one recall, with whole memories as its result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.config import Config
from recollect.errors import BadInput
from recollect.model.memory import Memory
from recollect.model.query import Query
from recollect.model.recall_values import DESCRIBED, EXPERIENCE, JUDGED, PROFILES, RecallScope
from recollect.policy.ranking import telling
from recollect.project_context import ProjectContext
from recollect.recall import hashed, scored, search
from recollect.recall.question import Question
from recollect.store.hook_reader.links import REPLACED

FLOORS = (telling.TOO_LITTLE, telling.NOTHING_NAMED)
"""The verdicts of a request that a question would not have."""


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A memory that a question is about, with its rating."""

    memory: Memory
    score: float
    parts: Mapping[str, float]
    """The parts of the score, by name."""
    certainty: float = 0.0
    matched: tuple[str, ...] = ()
    """The words of the question that it matches; one that only a similar word matches begins with `~`."""
    notes: tuple[str, ...] = ()
    """Lines about linked memories and code: what held before, exceptions, what is gone or moved."""
    code_state: str = ""
    """FRESH, MOVED, STALE or UNVERIFIABLE; empty where it names no code, or was not checked on this branch."""
    verdict: str = ""
    """Why a hook would not inject the memory; empty if it would."""


def find(
    context: ProjectContext, text: str, scope: RecallScope, *, profile: str | None, limit: int, **settings: Any,
) -> list[RecalledMemory]:  # fmt: skip
    """Return the memories that a text is about, best first; raise BadInput for a profile that does not exist.

    `settings` replace those of the project for this recall.
    """
    question = Question(text, scope, settings=recall_settings(context.config) | settings)
    chosen = profile or context.config.recall.profile
    try:
        with context.store.recall_source() as source:
            _, found = search.find(source, question, chosen, limit)
    except search.UnknownProfile as error:
        fix = f"Use one of: {', '.join((*PROFILES, JUDGED))}."
        raise BadInput(f"no recall profile is called {chosen!r}", target="profile", fix=fix) from error
    kept = ((hit, context.store.get(hit.uid)) for hit in found if hit.verdict != REPLACED)
    return [
        RecalledMemory(
            stored.memory,
            hit.score,
            hit.parts,
            hit.certainty,
            tuple(hit.matched),
            tuple(hit.notes),
            hit.code_state,
            hit.verdict,
        )
        for hit, stored in kept
        if stored
    ]


def experiences(context: ProjectContext, text: str, limit: int) -> list[RecalledMemory]:
    """Return at most `limit` past experiences that a text is about, best first (C21).

    Who asks for experiences asks a question: the floors are those of a question, so that nothing unrelated is found.
    """
    scope = project_scope(context, Query(statuses=(), kinds=(EXPERIENCE,)))
    found = find(context, text, scope, profile="hybrid", limit=max(limit, search.CONSIDERED))
    return [hit for hit in found if not hit.verdict or _is_asked_for(hit)][:limit]


def _is_asked_for(hit: RecalledMemory) -> bool:
    least = telling.FLOORS["question"].certainty
    return bool(hit.matched) and hit.certainty >= least and hit.verdict in FLOORS


def recall_settings(config: Config) -> dict[str, object]:
    """Return the settings of the profiles keyword, scored and hashed, by full name."""
    rules = config.recall
    weights = {f"{scored.WEIGHT}{name}": value for name, value in rules.weights.model_dump().items()}
    described = {f"{DESCRIBED}{kind}": says for kind, says in rules.descriptions.items()}
    plain = {scored.MIN_SCORE: rules.min_score, scored.CANDIDATES: rules.candidates}
    return {**plain, hashed.MAX_VECTORS: config.log.max_vectors, **weights, **described}


def project_scope(context: ProjectContext, query: Query, project: str | None = None) -> RecallScope:
    """Return the scope of a listing's filters in a project, this one unless another is named."""
    filters = query if query != Query(statuses=()) else None
    branch = context.checkout.branch_or_commit
    return RecallScope(project or context.project, context.clock().timestamp(), filters=filters, branch=branch)
