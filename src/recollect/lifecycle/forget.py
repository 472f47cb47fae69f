"""Garbage collection: files of memories retired longer than the grace period go (B30), and what has expired (D10)."""

from dataclasses import dataclass, field

from recollect.lifecycle import save, sync
from recollect.lifecycle.space import Space
from recollect.model.change import Purge
from recollect.model.clock import age_days
from recollect.model.query import Query
from recollect.policy import retention
from recollect.vault import views

EXPIRED = "Expired"


@dataclass(slots=True)
class Collection:
    """What garbage collection did."""

    deleted: list[tuple[str, int]] = field(default_factory=list)
    """Path and age in days."""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Path and why."""


def collect(space: Space) -> Collection:
    """Remove what is due; the store archives or purges as configured."""
    rules, found = space.config.forget, Collection()
    due = []
    for one in views.scan_files(space.vault, space.kinds, space.warn):
        if one.status != "retired":
            continue
        sync.take_in_file(space, one.path)
        stored = space.store.named(space.project, one.kind.name, one.path.rpartition("/")[2].removesuffix(".json"))
        if stored is None or sync.problem_at(space, one.path):
            found.skipped.append((one.path, "not a valid memory"))
            continue
        verdict = retention.is_due(stored.memory, rules.grace_days, space.clock())
        if verdict is None:
            word = "invalid" if stored.memory.closed_at else "missing"
            found.skipped.append((one.path, f"{word} retired_at timestamp"))
        elif verdict:
            due.append(stored.memory)
            found.deleted.append((one.path, int(age_days(stored.memory.closed_at, space.clock()) or 0)))
    changes = retention.plan_collection(due, rules.grace_days, archive=rules.archive_retired)
    if changes:
        save.commit(space, changes)
    return found


def expire(space: Space, project: str) -> int:
    """Erase what is past its time; it leaves no tombstone, so it may be learnt again (D10)."""
    now = space.clock().timestamp()
    due = [found.memory for found in space.store.find(Query(project, statuses=(), expired_at=now))]
    return len(save.commit_each(space, [Purge(memory.uid, EXPIRED, bury=False) for memory in due]))
