"""Merge old memories into summaries (D17)."""

import contextlib
from dataclasses import dataclass
from datetime import timedelta

from recollect.errors import NotFound, Refused
from recollect.model.query import Query
from recollect.policy.memories import merging
from recollect.project_context import ProjectContext
from recollect.write import commit

TRIES = 5


@dataclass(frozen=True, slots=True)
class Summarised:
    """How many categories and memories were summarised, and how many summaries were made (D17)."""

    categories: int = 0
    memories: int = 0
    summaries: int = 0


def summarize_old(context: ProjectContext, days: float, project: str, *, users_too: bool = True) -> Summarised:
    """Merge and archive, per kind and category, more than five memories that nobody changed for `days`.

    Where another process changed one of them meanwhile, the plan is made anew. Without `users_too`, what the user said
    stays as it is.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(Refused, NotFound):
            return _summarize(context, days, project, users_too=users_too)
    return _summarize(context, days, project, users_too=users_too)


def _summarize(context: ProjectContext, days: float, project: str, *, users_too: bool) -> Summarised:
    now = context.clock()
    kinds = tuple(kind.name for kind in context.kinds.values() if kind.mergeable)
    query = Query(project, kinds, global_too=False, unexpired_at=now.timestamp(), oldest_first=True)
    found = [stored.memory for stored in context.store.find(query)]
    memories = found if users_too else [memory for memory in found if memory.origin != "user"]
    groups = merging.groups(memories, (now - timedelta(days=days)).timestamp())
    changes = [change for group in groups for change in merging.plan(group, now)]
    if changes:
        commit.commit(context, changes)
    return Summarised(len(groups), sum(map(len, groups)), len(groups))
