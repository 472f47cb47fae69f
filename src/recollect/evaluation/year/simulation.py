"""Play a simulated year in a temporary home: each session asks, learns and ends; the jobs of upkeep run or do not."""

import contextlib
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.evaluation import datasets, playground
from recollect.evaluation.year import figures, relearning, scenario, undoing
from recollect.evaluation.year.figures import Figures
from recollect.evaluation.year.material import Lessons
from recollect.evaluation.year.scenario import DAY_SECONDS, PROJECTS, PlannedSession
from recollect.library.workspace import Workspace
from recollect.model import text
from recollect.model.change import Create, Retire
from recollect.model.clock import seconds
from recollect.model.memory import Memory
from recollect.opening.open_checkout import open_checkout
from recollect.pipeline import inbox_processor
from recollect.pipeline.batch import Batch
from recollect.project.checkout import find_checkout
from recollect.write import admission, commit

SAMPLE_DAYS = 18
"""The store is measured each time that so many days have passed: twenty times in a year."""
INDEX_DAYS = 3
"""The search index is built each time that so many days have passed, as a worker would."""
LEARNT_SHARE = 0.75
"""The part of the year over which the memories of `coding` arrive."""
SENTENCE_CHARS = 20
_NUMBER = re.compile(r"\d+")
UNCHECKED = {"RECOLLECT_VALIDATION__ENABLED": "off"}
"""Nothing is compared with code: the projects of the year have none."""
Tick = Callable[[int], None]


