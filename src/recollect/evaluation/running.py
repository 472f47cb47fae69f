"""Ask every question of every system; the profiles go through the same recall as hooks."""

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
from recollect.store.hook_reader import store_reader
from recollect.store.protocols import Store
from recollect.store.protocols.recall_source import RecallSource
from recollect.store.sqlite.store import SqliteStore

DATABASE = "memory.db"
SUPERSEDED_CUT = 10
"""Superseded memories are counted among this many first results."""
SESSION_DEPTH = 150
"""Results per question for ranking sessions, which needs more memories than are ever shown."""


class RankedMemory(NamedTuple):
    """A memory in a ranking."""

    uid: str
    score: float
    is_held_back: bool = False
    """Whether it would not be injected."""
    sure: float | None = None
    """The certainty that any memory helps, 0 to 1; None if the ranking does not estimate it."""


Ranking = Callable[[Question, int], list[RankedMemory]]


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of one system to one question; for cases with sessions, also the ranking of sessions."""

    system: str
    case: str
    question: Question
    answer: Answer
    sessions: Answer | None = None


def count(cases: Sequence[Case], profiles: Sequence[str]) -> int:
    """Return the number of results that `run` yields."""
    return sum(len(case.questions) for case in cases) * (len(BASELINES) + len(profiles))


def run(cases: Sequence[Case], profiles: Sequence[str]) -> Iterator[Result]:
    """Yield the results of all cases; each case has a temporary store, which is removed afterwards."""
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
    """Build search vectors and term statistics, as the worker does."""
    reindex.run(store, lambda _: None)
    with store.writing(durable=False):
        store.search_index.renew_term_statistics()


def ask(path: Path, case: Case, profiles: Sequence[str]) -> Iterator[Result]:
    """Yield the answer of every system to every question; the systems take turns, so that their times compare."""
    tokens = {memory.uid: ranks.tokens(f"{memory.title}\n{memory.text}") for memory in case.memories}
    with contextlib.closing(store_reader.open_store(str(path))) as reader:
        source = reader.recall_source()
        systems = {name: _baseline_ranking(make(case.memories)) for name, make in BASELINES.items()}
        systems |= {name: profile_ranking(source, case.project, name) for name in profiles}
        for rank in systems.values():
            rank(case.questions[0], search.CONSIDERED)  # imports code, so that it does not count in the times
        for question in case.questions:
            for name, rank in systems.items():
                answer = _answer(rank, question, case, tokens)
                sessions = _sessions(rank, question, case) if case.has_sessions else None
                yield Result(name, case.name, question, answer, sessions)


def _baseline_ranking(search: Baseline) -> Ranking:
    return lambda question, limit: [RankedMemory(uid, score) for uid, score in search(question.text, limit)]


def profile_ranking(source: RecallSource, project: str, profile: str) -> Ranking:
    """Return the ranking of a profile, as hooks, commands and the library have it."""

    def rank(question: Question, limit: int) -> list[RankedMemory]:
        scope = RecallScope(project, question.now)
        wanted = recall_question.Question(question.text, scope, files=question.files, earlier=question.earlier)
        _, found = search.find(source, wanted, profile, limit)
        return [
            RankedMemory(memory.uid, memory.score, bool(memory.verdict), memory.certainty or None) for memory in found
        ]

    return rank


def _answer(rank: Ranking, question: Question, case: Case, tokens: Mapping[str, float]) -> Answer:
    start = time.perf_counter()
    found = rank(question, search.CONSIDERED)
    ms = 1_000 * (time.perf_counter() - start)
    first = found[: measures.SHOWN]
    shown = tuple(hit.uid for hit in first if not hit.is_held_back)
    return Answer(
        ranked=tuple(hit.uid for hit in found),
        gold=question.gold,
        wants_nothing=question.wants_nothing,
        shown=shown,
        superseded=sum(hit.uid in case.superseded for hit in found[:SUPERSEDED_CUT]),
        tokens=sum(tokens[uid] for uid in shown),
        ms=ms,
        sure=tuple(hit.sure for hit in first if hit.sure is not None),
    )


def _sessions(rank: Ranking, question: Question, case: Case) -> Answer:
    """Return the ranking of sessions for a question, from the scores of their memories."""
    session_of = {memory.uid: memory.session or "" for memory in case.memories}
    hits = [(hit.uid, hit.score) for hit in rank(question, SESSION_DEPTH)]
    gold = frozenset(session_of[uid] for uid in question.gold)
    return Answer(measures.best_sessions(hits, session_of), gold)
