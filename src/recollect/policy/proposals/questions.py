"""Answers to questions that an agent asked with a tool of its client: what was asked, chosen, and what that means.

No prompt event carries them: they arrive as the tool's result. `read` takes them from there, `to_text` and `from_text`
keep them with the tool's event, and `decision` tells what was decided.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recollect.model import text
from recollect.policy.proposals import consent
from recollect.policy.rule import table
from recollect.policy.statements.titles import title

MOST_ANSWERS, FIELD_CHARS = 8, 400
CERTAINTY = 0.8
LEAST_OWN_WORDS = 5
"""An answer that the user typed has at least so many words to be a decision by itself."""
MARK = "asked\t"

_PAIR = re.compile(r'"([^"]{3,400})"="([^"]{1,400})"')
_ANSWERED = "User has answered"
_RECOMMENDED = re.compile(r"\s*\((?:recommended|default|preferred)\)", re.IGNORECASE)
# Questions about what to do next; their answers do not last.
_PROCESS = re.compile(
    r"\b(?:next|proceed|continue|ready to|push|commit(?:ted)?|merge|rebase|pull request|pr|go ahead|start (?:with"
    r"|now)|begin|(?:which|what) (?:one|issue|task|file|part|step)s? .{0,30}first|look right|look good|sound good"
    r"|happy with"
    r"|approve|review)\b",
    re.IGNORECASE,
)
# What a question is about: "Should READMEs be embedded?", "Which database should we use for jobs?".
SUBJECTS = table(
    (
        (
            "should it",
            (
                r"^(?:should|shall|must|can|may) (?!we\b|i\b|it\b|this\b|that\b|they\b)(.{3,50}?) (?:be|get|use|have"
                r"|go|live|run|support|include|show|stay)\b"
            ),
            "Should READMEs be embedded?",
        ),
        (
            "which one",
            (
                r"^(?:which|what) (.{3,50}?) (?:should|shall|do|would|are|is)\b(?: (?:we|you|i|it"
                r"|the \w+))?(?: (?:use|want|be|prefer|have|like))?(?: (for .{3,40}?))?\?"
            ),
            "Which database should we use for jobs?",
        ),
        (
            "where or how",
            (
                r"^(?:where|how) (?:should|shall|do|will|are|is) (?!we\b|i\b|you\b)(.{3,50}?) (?:live|be|go|work|look"
                r"|stay|handled|stored|done|run)\b"
            ),
            "Where should the fixtures live?",
        ),
    ),
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^(?:should|shall|do|can|may|would)(?: you (?:want|like)(?: (?:me|us))?(?: to)?| we| i)? ", re.IGNORECASE
)
_BARE = re.compile(r"^(?:yes|no|ja|nein|oui|non|both|all|none|neither)\b", re.IGNORECASE)


def is_about_process(question: str) -> bool:
    """Whether a question only asks how to go on: "What would you like to do next?"."""
    return bool(_PROCESS.search(question))


class Answer(NamedTuple):
    """A question, its short header, the answer, and what the chosen option was said to mean."""

    question: str
    header: str
    answer: str
    description: str
    is_own: bool
    """Whether the user typed the answer instead of choosing one."""


class Decided(NamedTuple):
    """What an answer decided."""

    title: str
    text: str
    reason: str


def read(response: object) -> list[Answer]:
    """Return the answers in a tool's result; empty where it is none of such a tool."""
    if isinstance(response, str) and response.startswith(_ANSWERED):
        return [Answer(_line(asked), "", _line(said), "", is_own=False) for asked, said in _PAIR.findall(response)][
            :MOST_ANSWERS
        ]
    if not isinstance(response, Mapping) or not isinstance(response.get("answers"), Mapping):
        return []
    asked = response.get("questions")
    listed = [question for question in asked if isinstance(question, Mapping)] if isinstance(asked, list) else []
    found = (_answer(question, response["answers"].get(question.get("question"))) for question in listed)
    return [answer for answer in found if answer][:MOST_ANSWERS]


def _answer(question: Mapping[str, object], said: object) -> Answer | None:
    given = ", ".join(map(str, said)) if isinstance(said, list) else said
    if not isinstance(given, str) or not given.strip():
        return None
    options = question.get("options")
    listed = [option for option in options if isinstance(option, Mapping)] if isinstance(options, list) else []
    chosen = next((option for option in listed if option.get("label") == given), None)
    is_own = chosen is None and not any(str(option.get("label")) in given for option in listed)
    description = str(chosen.get("description") or "") if chosen else ""
    return Answer(
        question=_line(str(question.get("question") or "")),
        header=_line(str(question.get("header") or "")),
        answer=_line(given),
        description=_line(description),
        is_own=is_own,
    )


def _line(value: str) -> str:
    return text.cut(" ".join(text.clean_line(value).split()), FIELD_CHARS)


def to_text(answers: Iterable[Answer]) -> str:
    """Return answers as lines of tab-separated fields, as they are kept with the tool's event."""
    return "\n".join(MARK + "\t".join([*answer[:4], "own" if answer.is_own else ""]) for answer in answers)


def from_text(detail: str) -> list[Answer]:
    """Return the answers that are kept with an event; empty where it has none."""
    rows = (line.split("\t") for line in detail.split("\n") if line.startswith(MARK))
    return [Answer(row[1], row[2], row[3], row[4], is_own=row[5] == "own") for row in rows if len(row) == 6]


def decision(answer: Answer) -> Decided | None:
    """Return what an answer decided; None where it is only about what to do next."""
    chosen = _RECOMMENDED.sub("", answer.answer).strip(" .")
    if answer.is_own:
        is_choice = (
            len(chosen.split()) >= LEAST_OWN_WORDS and not chosen.endswith("?") and not consent.is_about_now(chosen)
        )
        return Decided(title(chosen), chosen, "") if is_choice else None
    is_bare = bool(_BARE.match(chosen))
    if is_about_process(answer.question) or (consent.is_about_now(chosen) and not is_bare):
        return None
    subject = _subject(answer)
    if is_bare:
        about = _ASKED.sub("", answer.question).rstrip("? ")
        said = f"{about[:1].upper()}{about[1:]}: {chosen.lower()}"
    else:
        said = f"{subject}: {chosen}" if subject else chosen
    return Decided(title(said), said, answer.description)


def _subject(answer: Answer) -> str:
    """Return what a question is about, in a few words; else its header; empty if there is none."""
    for rule in SUBJECTS:
        found = rule.pattern.match(answer.question)
        if found:
            return " ".join(part for part in found.groups() if part)
    return answer.header
