"""Garbage collection on request: erase expired memories (D10), remove files of long retired ones (B30)."""

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
    """The path of each file that was removed, and the days since its memory was retired."""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """The path of each file that was left alone, and why."""


def collect(context: ProjectContext) -> Collection:
    """Remove the files of memories retired longer than `forget.grace_days`; the store archives or purges them."""
    rules, found = context.config.forget, Collection()
    due = []
    for file in views.scan_files(context.vault, context.kinds, context.warn):
        if file.status != "retired":
            continue
        vault_sync.take_in_file(context, file.path)
        slug = file.path.rpartition("/")[2].removesuffix(".json")
        stored = context.store.named(context.project, file.kind.name, slug)
        if stored is None or vault_sync.problem_at(context, file.path):
            found.skipped.append((file.path, "not a valid memory"))
            continue
        verdict = retention.is_due(stored.memory, rules.grace_days, context.clock())
        if verdict is None:
            word = "invalid" if stored.memory.closed_at else "missing"
            found.skipped.append((file.path, f"{word} retired_at timestamp"))
        elif verdict:
            due.append(stored.memory)
            found.deleted.append((file.path, int(age_days(stored.memory.closed_at, context.clock()) or 0)))
    changes = retention.plan_collection(due, rules.grace_days, archive=rules.archive_retired)
    if changes:
        commit.commit(context, changes)
    return found


def expire(context: ProjectContext, project: str) -> int:
    """Erase the expired memories of a project, without tombstones, so that they may be learnt again (D10).

    Return how many were erased.
    """
    now = context.clock()
    found = context.store.find(Query(project, statuses=(), expired_at=now.timestamp()))
    due = [stored.memory for stored in found if retention.has_expired(stored.memory, now)]
    return len(commit.commit_each(context, [Purge(memory.uid, EXPIRED, bury=False) for memory in due]))
