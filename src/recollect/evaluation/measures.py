"""How good a ranking is: plain functions of ranked ids and the ids that were wanted."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

CUTS = (1, 5, 10)
SHOWN = 5
"""How many of a ranking's first memories a prompt may be given."""
NDCG_CUT = 10
RESAMPLES, SEED = 1_000, 20_260
INTERVAL = 0.95
STEPS = 20
SESSION_WEIGHTS = (1.0, 0.5, 0.25)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system gave to one question, beside what was wanted."""

    ranked: tuple[str, ...]
    gold: frozenset[str] = frozenset()
    wants_nothing: bool = False
    """Whether showing anything is a mistake."""
    shown: tuple[str, ...] = ()
    superseded: int = 0
    """How many memories among the first ten had been replaced by others."""
    tokens: float = 0.0
    ms: float = 0.0
    sure: tuple[float, ...] = ()
    """How sure the system was of each of the first five; empty where it does not say."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well one ranking answers one question; recall and any at 1, 5 and 10."""

    recall: tuple[float, ...]
    any: tuple[float, ...]
    ndcg: float
    mrr: float


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a mean lies in 95 of 100 resamplings of the questions."""

    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half its width: the number after ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Summary:
    """A system over many questions; None where no question could tell."""

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
    """What stays of the recall among the first five, and of false recall, if a system shows only what it is sure of."""

    threshold: float
    recall_kept: float
    false_recall: float


def recall_at(ranked: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """The share of the wanted ones among the first."""
    return len(gold.intersection(ranked[:cut])) / len(gold)


def any_at(ranked: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """1 where any wanted one is among the first."""
    return float(not gold.isdisjoint(ranked[:cut]))


def ndcg_at(ranked: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """Gain discounted by the logarithm of the place, as a share of what the best order would gain."""
    gained = sum(_discount(place) for place, uid in enumerate(ranked[:cut]) if uid in gold)
    return gained / sum(_discount(place) for place in range(min(len(gold), cut)))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """One divided by the place of the first wanted one."""
    return next((1 / (place + 1) for place, uid in enumerate(ranked) if uid in gold), 0.0)


def score(ranked: Sequence[str], gold: frozenset[str]) -> Score:
    """Every measure of one ranking; there has to be something wanted."""
    return Score(
        tuple(recall_at(ranked, gold, cut) for cut in CUTS),
        tuple(any_at(ranked, gold, cut) for cut in CUTS),
        ndcg_at(ranked, gold, NDCG_CUT),
        reciprocal_rank(ranked, gold),
    )


def average(scores: Sequence[Score]) -> Score:
    """The mean of each measure."""
    return Score(
        tuple(fmean(one.recall[place] for one in scores) for place in range(len(CUTS))),
        tuple(fmean(one.any[place] for one in scores) for place in range(len(CUTS))),
        fmean(one.ndcg for one in scores),
        fmean(one.mrr for one in scores),
    )


def interval(values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """The bootstrap interval of a mean; the same for the same values."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable draw, not a secret
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(resamples))
    beyond = int(resamples * (1 - INTERVAL) / 2)
    return Interval(means[beyond], means[-1 - beyond])


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def false_recall(answers: Sequence[Answer]) -> float | None:
    """The share of the questions with nothing to recall for which something is shown."""
    idle = [one for one in answers if one.wants_nothing]
    return fmean(bool(one.shown) for one in idle) if idle else None


def summary(answers: Sequence[Answer]) -> Summary:
    """Everything about one system; there has to be a question."""
    scores = [score(one.ranked, one.gold) for one in answers if one.gold]
    return Summary(
        questions=len(answers),
        with_gold=len(scores),
        with_nothing=sum(one.wants_nothing for one in answers),
        score=average(scores) if scores else None,
        recall_5=interval([one.recall[1] for one in scores]) if scores else None,
        recall_10=interval([one.recall[2] for one in scores]) if scores else None,
        false_recall=false_recall(answers),
        superseded=sum(one.superseded for one in answers),
        tokens=fmean(one.tokens for one in answers),
        ms_median=median(one.ms for one in answers),
        ms_p95=percentile([one.ms for one in answers], 0.95),
    )


def recall_shown(answers: Sequence[Answer]) -> float | None:
    """How much of the recall among the first five is really shown."""
    wanted = [one for one in answers if one.gold]
    found = sum(recall_at(one.ranked, one.gold, SHOWN) for one in wanted)
    return sum(recall_at(one.shown, one.gold, SHOWN) for one in wanted) / found if found else None


def curve(answers: Sequence[Answer]) -> list[Step]:
    """Thresholds from the least sure answer to the surest, and what each would keep; empty where nobody says."""
    best = sorted(max(one.sure) for one in answers if one.sure)
    steps = []
    for threshold in sorted({best[place * (len(best) - 1) // STEPS] for place in range(STEPS + 1)} if best else ()):
        cut = [_showing_from(one, threshold) for one in answers]
        kept, wrong = recall_shown(cut), false_recall(cut)
        if kept is not None and wrong is not None:
            steps.append(Step(threshold, kept, wrong))
    return steps


def _showing_from(answer: Answer, threshold: float) -> Answer:
    shown = tuple(uid for uid, sure in zip(answer.ranked, answer.sure, strict=False) if sure >= threshold)
    return Answer(answer.ranked, answer.gold, answer.wants_nothing, shown)


def best_sessions(hits: Sequence[tuple[str, float]], session_of: Mapping[str, str]) -> tuple[str, ...]:
    """Sessions by their three best memories, weighted 1, .5 and .25; a negative score adds nothing."""
    points: dict[str, list[float]] = {}
    for uid, points_of_one in hits:
        points.setdefault(session_of[uid], []).append(max(0.0, points_of_one))
    totals = {
        session: sum(weight * one for weight, one in zip(SESSION_WEIGHTS, sorted(found, reverse=True), strict=False))
        for session, found in points.items()
    }
    return tuple(sorted(totals, key=lambda session: -totals[session]))
