"""Find what an agent's report says of how something behaves from now on: the change, and what it is for.

A report of work lists what was done. Most of it is in the code; worth knowing is what was chosen against something
else, or for a reason: "both strategies create the branch at enable time, instead of at the first commit". Only reports
of turns that changed files and showed that it works are read (`session_story`).
"""

import re

from recollect.model.session_event import SessionEvent
from recollect.policy.capture.draft import Draft, title
from recollect.policy.rule import any_of, table
from recollect.policy.statements import findings, statements

LEAST_WORDS, MOST_WORDS, MOST_OUTCOMES = 9, 45, 3
_PURPOSE = re.compile(
    r"\b(?:so (?:that )?(?:\w+ )?\w+|instead of|rather than|not just|no longer|to (?:avoid|prevent)|because"
    r"|regardless of|takes? precedence|falls? back|only (?:if|when|for)|unless|even (?:if|when)|until|as long as)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"`[^`]+`|\b\w+[a-z][A-Z]\w*|\b[A-Z][A-Z\d_]{2,}\b|\b[\w-]+[./_][\w./-]+")
_PLACE = re.compile(r"^[`*\w./:()\s-]{0,80}?[`)*]+\s*(?::|\u2013|\u2014|-)\s+")
_NOW = re.compile(r"^now(?: with [^,]{1,40},)? |^added (?=`?\w+\(\)`? helper)", re.IGNORECASE)
# Items of a report that say nothing about how the program behaves.
CHORES = table(
    (
        (
            "tests",
            r"^(?:\w+ )?`?(?:test|spec)|\btests?\b|\b\w+_test\b|\bTest[A-Z]\w+|\bassert|\bmock",
            "Updated the tests",
        ),
        ("documentation", r"\b(?:docs?|documentation|readme|comments?|changelog|\w+\.md)\b", "Updated README.md"),
        (
            "review",
            r"\b(?:pr|pull request|review\w*|commit(?:ted|s)?|branch is|rebase\w*|merged?|lint\w*|ci)\b",
            "the PR",
        ),
        (
            "open",
            (
                r"\?\s*$|\b(?:would|could|might|should|may|can you|can be|let me|i'll|concern|consider|suggest\w*"
                r"|recommend\w*)\b"
            ),
            "we could",
        ),
        (
            "renamed",
            r"\b(?:instead of|rather than) (?:the (?:string )?)?(?:`|literal)|\bsignature\b",
            "`a` instead of `b`",
        ),
        (
            "example",
            r"^(?:example|for example|e\.g|the (?:change|fix) at)\b|\u2192",
            "Example: 71 % instead of 100 %",
        ),
        (
            "no subject",
            r"^(?:returns?|uses?|calls?|checks?|sets?|gets?|shows?)\b",
            "Returns a list so callers can print",
        ),
        ("refers back", r"^(?:it|its|this|that|these|those|they|same|here|then|which)\b", "this prevents it"),
        ("branches", r"#\d+|`[0-9a-f]{7,40}`", "#14"),
    ),
    re.IGNORECASE,
)
_CHORE = any_of(CHORES)


RULE = "outcome"
CERTAINTY = 0.55
"""Below what is taken for sure: a person may look at it."""


def draft(answer: SessionEvent) -> Draft | None:
    """Return a draft of what a report says of how something behaves from now on; None if it says nothing of it."""
    found = find(answer.detail)
    if not found:
        return None
    return Draft(
        "discovery",
        title(found[0]),
        "\n".join(found),
        (answer.key,),
        {},
        CERTAINTY,
        "assistant",
        rule=RULE,
        at=answer.at,
    )


def find(answer: str) -> list[str]:
    """Return the items of a report that say how something behaves now and why, at most three; empty for none."""
    found = []
    for sentence in statements.sentences(answer, clauses=False):
        said = _NOW.sub("", findings.plain(_PLACE.sub("", sentence)))
        is_long_enough = LEAST_WORDS <= len(said.split()) <= MOST_WORDS
        if is_long_enough and _PURPOSE.search(said) and _NAMED.search(said) and not _CHORE.search(said):
            found.append(said.rstrip(" :"))
    return found[:MOST_OUTCOMES]
