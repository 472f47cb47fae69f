"""Titles say what a memory is about in at most ten words: whole clauses, no markup, names in their own case."""

from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.policy.statements.titles import MOST_WORDS, title


@each(
    ("sentence", "expected"),
    [
        ("ok, we use pnpm.", "We use pnpm"),
        ("cmd/entire/main.go must stay small", "cmd/entire/main.go must stay small"),
        ("getUserById is cached", "getUserById is cached"),
        ("npm is out", "npm is out"),
        ("**Root cause:** the `cache` was stale", "The cache was stale"),
        (
            "When settings exist, enable asks the user for project or local settings instead of choosing one",
            "Enable asks the user for project or local settings",
        ),
        (
            "We keep every generated client in its own package (see docs), because the builds would otherwise clash",
            "We keep every generated client in its own package",
        ),
        ("金額は常に最小単位で扱い、浮動小数点は使わないでくださいというルールがあるため", "金額は常に最小単位で扱い"),
    ],
)
def test_a_title_is_the_main_clause_of_a_sentence(sentence, expected):
    assert title(sentence) == expected


@given(st.text(max_size=400))
def test_a_title_has_at_most_ten_words_and_is_no_cut_sentence(sentence):
    made = title(sentence)
    assert len(made.split()) <= MOST_WORDS
    assert not made.endswith("…") or "…" in sentence
