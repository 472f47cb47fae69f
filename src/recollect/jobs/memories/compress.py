"""The job `compress`: old memories that say nearly the same become one summary; its members are archived (D43, D44)."""

from collections.abc import Set as AbstractSet

from recollect.jobs.job import DAY_SECONDS, JobInput
from recollect.jobs.memories import readable
from recollect.jobs.plan import Plan, Step
from recollect.model.change import Assert, Change
from recollect.model.kinds import Kinds
from recollect.model.memory import PENDING, Memory
from recollect.model.query import TURNS, FactQuery, Query
from recollect.model.rows.upkeep_row import UpkeepRow
from recollect.model.verdict import STALE
from recollect.policy.upkeep import clusters, compressing
from recollect.project_context import ProjectContext

LEAST_ROOM, ROOM_SHARE = 20, 0.2
"""A run archives at most this share of a project's memories, and this many in a small one; the next run goes on."""
RECENT_DAYS = 30
"""A memory that was used within these days stays as it is."""
OBSERVATIONS = "observations"
COMPARED = "compared:"
"""The prefix of the settings that hold up to which time the memories of a project were compared."""


def plan(work: JobInput) -> Plan:
    """Return the summaries of the open project's old memories, the largest clusters first."""
    return plan_without(work, frozenset())


def plan_without(work: JobInput, left_out: AbstractSet[str]) -> Plan:
    """Return the summaries of memories without some, by uid, which another job of the same run puts away."""
    context = work.project
    if context is None:
        raise ValueError("the job needs an open project")
    query = Query(project=context.project, global_too=False, unexpired_at=work.now, no_kinds=TURNS)
    rows = [row for row in readable.rows(context, query) if row.uid not in left_out]
    min_age = context.config.consolidate.min_age_days
    oldest = work.now - min_age * DAY_SECONDS
    found = _found(context, [row for row in rows if _is_compressible(row, oldest, min_age)])
    chosen = _within(found, max(LEAST_ROOM, int(len(rows) * ROOM_SHARE)))
    steps = [step for cluster in chosen for step in _steps(context, cluster)]
    number = sum(len(cluster) for cluster in chosen)
    said = f"compressed {number:,} memories to {len(chosen):,}" if chosen else "nothing to do"

    def note() -> None:
        if len(chosen) == len(found):
            context.store.set_setting(COMPARED + context.project, str(oldest))

    return Plan(tuple(steps), said, len(rows), note)


def _found(context: ProjectContext, old: list[UpkeepRow]) -> list[list[UpkeepRow]]:
    """Return the clusters; after the first run only those around memories that became old enough since the last."""
    compared = _compared(context)
    if compared is not None:
        fresh = [row for row in old if _settled(row, context.config.consolidate.min_age_days) > compared]
        old = clusters.around(fresh, old) if fresh else []
    return _without_stale(context, clusters.clusters(old, families(context.kinds)))


def _without_stale(context: ProjectContext, found: list[list[UpkeepRow]]) -> list[list[UpkeepRow]]:
    """Return clusters without memories whose code is gone: in a summary they would make the others doubtful."""
    verdicts = context.store.verdicts.of([row.uid for cluster in found for row in cluster]) if found else {}
    stale = {uid for uid, checked in verdicts.items() if checked.verdict.state == STALE}
    kept = ([row for row in cluster if row.uid not in stale] for cluster in found)
    return [cluster for cluster in kept if len(cluster) >= clusters.FEWEST]


def _compared(context: ProjectContext) -> float | None:
    """Return up to which time all memories were compared with each other; None where they never were."""
    try:
        return float(context.store.setting(COMPARED + context.project) or "")
    except ValueError:
        return None


def families(kinds: Kinds) -> dict[str, str]:
    """Return the family of each kind that may be compressed: observations are one, other kinds are by themselves."""
    rows = [kind for kind in kinds.values() if kind.mergeable and kind.name not in TURNS]
    return {kind.name: OBSERVATIONS if kind.fleeting else kind.name for kind in rows}


def _is_compressible(row: UpkeepRow, oldest: float, min_age_days: float) -> bool:
    """Whether a memory is old enough, not used lately, not pinned, and certain: what is pending waits for a person."""
    return 0 < _settled(row, min_age_days) <= oldest and not row.pinned and PENDING not in row.tags.split("\n")


def _settled(row: UpkeepRow, min_age_days: float) -> float:
    """Return when a memory was last changed; a use counts as a change so much later that it bars RECENT_DAYS."""
    used = row.last_hit + (RECENT_DAYS - min_age_days) * DAY_SECONDS if row.last_hit else 0.0
    return max(row.created or 0.0, row.updated or 0.0, used)


def _within(found: list[list[UpkeepRow]], room: int) -> list[list[UpkeepRow]]:
    """Return the first clusters whose members are no more than `room`; at least one, so that a run gets on."""
    chosen: list[list[UpkeepRow]] = []
    for cluster in found:
        if not chosen or sum(map(len, chosen)) + len(cluster) <= room:
            chosen.append(cluster)
    return chosen


def _steps(context: ProjectContext, cluster: list[UpkeepRow]) -> list[Step]:
    """Return the steps that create the summary, archive the members, and let their facts come from the summary."""
    stored = [context.store.get(row.uid) for row in cluster]
    members = [found.memory for found in stored if found and found.memory.status == "active"]
    if len(members) < clusters.FEWEST:
        return []
    create, *archives = compressing.plan(members, context.clock())
    summary: Memory = create.memory  # type: ignore[union-attr]
    name, why = f"{summary.kind}/{summary.slug}", f"{len(members)} memories say nearly the same"
    steps = [Step(create, name, summary.title, why, preview=summary.text, after=summary.importance)]
    for member, change in zip(members, archives, strict=True):
        steps.append(Step(change, f"{member.kind}/{member.slug}", member.title, f"its sentences are in {summary.slug}"))
    return [*steps, *(_fact_step(change, summary) for change in _facts(context, members, summary))]


def _facts(context: ProjectContext, members: list[Memory], summary: Memory) -> list[Change]:
    """Return the changes that let the members' facts come from the summary."""
    uids = {member.uid for member in members}
    known = context.store.facts.find(FactQuery(project=summary.project))
    return [Assert(fact.model_copy(update={"source": summary.uid})) for fact in known if fact.source in uids]


def _fact_step(change: Change, summary: Memory) -> Step:
    return Step(change, "fact", "", f"comes from {summary.slug} now")
