"""What a message states that should outlast it: a rule, a choice, a limit, work put off, a cause, how something works.

Each sentence is judged by itself and by what stands around it. The weights are fitted (`scripts/fit_statements.py`) on
messages of coding sessions that are labelled by hand.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recollect.policy.statements import weights

NONE = "none"
LEAST_NEEDED, OF_AN_AGENT, PER_SENTENCE, MOST_NEEDED = 0.18, 0.12, 0.03, 0.45
PLAINLY = 0.65
MOST_CHARS = 8_000
MOST_SENTENCES, SENTENCE_CHARS = 80, 500
LENGTHS = ((3, "#1-3"), (7, "#4-7"), (14, "#8-14"), (25, "#15-25"), (40, "#26-40"))

_FENCED = re.compile(r"(?s:```.*?(?:```|\Z))|^(?: {4}|\t|>|\|).*$", re.MULTILINE)
_SENTENCES = re.compile(
    r"(?<=[.!?])['\")*_]*\s+(?=[\"'(`*_]*[A-Za-z0-9\u00c0-\uffff])|\n+\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s+)?|\s+[;\u2013\u2014]\s+|;\s"
)
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|approx|incl|resp|ca|cf|no|nr|z\.B|bzw)\.$", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_CODE = re.compile(r"`[^`\n]+`")
_TOKEN = re.compile(r"\S+")
_CAMEL = re.compile(r"[a-z][A-Z]")
# What is put up for discussion is not settled.
_OPEN = re.compile(
    r"\b(?:maybe|perhaps) (?:we|i|you)\b|\bwhat do you think\b|\b(?:should|could|shall|can) (?:we|i|you)\b.*\?"
    r"|\bwhat (?:if|about)\b|\bhow about\b|\?\s*$"
    r"|^(?:and |but |so |btw,? )?(?:why|how|where|who) (?:do|does|did|is|are|was|come)\b"
    r"|\bi(?:'d| would) say\b|\bmy (?:theory|guess|hunch|hypothesis)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"^(?:and |also,? |but |btw,? |no,? |nope,? |ok,? |hi!? |please |pls )*(?:"
    r"(?:remember|note|keep in mind)(?: that\b|:| for )|prefer \w+|no, use \w"
    r"|(?:in|for) this (?:repo\w*|project|code ?base)\b"
    r"|(?:always|never) (?:use|run|write|add|put|keep|commit|push|call|make|edit|touch|change|answer|test|check|ask"
    r"|create|name|include|import|log|return|merge|rebase|deploy|start|do|let|mock|store|format|review)\b"
    r"|(?:don'?t|do not|stop) (?:ever )?(?:touch|edit|us|modif|chang|commit|push|add|mock|hard-?cod)\w* "
    r"(?!the (?!generated|vendored)|(?:anything|it|that|this|a)\b))"
    r"|\b(?:from now on|going forward|for the future|as a (?:general )?rule|house rule|my preference"
    r"|we(?:'ve| have)? (?:decided|agreed) (?:to|on|that|against)"
    r"|i (?:always |generally |strongly )?prefer (?!to look|to see|not))\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:yet|for the moment|right now|(?<!from )now|this time|this once|today|until|till|here"
    r"|in this (?:change|pr|commit|branch|file|turn))\b|\?\s*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z']+|#num|#code|#name|[?!]")
_CUES = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("#rule", (
            r"\b(?:always|never|from now on|going forward|in future|in this (?:repo|project|code ?base|team)"
            r"|as a rule|convention|house rule|policy|every (?:\w+ )?(?:\w+) (?:has|must|needs|should|gets)"
            r"|no (?:more )?\w+ing\b|don'?t ever|under no|at all times)\b"
        )),
        ("#order", (
            r"^(?:and |but |also |btw,? |please |pls |no,? |nope,? |ok,? |so )*(?:use|don'?t|do not|never"
            r"|always|keep|stop|avoid|prefer|make|put|no)\b"
        )),
        ("#not-but", r"\b(?:not|never|instead of|rather than|over)\b.*|,\s*(?:not|no)\s"),
        ("#because", (
            r"\b(?:because|since|cause|so that|otherwise|due to|as we|as it|reason|that'?s why|hence"
            r"|therefore)\b|:\s"
        )),
        ("#choice", (
            r"\b(?:go(?:ing)? (?:with|for)|went (?:with|for)|chose|choose|decid\w+|pick\w*|opt\w* (?:for|to)"
            r"|settle\w* on|let'?s|take (?:the|option)|option \w|then\b|it is\b|instead|drop\w*"
            r"|switch\w* (?:to|back)|stick\w* (?:with|to)|stay\w* (?:with|on))\b"
        )),
        ("#limit", (
            r"\b(?:limit\w*|cap\w*|at most|max\w*|quota|only (?:has|have|allows?|supports?|works?|runs?|gets?"
            r"|possible)|can(?:no|')t|not (?:possible|allowed|supported|available)|no more than|per (?:second"
            r"|minute|hour|day|month|token|request|user)|still on|stuck (?:on|at)|minimum|at least|up to"
            r"|not before|until \w+)\b"
        )),
        ("#amount", (
            r"\d\s?(?:%|k?b/?s|[kmgt]i?b|gb|mb|ms|s\b|sec|min|h\b|hours?|days?|requests?|req|rows?|users?"
            r"|mails?|connections?|cores?|rps|qps|fps)"
        )),
        ("#later", (
            r"\b(?:later|for now|not now|not yet|next (?:week|month|quarter|sprint|release|year)|postpone\w*"
            r"|defer\w*|leave (?:it|that|this|the|them)|come back|revisit|until|todo|follow-?up|separate (?:pr"
            r"|ticket|issue|change)|another (?:day|time|pr)|backlog|park\w*|out of scope|q[1-4]|someday"
            r"|eventually|once (?:we|the))\b"
        )),
        ("#guess", (
            r"\b(?:probably|maybe|might|may be|perhaps|i (?:suspect|guess|think|assume|would)|i'?d|could be"
            r"|looks like|seems|likely|possibly|not sure|unclear|my guess|should be)\b"
        )),
        ("#offer", (
            r"\b(?:shall i|should i|do you want|want me to|would you like|let me know|tell me|if you (?:want"
            r"|like|prefer)|options?:|next,? i|i(?:'ll| will| can| could)|let me)\b"
        )),
        ("#cause", (
            r"\b(?:root cause|the (?:cause|culprit|reason|problem|issue|bug|failure|error) (?:was|is)"
            r"|caused by|because|turned? out|turns out|the fix|fixed by|was due|comes? from|came from"
            r"|which (?:is why|means|made|broke)|so (?:it|the|that)|never|no longer|was missing|wrong)\b"
        )),
        ("#past", r"\b(?:was|were|had|did|went|used|made|kept|left|failed|broke|found|measured|changed)\b"),
        ("#i-did", (
            r"\bi(?:'ve| have)? (?:went|chose|decided|picked|used|kept|left|put|made|did|opted|skipped|pinned"
            r"|switched|moved|found|measured|traced)\b|\bi (?:did not|didn'?t)\b"
        )),
        ("#explains", (
            r"\b(?:on purpose|by design|that is why|works? (?:by|like|as)|is (?:called|built|created|computed"
            r"|cached|loaded|read) |goes through|depends on|only (?:after|when|if)|first .* then|behind"
            r"|under the hood|never (?:reused|called|read)|every time|each (?:time|request|call))\b"
        )),
        ("#done", (
            r"\b(?:done|committed|pushed|green|pass(?:es|ed)?|clean|added|updated|renamed|removed|finished"
            r"|works now|all good|you'?re welcome|ready)\b"
        )),
        ("#we", r"\b(?:we|our|us|team|repo|project|company|customers?)\b"),
        ("#now", r"\b(?:now|this time|here|today|again|once|first|right away|quickly|just)\b"),
        ("#task", (
            r"^(?:and |then |now |please |pls |can you |could you |next[,:]? |also |ok,? )*(?:add|fix|write"
            r"|run|show|check|look|create|update|rename|remove|implement|move|change|build|commit|push|try"
            r"|make|give|find|refactor|test|open|explain|tell|list|print|set|bump|deploy|review|rebase|merge"
            r"|clean|convert|generate|revert|wire|extract|split|start|stop|do)\b"
        )),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that states something to keep, and how sure that is."""

    kind: str
    text: str
    certainty: float


