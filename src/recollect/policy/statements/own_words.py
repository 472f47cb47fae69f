"""Tell a user's own words in a message from text that the user pasted, quoted or introduced.

`read` returns the user's own text and the ranges of the message that are somebody else's. Three steps take those away:

1. pasted parts, by their structure (`pasted`)
2. quotations that are long enough to be a sentence
3. the rest of a message behind a lead such as "translate this:" (`INTRODUCED`)

Which sentences of the own text are attributed to somebody else is decided by `voices`.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from recollect.policy.rule import Rule
from recollect.policy.statements import pasted
from recollect.policy.statements.pasted import Range
from recollect.policy.statements.voices import is_rule

MOST_CHARS = 8_000
QUOTE_CHARS = 300
"""How far the end of a quotation in single quotes is looked for, past apostrophes."""
LONG_QUOTE_WORDS, RULE_WORDS, LONG_QUOTE_CHARS = 5, 3, 12
"""A quotation is a sentence from five words on, from three if it is a rule, in Chinese or Japanese from 12 signs on."""
LEFT_OUT = "\u2026"
"""What stands for a quotation in the user's own text."""
# Private-use signs that stand for each sign of a foreign part while a message is taken apart, so that offsets stay.
_BLOCK, _INLINE = "\ue000", "\ue001"
_BLOCKS, _INLINES = re.compile(f"{_BLOCK}+"), re.compile(f"{_INLINE}+")
_WITHOUT_MARKS = {ord(_BLOCK): " ", ord(_INLINE): " "}

# Opening sign, and the signs that close it.
_QUOTES = (
    ('"', '"'), ("\u201c", "\u201d"), ("\u201e", "\u201c\u201d"), ("\u00ab", "\u00bb"), ("\u00bb", "\u00ab"),
    ("\u2039", "\u203a"), ("\u300c", "\u300d"), ("\u300e", "\u300f"), ("\u2018", "\u2019"), ("'", "'"), ("`", "`"),
    ("\uff02", "\uff02"), ("\u201a", "\u2018\u2019"),
)  # fmt: skip
_CLOSERS = dict(_QUOTES)
_APOSTROPHES = "'\u2019"
_CORNER_BRACKETS = "\u300c\u300e"
_NOT_INSIDE_WORDS = "'\u2018\"`"

