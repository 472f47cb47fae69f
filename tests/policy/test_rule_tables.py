"""Tables of rules: each row matches its own example."""

import re

import pytest

from recollect.policy import rule
from recollect.policy.capture import milestones
from recollect.policy.proposals import questions
from recollect.policy.repairs import causes
from recollect.policy.reversals import endings, turns
from recollect.policy.shell import complaints
from recollect.policy.statements import (
    findings,
    languages,
    lasting,
    own_words,
    pasted,
    statements,
    voices,
)

TABLES = {
    "complaints.MISSPELT": complaints.MISSPELT,
    "complaints.NOT_THERE": complaints.NOT_THERE,
    "complaints.UNWRITTEN": complaints.UNWRITTEN,
    "complaints.GRAVE": complaints.GRAVE,
    "complaints.ROUTINE": complaints.ROUTINE,
    "complaints.LINT": complaints.LINT,
    "causes.CAUSAL": causes.CAUSAL,
    "milestones.CHORES": milestones.CHORES,
    "milestones.CONFIGURATION": milestones.CONFIGURATION,
    "lasting.EXPLICIT": lasting.EXPLICIT,
    **{f"languages.{language.name}": language.rows for language in languages.LANGUAGES},
    "findings.REPORTS": findings.REPORTS,
    "questions.SUBJECTS": questions.SUBJECTS,
    "own_words.INTRODUCED": own_words.INTRODUCED,
    "pasted.LINES": pasted.LINES,
    "pasted.RESTS": pasted.RESTS,
    "endings.ENDED": endings.ENDED,
    "turns.GIVEN_UP": turns.GIVEN_UP,
    "turns.MOVED_TO": turns.MOVED_TO,
    "turns.MARKERS": turns.MARKERS,
    "turns.NOT_YET": turns.NOT_YET,
    "turns.EXCEPTIONS": turns.EXCEPTIONS,
    "statements.OPEN": statements.OPEN,
    "voices.ATTRIBUTED_FORMS": voices.ATTRIBUTED_FORMS,
    "voices.NO_STATEMENT": voices.NO_STATEMENT,
}


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_every_rule_matches_its_own_example(rules):
    assert [row.name for row in rules if not row.pattern.search(f"{row.example}\n")] == []


def test_a_pattern_of_many_rules_keeps_their_flags():
    rules = rule.table((("first", "^a", "a"), ("second", "b$", "b")), re.IGNORECASE | re.MULTILINE)
    assert rule.any_of(rules).findall("x\nA\nB") == ["A", "B"]
