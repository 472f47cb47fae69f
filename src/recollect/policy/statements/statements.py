"""Find the sentences of a message that state something to keep: a rule, a choice, a limit, a cause, a discovery.

A sentence is judged by a linear model over its features (words, cues, length, place, speaker) and the cues of its
neighbours. The weights are fitted on labelled messages of coding sessions (`scripts/fit_statements.py`). What is `OPEN`
to discussion is no statement, whatever the model says. Of a user's sentences the model judges only those that their
grammar does not decide (`lasting`).
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from recollect.policy.rule import any_of, table
from recollect.policy.statements import weights

NONE = "none"
LEAST_NEEDED, OF_AN_AGENT, PER_SENTENCE, MOST_NEEDED = 0.18, 0.12, 0.03, 0.45
"""The threshold: its start, what an agent's message adds, what each sentence adds, and its maximum."""
MOST_CHARS = 8_000
MOST_SENTENCES, SENTENCE_CHARS = 80, 500
LENGTHS = ((3, "#1-3"), (7, "#4-7"), (14, "#8-14"), (25, "#15-25"), (40, "#26-40"))
"""Features of a sentence's length: the most words, and the name."""
LONGER = "#41-"

# Code, indented lines, quotations and tables: ``` … ```, "    x", "> x", "| x |".
_FENCED = re.compile(r"(?s:```.*?(?:```|\Z))|^(?: {4}|\t|>|\|).*$", re.MULTILINE)
_BREAKS = r"""(?<=[.!?])['")*_]*\s+(?=["'(`*_]*[A-Za-z0-9\u00c0-\uffff])  # behind a full stop
      | (?<=[\u3002\uff01\uff1f])\s*                              # behind a full stop of Chinese or Japanese
      | \n+\s*(?: [-*•]\s+ | \d+[.)]\s+ | \#+\s+ )?               # at a new line, with its bullet, number or heading
    """
