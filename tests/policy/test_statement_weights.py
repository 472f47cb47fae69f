"""The weights file: what is written is read again, exactly, and the packaged file is in order."""

from recollect.policy.statements import statements, weights

ROWS = {"u#rule": (-0.5, 1.32), "a:the test": (0.0, 0.48), "~#we": (0.1, 0.0)}


def test_weights_are_read_as_they_were_written():
    table = weights.decode(weights.encode(("none", "preference"), (1.04, -0.9), ROWS))
    assert table.kinds == ("none", "preference")
    assert table.scores([]) == {"none": 1.04, "preference": -0.9}
    assert table.scores(["u#rule", "unknown"]) == {"none": 0.54, "preference": 0.42}
    assert table.scores(["~#we", "a:the test"]) == {"none": 1.14, "preference": -0.42}


def test_the_same_weights_give_the_same_bytes():
    turned = dict(reversed(ROWS.items()))
    assert weights.encode(("none", "preference"), (0, 0), ROWS) == weights.encode(
        ("none", "preference"), (0, 0), turned
    )


def test_the_packaged_weights_name_the_kinds_and_tell_a_rule_from_small_talk():
    table = weights.load()
    assert table.kinds == ("none", "preference", "decision", "constraint", "tech_debt", "discovery", "cause")
    assert len(table.rows) > 10_000
    assert weights.load() is table
    rule, thanks = (next(statements.judged(said, by_user=True)) for said in ("always use pnpm", "thanks a lot"))
    assert rule.kind == "preference"
    assert rule.certainty > 0.6
    assert thanks.certainty < 0.2
