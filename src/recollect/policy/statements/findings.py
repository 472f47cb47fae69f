"""Choose what is worth keeping of an agent's answer: how something works, why it failed, what was chosen and why.

An answer is mostly a report of what was just done. The `encoder` says how certain a sentence of it should outlast the
session; here are left out those that cannot be understood by themselves, and what an agent only offers.
"""

import re
from collections.abc import Iterable, Iterator

from recollect.policy.rule import any_of, table
from recollect.policy.statements.statements import CAUSE, Statement

LEAST_WORDS, MOST_WORDS = 5, 70
DISCOVERY = "discovery"
NEEDED, NAMED_CAUSE_NEEDS = 0.6, 0.15
"""The least certainty of a finding, and of one that says itself that it is the cause."""

# A label in front of a finding: "**Root cause:** …", "No detection** - …".
_LABEL = re.compile(
    r"^[^.:*]{1,60}\*\*\s*(?:\([^()]{0,80}\)\s*)?[:\u2013\u2014-]?\s+"
    r"|^(?:so|and|but|also|however|in short|note)\b[,:]?\s+",
    re.IGNORECASE,
)
# Sentences that do not stand by themselves, or hold for this session alone.
REPORTS = table(
    (
        ("refers back", r"^(?:it|its|this|that|they|these|those|here|he|she|same|both|any|then)\b", "it is"),
        ("option", r"^\(?[A-Da-d1-9]\)", "B) return the session"),
        ("lead", r":\W*$", "there are two reasons:"),
        ("check mark", "[\u2713\u2714\u2705\u2717\u2718\u274c]", "checks the variable \u2713"),
        (
            "state of a branch",
            r"#\d+|\b(?:working tree|up to date with)\b|`[0-9a-f]{7,40}`|\b(?:all|the|\d+) tests? (?:pass|are|is)\b",
            "all tests pass",
        ),
        (
            "offer",
            r"\b(?:i can|i'll|i will|let me|want me|shall i|your call)\b|\?\W*$",
            "I can add a check",
        ),
    ),
    re.IGNORECASE,
)
_IS_REPORT = any_of(REPORTS)
_CAUSE = re.compile(r"^\W*(?:the )?(?:root|actual|real) (?:cause|reason)\b", re.IGNORECASE)


def plain(sentence: str) -> str:
    """Return a sentence without its label and markup."""
    return _LABEL.sub("", sentence, count=1).replace("**", "").strip(" *_-")


def is_finding(sentence: str) -> bool:
    """Whether a sentence of an agent stands by itself and holds beyond this session."""
    said = plain(sentence)
    return LEAST_WORDS <= len(said.split()) <= MOST_WORDS and not _IS_REPORT.search(said)


def select(parts: Iterable[Statement]) -> Iterator[tuple[Statement, ...]]:
    """Yield each finding among sentences of one kind, with the sentence behind it if that says why.

    A sentence that names a cause is a discovery: how something works.
    """
    listed = list(parts)
    for place, lead in enumerate(listed):
        needed = NAMED_CAUSE_NEEDS if _CAUSE.match(lead.text) else NEEDED
        if lead.certainty < needed or not is_finding(lead.text):
            continue
        behind = [part for part in listed[place + 1 : place + 2] if part.certainty < NEEDED and _goes_on(part)]
        kind = DISCOVERY if lead.kind == CAUSE else lead.kind
        yield tuple(Statement(kind, plain(part.text), part.certainty) for part in (lead, *behind))


def _goes_on(part: Statement) -> bool:
    return bool(_GOES_ON.match(part.text)) and not part.text.rstrip().endswith(":")


_GOES_ON = re.compile(r"^(?:because|since|so|otherwise|that is why|this means|which)\b", re.IGNORECASE)
