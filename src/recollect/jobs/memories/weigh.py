"""The job `weigh`: used memories become more important, unused ones less; old observations are archived (D40-D42)."""

from collections import Counter
from datetime import date

from recollect.jobs.job import JobInput
from recollect.jobs.memories import readable
from recollect.jobs.plan import Plan, Step, joined
from recollect.model.change import Archive, Reweigh
from recollect.model.query import Query
from recollect.policy.upkeep import weighing
from recollect.policy.upkeep.weighing import Rules, Weighed
from recollect.project_context import ProjectContext

WEIGHED = "weighed:"
"""The prefix of the settings that hold the day on which a project was last weighed."""
REASON = "Unused for {days} days, importance {importance:.2f}"


def plan(work: JobInput) -> Plan:
    """Return what weighing changes in the open project and among the global memories."""
    context = work.project
    if context is None:
        raise ValueError("the job needs an open project")
    return joined(_plan(context, project) for project in dict.fromkeys((context.project, "global")))


def _plan(context: ProjectContext, project: str) -> Plan:
    rows = readable.rows(context, Query(project=project, global_too=False))
    accesses = context.store.unweighed(project)
    rules = _rules(context, project)
    changed = weighing.weigh(rows, Counter(uid for uid, _ in accesses), rules)

    def note() -> None:
        context.store.set_weighed(accesses)
        context.store.set_setting(WEIGHED + project, context.clock().date().isoformat())

    steps = tuple(step for one in changed for step in _steps(one))
    return Plan(steps, _result(changed), len(rows), note)


def _rules(context: ProjectContext, project: str) -> Rules:
    kinds = context.kinds.values()
    return Rules(
        today=weighing.day_of(context.clock().date()),
        weighed_on=_weighed_on(context, project),
        rate=context.config.forget.decay_rate,
        protected={kind.name for kind in kinds if kind.protected},
        observations={kind.name for kind in kinds if kind.fleeting},
    )


def _weighed_on(context: ProjectContext, project: str) -> int | None:
    try:
        return weighing.day_of(date.fromisoformat(context.store.setting(WEIGHED + project) or ""))
    except ValueError:
        return None


def _steps(one: Weighed) -> list[Step]:
    """Return the step that sets a memory's importance, and the one that archives it where it is put away."""
    row, before, after = one.row, one.row.importance, one.importance
    why = f"used in {one.uses} sessions" if one.uses > 1 else "used in a session" if one.uses else ""
    why = why or f"unused for {one.idle_days} days"
    steps = []
    if after != before:
        steps.append(Step(Reweigh(row.uid, before, after), row.name, row.title, why, before, after))
    if one.is_put_away:
        reason = REASON.format(days=one.idle_days, importance=after)
        steps.append(Step(Archive(row.uid, reason), row.name, row.title, reason, before, after))
    return steps


def _result(changed: list[Weighed]) -> str:
    up = sum(one.importance > one.row.importance for one in changed)
    down = sum(one.importance < one.row.importance for one in changed)
    away = sum(one.is_put_away for one in changed)
    said = [f"{up:,} up" if up else "", f"{down:,} down" if down else "", f"{away:,} archived" if away else ""]
    return "importance: " + ", ".join(part for part in said if part) if changed else "nothing to do"