def sentences(said: str) -> list[str]:
    """The sentences of a message, in order; code, quotations and tables are passed over."""
    found: list[str] = []
    for raw in _SENTENCES.split(_BLANKS.sub(" ", _FENCED.sub("\n", said[:MOST_CHARS]))):
        part = " ".join(raw.strip(" \t*_")[:SENTENCE_CHARS].split())
        if not any(sign.isalpha() for sign in part):
            continue
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found[:MOST_SENTENCES]


def features(said: str, *, by_user: bool, place: int, number: int, asked: str = "") -> set[str]:
    """What a sentence is made of: its words and pairs of them, cues, its length and place, and who says it."""
    who = "u" if by_user else "a"
    plain = _CODE.sub(" #code ", said)
    plain = re.sub(r"\b\d[\d.,:]*\b", " #num ", _TOKEN.sub(_named, plain))
    words = _WORD.findall(plain.lower())
    found = {f"{who}:{word}" for word in words}
    found.update(f"{who}:{one} {two}" for one, two in pairwise(words))
    found.update(f"{who}:^{word}" for word in words[:1])
    if len(words) > 1:
        found.add(f"{who}:^{words[0]} {words[1]}")
    cues = [name for name, pattern in _CUES if pattern.search(said)]
    found.update(f"{who}{name}" for name in cues)
    found.update(f"{who}{one}{two}" for at, one in enumerate(cues) for two in cues[at + 1 :])
    found.add(f"{who}{next((name for most, name in LENGTHS if len(words) <= most), '#41-')}")
    found.update(name for name, holds in _signs(who, said, place, number, asked) if holds)
    return found


