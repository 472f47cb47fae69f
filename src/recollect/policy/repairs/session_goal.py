"""What a session is about: the first prompt that says so, in its own words."""

import re
from collections.abc import Sequence

from recollect.model import text
from recollect.policy.statements import pasted

GOAL_CHARS, LEAST_WORDS, ROUTINE_WORDS = 160, 4, 7
_SLASH_COMMAND = re.compile(r"^\s*/[\w:.-]+\s*")
_ELEMENT = re.compile(r"</?[\w-]+(?: [^<>\n]{0,200})?>")
# "Implement the following plan:" and a document below it.
_PLAN = re.compile(
    r"^\W*(?:please )?(?:implement|execute|carry out|follow|do)\b[^\n]{0,40}\bplan\b[^\n]{0,40}:?\s*\n", re.IGNORECASE
)
_HEADING = re.compile(
    r"^#{1,3}\s+(?:(?:implementation )?plan\b\s*[:\u2013\u2014-]?\s*)?(\S.*)$", re.IGNORECASE | re.MULTILINE
)
# Words that lead up to a request.
_LEAD = re.compile(
    r"^(?:(?:ok|okay|hi|hey|so|now|and|great|please|pls)\b[\s,.!:]*"
    r"|(?:can|could|would|will) (?:you|we|u)(?: please)?\s+|(?:i'd|i would) like (?:you )?to\s+|i want (?:you )?to\s+"
    r"|let(?:'s| us)\s+|we (?:should|need to|have to|want to)\s+|please\s+)+",
    re.IGNORECASE,
)
# Requests about git, reviews and going on: they say nothing about the work.
_ROUTINE = re.compile(
    r"^(?:yes|yep|yeah|no|ok|sure|thanks?|continue|go on|go ahead|do it|commit|push|merge|pull|rebase|stash|open a"
    r"|create a pr|bring it|update from|run|retry|try again|next|done"
    r"|perfect|great|which|what|why|how|is|are|do|does|did|have|has)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")


def goal(prompts: Sequence[str]) -> str:
    """Return what a session is about, at most 160 characters: a plan's heading, or the first sentence that says so.

    Where no prompt says so, it is the first line of the first prompt.
    """
    told = [sentence for prompt in prompts if (sentence := _sentence(prompt))]
    telling = [sentence for sentence in told if not _is_routine(sentence)]
    chosen = next(iter([*telling, *told]), text.first_line(prompts[0]))
    return text.cut(chosen.rstrip(" :"), GOAL_CHARS)


def _sentence(prompt: str) -> str:
    """Return the sentence of a prompt that says what it asks for; empty if all of it is a command or pasted."""
    plan = _PLAN.match(prompt)
    heading = _HEADING.search(prompt[plan.end() :]) if plan else None
    if heading:
        return heading[1].strip()
    bare = _SLASH_COMMAND.sub("", _without_pasted(_ELEMENT.sub(" ", prompt)))
    sentences = [_LEAD.sub("", " ".join(sentence.split())) for sentence in _SENTENCE_END.split(bare)]
    long = [sentence for sentence in sentences if len(sentence.split()) >= LEAST_WORDS]
    return next(iter([*long, *filter(None, sentences)]), "")


def _without_pasted(prompt: str) -> str:
    """Return a prompt without its pasted parts: logs, quotations, code."""
    kept, at = [], 0
    for found in pasted.ranges(prompt):
        kept.append(prompt[at : max(at, found.start)])
        at = max(at, found.end)
    return "\n".join([*kept, prompt[at:]])


def _is_routine(sentence: str) -> bool:
    """Whether a short sentence only says what to do next, or is a question."""
    words = len(sentence.split())
    return words < LEAST_WORDS or (words <= ROUTINE_WORDS and bool(_ROUTINE.match(sentence)))
