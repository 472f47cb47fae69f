"""Garbage collection: files of memories retired longer than the grace period go (B30), and what has expired (D10)."""

from dataclasses import dataclass, field

from recollect.model.change import Purge
from recollect.model.clock import age_days
from recollect.model.query import Query
from recollect.policy.memories import retention
from recollect.project_context import ProjectContext
from recollect.vault import views
from recollect.write import commit, vault_sync

EXPIRED = "Expired"


@dataclass(slots=True)
class Collection:
    """What garbage collection did."""

    deleted: list[tuple[str, int]] = field(default_factory=list)
    """Path and age in days."""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Path and why."""


def collect(context: ProjectContext) -> Collection:
    """Remove what is due; the store archives or purges as configured."""
    rules, found = context.config.forget, Collection()
    due = []
    for one in views.scan_files(context.vault, context.kinds, context.warn):
        if one.status != "retired":
            continue
        vault_sync.take_in_file(context, one.path)
        stored = context.store.named(context.project, one.kind.name, one.path.rpartition("/")[2].removesuffix(".json"))
        if stored is None or vault_sync.problem_at(context, one.path):
            found.skipped.append((one.path, "not a valid memory"))
            continue
        verdict = retention.is_due(stored.memory, rules.grace_days, context.clock())
        if verdict is None:
            word = "invalid" if stored.memory.closed_at else "missing"
            found.skipped.append((one.path, f"{word} retired_at timestamp"))
        elif verdict:
            due.append(stored.memory)
            found.deleted.append((one.path, int(age_days(stored.memory.closed_at, context.clock()) or 0)))
    changes = retention.plan_collection(due, rules.grace_days, archive=rules.archive_retired)
    if changes:
        commit.commit(context, changes)
    return found


def expire(context: ProjectContext, project: str) -> int:
    """Erase what is past its time; it leaves no tombstone, so it may be learnt again (D10)."""
    now = context.clock().timestamp()
    due = [found.memory for found in context.store.find(Query(project, statuses=(), expired_at=now))]
    return len(commit.commit_each(context, [Purge(memory.uid, EXPIRED, bury=False) for memory in due]))