_LEAD = r"(?:^|(?<=[.!?:]))[ \t]*(?:(?:and|also|ok|so|hi|please|pls|now|then|can you|could you|would you)\b,?[ \t]+)*"
_SOURCE = (
    r"(?:tickets?|issues?|bug ?reports?|reports?|e-?mails?|mails?|messages?|threads?|slack|chats?|conversations?"
    r"|transcripts?|logs?|outputs?|errors?|tracebacks?|traces?|warnings?|docs?|documentation|readme\S*|contributing\S*"
    r"|changelogs?|release notes|pages?|sites?|websites?|articles?|posts?|blogs?|wikis?|comments?|reviews?|feedback"
    r"|repl(?:y|ies)|answers?|specs?|specification|rfc|manuals?|guides?|handbooks?|contracts?|files?|snippets?"
    r"|selections?|excerpts?|quotes?|texts?|paragraphs?|sections?|descriptions?|prompts?|diffs?|patch(?:es)?|hints?"
    r"|sheets?|letters?|banners?|responses?|results?|stack overflow|jira|github|confluence)"
)
_SAID = (
    r"(?:says?|said|wrote|writes|sent|posted|posts|commented|comments|replied|answered|asked|tells|told|reads|states"
    r"|stated|suggests|suggested|recommends|recommended|prints|printed|shows|claims|claimed|complains|noted|answers)"
)
_DOCUMENT = (
    r"(?:release notes|changelog|readme\S*|docs|documentation|manual|guide|handbook|spec|page|site|article|post|blog"
    r"|wiki|comment|review|reply|answer|mail|e-?mail|letter|message|ticket|issue|thread|output|log|text)"
)
# Leads behind which the rest of the message is somebody else's text: what it is, pattern, example.
# A pattern ends where that text begins.
INTRODUCED = tuple(
    Rule(name, re.compile("".join(pattern), re.IGNORECASE | re.MULTILINE), example)
    for name, pattern, example in (
        (
            "text to work on",
            (
                _LEAD,
                r"(?:translate|summari[sz]e|rephrase|reword|proof-?read|paraphrase|spell-?check|shorten|simplify|tl;?dr",
                r"|quote|cite|recite|repeat)\b[^.!?\n:]{0,80}(?::|\n)",
            ),
            "translate: always use tabs",
        ),
        (
            "text to work on",
            (
                _LEAD,
                r"(?:fix|check|review|explain|reply to|answer|respond to|format|convert|parse|read|look at|analy[sz]e",
                r"|improve|polish|correct|implement|work on|test|handle|what (?:about|do you think of)|see)\b",
                r"[^.!?\n:]{0,40}\b(?:this|these|the following|that)\b[^.!?\n:]{0,30}:",
            ),
            "reply to this: always use tabs",
        ),
        (
            "text to work on",
            (
                _LEAD,
                r"[a-z][^.!?\n:]{0,80}\b(?:this|the|a|following) (?:\w+ )?(?:line|sentence|text|string|phrase|words?",
                r"|paragraph|message|label|title|comment|heading|caption)",
                r"(?: (?:to|in|into|for|on|at|below|above)\b[^.!?\n:]{0,50})?[ \t]?:",
            ),
            "add this line to the docs: always use tabs",
        ),
        (
            "text to judge",
            (_LEAD, r"(?:any|your)? ?(?:ideas?|thoughts?|opinions?|wdyt|comments?)\b[^.!?\n:]{0,30}:"),
            "any ideas: always use tabs",
        ),
        (
            "shown",
            (
                r"\b(?:here(?:'s|\u2019s| is| are| comes?)|this is|that is|these are|below|attached|pasted|forwarded",
                r"|copied|from(?! now)|as per|per|according to|quoting)\b",
                rf"[^.!?\n:]{{0,80}}\b{_SOURCE}\b[^.!?\n:]{{0,60}}:",
            ),
            "here is the ticket: always use tabs",
        ),
        (
            "shown",
            (
                r"\b(?:see|look at|read|got|get|received|found) (?:this|that|the|an?|these|the following) ",
                rf"(?:\w+ ){{0,2}}{_SOURCE}\b[^.!?\n:]{{0,40}}:",
            ),
            "we got this mail: always use tabs",
        ),
        (
            "shown",
            (
                r"(?:^|[.!?][ \t])[ \t]*(?:the|this|that|their|his|her|its) [^.!?\n:]{0,60}",
                rf"\b{_SOURCE}\b[^.!?\n:]{{0,60}}:[ \t]*\n",
            ),
            "the message below is odd:",
        ),
        (
            "shown",
            (rf"(?:^|[.!?][ \t])[ \t]*(?:\w+ ){{0,3}}{_DOCUMENT} (?:of|by|from) [^.!?\n:]{{1,60}}:",),
            "release notes of the library: always use tabs",
        ),
        (
            "shown",
            (rf"^[^.!?\n:]{{0,60}}\b{_SOURCE}\b[^.!?\n:]{{0,40}}\b(?:below|follows|attached|pasted)[^\w\n]{{0,5}}\n",),
            "mail thread below",
        ),
        (
            "said",
            (
                r"(?<![\w.])(?!(?:i|we|you|have|has|had|to|should|could|must|not|be)\b)[\w.\u2019']{1,40}",
                r"(?: \w{1,20}ly)? ",
                rf"{_SAID}\b[^.!?\n:]{{0,60}}:[ \t]*\n",
            ),
            "what the customer sent us:",
        ),
    )
)
# A lead with one of these introduces the user's own rule: "remember this line: …".
_OWN_LEAD = re.compile(
    r"\b(?:remember|note|keep (?:\w+ )?in mind"
    r"|(?:my|our|one|new|house|a) (?:\w+ )?(?:rules?|convention|preference|wish|style)"
    r"|rules?|decision|from now on|going forward|i (?:said|say|wrote|told|tell|repeat|mean|want)"
    r"|we (?:say|said|agreed|decided))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A message taken apart: the user's own text, and the ranges of the message that are somebody else's."""

    own: str
    foreign: tuple[Range, ...]


class _Paragraph(NamedTuple):
    start: int
    text: str


def read(message: str) -> Reading:
    """Return the user's own text of a message, with an ellipsis for each quotation, and the ranges that were left out.

    Only the first 8,000 characters are read.
    """
    text = message[:MOST_CHARS].translate(_WITHOUT_MARKS)
    blocks = pasted.ranges(text)
    text = _blanked(text, blocks, _BLOCK)
    quotes = _quotations(text)
    text = _blanked(text, quotes, _INLINE)
    rest = _introduced(text)
    text = text[: rest.start] if rest else text
    own = _INLINES.sub(LEFT_OUT, _BLOCKS.sub("\n", text))
    return Reading(own, tuple(sorted([*blocks, *quotes, *([rest] if rest else [])])))


def _blanked(text: str, ranges: list[Range], mark: str) -> str:
    """Return the text with a mark for each character of the ranges."""
    parts, at = [], 0
    for found in ranges:
        if found.end > at:
            start = max(found.start, at)
            parts += [text[at:start], mark * (found.end - start)]
            at = found.end
    return "".join([*parts, text[at:]])


def _quotations(text: str) -> list[Range]:
    """Return the quotations that are long enough to be a sentence; a short one is a name, a word or a command."""
    found = []
    for paragraph in _paragraphs(text):
        line, at = paragraph.text, 0
        while at < len(line):
            closing = _CLOSERS.get(line[at])
            end = _quotation_end(line, at, closing) if closing else -1
            if end > at:
                if _is_sentence(line[at + 1 : end], line[at]):
                    found.append(Range(paragraph.start + at + 1, paragraph.start + end, "quotation"))
                at = end
            at += 1
    return found


def _paragraphs(text: str) -> list[_Paragraph]:
    """Return the paragraphs with their offsets: a quotation does not go beyond an empty line."""
    found, start = [], 0
    for part in text.split("\n\n"):
        found.append(_Paragraph(start, part))
        start += len(part) + 2
    return found


def _quotation_end(line: str, at: int, closing: str) -> int:
    """Return where a quotation that opens at a place ends; -1 if the sign is no opening quote, or is never closed."""
    is_word_before = at > 0 and line[at - 1].isalnum()
    if line[at] in _NOT_INSIDE_WORDS and is_word_before:
        return -1
    places = [place for place in (line.find(sign, at + 1) for sign in closing) if place >= 0]
    end = min(places, default=-1)
    last = at + QUOTE_CHARS
    while end >= 0 and closing[0] in _APOSTROPHES and line[end + 1 : end + 2].isalnum():  # an apostrophe
        end = line.find(closing[0], end + 1, last)
    return end


def _is_sentence(quoted: str, sign: str) -> bool:
    number = len(quoted.split())
    if sign in _CORNER_BRACKETS:
        return len(quoted) >= LONG_QUOTE_CHARS
    is_rule_quoted = number >= RULE_WORDS and is_rule(quoted)
    if sign == "`":  # around a command they are emphasis
        return is_rule_quoted
    return number >= LONG_QUOTE_WORDS or is_rule_quoted


def _introduced(text: str) -> Range | None:
    """Return the rest of the message behind the first lead of `INTRODUCED`; None if there is none.

    A lead behind which a pasted part or a quotation stands introduces only that.
    """
    places = []
    for rule in INTRODUCED:
        for lead in rule.pattern.finditer(text):
            rest = text[lead.end() :].lstrip(" \t\n\"'")
            if rest and rest[0] not in (_BLOCK, _INLINE) and not _OWN_LEAD.search(lead[0]):
                places.append((lead.end(), rule.name))
                break
    if not places:
        return None
    start, name = min(places)
    return Range(start, len(text), name)
