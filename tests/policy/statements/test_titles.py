"""Titles say what a memory is about in at most twelve words: whole clauses, no markup, names in their own case."""

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
        ("I've kept the retry because the api is flaky", "Kept the retry because the api is flaky"),
        ("I used to like it", "I used to like it"),
        ("**Root cause:** the `cache` was stale", "The cache was stale"),
        (
            "When settings exist, enable asks the user for project or local settings instead of choosing one",
            "When settings exist, enable asks the user for project or local settings",
        ),
        (
            "We keep every generated client in its own package (see docs), because the builds would otherwise clash",
            "We keep every generated client in its own package",
        ),
        (
            "The diff as data has the issue if we now rebase the shadow branch since then it is not correct",
            "Diff as data has issue if we rebase shadow branch",
        ),
        (
            "The real risk is if someone later reads the token usage from this path and gets wrong values",
            "Real risk is if someone later reads token usage from this path",
        ),
        (
            "in future all services start from the `svc` repo, no more copy paste from orders",
            "All services start from the svc repo",
        ),
        (
            "whatever you do, the `id` in exported files has to be stable between runs, the archive diffs on it",
            "The id in exported files has to be stable between runs",
        ),
        (
            "Hibernate 6 expects a sequence per entity named `<table>_seq`, while our schema has one global sequence",
            "Hibernate 6 expects a sequence per entity named <table>_seq",
        ),
        (
            "keep flags and help text as they are, there are scripts out there that use them",
            "Keep flags and help text as they are",
        ),
        (
            "Those tokens expire after 90 days and there's no way to get longer ones.",
            "Those tokens expire after 90 days",
        ),
        ("金額は常に最小単位で扱い、浮動小数点は使わないでくださいというルールがあるため", "金額は常に最小単位で扱い"),
    ],
)
def test_a_title_is_the_main_clause_of_a_sentence(sentence, expected):
    assert title(sentence) == expected


@given(st.text(max_size=400))
def test_a_title_has_at_most_twelve_words_and_is_no_cut_sentence(sentence):
    made = title(sentence)
    assert len(made.split()) <= MOST_WORDS
    assert not made.endswith("…") or "…" in sentence
