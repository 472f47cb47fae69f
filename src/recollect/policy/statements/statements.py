"""Find the sentences of a message that state something to keep: a rule, a choice, a limit, a cause, a discovery.

A sentence is judged by the encoder, which reads it in its message. What is `OPEN` to discussion is no statement,
whatever the encoder says. `user_statements` reads what users say.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.policy.encoder import encoder
from recollect.policy.encoder.encoder import NONE, Span
from recollect.policy.rule import any_of, table

CAUSE = "cause"
"""A kind that no memory has: an agent's account of why something failed."""
NEEDED = 0.15
"""The certainty from which on a sentence of an agent's answer can be a cause or a limit of a failure."""
MOST_CHARS = 8_000
MOST_SENTENCES, SENTENCE_CHARS = 80, 500

# Code, indented lines, quotations and tables: ``` … ```, "    x", "> x", "| x |".
_FENCED = re.compile(r"(?s:```.*?(?:```|\Z))|^(?: {4}|\t|>|\|).*$", re.MULTILINE)
_BREAKS = r"""(?<=[.!?])['")*_]*\s+(?!(?:or|and)\b)(?=["'(`*_]*[A-Za-z0-9\u00c0-\uffff])  # behind a full stop
      | (?<=[!?])\s+(?=(?:or|and)\b)                             # "can you fix it? and please no sleeps in tests"
      | (?<=[\u3002\uff01\uff1f])\s*                              # behind a full stop of Chinese or Japanese
      | \n+\s*(?: [-*•]\s+ | \d+[.)]\s+ | \#+\s+ )?               # at a new line, with its bullet, number or heading
    """
_SENTENCES = re.compile(_BREAKS, re.VERBOSE)
_CLAUSES = re.compile(rf"{_BREAKS} | \s+[;\u2013\u2014]\s+ | ;\s", re.VERBOSE)
_ABBREVIATED = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|approx|incl|resp|ca|cf|no|nr|z\.B|bzw|dr|prof|mr|mrs|ms|st|fr|hr|dipl|ing)\.$",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[ \t\r\f\v]+")

# What is put up for discussion is not settled.
OPEN = table(
    (
        ("proposal", r"\b(?:maybe|perhaps) (?:we|i|you)\b|\bwhat do you think\b", "maybe we should use pnpm"),
        (
            "proposal",
            r"\b(?:should|could|shall|can) (?:we|i|you)\b.*\?|\bwhat (?:if|about)\b|\bhow about\b",
            "what about pnpm",
        ),
        ("question", r"\?\s*$", "pnpm?"),
        (
            "question",
            r"^(?:and |but |so |btw,? )?(?:why|how|where|who) (?:do|does|did|is|are|was|come)\b",
            "but why do we use pnpm",
        ),
        ("opinion", r"\bi(?:'d| would) say\b|\bmy (?:theory|guess|hunch|hypothesis)\b", "I'd say it is the cache"),
    ),
    re.IGNORECASE,
)
_OPEN = any_of(OPEN)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, the kind of memory that it would be, and how certain it is that it states something to keep."""

    kind: str
    text: str
    certainty: float


def sentences(text: str, *, clauses: bool = True) -> list[str]:
    """Return the sentences of a message, in order; code, quotations and tables are left out.

    With `clauses` they also end at a dash or a semicolon.
    """
    found: list[str] = []
    for raw in (_CLAUSES if clauses else _SENTENCES).split(_BLANKS.sub(" ", _FENCED.sub("\n", text[:MOST_CHARS]))):
        part = " ".join(raw.strip(" \t*_")[:SENTENCE_CHARS].split())
        if not any(sign.isalpha() for sign in part):
            continue
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found[:MOST_SENTENCES]


def of_answer(text: str, *, asked: str = "") -> Iterator[Statement]:
    """Yield each sentence of an agent's answer with its likeliest kind and its certainty."""
    return _judged(sentences(text), encoder.ANSWERS, asked)


def of_others(parts: Sequence[str]) -> Iterator[Statement]:
    """Yield the same for the words of others that a user passes on."""
    return _judged(parts, encoder.USERS, "")


def _judged(parts: Sequence[str], question: str, asked: str) -> Iterator[Statement]:
    text, start = " ".join(parts), 0
    for part in parts:
        shares = encoder.shares(question, text, Span(start, start + len(part)), asked)
        kind = max((name for name in shares if name != NONE), key=lambda name: shares[name])
        yield Statement(kind, part, 0.0 if is_open(part) else 1 - shares[NONE])
        start += len(part) + 1


def is_open(sentence: str) -> bool:
    """Whether a sentence asks or puts something up for discussion."""
    return bool(_OPEN.search(sentence))
