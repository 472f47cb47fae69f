"""Facts are stated only of sentences with a real predicate."""

import pytest

from recollect.policy.memories.triples import triple


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("From now on we use pnpm, not npm", ("this project", "use", "pnpm")),
        ("We use pnpm for every package here.", ("this project", "use", "pnpm for every package here")),
        ("The importer lives in src/import/csv.py.", ("importer", "lives in", "src/import/csv.py")),
        ("Billing is owned by the payments team, ask them.", ("Billing", "is owned by", "the payments team")),
        ("The api port is 8080.", ("api port", "is", "8080")),
        ("The worker depends on redis because of the queue.", ("worker", "depends on", "redis")),
        ("The staging database runs on db2.", ("staging database", "runs on", "db2")),
        ("The owner of billing is Dana.", ("owner of billing", "is", "Dana")),
    ],
)
def test_a_sentence_with_a_real_predicate_is_a_fact(sentence, fact):
    assert triple(sentence) == fact


@pytest.mark.parametrize(
    "sentence",
    [
        "The cart is slow because every line is priced again.",
        "It lives in the worker.",
        "Never commit generated files.",
        "This uses too much memory.",
        "Squash before you merge, please.",
    ],
)
def test_other_sentences_are_none(sentence):
    assert triple(sentence) is None
