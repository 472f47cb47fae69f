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
    features,
    findings,
    languages,
    own_words,
    pasted,
    statements,
    voices,
)
from recollect.policy.statements.forms import fact_forms, lasting_forms, order_forms, passing_forms

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
    "lasting_forms.CHOICES": lasting_forms.CHOICES,
    "lasting_forms.EXPLICIT": lasting_forms.EXPLICIT,
    "lasting_forms.FORMS": lasting_forms.FORMS,
    "passing_forms.NOT_A_CORRECTION": passing_forms.NOT_A_CORRECTION,
    "passing_forms.NO_STATEMENT": passing_forms.NO_STATEMENT,
    "passing_forms.PASSING": passing_forms.PASSING,
    **{f"languages.{language.name}": language.rows for language in languages.LANGUAGES},
    "fact_forms.FACTS": fact_forms.FACTS,
    "findings.REPORTS": findings.REPORTS,
    "order_forms.ORDERS": order_forms.ORDERS,
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
    "features.CUES": features.CUES,
    "features.ASKED": features.ASKED,
    "voices.ATTRIBUTED_FORMS": voices.ATTRIBUTED_FORMS,
    "voices.NO_STATEMENT": voices.NO_STATEMENT,
}


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_every_rule_matches_its_own_example(rules):
    assert [row.name for row in rules if not row.pattern.search(f"{row.example}\n")] == []


def test_a_pattern_of_many_rules_keeps_their_flags():
    rules = rule.table((("first", "^a", "a"), ("second", "b$", "b")), re.IGNORECASE | re.MULTILINE)
    assert rule.any_of(rules).findall("x\nA\nB") == ["A", "B"]