_SENTENCES = re.compile(_BREAKS, re.VERBOSE)
_CLAUSES = re.compile(rf"{_BREAKS} | \s+[;\u2013\u2014]\s+ | ;\s", re.VERBOSE)
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|approx|incl|resp|ca|cf|no|nr|z\.B|bzw)\.$", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_CODE = re.compile(r"`[^`\n]+`")
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"\b\d[\d.,:]*\b")
_CAMEL = re.compile(r"[a-z][A-Z]")
_WORD = re.compile(r"[a-z']+|#num|#code|#name|[?!]")

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
# Cues: features of a sentence that stand for many wordings. Their names and order are part of the weights.
CUES = table(
    (
        (
            "#rule",
            (
                r"\b(?:always|never|from now on|going forward|in future|in this (?:repo|project|code ?base|team)"
                r"|as a rule|convention|house rule|policy|every (?:\w+ )?(?:\w+) (?:has|must|needs|should|gets)"
                r"|no (?:more )?\w+ing\b|don'?t ever|under no|at all times)\b"
            ),
            "from now on we use pnpm",
        ),
        (
            "#order",
            (
                r"^(?:and |but |also |btw,? |please |pls |no,? |nope,? |ok,? |so )*(?:use|don'?t|do not|never"
                r"|always|keep|stop|avoid|prefer|make|put|no)\b"
            ),
            "please use pnpm",
        ),
        ("#not-but", r"\b(?:not|never|instead of|rather than|over)\b.*|,\s*(?:not|no)\s", "pnpm, not npm"),
        (
            "#because",
            (
                r"\b(?:because|since|cause|so that|otherwise|due to|as we|as it|reason|that'?s why|hence"
                r"|therefore)\b|:\s"
            ),
            "npm is out because it is slow",
        ),
        (
            "#choice",
            (
                r"\b(?:go(?:ing)? (?:with|for)|went (?:with|for)|chose|choose|decid\w+|pick\w*|opt\w* (?:for|to)"
                r"|settle\w* on|let'?s|take (?:the|option)|option \w|then\b|it is\b|instead|drop\w*"
                r"|switch\w* (?:to|back)|stick\w* (?:with|to)|stay\w* (?:with|on))\b"
            ),
            "let's go with Postgres",
        ),
        (
            "#limit",
            (
                r"\b(?:limit\w*|cap\w*|at most|max\w*|quota|only (?:has|have|allows?|supports?|works?|runs?|gets?"
                r"|possible)|can(?:no|')t|not (?:possible|allowed|supported|available)|no more than|per (?:second"
                r"|minute|hour|day|month|token|request|user)|still on|stuck (?:on|at)|minimum|at least|up to"
                r"|not before|until \w+)\b"
            ),
            "at most 10 requests per second",
        ),
        (
            "#amount",
            (
                r"\d\s?(?:%|k?b/?s|[kmgt]i?b|gb|mb|ms|s\b|sec|min|h\b|hours?|days?|requests?|req|rows?|users?"
                r"|mails?|connections?|cores?|rps|qps|fps)"
            ),
            "the queue takes 500 requests",
        ),
        (
            "#later",
            (
                r"\b(?:later|for now|not now|not yet|next (?:week|month|quarter|sprint|release|year)|postpone\w*"
                r"|defer\w*|leave (?:it|that|this|the|them)|come back|revisit|until|todo|follow-?up|separate (?:pr"
                r"|ticket|issue|change)|another (?:day|time|pr)|backlog|park\w*|out of scope|q[1-4]|someday"
                r"|eventually|once (?:we|the))\b"
            ),
            "leave it for next week",
        ),
        (
            "#guess",
            (
                r"\b(?:probably|maybe|might|may be|perhaps|i (?:suspect|guess|think|assume|would)|i'?d|could be"
                r"|looks like|seems|likely|possibly|not sure|unclear|my guess|should be)\b"
            ),
            "it is probably the cache",
        ),
        (
            "#offer",
            (
                r"\b(?:shall i|should i|do you want|want me to|would you like|let me know|tell me|if you (?:want"
                r"|like|prefer)|options?:|next,? i|i(?:'ll| will| can| could)|let me)\b"
            ),
            "shall I push it",
        ),
        (
            "#cause",
            (
                r"\b(?:root cause|the (?:cause|culprit|reason|problem|issue|bug|failure|error) (?:was|is)"
                r"|caused by|because|turned? out|turns out|the fix|fixed by|was due|comes? from|came from"
                r"|which (?:is why|means|made|broke)|so (?:it|the|that)|never|no longer|was missing|wrong)\b"
            ),
            "the root cause was a stale cache",
        ),
        (
            "#past",
            r"\b(?:was|were|had|did|went|used|made|kept|left|failed|broke|found|measured|changed)\b",
            "the build failed",
        ),
        (
            "#i-did",
            (
                r"\bi(?:'ve| have)? (?:went|chose|decided|picked|used|kept|left|put|made|did|opted|skipped|pinned"
                r"|switched|moved|found|measured|traced)\b|\bi (?:did not|didn'?t)\b"
            ),
            "I went with a queue",
        ),
        (
            "#explains",
            (
                r"\b(?:on purpose|by design|that is why|works? (?:by|like|as)|is (?:called|built|created|computed"
                r"|cached|loaded|read) |goes through|depends on|only (?:after|when|if)|first .* then|behind"
                r"|under the hood|never (?:reused|called|read)|every time|each (?:time|request|call))\b"
            ),
            "the index is built on purpose at night",
        ),
        (
            "#done",
            (
                r"\b(?:done|committed|pushed|green|pass(?:es|ed)?|clean|added|updated|renamed|removed|finished"
                r"|works now|all good|you'?re welcome|ready)\b"
            ),
            "all tests are green",
        ),
        ("#we", r"\b(?:we|our|us|team|repo|project|company|customers?)\b", "our customers"),
        ("#now", r"\b(?:now|this time|here|today|again|once|first|right away|quickly|just)\b", "just this time"),
        (
            "#task",
            (
                r"^(?:and |then |now |please |pls |can you |could you |next[,:]? |also |ok,? )*(?:add|fix|write"
                r"|run|show|check|look|create|update|rename|remove|implement|move|change|build|commit|push|try"
                r"|make|give|find|refactor|test|open|explain|tell|list|print|set|bump|deploy|review|rebase|merge"
                r"|clean|convert|generate|revert|wire|extract|split|start|stop|do)\b"
            ),
            "add a test",
        ),
    ),
    re.IGNORECASE,
)
# Cues of the prompt that an agent's message answers.
ASKED = table(
    (
        ("#asked-why", r"\b(?:why|how come|how does|how do|what for|reason)\b", "why is it slow"),
        ("#asked-fix", r"\b(?:fix|fail\w*|error|broken|red|crash\w*|bug|wrong|flaky)\b", "fix the build"),
        ("#asked-?", r"\?\s*\Z", "is it slow?"),
    ),
    re.IGNORECASE,
)


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


def features(sentence: str, *, by_user: bool, place: int, number: int, asked: str = "") -> set[str]:
    """Return the features of a sentence, each marked `u` for the user or `a` for the agent.

    `u:word`, `u:two words`, `u:^first`, `u#cue`, `u#cue#cue`, `u#length`; and the signs of `_signs`.
    """
    who = "u" if by_user else "a"
    words = _words(sentence)
    pairs = [f"{word} {following}" for word, following in pairwise(words)]
    cues = _cues(sentence)
    told = [f":{word}" for word in [*words, *pairs, *(f"^{first}" for first in [*words[:1], *pairs[:1]])]]
    told += [*cues, *(f"{cue}{other}" for cue, other in combinations(cues, 2))]
    told.append(next((name for most, name in LENGTHS if len(words) <= most), LONGER))
    told += _signs(sentence, place, number, asked)
    return {f"{who}{feature}" for feature in told}


def _words(sentence: str) -> list[str]:
    """Return the words of a sentence, with `#code`, `#name` and `#num` for code, names of code and numbers."""
    plain = _TOKEN.sub(_named, _CODE.sub(" #code ", sentence))
    return _WORD.findall(_NUMBER.sub(" #num ", plain).lower())


def _named(token: re.Match[str]) -> str:
    """Return `#name` for a token that names code or a file, whatever it names; else the token."""
    said = token.group()
    bare = said.strip(".,;:!?()[]{}\"'*")
    is_name = "_" in bare or "/" in bare or "." in bare or said.endswith("()") or bool(_CAMEL.search(bare))
    is_name = is_name or bare.startswith("-") or (any(map(str.isdigit, bare)) and any(map(str.isalpha, bare)))
    is_number = bare.replace(".", "").replace(",", "").isdigit()
    return " #name " if is_name and not is_number and not said.startswith("#") else said


def _signs(sentence: str, place: int, number: int, asked: str) -> list[str]:
    """Return the features of a sentence's end, its place in the message, and the prompt that it answers."""
    signs = {
        "#?": sentence.rstrip(" )*_").endswith("?"),
        "#first": place == 0,
        "#last": place == number - 1,
        "#alone": number == 1,
    }
    asked_for = [rule.name for rule in ASKED if rule.pattern.search(asked)]
    return [*(name for name, holds in signs.items() if holds), *asked_for]


