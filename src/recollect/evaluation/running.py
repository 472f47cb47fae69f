"""Asking every system every question, through the recall that hooks use."""

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from recollect.evaluation import measures
from recollect.evaluation.baselines import BASELINES, Baseline
from recollect.evaluation.datasets import Case, Question
from recollect.evaluation.measures import Answer
from recollect.jobs import reindex
from recollect.model.recall_values import RecallScope
from recollect.policy.ranking import ranks
from recollect.recall import question as recall_question
from recollect.recall import search
from recollect.store.protocols import Store
from recollect.store.reader import store_reader
from recollect.store.recall_source import RecallSource
from recollect.store.sqlite.store import SqliteStore

DATABASE = "memory.db"
LOOKED_AT = 10
"""Among how many of the first a superseded memory is a mistake."""
SESSION_DEPTH = 150
"""A session's score needs turns that nobody would be shown."""


class Found(NamedTuple):
    """One place of a ranking."""

    uid: str
    score: float
    is_held_back: bool = False
    sure: float | None = None
    """How certain it is that anything helps; None where the ranking does not ask itself."""


Ranking = Callable[[Question, int], list[Found]]


@dataclass(frozen=True, slots=True)
class Result:
    """One system's answer to one question of a case; where sessions are wanted, also which of them it found."""

    system: str
    case: str
    question: Question
    answer: Answer
    sessions: Answer | None = None


def count(cases: Sequence[Case], profiles: Sequence[str]) -> int:
    """How many results there will be."""
    return sum(len(case.questions) for case in cases) * (len(BASELINES) + len(profiles))


def run(cases: Sequence[Case], profiles: Sequence[str]) -> Iterator[Result]:
    """Every case in a store of its own, which is gone afterwards."""
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="recollect-eval-") as folder:
            path = Path(folder) / DATABASE
            _fill(path, case)
            yield from ask(path, case, profiles)


def _fill(path: Path, case: Case) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        with store.writing(durable=False):
            for memory in case.memories:
                store.put(memory, memory.revision())
        prepare(store)


def prepare(store: Store) -> None:
    """Make what recall compares, as the worker does."""
    reindex.run(store, lambda _: None)
    with store.writing(durable=False):
        store.sessions.renew_terms()


def ask(path: Path, case: Case, profiles: Sequence[str]) -> Iterator[Result]:
    """Every question to every system. They take turns, so that a noisy moment of the machine hits all of them."""
    tokens = {one.uid: ranks.tokens(f"{one.title}\n{one.text}") for one in case.memories}
    with contextlib.closing(store_reader.open_store(str(path))) as reader:
        source = reader.recall_source()
        systems = {name: _of_baseline(make(case.memories)) for name, make in BASELINES.items()}
        systems |= {name: profile_ranking(source, case.project, name) for name in profiles}
        for rank in systems.values():
            rank(case.questions[0], search.CONSIDERED)  # the first question pays for loading code: not counted
        for question in case.questions:
            for name, rank in systems.items():
                answer = _answer(rank, question, case, tokens)
                sessions = _sessions(rank, question, case) if case.has_sessions else None
                yield Result(name, case.name, question, answer, sessions)


def _of_baseline(search: Baseline) -> Ranking:
    return lambda question, limit: [Found(uid, score) for uid, score in search(question.text, limit)]


def profile_ranking(source: RecallSource, project: str, profile: str) -> Ranking:
    """Return the ranking of a profile, as hooks, commands and the library have it."""

    def rank(question: Question, limit: int) -> list[Found]:
        scope = RecallScope(project, question.now)
        wanted = recall_question.Question(question.text, scope, files=question.files, earlier=question.earlier)
        _, seen = search.find(source, wanted, profile, limit)
        return [Found(one.uid, one.score, bool(one.verdict), one.certainty or None) for one in seen]

    return rank


def _answer(rank: Ranking, question: Question, case: Case, tokens: Mapping[str, float]) -> Answer:
    start = time.perf_counter()
    found = rank(question, search.CONSIDERED)
    ms = 1_000 * (time.perf_counter() - start)
    first = found[: measures.SHOWN]
    shown = tuple(one.uid for one in first if not one.is_held_back)
    return Answer(
        ranked=tuple(one.uid for one in found),
        gold=question.gold,
        wants_nothing=question.wants_nothing,
        shown=shown,
        superseded=sum(one.uid in case.superseded for one in found[:LOOKED_AT]),
        tokens=sum(tokens[uid] for uid in shown),
        ms=ms,
        sure=tuple(one.sure for one in first if one.sure is not None),
    )


def _sessions(rank: Ranking, question: Question, case: Case) -> Answer:
    """The same question, asked for sessions."""
    session_of = {one.uid: one.session or "" for one in case.memories}
    hits = [(one.uid, one.score) for one in rank(question, SESSION_DEPTH)]
    gold = frozenset(session_of[uid] for uid in question.gold)
    return Answer(measures.best_sessions(hits, session_of), gold)
