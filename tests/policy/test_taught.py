"""What people taught about a rule: counted, halved every 60 days."""

import pytest

from recollect.policy.memories.taught import DAY, Taught, tallies


@pytest.mark.parametrize(
    ("dropped", "kept", "days", "state"),
    [
        (3, 0, 0, "silent"),
        (2, 0, 0, "open"),
        (3, 1, 0, "open"),
        (3, 0, 59, "silent"),
        (3, 0, 61, "open"),
        (0, 3, 0, "trusted"),
    ],
)
def test_a_rule_is_silent_or_trusted_for_a_while(dropped, kept, days, state):
    rows = [Taught("rule", False, 0.0)] * dropped + [Taught("rule", True, 0.0)] * kept
    assert tallies(rows, days * DAY)["rule"].state == state