def _named(token: re.Match[str]) -> str:
    """Names of code and files are alike, whatever they name."""
    said = token.group()
    bare = said.strip(".,;:!?()[]{}\"'*")
    is_name = "_" in bare or "/" in bare or "." in bare or said.endswith("()") or bool(_CAMEL.search(bare))
    is_name = is_name or bare.startswith("-") or (any(map(str.isdigit, bare)) and any(map(str.isalpha, bare)))
    is_number = bare.replace(".", "").replace(",", "").isdigit()
    return " #name " if is_name and not is_number and not said.startswith("#") else said


def _signs(who: str, said: str, place: int, number: int, asked: str) -> tuple[tuple[str, bool], ...]:
    return (
        (f"{who}#?", said.rstrip(" )*_").endswith("?")),
        (f"{who}#first", place == 0),
        (f"{who}#last", place == number - 1),
        (f"{who}#alone", number == 1),
        (
            f"{who}#asked-why",
            bool(re.search(r"\b(?:why|how come|how does|how do|what for|reason)\b", asked, re.IGNORECASE)),
        ),
        (
            f"{who}#asked-fix",
            bool(re.search(r"\b(?:fix|fail\w*|error|broken|red|crash\w*|bug|wrong|flaky)\b", asked, re.IGNORECASE)),
        ),
        (f"{who}#asked-?", asked.rstrip().endswith("?")),
    )


def context(parts: Sequence[str], place: int, *, by_user: bool, asked: str = "") -> set[str]:
    """A sentence's features, and the cues of its neighbours: a reason often comes before it, or after."""
    near = [*parts[max(0, place - 1) : place], *parts[place + 1 : place + 2]]
    around = {f"~{cue}" for other in near for cue in _cues(other)}
    return features(parts[place], by_user=by_user, place=place, number=len(parts), asked=asked) | around


def judged(said: str, *, by_user: bool, asked: str = "") -> Iterator[Statement]:
    """Each sentence of a message with the kind that it would be, and how likely it is one."""
    return judged_sentences(sentences(said), by_user=by_user, asked=asked)


def judged_sentences(parts: Sequence[str], *, by_user: bool, asked: str = "") -> Iterator[Statement]:
    """The same for sentences that were chosen before."""
    for place, part in enumerate(parts):
        shares = _shares(context(parts, place, by_user=by_user, asked=asked))
        kind = max((name for name in shares if name != NONE), key=lambda name: shares[name])
        certainty = max(shares[kind], PLAINLY) if by_user and is_plain(part) else shares[kind]
        yield Statement(kind, part, 0.0 if _OPEN.search(part) else certainty)


def is_plain(said: str) -> bool:
    """Whether somebody says in so many words that something should hold from now on, and not just this once."""
    return bool(_LASTING.search(said)) and not _ONCE.search(said)


def threshold(number: int, *, by_user: bool) -> float:
    """How likely a sentence has to be one: the more are said, the more likely it is that one only sounds so."""
    return min(MOST_NEEDED, LEAST_NEEDED + (0.0 if by_user else OF_AN_AGENT) + PER_SENTENCE * number)


def _cues(said: str) -> list[str]:
    return [name for name, pattern in _CUES if pattern.search(said)]


def _shares(found: set[str]) -> dict[str, float]:
    """Return how likely each kind is, together 1: the softmax of the kinds' scores."""
    scores = weights.load().scores(found)
    top = max(scores.values())
    raised = {kind: math.exp(score - top) for kind, score in scores.items()}
    whole = sum(raised.values())
    return {kind: value / whole for kind, value in raised.items()}
