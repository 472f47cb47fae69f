"""What the numbers of an evaluation mean: worked examples, and what holds for every ranking."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recollect.evaluation import measures
from recollect.evaluation.measures import Answer

IDS = "abcdefghijklmnopqrst"
rankings = st.permutations(IDS).flatmap(lambda order: st.integers(0, len(IDS)).map(lambda cut: tuple(order[:cut])))
golds = st.frozensets(st.sampled_from(IDS), min_size=1, max_size=6)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def values(score):
    return (*score.recall, *score.any, score.ndcg, score.mrr)


def test_one_of_two_wanted_at_the_second_place():
    found = measures.score(("x", "a", "y", "z"), frozenset("ab"))
    assert found.recall == (0, 0.5, 0.5)
    assert found.any == (0, 1, 1)
    assert found.mrr == 0.5
    assert found.ndcg == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


def test_what_stands_beyond_the_tenth_place_counts_for_the_reciprocal_rank_alone():
    found = measures.score((*"bcdefghijk", "a"), frozenset("a"))
    assert found.recall == found.any == (0, 0, 0)
    assert found.ndcg == 0
    assert found.mrr == pytest.approx(1 / 11)


def test_a_summary_averages_over_the_questions_that_have_an_answer():
    answers = [
        Answer(("a",), frozenset("a"), shown=("a",), tokens=30, ms=1),
        Answer(("x",), frozenset("a"), shown=(), ms=2),
        Answer(("x",), wants_nothing=True, shown=("x",), superseded=2, tokens=30, ms=3),
        Answer(("x",), wants_nothing=True, shown=(), ms=10),
    ]
    found = measures.summary(answers)
    assert (found.questions, found.with_gold, found.with_nothing) == (4, 2, 2)
    assert found.score.recall == (0.5, 0.5, 0.5)
    assert found.false_recall == 0.5
    assert (found.superseded, found.tokens, found.ms_median, found.ms_p95) == (2, 15, 2.5, 10)


def test_what_no_question_can_tell_is_left_open():
    idle = measures.summary([Answer(("x",), wants_nothing=True)])
    assert idle.score is idle.recall_5 is idle.recall_10 is None
    assert measures.summary([Answer(("a",), frozenset("a"))]).false_recall is None


def test_the_curve_trades_recall_for_silence():
    answers = [
        Answer(("a", "x"), frozenset("a"), sure=(0.9, 0.9)),
        Answer(("x", "b"), frozenset("b"), sure=(0.4, 0.4)),
        Answer(("x",), wants_nothing=True, sure=(0.6,)),
        Answer((), wants_nothing=True),
    ]
    steps = [(one.threshold, one.recall_kept, one.false_recall) for one in measures.curve(answers)]
    assert steps == [(0.4, 1.0, 0.5), (0.6, 0.5, 0.5), (0.9, 0.5, 0.0)]


def test_a_session_is_worth_its_three_best_memories():
    session_of = {"a": "one", "b": "two", "c": "two", "d": "two", "e": "two", "f": "three"}
    hits = [("a", 4.0), ("b", 3.0), ("c", 2.0), ("d", 1.0), ("e", 1.0), ("f", -5.0)]
    assert measures.best_sessions(hits, session_of) == ("two", "one", "three")  # 4.25, 4 and nothing
    assert measures.best_sessions(hits[:2], session_of) == ("one", "two")


@given(rankings, golds)
def test_every_measure_lies_between_none_and_all_and_grows_with_the_cut(ranked, gold):
    found = measures.score(ranked, gold)
    assert all(0 <= value <= 1 + 1e-9 for value in values(found))
    assert list(found.recall) == sorted(found.recall)
    assert list(found.any) == sorted(found.any)
    assert all(recall <= some for recall, some in zip(found.recall, found.any, strict=True))


@given(rankings, golds)
def test_the_wanted_first_is_perfect_and_the_wanted_absent_is_nothing(ranked, gold):
    rest = tuple(uid for uid in ranked if uid not in gold)
    best = measures.score((*gold, *rest), gold)
    assert best.recall[2] == best.mrr == 1
    assert best.ndcg == pytest.approx(1)
    assert not any(values(measures.score(rest, gold)))


@given(rankings, golds, st.data())
def test_moving_a_wanted_memory_up_never_lowers_anything(ranked, gold, data):
    places = [place for place, uid in enumerate(ranked) if uid in gold and place]
    assume(places)
    place = data.draw(st.sampled_from(places))
    above = data.draw(st.integers(0, place - 1))
    moved = (*ranked[:above], ranked[place], *ranked[above:place], *ranked[place + 1 :])
    pairs = zip(values(measures.score(ranked, gold)), values(measures.score(moved, gold)), strict=True)
    assert all(before <= after + 1e-9 for before, after in pairs)


@given(shares)
def test_an_interval_holds_between_the_extremes_and_is_the_same_again(found):
    interval = measures.interval(found, resamples=100)
    assert min(found) - 1e-9 <= interval.low <= interval.high <= max(found) + 1e-9
    assert interval == measures.interval(found, resamples=100)
    assert interval.margin >= 0


def test_an_interval_narrows_with_the_number_of_questions():
    few, many = (measures.interval([0.0, 1.0] * number) for number in (10, 1_000))
    assert many.margin < few.margin / 5
    assert many.low < 0.5 < many.high


@given(shares, st.floats(0.01, 1))
def test_a_percentile_is_not_exceeded_by_its_share(found, share):
    value = measures.percentile(found, share)
    assert value in found
    assert sum(one <= value for one in found) >= share * len(found) - 1e-9


@given(st.lists(st.tuples(rankings, golds | st.just(frozenset()), st.floats(0, 1)), min_size=1, max_size=20))
def test_being_shown_less_never_recalls_more(scenes):
    answers = [Answer(ranked, gold, not gold, sure=(sure,) * 5) for ranked, gold, sure in scenes if ranked]
    steps = measures.curve(answers)
    assert [one.threshold for one in steps] == sorted(one.threshold for one in steps)
    for measure in ("recall_kept", "false_recall"):
        course = [getattr(one, measure) for one in steps]
        assert course == sorted(course, reverse=True)


@given(rankings, golds)
def test_showing_the_first_five_keeps_all_of_their_recall(ranked, gold):
    answer = Answer(ranked, gold, shown=ranked[:5])
    assert measures.recall_shown([answer]) in (1.0, None)
    assert measures.recall_shown([replace(answer, shown=())]) in (0.0, None)
