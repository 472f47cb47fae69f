"""Tell a user's own words from words that the user only passes on.

`read` takes a message apart: first the pasted parts (`pasted`), quotations and texts that a sentence introduces, then
sentence by sentence what is attributed to somebody else, doubted, asked or only imagined. What is left is the user's.
Of the rest only attributed sentences ("legal says …") are returned, because they may be worth a look; everything else
is somebody else's text and is dropped.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from recollect.policy.statements import pasted
from recollect.policy.statements.pasted import Range

MOST_CHARS = 8_000
QUOTE_CHARS = 300
"""How far the end of a quotation in single quotes is looked for, past apostrophes."""
LONG_QUOTE_WORDS, RULE_WORDS, LONG_QUOTE_CHARS = 5, 3, 12
LEFT_OUT = "\u2026"
"""What stands for a quotation in the user's own text."""
_BLOCK, _INLINE = "\ue000", "\ue001"
_BLOCKS, _INLINES = re.compile(f"{_BLOCK}+"), re.compile(f"{_INLINE}+")
_MARKS = {ord(_BLOCK): " ", ord(_INLINE): " "}

# -- parts of a message ------------------------------------------------------------------------------------------------

_QUOTES = (
    ('"', '"'), ("\u201c", "\u201d"), ("\u201e", "\u201c\u201d"), ("\u00ab", "\u00bb"), ("\u00bb", "\u00ab"),
    ("\u2039", "\u203a"), ("\u300c", "\u300d"), ("\u300e", "\u300f"), ("\u2018", "\u2019"), ("'", "'"), ("`", "`"),
    ("\uff02", "\uff02"), ("\u201a", "\u2018\u2019"),
)  # fmt: skip
_CLOSERS = dict(_QUOTES)
_APOSTROPHES = "'\u2019"
_RULE = re.compile(
    r"\b(?:always|never|from now on|going forward|must|we (?:decided|agreed)|don'?t|do not|prefer)\b", re.IGNORECASE
)
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
# What follows is somebody's text, to the end of the message. Rule, pattern (it ends where the text begins), example.
INTRODUCED = tuple(
    pasted.Rule(name, re.compile("".join(pattern), re.IGNORECASE | re.MULTILINE), example)
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
_OWN_LEAD = re.compile(
    r"\b(?:remember|note|keep (?:\w+ )?in mind"
    r"|(?:my|our|one|new|house|a) (?:\w+ )?(?:rules?|convention|preference|wish|style)"
    r"|rules?|decision|from now on|going forward|i (?:said|say|wrote|told|tell|repeat|mean|want)"
    r"|we (?:say|said|agreed|decided))\b",
    re.IGNORECASE,
)

# -- sentences ---------------------------------------------------------------------------------------------------------

_SPEAKS = (
    r"(?:says?(?!\s+\d)|said|claims?|claimed|suggests|recommends|insists?|insisted|thinks|thought|believes|argues?|argued|advises"
    r"|mentions|mentioned|demands|proposes|warns|warned|announced|complains|tells"
    r"|told (?:me|us|him|her|them|everybody|everyone|the \w+)|sagt|sagte|meint|schreibt|schrieb|dit|dice|zegt"
    r"|(?:suggested|recommended|advised|demanded|proposed|complained|commented|replied|states|stated|writes|wrote|reads"
    r"|noted|notes|asks|asked|answered|posted|sent|explains|explained)"
    r"(?=\s+(?:that|to|us|me|we|you)\b|(?: (?:back|in|us|me|again))*\s*[:\"\u201c]))"
)
_ATTRIBUTED = re.compile(
    r"(?<![\w.-])([\w.@\u2019'/-]{1,60})\s+(?:(?:also|just|always|now|then|has|have|had|\w+ly)\s+)*"
    rf"({_SPEAKS})\b(?!-)",
    re.IGNORECASE,
)
_PAST = re.compile(r"said|wrote|told|claimed|suggested|recommended|mentioned|insisted|proposed", re.IGNORECASE)
_FIRST_PERSON = frozenset(["i", "we", "i've", "we've", "i'd", "we'd"])
_NO_SUBJECT = frozenset(
    [
        "to", "not", "never", "always", "please", "must", "should", "can", "could", "would", "will", "may", "might",
        "don't", "do", "does", "did", "and", "or", "but", "just", "be", "is", "are", "was", "if", "when", "before",
        "after", "until", "unless", "as", "because", "so", "also", "then", "let", "let's", "ok", "no", "yes", "have",
        "has", "had", "being", "been", "which",
    ]
)  # fmt: skip
_NO_CLAUSE = re.compile(r"\s*(?:why|what|how|where|which|no|yes|so|ok|done|hello|sorry|thanks|nothing)\b\W*"
                        r"(?=$|[.,;!]|\s(?:to|it|is|can|twice|again))", re.IGNORECASE)  # fmt: skip
_ADOPTED = re.compile(
    r"\b(?:as|like|just as|exactly as)\s+(?:the |our |this |a )?(?:[\w.\u2019'-]+\s+){0,3}$", re.IGNORECASE
)
_BEHIND = re.compile(
    r"[,;\u2013\u2014(]\s*(?:says|said|claims|claimed|writes|wrote|argues|insists|suggests|recommends|thinks|as per"
    r"|according to|quoting)\s+(?!(?:i|we|that|to|in)\b)\w"
    r"|[\u2013\u2014]\s*[A-Z][\w.]+(?: [A-Z][\w.]+)?\W*$|\((?:from|source|quote|via)\b[^()]*\)\W*$",
)
_ACCORDING = re.compile(
    r"^\W*(?:(?:so|and|but|well|hm+|ok|fyi|btw)\b,?\s*)*(?:according to|(?:as )?per (?:the|our|their|his|her|my)"
    r"|if (?:\w+ ){1,3}is to be believed|(?:in|on|at) (?:the|their|his|her) [^,.]{1,40}\bit (?:says|reads|said)"
    r"|it (?:says|said|reads)|there (?:is|was) an? [^,.]{0,60}\b(?:that|which|saying|recommending|suggesting)\b"
    r"|i (?:heard|was told|am told)\b|i (?:read|saw) (?:that|in|on|somewhere)\b|rumou?r has it|apparently,?\s)",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^\W{0,2}([A-Z][a-z]+(?: [A-Z][a-z]+)?|[\w./-]+\.(?:md|rst|txt|adoc|html?|pdf|docx?)):\s+\S")
# Labels that a user puts in front of an own rule; plurals, -ing and abbreviations count as such too.
_OWN_LABELS = frozenset(
    [
        "so", "but", "ok", "yes", "no", "and", "then", "finally", "anyway", "sorry", "thanks", "edit", "ps", "plan",
        "goal", "task", "reason", "idea", "context", "note", "rule", "remember", "reminder", "convention", "preference",
        "style", "important", "naming", "fyi", "also", "decision", "constraint", "limit", "next", "first", "second",
        "third", "last", "correction", "update", "question", "answer", "clarification", "todo", "policy", "summary",
        "scope", "backend", "frontend", "database", "api", "git", "python", "javascript", "typescript", "rust", "go",
        "java", "code", "format", "language",
    ]
)  # fmt: skip
# No statement at all: rule, pattern, example.
_ASIDE = (
    r"^\W*(?:(?:please|pls|can you|could you|and|but|so|well|no|hm+|btw|wait|sorry|ok|now|then|just|also|next)\b,?\s+)*"
)
_UNTRUE = (
    r"(?:\w+ly |just |plain |utter |total |complete )*(?:nonsense|wrong|false|untrue|not true|incorrect|rubbish"
    r"|bullshit|a lie|a myth|bad advice|silly|stupid|outdated|not (?:our|my) (?:rule|decision|words?))"
)
_IT = r"(?:that|this|it|so|with (?:that|this|it))"
NO_STATEMENT = tuple(
    pasted.Rule(name, re.compile("".join(pattern), re.IGNORECASE), example)
    for name, pattern, example in (
        (
            "question",
            (
                _ASIDE,
                r"(?:is it (?:true|right|ok|correct|so)|is there|are there|does|did|do (?:we|you|they|i|people)|isn'?t",
                r"|aren'?t|don'?t we|didn'?t|why|what does|what do|who|where|which|how come|how (?:do|does|is|are|can)",
                r"|was|were|has|have (?:we|you|they)|am i|is (?:that|this|it|the))\b(?!\s*:)",
            ),
            "is it true that we always use tabs",
        ),
        (
            "text to work on",
            (_ASIDE, r"(?:translate|summari[sz]e|rephrase|reword|proof-?read|paraphrase|spell-?check)\b"),
            "translate always use tabs",
        ),
        (
            "imagined",
            (
                _ASIDE,
                r"(?:suppose|supposing|imagine|assume|assuming|pretend|hypothetically|let'?s (?:say|assume|pretend",
                r"|imagine)|what if|say we\b|for the sake of argument|if (?:i|we|you|he|she|they|somebody|someone",
                r"|anybody|anyone|an? user|the user) (?:said|told|asked|say|tell",
                r"|were to|was to|had|wrote|wanted|would))\b",
            ),
            "suppose we always use tabs",
        ),
        (
            "doubted",
            (
                r"\b(?:i|we) (?:do not|don'?t|can'?t|cannot|never|no longer)(?: really| fully)? (?:believe|agree|buy",
                r"|trust|accept|think (?:that )?[^.]*\b(?:always|never|from now on))\b",
                r"|\bi (?:really )?(?:doubt|disagree|reject)\b",
                rf"|(?:\u2026\W{{0,2}}|\b(?:that|this|it|which)) ?(?:is|'s|\u2019s|was|sounds) {_UNTRUE}\b",
            ),
            "I don't believe that we always use tabs",
        ),
        (
            "doubted",
            (
                _ASIDE,
                r"(?:ignore|disregard|forget|skip|don'?t|do not|never)\b(?: to)?(?: (?:listen to|trust|follow|believe",
                r"|care about|mind))? (?:what(?! (?:i|we)\b)|that|this|it|him|her|them|the (?:\w+ )?(?:bot|page|docs?",
                r"|readme|comment|ticket|review(?:er)?|linter|text|hint|log|message|advice|guide))\b",
                r".*\b(?:says?|said|claims?|writes?|wrote|always|never|from now on)\b",
            ),
            "ignore what the page says, always use tabs",
        ),
    )
)
_TAKES_BACK = re.compile(
    rf"{_ASIDE}(?:(?:i|we) (?:do not|don'?t|can'?t|cannot) (?:believe|agree|buy|think|accept)(?: {_IT})?"
    rf"|i (?:doubt|disagree)(?: {_IT})?|(?:that|this|it|which|he|she)(?:'s|\u2019s| is| was) {_UNTRUE}"
    r"|ignore (?:that|this|it)|(?:they|he|she|it) (?:says?|claims?|said))\s*(?=$|[.,;!:\u2014-])",
    re.IGNORECASE,
)
_TASK = re.compile(
    rf"{_ASIDE}(?:write|add|insert|append|put|print|show|display|echo|log|render|output|return|type|fix|correct|rename"
    r"|replace|change|set|update|remove|delete|test|assert|check|match|parse|reject|accept|make|let|grep|search|find|look"
    r"|highlight|quote|copy|paste|count|detect|create|generate|include)\b",
    re.IGNORECASE,
)
_TEXT_NOUN = re.compile(
    r"\b(?:the|this|that|a|an|following|word|literal)\s+(?:[\w-]+\s+){0,2}?(?:sentence|line|string|text|phrase|words?"
    r"|wording|paragraph|slogan|typo|caption|saying|headline|banner|tooltip|placeholder|input|passage|label|title"
    r"|heading|message|query)\s+(?!(?:to|in(?! this)|for|about|of|with|from(?! now)|before|after|at|on|is|are|was|and"
    r"|or|by|as|when|if|that|which|must|should|has|have|into|per|so|there|here|too|again|first|instead)\b)(?=\S)"
    r"|\b(?:saying|reading|that (?:says|reads)|with the (?:text|words|message))\b",
    re.IGNORECASE,
)
_INTO_TEXT = re.compile(
    r"\b(?:text|string|label|title|heading|message|placeholder|tooltip|caption|banner|line|sentence|wording|slogan)\b"
    r"[^.]{0,40}?\b(?:to|with|by|into|say|read)\s+",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"[,;:(\u2013\u2014]|\b(?:because|since|but|so|and)\b", re.IGNORECASE)


class Voice(NamedTuple):
    """A sentence taken apart: the user's own part of it, all of it where it is attributed to somebody, and the rule."""

    own: str
    attributed: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A message taken apart: the user's own text, and the ranges of the message that are somebody else's."""

    own: str
    foreign: tuple[Range, ...]


def read(message: str) -> Reading:
    """The text of a message without what was pasted, quoted or introduced; quotations leave an ellipsis behind."""
    said = message[:MOST_CHARS].translate(_MARKS)
    blocks = pasted.ranges(said)
    said = _blanked(said, blocks, _BLOCK)
    quotes = _quotations(said)
    said = _blanked(said, quotes, _INLINE)
    rest = _introduced(said)
    said = said[: rest.start] if rest else said
    own = _INLINES.sub(LEFT_OUT, _BLOCKS.sub("\n", said))
    return Reading(own, tuple(sorted([*blocks, *quotes, *([rest] if rest else [])])))


def _blanked(said: str, ranges: list[Range], mark: str) -> str:
    """The text with a mark for each character of the ranges, so that all offsets stay."""
    parts, at = [], 0
    for found in ranges:
        if found.end > at:
            start = max(found.start, at)
            parts += [said[at:start], mark * (found.end - start)]
            at = found.end
    return "".join([*parts, said[at:]])


def _quotations(said: str) -> list[Range]:
    """Quotations that are long enough to be a sentence; a short one is a name, a word or a command."""
    found = []
    for line_start, line in _paragraphs(said):
        at = 0
        while at < len(line):
            closing = _CLOSERS.get(line[at])
            end = _closing(line, at, closing) if closing else -1
            if end > at:
                if _is_sentence(line[at + 1 : end], line[at]):
                    found.append(Range(line_start + at + 1, line_start + end, "quotation"))
                at = end
            at += 1
    return found


def _paragraphs(said: str) -> list[tuple[int, str]]:
    """Paragraphs with their offsets: a quotation does not go beyond an empty line."""
    found, start = [], 0
    for part in said.split("\n\n"):
        found.append((start, part))
        start += len(part) + 2
    return found


def _closing(line: str, at: int, closing: str) -> int:
    """Where a quotation that opens at a place ends; -1 where the sign is no opening quote, or is never closed."""
    sign = line[at]
    is_word_before = at > 0 and line[at - 1].isalnum()
    if sign in "'\u2018\"`" and is_word_before:
        return -1
    places = [place for place in (line.find(close, at + 1) for close in closing) if place >= 0]
    end = min(places, default=-1)
    last = at + QUOTE_CHARS
    while end >= 0 and closing[0] in _APOSTROPHES and line[end + 1 : end + 2].isalnum():  # an apostrophe
        end = line.find(closing[0], end + 1, last)
    return end


def _is_sentence(quoted: str, sign: str) -> bool:
    number = len(quoted.split())
    if sign in "\u300c\u300e":
        return len(quoted) >= LONG_QUOTE_CHARS
    if sign == "`":  # around a command they are emphasis
        return number >= RULE_WORDS and bool(_RULE.search(quoted))
    return number >= LONG_QUOTE_WORDS or (number >= RULE_WORDS and bool(_RULE.search(quoted)))


def _introduced(said: str) -> Range | None:
    """The rest of the message from where somebody else's text is introduced; what is marked already needs no more."""
    places = []
    for rule in INTRODUCED:
        for lead in rule.pattern.finditer(said):
            rest = said[lead.end() :].lstrip(" \t\n\"'")
            if rest and rest[0] not in (_BLOCK, _INLINE) and not _OWN_LEAD.search(lead[0]):
                places.append((lead.end(), rule.name))
                break
    if not places:
        return None
    start, name = min(places)
    return Range(start, len(said), name)


def is_rule(said: str) -> bool:
    """Whether a text sounds like a rule: it says always, never, must and the like."""
    return bool(_RULE.search(said))


def voices(sentences: list[str]) -> list[Voice]:
    """Each sentence taken apart; a sentence that is taken back by the next one is nobody's."""
    found = [voice(sentence) for sentence in sentences]
    for place, sentence in enumerate(sentences):
        if place and _TAKES_BACK.match(sentence):
            found[place - 1] = Voice("", "", "doubted")
        before = found[place - 1] if place else None
        # What goes on after a rule of somebody else's may be theirs too, unless the user speaks.
        if before and before.attributed and _RULE.search(before.attributed) and found[place].own == sentence:
            is_users = re.search(r"\b(?:i|we|my|our|you)\b", sentence, re.IGNORECASE)
            found[place] = found[place] if is_users else Voice("", sentence, "attributed")
    return found


def voice(sentence: str) -> Voice:
    """A sentence taken apart: what the user says, and what is only passed on."""
    taken_back = _TAKES_BACK.match(sentence)
    if taken_back:
        return Voice(sentence[taken_back.end() :].lstrip(" ,;:.!\u2014-"), "", "doubted")
    for rule in NO_STATEMENT:
        if rule.pattern.search(sentence):
            return Voice("", "", rule.name)
    about = _text_worked_on(sentence)
    if about >= 0:
        return Voice(sentence[:about].strip(), "", "text to work on")
    return _attributed(sentence)


def _text_worked_on(sentence: str) -> int:
    """Where the text begins that a task is about ("write a test for the sentence …"); -1 where there is none."""
    task = _TASK.match(sentence)
    if not task:
        return -1
    places = [found.end() for found in (_TEXT_NOUN.search(sentence, task.end()),) if found]
    if re.match(r".*\b(?:rename|replace|change|set|update|make|let)$", task[0], re.IGNORECASE):
        places += [found.end() for found in (_INTO_TEXT.search(sentence, task.end()),) if found]
    return min(places, default=-1)


def _attributed(sentence: str) -> Voice:
    """The sentence as the user's own or as somebody else's ("Bob says …", "…, says Bob", "Bob: …")."""
    label = _LABELLED.match(sentence)
    if label and not _is_own_label(label[1]):
        return Voice("", sentence, "label")
    if _ACCORDING.match(sentence) or _BEHIND.search(sentence):
        return Voice("", sentence, "attributed")
    for found in _ATTRIBUTED.finditer(sentence):
        before, after = sentence[: found.start()], sentence[found.end() :]
        if not _is_speaker(found[1], found[2]) or _ADOPTED.search(f"{before}{found[1]} "):
            continue
        if not after.strip(' .!\u2026"'):
            return Voice("", sentence, "attributed")  # "always use tabs, Bob says."
        if _NO_CLAUSE.match(after):
            continue
        ends = [end.end() for end in _CLAUSE_ENDS.finditer(before)]
        start = ends[-1] if ends else 0
        return Voice(before[:start].rstrip(" ,;:(\u2013\u2014"), sentence, "attributed")
    return Voice(sentence)


def _is_speaker(subject: str, verb: str) -> bool:
    """Whether the word before a verb of saying is somebody else: no first person, no bare `you say`, no auxiliary."""
    low = subject.lower().replace("\u2019", "'")
    if low == "you":
        return bool(_PAST.match(verb))
    return low not in _FIRST_PERSON and low not in _NO_SUBJECT and not low.endswith("'s") and not low.isdigit()


def _is_own_label(label: str) -> bool:
    low = label.lower()
    return "." not in low and (
        any(word in _OWN_LABELS for word in low.split()) or low.endswith(("s", "ing")) or label.isupper()
    )
