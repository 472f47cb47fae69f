"""Verdicts beside the truth: real git histories that were made for the memories (`bench/verdicts.py` has all seeds)."""

from validation.histories import LANGUAGES
from validation.labelled import measured


def test_verdicts_are_right_and_nothing_that_is_gone_is_fresh(tmp_path):
    figures = measured(tmp_path, 0, tmp_path / "store", LANGUAGES[::2])
    assert figures.total > 100
    assert min(figures.by_truth.values()) > 5, "every verdict is there"
    assert figures.fresh_but_gone == []
    assert figures.accuracy >= 0.95, figures.wrong
