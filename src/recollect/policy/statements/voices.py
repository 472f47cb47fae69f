"""Decide whose words a sentence of a message is: the user's own, somebody else's, or nobody's.

`voice` takes a sentence apart by the first of these rules that applies:

1. the sentence takes back what was said before ("that is wrong, …")
2. it is no statement: a question, a text to work on, something imagined or doubted (`NO_STATEMENT`)
3. it is a task about a text ("rename the label to …")
4. it is attributed to somebody else: a label, a form of attribution (`ATTRIBUTED_FORMS`), a verb of saying
5. else it is the user's own
"""

import re
from typing import NamedTuple

from recollect.policy.rule import Rule, table

ATTRIBUTED, DOUBTED, TO_WORK_ON, LABEL = "attributed", "doubted", "text to work on", "label"

_RULE = re.compile(
    r"\b(?:always|never|from now on|going forward|must|we (?:decided|agreed)|don'?t|do not|prefer)\b", re.IGNORECASE
)
_OWN_PRONOUN = re.compile(r"\b(?:i|we|my|our|you)\b", re.IGNORECASE)

# -- attribution -------------------------------------------------------------------------------------------------------

_BEGINNING = r"^\W*(?:(?:so|and|but|well|hm+|ok|fyi|btw)\b,?\s*)*"
# Attribution by the form of a sentence, without a verb of saying in its middle.
ATTRIBUTED_FORMS = (
    *table(
        (
            (
                "speaker behind the clause",
                (
                    r"[,;\u2013\u2014(]\s*(?:says|said|claims|claimed|writes|wrote|argues|insists|suggests|recommends"
                    r"|thinks|as per|according to|quoting)\s+(?!(?:i|we|that|to|in|go|goes|are|is|must|need|only"
                    r"|have|can|should|via|from)\b)\w"
                ),
                "always use tabs, says Bob",
            ),
            ("signature", r"[\u2013\u2014]\s*[A-Z][\w.]+(?: [A-Z][\w.]+)?\W*$", "always use tabs \u2014 Petra Maier"),
            ("source in brackets", r"\((?:from|source|quote|via)\b[^()]*\)\W*$", "always use tabs (from the wiki)"),
        )
    ),
    *table(
        (
            (name, _BEGINNING + pattern, example)
            for name, pattern, example in (
                ("according to", r"(?:according to|(?:as )?per (?:the|our|their|his|her|my))", "as per the wiki, tabs"),
                ("to be believed", r"if (?:\w+ ){1,3}is to be believed", "if the wiki is to be believed, use tabs"),
                (
                    "it says",
                    r"(?:(?:in|on|at) (?:the|their|his|her) [^,.]{1,40}\bit|it) (?:says|reads|said)",
                    "on the page it says to use tabs",
                ),
                (
                    "there is one that says",
                    r"there (?:is|was) an? [^,.]{0,60}\b(?:that|which|saying|recommending|suggesting)\b",
                    "there is a guide saying to use tabs",
                ),
                (
                    "hearsay",
                    (
                        r"(?:i (?:heard|was told|am told)\b|i (?:read|saw) (?:that|in|on|somewhere)\b|rumou?r has it"
                        r"|apparently,?\s)"
                    ),
                    "I heard that we use tabs",
                ),
            )
        ),
        re.IGNORECASE,
    ),
)
# Verbs of saying. Those in the last group need a clause or a colon behind them: "Bob noted that …", "Bob wrote: …".
_SPEAKS = (
    r"(?:says?(?!\s+\d)|said|claims?|claimed|suggests|recommends|insists?|insisted|thinks|thought|believes|argues?"
    r"|argued|advises"
    r"|mentions|mentioned|demands|proposes|warns|warned|announced|complains|tells"
    r"|told (?:me|us|him|her|them|everybody|everyone|the \w+)|sagt|sagte|meint|schreibt|schrieb|dit|dice|zegt"
    r"|(?:suggested|recommended|advised|demanded|proposed|complained|commented|replied|states|stated|writes|wrote|reads"
    r"|noted|notes|asks|asked|answered|posted|sent|explains|explained)"
    r"(?=\s+(?:that|to|us|me|we|you)\b|(?: (?:back|in|us|me|again))*\s*[:\"\u201c]))"
)
# Somebody, and a verb of saying: "Bob says", "the linter also recommends that".
_SAYING = re.compile(
    r"(?<![\w.-])([\w.@\u2019'/-]{1,60})\s+(?:(?:also|just|always|now|then|has|have|had|\w+ly)\s+)*"
    rf"({_SPEAKS})\b(?!-)",
    re.IGNORECASE,
)
# Verbs that make "you …" somebody's words: "you said", but not "you say".
_PAST = re.compile(r"said|wrote|told|claimed|suggested|recommended|mentioned|insisted|proposed", re.IGNORECASE)
_FIRST_PERSON = frozenset(["i", "we", "i've", "we've", "i'd", "we'd"])
# Words that can stand before a verb of saying and are no speaker: "never said", "if says".
_NO_SUBJECT = frozenset(
    [
        "to", "not", "never", "always", "please", "must", "should", "can", "could", "would", "will", "may", "might",
        "don't", "do", "does", "did", "and", "or", "but", "just", "be", "is", "are", "was", "if", "when", "before",
        "after", "until", "unless", "as", "because", "so", "also", "then", "let", "let's", "ok", "no", "yes", "have",
        "has", "had", "being", "been", "which",
        "won't", "can't", "cannot", "doesn't", "didn't", "wouldn't", "shouldn't",
    ]
)  # fmt: skip
# Behind a verb of saying no clause follows, so that nobody's words are passed on: "he said no".
_NO_CLAUSE = re.compile(
    r"\s*(?:why|what|how|where|which|no|yes|so|ok|done|hello|sorry|thanks|nothing)\b\W*"
    r"(?=$|[.,;!]|\s(?:to|it|is|can|twice|again))",
    re.IGNORECASE,
)
# The user makes somebody's words their own: "do it as Bob says".
_ADOPTED = re.compile(
    r"\b(?:as|like|just as|exactly as)\s+(?:the |our |this |a )?(?:[\w.\u2019'-]+\s+){0,3}$", re.IGNORECASE
)
# A name or a file in front of a colon: "Bob: use tabs", "CONTRIBUTING.md: use tabs".
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

