"""What is measured in a simulated year: how many memories are active, and how well they are found."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from recollect.evaluation import running
from recollect.evaluation.datasets import Question
from recollect.evaluation.year.scenario import PROJECTS
from recollect.jobs import reindex
from recollect.library.workspace import Workspace
from recollect.model.clock import seconds
from recollect.model.memory import Memory
from recollect.recall import search

DEPTH = 5
RECENT_SECONDS = 30 * 86_400.0
"""A memory that was told within this time counts as recently used."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The state of the store on a day of the year."""

    day: int
    active: int
    """Active memories of all projects: without turns, expired ones, and duplicates by digest."""
    recall: float
    """Recall@5 of the questions whose answers have been learnt by then, 0 to 1; 0 before the first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a year came to."""

    samples: tuple[Sample, ...]
    by_kind: dict[str, int]
    """The active memories at the end, by kind."""
    over_cap: dict[str, int]
    """Kinds of which a project has more active memories than its cap, with their number."""
    lost_pins: int
    """Pinned memories that are not active at the end."""
    recently_used: int
    """Memories that were told in the last 30 days."""
    lost_recent: int
    """Those of them that upkeep closed."""
    superseded_shown: int
    """Memories that were taken back and are found all the same, over all questions."""
    undo_restores: bool | None = None
    """Whether `undo` after each job brought back every memory and file, byte for byte; None where no job ran."""

    @property
    def active(self) -> int:
        """The active memories at the end."""
        return self.samples[-1].active

    @property
    def recall(self) -> float:
        """Recall@5 at the end."""
        return self.samples[-1].recall

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        return asdict(self)


def index(workspaces: Mapping[str, Workspace]) -> None:
    """Build what is missing in the search index, which all projects share."""
    reindex.run(workspaces[PROJECTS[0]].project_context.store, lambda _: None)


def sample(day: int, workspaces: Mapping[str, Workspace], questions: Sequence[Question]) -> Sample:
    """Measure the store as it is on a day; the search index is built first."""
    index(workspaces)
    active = sum(len(distinct(workspace.list())) for workspace in workspaces.values())
    return Sample(day, active, _recall(workspaces[PROJECTS[0]], questions))


def distinct(memories: Sequence[Memory]) -> dict[str, Memory]:
    """Return memories by their digests: the same text counts once."""
    return {memory.digest: memory for memory in memories}


def _recall(workspace: Workspace, questions: Sequence[Question]) -> float:
    """Return the share of learnt answers among the first five; a summary answers for what it was made of."""
    known = _answers(workspace)
    asked = [question for question in questions if question.gold & known.keys()]
    scores = []
    for question, found in _ranked(workspace, asked):
        gold = question.gold & known.keys()
        scores.append(len(gold & {part for uid in found[:DEPTH] for part in known.get(uid, ())}) / len(gold))
    return fmean(scores) if scores else 0.0


def _answers(workspace: Workspace) -> dict[str, frozenset[str]]:
    """Return for each memory, whatever its status, the memories whose content it has: itself and its sources."""
    every = workspace.list(statuses=("active", "retired", "archived"))
    return {memory.uid: frozenset([memory.uid, *memory.derived_from]) for memory in every}


def _ranked(workspace: Workspace, questions: Sequence[Question]) -> list[tuple[Question, list[str]]]:
    """Return each question that has an answer with the memories found for it, best first."""
    context = workspace.project_context
    now = context.clock().timestamp()
    with context.store.recall_source() as source:
        rank = running.profile_ranking(source, workspace.project, "hybrid")
        asked = [question for question in questions if question.gold]
        return [
            (question, [hit.uid for hit in rank(_asked_at(question, now), search.CONSIDERED)]) for question in asked
        ]


def _asked_at(question: Question, now: float) -> Question:
    return Question(
        question.id, question.text, question.gold, question.group, now, question.files, question.earlier, question.half
    )


def final(
    samples: Sequence[Sample], workspaces: Mapping[str, Workspace], questions: Sequence[Question], *,
    pinned: set[str], superseded: set[str],
) -> Figures:  # fmt: skip
    """Return the figures of a year that has ended."""
    every = {name: workspace.list(statuses=("active", "retired", "archived")) for name, workspace in workspaces.items()}
    memories = [memory for listed in every.values() for memory in listed]
    active = {memory.uid for memory in memories if memory.status == "active"}
    now = workspaces[PROJECTS[0]].project_context.clock().timestamp()
    recent = [memory for memory in memories if now - (seconds(memory.usage.last_hit_at) or 0.0) < RECENT_SECONDS]
    found = {uid for _, uids in _ranked(workspaces[PROJECTS[0]], questions) for uid in uids[: running.SUPERSEDED_CUT]}
    return Figures(
        samples=tuple(samples),
        by_kind=_by_kind([memory for memory in memories if memory.uid in active]),
        over_cap=_over_cap(workspaces),
        lost_pins=len(pinned - active),
        recently_used=len(recent),
        lost_recent=sum(memory.status == "archived" for memory in recent),
        superseded_shown=len(superseded & found),
    )


def _by_kind(memories: Sequence[Memory]) -> dict[str, int]:
    kinds = [memory.kind for memory in distinct(memories).values()]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


def _over_cap(workspaces: Mapping[str, Workspace]) -> dict[str, int]:
    """Return the kinds of which a project has more active memories than its settings allow."""
    over = {}
    for name, workspace in workspaces.items():
        cap = workspace.project_context.config.save.max_per_kind
        for kind, number in _by_kind(workspace.list()).items():
            if workspace.kinds[kind].capped and number > cap:
                over[f"{name}: {kind}"] = number
    return over
