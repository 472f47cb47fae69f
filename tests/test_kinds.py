"""The one table: every seed's categories and types are rows of it."""

from typing import get_args

import pytest

from recollect.model.kinds import KINDS
from recollect.model.memory import Concept

OBSERVATIONS = {
    "bugfix",
    "feature",
    "refactor",
    "change",
    "discovery",
    "decision",
    "session_summary",
    "compressed_summary",
}
LOG_CATEGORIES = {"turn_summary", "compaction", "note", "heartbeat", "learned", "user_preference"}


@pytest.mark.seed("D2")
def test_observation_types_are_rows_and_concepts_are_seven():
    assert set(KINDS) >= OBSERVATIONS
    assert set(get_args(Concept)) == {
        "how-it-works", "why-it-exists", "what-changed", "problem-solution", "gotcha", "pattern", "trade-off",
    }  # fmt: skip


@pytest.mark.seed("D2")
@pytest.mark.parametrize("kind", sorted(OBSERVATIONS - {"decision", "session_summary", "compressed_summary"}))
def test_an_observation_of_every_type_is_remembered_and_stays_in_the_store(box, kind):
    done = box.run("remember", f"a {kind} worth keeping", "--kind", kind, "--json").json
    assert (done["memory"]["kind"], done["path"]) == (kind, None)


@pytest.mark.seed("C1")
def test_log_categories_are_rows():
    assert set(KINDS) >= LOG_CATEGORIES


def test_an_unknown_kind_is_refused_with_the_known_ones(box):
    done = box.run("remember", "x", "--kind", "opinion", code=1)
    assert "INPUT_ERROR" in done.err
    assert "preference" in done.err