# -- sentences that state nothing --------------------------------------------------------------------------------------

# Words that lead up to a sentence.
_ASIDE = (
    r"^\W*(?:(?:please|pls|can you|could you|and|but|so|well|no|hm+|btw|wait|sorry|ok|now|then|just|also|next)\b,?\s+)*"
)
_UNTRUE = (
    r"(?:\w+ly |just |plain |utter |total |complete )*(?:nonsense|wrong|false|untrue|not true|incorrect|rubbish"
    r"|bullshit|a lie|a myth|bad advice|silly|stupid|outdated|not (?:our|my) (?:rule|decision|words?))"
)
_IT = r"(?:that|this|it|so|with (?:that|this|it))"
# What a sentence is that states nothing, pattern, example.
NO_STATEMENT = tuple(
    Rule(name, re.compile("".join(pattern), re.IGNORECASE), example)
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
# "that is wrong, …", "I disagree: …": what was said before is not the user's.
_TAKES_BACK = re.compile(
    rf"{_ASIDE}(?:(?:i|we) (?:do not|don'?t|can'?t|cannot) (?:believe|agree|buy|think|accept)(?: {_IT})?"
    rf"|i (?:doubt|disagree)(?: {_IT})?|(?:that|this|it|which|he|she)(?:'s|\u2019s| is| was) {_UNTRUE}"
    r"|ignore (?:that|this|it)|(?:they|he|she|it) (?:says?|claims?|said))\s*(?=$|[.,;!:\u2014-])",
    re.IGNORECASE,
)
# -- tasks about a text ------------------------------------------------------------------------------------------------

# A task that may be about a text: "write …", "rename …", "grep …".
_TASK = re.compile(
    rf"{_ASIDE}(?:write|add|insert|append|put|print|show|display|echo|log|render|output|return|type|fix|correct|rename"
    r"|replace|change|set|update|remove|delete|test|assert|check|match|parse|reject|accept|make|let|grep|search|find"
    r"|look"
    r"|highlight|quote|copy|paste|count|detect|create|generate|include)\b",
    re.IGNORECASE,
)
# The text begins behind its noun: "add the sentence always use tabs".
_TEXT_NOUN = re.compile(
    r"\b(?:the|this|that|a|an|following|word|literal)\s+(?:[\w-]+\s+){0,2}?(?:sentence|line|string|text|phrase|words?"
    r"|wording|paragraph|slogan|typo|caption|saying|headline|banner|tooltip|placeholder|input|passage|label|title"
    r"|heading|message|query)\s+(?!(?:to|in(?! this)|for|about|of|with|from(?! now)|before|after|at|on|is|are|was|and"
    r"|or|by|as|when|if|that|which|must|should|has|have|into|per|so|there|here|too|again|first|instead)\b)(?=\S)"
    r"|\b(?:saying|reading|that (?:says|reads)|with the (?:text|words|message))\b",
    re.IGNORECASE,
)
# The text begins behind a preposition: "change the label to always use tabs".
_INTO_TEXT = re.compile(
    r"\b(?:text|string|label|title|heading|message|placeholder|tooltip|caption|banner|line|sentence|wording|slogan)\b"
    r"[^.]{0,40}?\b(?:to|with|by|into|say|read)\s+",
    re.IGNORECASE,
)
_REPLACING = re.compile(r".*\b(?:rename|replace|change|set|update|make|let)$", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(r"[,;:(\u2013\u2014]|\b(?:because|since|but|so|and)\b", re.IGNORECASE)


class Voice(NamedTuple):
    """A sentence taken apart: the user's own part, the whole of it if it is attributed, and the rule that decided."""

    own: str
    attributed: str = ""
    rule: str = ""


def is_rule(text: str) -> bool:
    """Whether a text sounds like a rule: it says always, never, must and the like."""
    return bool(_RULE.search(text))


def voices(sentences: list[str]) -> list[Voice]:
    """Return the voice of each sentence. A sentence that the next one takes back is nobody's."""
    found = [voice(sentence) for sentence in sentences]
    for place in range(1, len(sentences)):
        sentence, before = sentences[place], found[place - 1]
        if _TAKES_BACK.match(sentence):
            before = found[place - 1] = Voice("", "", DOUBTED)
        # What goes on after a rule of somebody else's may be theirs too, unless the user speaks.
        goes_on = is_rule(before.attributed) and found[place].own == sentence
        if goes_on and not _OWN_PRONOUN.search(sentence):
            found[place] = Voice("", sentence, ATTRIBUTED)
    return found


def voice(sentence: str) -> Voice:
    """Return whose words a sentence is; see the module's list of rules."""
    taken_back = _TAKES_BACK.match(sentence)
    if taken_back:
        return Voice(sentence[taken_back.end() :].lstrip(" ,;:.!\u2014-"), "", DOUBTED)
    for rule in NO_STATEMENT:
        if rule.pattern.search(sentence):
            return Voice("", "", rule.name)
    start = _text_start(sentence)
    if start >= 0:
        return Voice(sentence[:start].strip(), "", TO_WORK_ON)
    return _attributed(sentence)


def _text_start(sentence: str) -> int:
    """Return where the text begins that a task is about ("write a test for the sentence …"); -1 if there is none."""
    task = _TASK.match(sentence)
    if not task:
        return -1
    patterns = [_TEXT_NOUN, _INTO_TEXT] if _REPLACING.match(task[0]) else [_TEXT_NOUN]
    found = [pattern.search(sentence, task.end()) for pattern in patterns]
    return min((match.end() for match in found if match), default=-1)


def _attributed(sentence: str) -> Voice:
    """Return the sentence as the user's own or as somebody else's ("Bob says …", "…, says Bob", "Bob: …")."""
    label = _LABELLED.match(sentence)
    if label and not _is_own_label(label[1]):
        return Voice("", sentence, LABEL)
    if any(rule.pattern.search(sentence) for rule in ATTRIBUTED_FORMS):
        return Voice("", sentence, ATTRIBUTED)
    for saying in _SAYING.finditer(sentence):
        before, after = sentence[: saying.start()], sentence[saying.end() :]
        if not _is_speaker(saying[1], saying[2]) or _ADOPTED.search(f"{before}{saying[1]} "):
            continue
        if not after.strip(' .!\u2026"'):
            return Voice("", sentence, ATTRIBUTED)  # "always use tabs, Bob says."
        if _NO_CLAUSE.match(after):
            continue
        ends = [end.end() for end in _CLAUSE_ENDS.finditer(before)]
        own = before[: ends[-1] if ends else 0]
        return Voice(own.rstrip(" ,;:(\u2013\u2014"), sentence, ATTRIBUTED)
    return Voice(sentence)


def _is_speaker(subject: str, verb: str) -> bool:
    """Whether the word before a verb of saying is somebody else: no first person, no bare `you say`, no auxiliary."""
    low = subject.lower().replace("\u2019", "'")
    if low == "you":
        return bool(_PAST.match(verb))
    return low not in _FIRST_PERSON and low not in _NO_SUBJECT and not low.endswith("'s") and not low.isdigit()


def _is_own_label(label: str) -> bool:
    low = label.lower()
    if "." in low:
        return False
    return any(word in _OWN_LABELS for word in low.split()) or low.endswith(("s", "ing")) or label.isupper()
