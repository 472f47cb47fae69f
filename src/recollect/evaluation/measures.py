"""Measures of a ranking: functions of the ranked ids and of the ids that answer the question (gold)."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

CUTS = (1, 5, 10)
SHOWN = 5
"""At most this many first memories of a ranking are shown with a prompt."""
NDCG_CUT = 10
RESAMPLES, SEED = 1_000, 20_260
INTERVAL = 0.95
STEPS = 20
SESSION_WEIGHTS = (1.0, 0.5, 0.25)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a system to one question, and the ids that should have been found."""

    ranked: tuple[str, ...]
    gold: frozenset[str] = frozenset()
    wants_nothing: bool = False
    """Whether no memory answers the question, so that showing one is a mistake."""
    shown: tuple[str, ...] = ()
    superseded: int = 0
    """How many of the first ten memories are superseded."""
    tokens: float = 0.0
    ms: float = 0.0
    sure: tuple[float, ...] = ()
    """The certainty of each of the first five, 0 to 1; empty if the system does not estimate it."""


@dataclass(frozen=True, slots=True)
class Score:
    """The measures of one ranking for one question; recall and any are for the first 1, 5 and 10."""

    recall: tuple[float, ...]
    any: tuple[float, ...]
    ndcg: float
    mrr: float


@dataclass(frozen=True, slots=True)
class Interval:
    """The 95 % bootstrap interval of a mean over questions."""

    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval: the number after ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Summary:
    """The measures of a system over many questions; None where no question allows the measure."""

    questions: int
    with_gold: int
    with_nothing: int
    score: Score | None
    recall_5: Interval | None
    recall_10: Interval | None
    false_recall: float | None
    superseded: int
    tokens: float
    ms_median: float
    ms_p95: float


@dataclass(frozen=True, slots=True)
class Step:
    """The recall@5 that is kept and the false recall if a system shows only answers from a certainty on."""

    threshold: float
    recall_kept: float
    false_recall: float


def recall_at(ranked: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """Return the share of the gold ids that are among the first `cut`."""
    return len(gold.intersection(ranked[:cut])) / len(gold)


def any_at(ranked: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """Return 1 if any gold id is among the first `cut`, else 0."""
    return float(not gold.isdisjoint(ranked[:cut]))


def ndcg_at(ranked: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """Return the discounted gain of the first `cut`, as a share of the gain of the best order."""
    gained = sum(_discount(place) for place, uid in enumerate(ranked[:cut]) if uid in gold)
    return gained / sum(_discount(place) for place in range(min(len(gold), cut)))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """Return 1 / (position of the first gold id, from 1); 0 if there is none."""
    return next((1 / (place + 1) for place, uid in enumerate(ranked) if uid in gold), 0.0)


def score(ranked: Sequence[str], gold: frozenset[str]) -> Score:
    """Return all measures of one ranking; `gold` must not be empty."""
    return Score(
        tuple(recall_at(ranked, gold, cut) for cut in CUTS),
        tuple(any_at(ranked, gold, cut) for cut in CUTS),
        ndcg_at(ranked, gold, NDCG_CUT),
        reciprocal_rank(ranked, gold),
    )


def average(scores: Sequence[Score]) -> Score:
    """Return the mean of each measure; there must be at least one score."""
    return Score(
        tuple(fmean(row.recall[place] for row in scores) for place in range(len(CUTS))),
        tuple(fmean(row.any[place] for row in scores) for place in range(len(CUTS))),
        fmean(row.ndcg for row in scores),
        fmean(row.mrr for row in scores),
    )


def interval(values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """Return the bootstrap interval of the mean; the same values give the same interval."""
    generator = random.Random(seed)  # noqa: S311 - a repeatable draw, not a secret
    means = sorted(fmean(generator.choices(values, k=len(values))) for _ in range(resamples))
    beyond = int(resamples * (1 - INTERVAL) / 2)
    return Interval(means[beyond], means[-1 - beyond])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def false_recall(answers: Sequence[Answer]) -> float | None:
    """Return the share of the questions without an answer for which something is shown; None if there are none."""
    idle = [answer for answer in answers if answer.wants_nothing]
    return fmean(bool(answer.shown) for answer in idle) if idle else None


def summary(answers: Sequence[Answer]) -> Summary:
    """Return all measures of one system; there must be at least one answer."""
    scores = [score(answer.ranked, answer.gold) for answer in answers if answer.gold]
    return Summary(
        questions=len(answers),
        with_gold=len(scores),
        with_nothing=sum(answer.wants_nothing for answer in answers),
        score=average(scores) if scores else None,
        recall_5=interval([row.recall[1] for row in scores]) if scores else None,
        recall_10=interval([row.recall[2] for row in scores]) if scores else None,
        false_recall=false_recall(answers),
        superseded=sum(answer.superseded for answer in answers),
        tokens=fmean(answer.tokens for answer in answers),
        ms_median=median(answer.ms for answer in answers),
        ms_p95=percentile([answer.ms for answer in answers], 0.95),
    )


def recall_shown(answers: Sequence[Answer]) -> float | None:
    """Return the share of the recall@5 that is really shown; None if nothing was found."""
    wanted = [answer for answer in answers if answer.gold]
    found = sum(recall_at(answer.ranked, answer.gold, SHOWN) for answer in wanted)
    return sum(recall_at(answer.shown, answer.gold, SHOWN) for answer in wanted) / found if found else None


def curve(answers: Sequence[Answer]) -> list[Step]:
    """Return the effect of thresholds from the least certain answer to the most certain; empty without certainties."""
    best = sorted(max(answer.sure) for answer in answers if answer.sure)
    steps = []
    for threshold in sorted({best[place * (len(best) - 1) // STEPS] for place in range(STEPS + 1)} if best else ()):
        cut = [_showing_from(answer, threshold) for answer in answers]
        kept, wrong = recall_shown(cut), false_recall(cut)
        if kept is not None and wrong is not None:
            steps.append(Step(threshold, kept, wrong))
    return steps


def _showing_from(answer: Answer, threshold: float) -> Answer:
    shown = tuple(uid for uid, sure in zip(answer.ranked, answer.sure, strict=False) if sure >= threshold)
    return Answer(answer.ranked, answer.gold, answer.wants_nothing, shown)


def best_sessions(hits: Sequence[tuple[str, float]], session_of: Mapping[str, str]) -> tuple[str, ...]:
    """Return sessions ordered by their three best memories, weighted 1, 0.5 and 0.25; negative scores count as 0."""
    points: dict[str, list[float]] = {}
    for uid, score_of_hit in hits:
        points.setdefault(session_of[uid], []).append(max(0.0, score_of_hit))
    totals = {
        session: sum(
            weight * value for weight, value in zip(SESSION_WEIGHTS, sorted(found, reverse=True), strict=False)
        )
        for session, found in points.items()
    }
    return tuple(sorted(totals, key=lambda session: -totals[session]))
