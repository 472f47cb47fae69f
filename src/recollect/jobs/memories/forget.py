"""The job `forget`: review the least used memories; archive what nobody misses, appreciate the others (A37-A40)."""

from recollect.jobs.job import JobInput
from recollect.jobs.memories import readable
from recollect.jobs.plan import Plan, Step
from recollect.model.change import Archive, Weigh
from recollect.model.query import TURNS, Query
from recollect.model.rows.upkeep_row import UpkeepRow
from recollect.policy.upkeep import forgetting
from recollect.policy.upkeep.forgetting import Candidate
from recollect.project_context import ProjectContext
from recollect.write import session_counter

REASON = "Forgotten in session {session}: score {score:.4f}, used {hits} times"


def plan(work: JobInput) -> Plan:
    """Return the review of as many candidates as the setting says."""
    if work.project is None:
        raise ValueError("the job needs an open project")
    return plan_of(work.project, work.config.forget.candidates)


def plan_of(context: ProjectContext, count: int) -> Plan:
    """Return the review of `count` candidates: each is archived or appreciated."""
    rows = readable.rows(context, _everything(context))
    found = _candidates(context, rows, count)
    session = session_counter.number(context)
    steps = tuple(_step(candidate, session) for candidate in found)
    gone = sum(candidate.is_forgotten for candidate in found)
    said = f"archived {gone}, appreciated {len(found) - gone} of {len(found)} candidates" if found else "no candidates"
    return Plan(steps, said, len(rows))


def candidates(context: ProjectContext, count: int) -> list[Candidate]:
    """Return the memories that would be reviewed, the lowest score first."""
    return _candidates(context, readable.rows(context, _everything(context)), count)


def _everything(context: ProjectContext) -> Query:
    return Query(project=context.project, global_too=False, no_kinds=TURNS)


def _candidates(context: ProjectContext, rows: list[UpkeepRow], count: int) -> list[Candidate]:
    rules = context.config.forget
    return forgetting.candidates(rows, session_counter.number(context), min_age=rules.min_age, count=count)


def _step(candidate: Candidate, session: int) -> Step:
    row, score = candidate.row, candidate.score
    if candidate.is_forgotten:
        reason = REASON.format(session=session, score=score, hits=row.hits)
        return Step(Archive(row.uid, reason), row.name, row.title, reason, score)
    why = "a strong rule of yours" if candidate.is_strong_rule else f"score {score:.4f} is high enough"
    return Step(Weigh(row.uid, appreciate=1), row.name, row.title, f"kept: {why}", score, score + 1)
