"""Why something failed: sentences that give a cause, in an answer or in the message of the commit that repaired it."""

import re
from collections.abc import Sequence

from recollect.model.session_event import SessionEvent
from recollect.policy.capture.episodes import Episode
from recollect.policy.capture.milestones import kind_of
from recollect.policy.rule import any_of, table
from recollect.policy.shell import commits
from recollect.policy.shell.commits import Commit
from recollect.policy.statements.statements import Statement

CAUSE_CHARS = 400
LEAST_WORDS, SHORT_SENTENCES = 3, 3

# Words by which a sentence says why something is as it is, and not only what was done.
CAUSAL = table(
    (
        (
            "a cause is named",
            (
                r"because|\bsince\b|due to|caus(?:e|es|ed|ing)\b|root cause|culprit|reason|turned? out|turns out"
                r"|the (?:\w+ ){0,2}(?:problem|issue|bug|error|failure|mistake|trouble|catch)"
                r" (?:is|was|were|comes?|came|lies)"
            ),
            "The problem was the port.",
        ),
        (
            "something was not as it has to be",
            (
                r"\b(?:is|are|was|were|has|had|does|did|do|will|would|can|could)(?:n't| not| never| no longer)\b"
                r"|\b(?:missing|stale|expired|outdated|shadow(?:s|ed)|overrid(?:es|den)|overwr\w+|unset|ignor(?:es|ed)"
                r"|conflict(?:s|ed)|collid\w+|refus(?:es|ed)|reject(?:s|ed)|block(?:s|ed)|falsely|wrongly|silently"
                r"|instead of|mismatch|too (?:old|new|small|large|long|short|many|few))\b"
            ),
            "The token had expired.",
        ),
        (
            "something is needed",
            r"\b(?:needs?|requires?|expects?|only (?:works?|runs?|accepts?|reads?|supports?))\b",
            "The mirror requires a login.",
        ),
        (
            "a consequence",
            r"\bso\b|\bwhich (?:means|meant|made|broke|left|caused)|that is why|hence\b|therefore|going on\b",
            "Hence the 404.",
        ),
    ),
    re.IGNORECASE,
)  # fmt: skip
_CAUSAL = any_of(CAUSAL)
# A cause that is called one.
_NAMED = re.compile(
    r"because|root cause|culprit|due to|caused by|turned? out|turns out|\b(?:reason|cause) (?:is|was)\b"
    r"|the (?:\w+ ){0,2}(?:problem|issue|bug|error|failure|mistake) (?:is|was|were|came|lies)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^\s*(?:\S+:\d+(?::\d+)?:|[|`>+])")  # a line of output or of a table
# A sentence that begins like an entry of a list of changes.
_DONE = re.compile(
    r"^\W*(?:`[^`]{1,80}`\W*|\w+\(\)\W*)?(?:i(?:'ve| have)? )?(?:now )?(?:(?<=now )\w+s"
    r"|add(?:s|ed)?|updated|changed|removed|renamed|moved|replaced|returns?|created|refactored"
    r"|implemented|extracted|inlined|introduced|all tests|tests? pass"
    r"|summary|here(?:'s| is)|done)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\bbecause\b|\bsince\b|\bcause|\breason\b|\bdue to\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MARKUP = re.compile(r"\*\*|__|^#+\s*|^\s*[-*]\s+", re.MULTILINE)


def is_causal(sentence: str) -> bool:
    """Whether a sentence says why something is as it is (`CAUSAL`), and not only what was done about it."""
    return bool(_CAUSAL.search(sentence)) and not _is_report(sentence)


def explains(statement: Statement) -> bool:
    """Whether a statement of an answer can be the cause of a failure: it gives a reason."""
    return is_causal(statement.text)


def in_answer(answer: str, besides: str = "") -> str:
    """Return the sentences of an answer that give a cause: in a short answer all, else those that name one as such.

    Sentences of `besides`, a choice about something else, are left out.
    """
    lines = [_MARKUP.sub("", line) for line in answer.split("\n") if not _LISTED.match(line)]
    sentences = [sentence for line in lines for sentence in _SENTENCE_END.split(line) if sentence]
    others = [sentence for sentence in sentences if sentence not in besides]
    told = [sentence for sentence in others if len(sentence.split()) >= LEAST_WORDS and is_causal(sentence)]
    is_short = len(sentences) <= SHORT_SENTENCES
    return " ".join(sentence for sentence in told if is_short or _NAMED.search(sentence))


def without_reports(text: str) -> str:
    """Return the sentences of a text that do not only tell what was done."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if not _is_report(sentence)]
    return " ".join(sentence for sentence in sentences if len(sentence.split()) >= LEAST_WORDS)


def _is_report(sentence: str) -> bool:
    return bool(_DONE.match(sentence)) and not _BECAUSE.search(sentence)


def cause_of(episode: Episode) -> str:
    """Return why something failed, in at most 400 characters; empty if nobody said so.

    What the commit of the repair says comes first: it was written once everything was known.
    """
    committed = [paragraph for event in episode.committed if (paragraph := _committed_cause(event))]
    said = [part for cause in episode.causes if (part := without_reports(cause.text))]
    return shortened(" ".join(dict.fromkeys([*committed[:1], *said])))


def fix_commit(events: Sequence[SessionEvent]) -> Commit | None:
    """Return the first commit of some events that says that it fixes something; None if there is none."""
    made = (commits.commit(event.about, event.detail) for event in events)
    return next((commit for commit in made if commit and kind_of(commit) == "bugfix"), None)


def _committed_cause(event: SessionEvent) -> str:
    """Return the first paragraph of a commit's body, if it gives a cause."""
    made = commits.commit(event.about, event.detail)
    paragraph = " ".join((made.body if made else "").partition("\n\n")[0].split())
    return paragraph if is_causal(paragraph) else ""


def shortened(text: str) -> str:
    """Return whole sentences of a text without markup, at most 400 characters; a longer first sentence is cut."""
    sentences = _SENTENCE_END.split(" ".join(_MARKUP.sub("", text).split()))
    kept = sentences[0][:CAUSE_CHARS].rstrip()
    for sentence in sentences[1:]:
        if len(kept) + len(sentence) >= CAUSE_CHARS:
            break
        kept = f"{kept} {sentence}"
    return kept
