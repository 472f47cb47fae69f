"""The library's verbs on facts: subject, predicate, object."""

from recollect.library.memories import NO_REASON
from recollect.model.change import Assert, Retract
from recollect.model.fact import Fact
from recollect.model.query import FactQuery
from recollect.opening.open_project import OpenProject
from recollect.policy.memories import compose
from recollect.write import commit
from recollect.write.outcome import Outcome


class FactVerbs(OpenProject):
    """State, find and retract facts."""

    def add_fact(
        self, subject: str, predicate: str, object: str, *, confidence: float = 1.0, source: str | None = None
    ) -> Outcome:
        """State a fact; stating the same one again updates its confidence. `source` names the memory it is from."""
        uid = self.find(source).memory.uid if source else None
        fact = compose.fact(
            subject, predicate, object, moment=self._context.clock(), project=self.project, confidence=confidence,
            source=uid,
        )  # fmt: skip
        return commit.commit(self._context, [Assert(fact)])[0]

    def facts(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        min_confidence: float = 0.0,
        limit: int | None = None,
    ) -> list[Fact]:
        """Return the facts whose named parts are equal, newest first."""
        query = FactQuery(self.project, subject, predicate, object, min_confidence, limit)
        return self._context.store.facts.find(query)

    def remove_fact(self, uid: str, reason: str = NO_REASON) -> Outcome:
        """Remove a fact; `undo` states it again."""
        return commit.commit(self._context, [Retract(uid, reason)])[0]
