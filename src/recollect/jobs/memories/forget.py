"""The job `forget`: review the least used memories; archive what nobody misses, appreciate the others (A37-A40)."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.jobs import owed
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
    """Return the review that is due on the schedule: the candidates, and what was captured and nobody used since.

    What exceeds the share of a run is left to the next sessions, which review no candidates.
    """
    context, rules = work.project, work.config.forget
    if context is None:
        raise ValueError("the job needs an open project")
    rows, session = readable.rows(context, _everything(context)), session_counter.number(context)
    name = owed.key(owed.UNFINISHED, "forget", context.project)
    count = 0 if context.store.setting(name) else rules.candidates
    due, rest = forgetting.due(rows, session, min_age=rules.min_age, count=count, share=rules.share)

    def note() -> None:
        context.store.set_setting(name, str(session) if rest else None)

    return replace(_plan(rows, due, session), also=note)


def plan_of(context: ProjectContext, count: int) -> Plan:
    """Return the review of `count` candidates: each is archived or appreciated."""
    rows = readable.rows(context, _everything(context))
    return _plan(rows, _candidates(context, rows, count), session_counter.number(context))


def _plan(rows: Sequence[UpkeepRow], found: Sequence[Candidate], session: int) -> Plan:
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
