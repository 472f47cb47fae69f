"""Find the memories that a question is about: the one recall of hooks, commands, library, memory tool and evaluation.

A profile is a module with a function `rank(source, question, limit)`: it returns the query terms and the candidates,
best first. Import-light: a hook loads the one profile that it uses.
"""

from recollect.lazy import load
from recollect.model.recall_values import EXPERIENCE, JUDGED, PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.found_memory import FoundMemory
    from recollect.recall.query_terms import QueryTerms
    from recollect.recall.question import Question
    from recollect.store.protocols.recall_source import RecallSource

MODULES = {name: f"recollect.recall.{name}" for name in PROFILES}
STAND_INS = {JUDGED: "hybrid"}
DEFAULT = "hybrid"
CONSIDERED = 30
"""How many candidates a recall considers unless told otherwise."""


class UnknownProfile(ValueError):
    """No ranking profile has this name."""


def find(
    source: "RecallSource", question: "Question", profile: str = DEFAULT, limit: int = CONSIDERED
) -> "tuple[QueryTerms, list[FoundMemory]]":
    """Return the query terms and at most `limit` memories, best first, each rated with its score and verdict.

    Raise UnknownProfile for a profile that does not exist.
    """
    profile = STAND_INS.get(profile, profile)
    if profile not in PROFILES:
        raise UnknownProfile(f"no recall profile is called {profile[:80]!r}; there are: {', '.join(sorted(PROFILES))}")
    terms, hits = load(MODULES[profile]).rank(source, question, limit)
    hits = [hit for hit in hits if hit.score > 0 or hit.evidence]  # a score is relative, evidence is not
    memories = source.memories(question.scope, [hit.id for hit in hits])
    rated = [memories[hit.id].rated(hit) for hit in hits if hit.id in memories]
    return terms, source.with_verdicts(question.scope, _without_echoes(source.with_links(question.scope, rated)))


def _without_echoes(found: "list[FoundMemory]") -> "list[FoundMemory]":
    """Leave out experiences whose source was found as well: they have its title."""
    titles = {memory.title for memory in found if memory.kind != EXPERIENCE}
    return [memory for memory in found if memory.kind != EXPERIENCE or memory.title not in titles]