class SimulatedClock:
    """A clock that stands where the year has come to."""

    def __init__(self) -> None:
        self.seconds = playground.START_SECONDS

    def __call__(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(self.seconds, UTC)

    @property
    def stamp(self) -> str:
        """The time as ISO 8601."""
        return playground.stamp(self.seconds)


@dataclass(slots=True)
class Year:
    """A year under way: its projects, and what sessions did so far."""

    lessons: Sequence[Lessons]
    workspaces: Mapping[str, Workspace]
    clock: SimulatedClock
    env: Mapping[str, str]
    days: int
    is_upkept: bool
    waiting: list[Memory]
    """The memories of `coding` that are still to be learnt, the last one first."""
    prompts: Sequence[str]
    """The prompts of sessions in the first project: those of the half of `coding` that is not measured."""
    number: int = 0
    """How many memories `coding` has."""
    superseded: set[str] = field(default_factory=set)
    """The memories that a session took back."""
    pinned: set[str] = field(default_factory=set)

    def play(self, session: PlannedSession) -> None:
        """Let a session happen: prompts, what it learns, its end, and the jobs that are due then."""
        self.clock.seconds = playground.START_SECONDS + session.at
        workspace, rng = self.workspaces[session.project], random.Random(session.seed)  # noqa: S311
        lessons = self.lessons[session.source]
        workspace.observe(
            {"event": "PromptSubmitted", "session": session.name, "prompt": self._asked(session, lessons, rng)}
        )
        self._learn(workspace, session, lessons, rng)
        if session.project == PROJECTS[0]:
            self._learn_coding(workspace)
        workspace.observe({"event": "SessionEnded", "session": session.name})
        if self.is_upkept:
            inbox_processor.run_jobs_after_draining(env={**self.env, "RECOLLECT_NOW": self.clock.stamp})

    def undo_restores(self) -> bool | None:
        """Whether `undo` takes back each job of the project that keeps files, a month later."""
        self.clock.seconds += 30 * DAY_SECONDS
        return undoing.restores(self.workspaces[PROJECTS[1]])

    def _asked(self, session: PlannedSession, lessons: Lessons, rng: random.Random) -> str:
        return rng.choice(self.prompts if session.project == PROJECTS[0] else lessons.prompts)

    def _learn(self, workspace: Workspace, session: PlannedSession, lessons: Lessons, rng: random.Random) -> None:
        """File what a session learns; now and then it takes an older decision back, and a person pins a memory."""
        batch = Batch(workspace.project_context)
        made = [
            _lesson(memory, session, place, workspace.project, self.clock)
            for place, memory in enumerate(lessons.memories)
        ]
        uids = [uid for memory in made if (uid := relearning.file(batch, memory))]
        old = _decision_to_reverse(workspace, rng, batch) if session.reverses else None
        if old:
            batch.changes.append(Retire(old.uid, "Superseded in a later session"))
        taken_back = {change.uid for change in batch.changes if isinstance(change, Retire)}
        self.superseded |= taken_back
        self.pinned -= taken_back
        if batch.changes:
            commit.commit(workspace.project_context, batch.changes)
        if uids and rng.random() < scenario.PINNED * len(made):
            workspace.pin(uids[0])
            self.pinned.add(uids[0])

    def _learn_coding(self, workspace: Workspace) -> None:
        """File the memories of `coding` whose time has come: they arrive evenly over the first part of the year."""
        elapsed = (self.clock.seconds - playground.START_SECONDS) / DAY_SECONDS
        left = self.number * max(0.0, 1 - elapsed / (self.days * LEARNT_SHARE))
        changes = []
        while len(self.waiting) > left:
            memory, now = self.waiting.pop(), self.clock.stamp
            end = self._expiry(workspace, memory)
            made = memory.having(project=workspace.project, created_at=now, updated_at=now, expires_at=end)
            begun = admission.with_first_session(workspace.project_context, made)
            changes.append(Create(begun, exact=True))
        if changes:
            commit.commit(workspace.project_context, changes)

    def _expiry(self, workspace: Workspace, memory: Memory) -> str | None:
        """Return when a memory of `coding` expires: an observation as one that is captured now, others never."""
        days = workspace.project_context.config.capture.ttl_days
        is_expiring = workspace.kinds[memory.kind].fleeting and days
        return playground.stamp(self.clock.seconds + days * DAY_SECONDS) if is_expiring else None


def _lesson(memory: Memory, session: PlannedSession, place: int, project: str, clock: SimulatedClock) -> Memory:
    """Return a memory of a shipped session as this session words it, made now."""
    content = _worded(memory.content.model_dump(), session, place)
    return memory.having(
        uid=text.new_uid(clock()), project=project, session=session.name,
        title=text.cut(scenario.worded(memory.title, session, place), text.TITLE_CHARS),
        content=type(memory.content).model_validate(content),
        created_at=clock.stamp, updated_at=clock.stamp, expires_at=_moved_expiry(memory, clock),
        derived_from=(), links=(), keywords=tuple(_signature(said, session, place) for said in memory.keywords),
    )  # fmt: skip


def _signature(said: str, session: PlannedSession, place: int) -> str:
    """Return the signature of an error as a session meets it: numbers make no difference, something new does."""
    return _NUMBER.sub("#", scenario.worded(said, session, place))


def _worded(value: Any, session: PlannedSession, place: int) -> Any:  # noqa: ANN401 - any part of a content
    """Return the fields of a content in the words of a session; labels and other short values stay."""
    if isinstance(value, str):
        return scenario.worded(value, session, place) if len(value) >= SENTENCE_CHARS else value
    if isinstance(value, dict):
        return {name: _worded(part, session, place) for name, part in value.items()}
    return [_worded(part, session, place) for part in value] if isinstance(value, list | tuple) else value


def _moved_expiry(memory: Memory, clock: SimulatedClock) -> str | None:
    """Return when the copy of a memory expires: as long after now as the memory did after its creation."""
    made, end = seconds(memory.created_at), seconds(memory.expires_at)
    return playground.stamp(clock.seconds + end - made) if made is not None and end is not None else None


def _decision_to_reverse(workspace: Workspace, rng: random.Random, batch: Batch) -> Memory | None:
    """Return a decision that the session takes back, none of those that it learns; None where there are few."""
    learnt = {memory.uid for memory in batch.changed_memories("decision")}
    known = [memory for memory in workspace.list(kinds=["decision"]) if not memory.usage.pinned]
    known = [memory for memory in known if memory.uid not in learnt]
    return rng.choice(known) if len(known) >= scenario.FEWEST_TO_REVERSE else None


def run(
    lessons: Sequence[Lessons], *, seed: int, days: int, is_upkept: bool, tick: Tick = lambda _: None
) -> Figures:  # fmt: skip
    """Play the year of a seed, and return what was measured; `tick` is called after each session."""
    with _opened(lessons, days, is_upkept=is_upkept) as year:
        case = next(datasets.coding(half="tune"))
        samples, indexed = [figures.sample(0, year.workspaces, case.questions)], 0
        for session in scenario.plan(seed, days, len(lessons)):
            if session.day // SAMPLE_DAYS > samples[-1].day // SAMPLE_DAYS:
                samples.append(figures.sample(session.day, year.workspaces, case.questions))
            if session.day // INDEX_DAYS > indexed // INDEX_DAYS:
                figures.index(year.workspaces)
                indexed = session.day
            year.play(session)
            tick(1)
        samples.append(figures.sample(days, year.workspaces, case.questions))
        found = figures.final(samples, year.workspaces, case.questions, pinned=year.pinned, superseded=year.superseded)
        return replace(found, undo_restores=year.undo_restores()) if is_upkept else found


@contextlib.contextmanager
def _opened(lessons: Sequence[Lessons], days: int, *, is_upkept: bool) -> Iterator[Year]:
    """Yield a year at its beginning, in a temporary home; the second project keeps its memories as files too."""
    case, clock = next(datasets.coding()), SimulatedClock()
    with tempfile.TemporaryDirectory(prefix="recollect-year-") as folder, contextlib.ExitStack() as stack:
        env = playground.environment(Path(folder), vectors=False) | UNCHECKED
        opened = {name: stack.enter_context(_open(Path(folder) / name, env, clock)) for name in PROJECTS}
        opened[PROJECTS[1]].init()
        waiting = sorted(case.memories, key=lambda memory: memory.created_at, reverse=True)
        prompts = [question.text for question in case.questions if question.half == "test"]
        yield Year(lessons, opened, clock, env, days, is_upkept, waiting, prompts, number=len(waiting))


def _open(root: Path, env: Mapping[str, str], clock: SimulatedClock) -> Workspace:
    root.mkdir()
    return open_checkout(
        find_checkout(root), Workspace, folder=root, env=env, now=clock, actor="eval", warn=lambda _: None
    )