def _cues(sentence: str) -> list[str]:
    return [rule.name for rule in CUES if rule.pattern.search(sentence)]


def context(parts: Sequence[str], place: int, *, by_user: bool, asked: str = "") -> set[str]:
    """Return the features of a sentence, and the cues of its neighbours marked `~`: a reason often stands there."""
    neighbours = [*parts[max(0, place - 1) : place], *parts[place + 1 : place + 2]]
    around = {f"~{cue}" for neighbour in neighbours for cue in _cues(neighbour)}
    return features(parts[place], by_user=by_user, place=place, number=len(parts), asked=asked) | around


def judged(text: str, *, by_user: bool, asked: str = "") -> Iterator[Statement]:
    """Yield each sentence of a message with its likeliest kind and its certainty."""
    return judged_sentences(sentences(text), by_user=by_user, asked=asked)


def judged_sentences(parts: Sequence[str], *, by_user: bool, asked: str = "") -> Iterator[Statement]:
    """Yield the same for sentences that were chosen before."""
    for place, part in enumerate(parts):
        shares = _shares(context(parts, place, by_user=by_user, asked=asked))
        kind = max((name for name in shares if name != NONE), key=lambda name: shares[name])
        yield Statement(kind, part, 0.0 if _OPEN.search(part) else shares[kind])


def threshold(number: int, *, by_user: bool) -> float:
    """Return the certainty that a sentence needs in a message of so many: more sentences, more false alarms."""
    return min(MOST_NEEDED, LEAST_NEEDED + (0.0 if by_user else OF_AN_AGENT) + PER_SENTENCE * number)


def _shares(found: set[str]) -> dict[str, float]:
    """Return how likely each kind is, together 1: the softmax of the kinds' scores."""
    scores = weights.load().scores(found)
    top = max(scores.values())
    raised = {kind: math.exp(score - top) for kind, score in scores.items()}
    whole = sum(raised.values())
    return {kind: value / whole for kind, value in raised.items()}
