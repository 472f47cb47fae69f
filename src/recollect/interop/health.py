"""Counts and problems of a project's memories (B29)."""

from collections import Counter
from dataclasses import dataclass, field

from recollect.identity import projects
from recollect.jobs import fullness as fullness_job
from recollect.model import clock
from recollect.model.memory import Memory
from recollect.model.query import FactQuery, Query
from recollect.policy.memories import fullness
from recollect.project_context import ProjectContext
from recollect.vault import health as vault_health
from recollect.vault import views
from recollect.vault.health import HEAVY_REVISIONS, RECENT_DAYS, Agreement

GROWTH_DAYS = (1, 7, 30)
DAY = 86_400


@dataclass(slots=True)
class Health:
    """Counts, growth, often revised and lately retired memories, and whether files and index agree."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    growth: dict[int, int] = field(default_factory=dict)
    """The number of new memories, by the last so many days."""
    heavy: list[Memory] = field(default_factory=list)
    retired_lately: list[Memory] = field(default_factory=list)
    expired: int = 0
    facts: int = 0
    agreement: Agreement | None = None
    problems: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    """The limits of which 90 % or more is used, in words (C23)."""

    def total(self, status: str) -> int:
        """Return the number of memories with a status."""
        return sum(counts[status] for counts in self.counts.values())

    def issues(self) -> list[str]:
        """Return what needs attention, one sentence each."""
        found = list(self.problems)
        if self.agreement and not self.agreement.is_valid:
            found.append("index.md does not match the files: `recollect reconcile` renews it")
        if self.heavy:
            found.append(f"{len(self.heavy)} heavily revised memories: split or rewrite them")
        if self.expired:
            found.append(f"{self.expired} expired memories: `recollect gc` erases them")
        return found

    @property
    def verdict(self) -> str:
        """NEEDS ATTENTION or GOOD (B29)."""
        return "NEEDS ATTENTION" if self.issues() else "GOOD"


def examine(context: ProjectContext, problems: list[str]) -> Health:
    """Examine a project; `problems` are the files that a scan could not take in."""
    now, store = context.clock(), context.store
    alike = [
        f"{other.project} {other.why}: `recollect doctor` says how to join the two"
        for other in projects.lookalikes(store, context.project)
    ]
    found = Health(problems=[*problems, *alike])
    for count in store.census(context.project):
        found.counts.setdefault(count.kind, Counter())[count.status] += count.number
    for days in GROWTH_DAYS:
        since = now.timestamp() - days * DAY
        found.growth[days] = store.number(Query(context.project, statuses=(), created_since=since))
    found.expired = store.number(Query(context.project, statuses=(), expired_at=now.timestamp()))
    found.facts = len(store.facts.find(FactQuery(context.project)))
    for stored in store.find(Query(context.project, statuses=("active", "retired"))):
        memory = stored.memory
        age = clock.age_days(memory.closed_at, now)
        if memory.status == "active" and memory.times_revised > HEAVY_REVISIONS:
            found.heavy.append(memory)
        if memory.status == "retired" and age is not None and age <= RECENT_DAYS:
            found.retired_lately.append(memory)
    found.limits = [str(use) for use in fullness.nearly_reached(fullness_job.measure(context))]
    if context.vault.has_index:
        files = views.scan_files(context.vault, context.kinds, lambda _: None)
        found.agreement = vault_health.compare(context.vault, files)
    return found
