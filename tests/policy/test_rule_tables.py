"""Tables of rules: each row matches its own example."""

import re

import pytest

from recollect.policy import rule
from recollect.policy.capture import milestones
from recollect.policy.reversals import turns
from recollect.policy.shell import complaints
from recollect.policy.statements import own_words, pasted, statements, voices

TABLES = {
    "complaints.MISSPELT": complaints.MISSPELT,
    "complaints.NOT_THERE": complaints.NOT_THERE,
    "complaints.UNWRITTEN": complaints.UNWRITTEN,
    "complaints.GRAVE": complaints.GRAVE,
    "milestones.CONFIGURATION": milestones.CONFIGURATION,
    "own_words.INTRODUCED": own_words.INTRODUCED,
    "pasted.LINES": pasted.LINES,
    "pasted.RESTS": pasted.RESTS,
    "turns.GIVEN_UP": turns.GIVEN_UP,
    "turns.MOVED_TO": turns.MOVED_TO,
    "turns.MARKERS": turns.MARKERS,
    "turns.NOT_YET": turns.NOT_YET,
    "turns.EXCEPTIONS": turns.EXCEPTIONS,
    "statements.OPEN": statements.OPEN,
    "statements.LASTING": statements.LASTING,
    "statements.ONCE": statements.ONCE,
    "statements.CUES": statements.CUES,
    "statements.ASKED": statements.ASKED,
    "voices.ATTRIBUTED_FORMS": voices.ATTRIBUTED_FORMS,
    "voices.NO_STATEMENT": voices.NO_STATEMENT,
}


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_every_rule_matches_its_own_example(rules):
    assert [row.name for row in rules if not row.pattern.search(f"{row.example}\n")] == []


def test_a_pattern_of_many_rules_keeps_their_flags():
    rules = rule.table((("first", "^a", "a"), ("second", "b$", "b")), re.IGNORECASE | re.MULTILINE)
    assert rule.any_of(rules).findall("x\nA\nB") == ["A", "B"]
